/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_LIBRARIES_H
#define DOOR_LIBRARIES_H

/* The libraries that emcli was built with: gen/door/libraries.c, which
 * tools/libraries makes.  The shared program may run with later ones. */
struct library {
	const char *name;    /* "openssl" */
	const char *version; /* "3.0.17" */
};

extern const struct library libraries_all[]; /* {NULL} ends it */

#endif
