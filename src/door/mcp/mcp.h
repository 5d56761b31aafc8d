/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_MCP_H
#define DOOR_MCP_MCP_H

/*
 * Operations for a model's host: the Model Context Protocol over standard input
 * and output, or over HTTP.  Tools, their schemas and hints are made from the
 * operations' table; the gate decides what a call may do.
 */
#include "base/env.h"
#include "door/lent.h"
#include "door/route.h"
#include "gate/gate.h"

/* The arguments of "emcli mcp", for help. */
extern const struct arg_spec mcp_args[];
extern const char mcp_summary[];

/*
 * argv begins after "mcp"; `serve` is the door that speaks HTTP; `wires` is
 * where calls on standard input get connections, or NULL.  Returns the exit
 * status.
 */
int mcp_run(int argc, char **argv, const struct env *env,
    const struct err *broken, route_serve *serve,
    const struct lent_wires *wires);
/* A host starts emcli with pipes; at a terminal a person needs help. */
void mcp_tell_person(void);

#endif
