/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SKILLS_SKILLS_H
#define DOOR_SKILLS_SKILLS_H

/*
 * Two pipes that give the skills to any model: `emcli skills filter` reads a
 * model request and returns it with the tools of this turn; `emcli skills run`
 * executes a model's calls and returns the messages to add.  What is shown
 * decides nothing: every call passes the gate.
 */
#include "base/env.h"
#include "base/err.h"
#include "gate/args.h"

struct skills_call;

struct skills_command {
	const char *name; /* "skills filter" */
	const char *summary;
	const struct arg_spec *args;
	/* Adds to the call's output for stdout; or NULL. */
	int (*pipe)(struct skills_call *c, struct err *e);
	/*
	 * Does everything and returns the exit status; *e may already contain
	 * an error.
	 */
	int (
	    *talk)(struct skills_call *c, const struct env *env, struct err *e);
};

#define SKILLS_COMMANDS 3 /* how many there are */
/* Ends with a row whose name is NULL. */
extern const struct skills_command skills_table[SKILLS_COMMANDS + 1];

/*
 * argv begins after the command's words.  Returns the exit status; unless it is
 * 0, nothing was written to stdout.
 */
int skills_run(const struct skills_command *cmd, int argc, char **argv,
    const struct env *env, const struct err *broken);

#endif
