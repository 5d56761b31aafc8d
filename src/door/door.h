#ifndef DOOR_DOOR_H
#define DOOR_DOOR_H

/*
 * From argv to one of the program's doors.  The doors turn syntax into calls
 * and replies into text; they hold no rule.
 */
#include "base/env.h"
#include "base/err.h"

/*
 * Does what the command line asks; returns the exit status.  broken is why the
 * environment could not be taken, or NULL; what needs none of it works all the
 * same.
 */
int door_main(int argc, char **argv, const struct env *env,
    const struct err *broken);

#endif
