/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_CLI_H
#define DOOR_CLI_CLI_H

/*
 * Operations from the command line: exactly one JSON object on stdout and
 * nothing else.  Contains nothing about particular operations.
 */
#include "base/env.h"
#include "door/far.h"
#include "gate/operate.h"

/* argv begins after the operation's name.  Returns the exit status. */
int cli_run(const struct op *op, int argc, char **argv, const struct env *env,
    const struct err *broken, const struct far *far);
/* What other doors do for operator's operations: struct operate_door's. */
struct cli_beside {
	int (*form)(struct flow *f, struct err *e);
	const struct operate_gateway *gateway;
	const struct operate_broker *broker;
};

/* The same for operator's operations, in desk/. */
int cli_operate(const struct op *op, int argc, char **argv,
    const struct env *env, const struct err *broken,
    const struct cli_beside *beside);
/* For an unknown command.  Returns the exit status. */
int cli_run_refuse(const char *action, const struct env *env,
    const struct err *why);

#endif
