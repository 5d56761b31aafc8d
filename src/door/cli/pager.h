#ifndef DOOR_CLI_PAGER_H
#define DOOR_CLI_PAGER_H

/* Text that is longer than the screen. */
#include "base/str.h"

/* Is standard output a terminal that can page, and has it fewer lines? */
bool pager_wanted(struct str text);
/*
 * Hands it to $PAGER, or to less where that is, by /bin/sh, and waits.  It gets
 * none of our variables, and no descriptor but the standard ones.  -1: nothing
 * has shown it.
 */
int pager_put(struct str text);

#endif
