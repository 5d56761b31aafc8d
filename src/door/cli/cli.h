#ifndef DOOR_CLI_CLI_H
#define DOOR_CLI_CLI_H

/*
 * Operations from the command line: exactly one JSON object on stdout and
 * nothing else.  Contains nothing about particular operations.
 */
#include "base/env.h"
#include "gate/operate.h"

/* argv begins after the operation's name.  Returns the exit status. */
int cli_run(const struct op *op, int argc, char **argv, const struct env *env,
    const struct err *broken);
/* The same for operator's operations, in desk/; form, gateway: struct
 * operate_door's. */
int cli_operate(const struct op *op, int argc, char **argv,
    const struct env *env, const struct err *broken,
    int (*form)(struct flow *f, struct err *e),
    const struct operate_gateway *gateway);
/* For an unknown command.  Returns the exit status. */
int cli_run_refuse(const char *action, const struct env *env,
    const struct err *why);

#endif
