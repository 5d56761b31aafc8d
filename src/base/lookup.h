/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LOOKUP_H
#define BASE_LOOKUP_H

/*
 * Where the C library looks for names of hosts and users.  It loads a library
 * for each source that nsswitch.conf(5) names, and a static program cannot.
 * Called once, before the first lookup.
 */
void lookup_begin(void);

#endif
