#ifndef DOOR_MCP_SCHEMA_H
#define DOOR_MCP_SCHEMA_H

/* The schemas of tools. */
#include "base/json.h"
#include "op/op.h"

/* Without a lease where nothing needs one; a mailbox stands for the account.
 * `skills` are those a tool that takes one may be given. */
void mcp_schema_put_input(struct json *j, const struct op *op,
    const struct op_selector *boxes, const struct strs *skills, bool lease);
void mcp_schema_put_output(struct json *j);

#endif
