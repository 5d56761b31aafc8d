/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_DOOR_H
#define DOOR_DOOR_H

/*
 * From argv to one of the program's doors.  The doors turn syntax into calls
 * and replies into text; they contain no rules.
 */
#include "base/env.h"
#include "base/err.h"

/*
 * Runs the command line; returns the exit status.  broken is the reason why the
 * environment could not be read, or NULL; commands that do not need it work
 * anyway.  commit is the one that the program was built of, or empty.
 */
int door_main(int argc, char **argv, const struct env *env,
    const struct err *broken, const char *commit);
/* Tells door/far.h which commands another process can run. */
void door_pipes(void);

#endif
