/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_PAGER_H
#define DOOR_CLI_PAGER_H

/* Text that is longer than the screen. */
#include "base/str.h"

/* Is standard output a terminal that can page, with too few lines? */
bool pager_wanted(struct str text);
/*
 * Passes it to $PAGER, or to less if installed, by /bin/sh, and waits.  The
 * pager gets none of emcli's variables, and only the standard descriptors. -1:
 * it was not shown.
 */
int pager_put(struct str text);

#endif
