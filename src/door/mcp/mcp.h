#ifndef DOOR_MCP_MCP_H
#define DOOR_MCP_MCP_H

/*
 * Operations for a model's host: the Model Context Protocol over standard
 * input and output, or over HTTP.  Tools, their schemas and their hints are
 * made from the operations' table; what a call may do is the gate's to say.
 */
#include "base/env.h"
#include "door/route.h"
#include "gate/gate.h"

/* What is behind "emcli mcp" on a command line, for help. */
extern const struct arg_spec mcp_args[];
extern const char mcp_summary[];

/* argv is what follows "mcp"; `serve` is the door that speaks HTTP.  Returns
 * the exit status. */
int mcp_run(int argc, char **argv, const struct env *env,
    const struct err *broken, route_serve *serve);

#endif
