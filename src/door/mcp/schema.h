/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_SCHEMA_H
#define DOOR_MCP_SCHEMA_H

/* The schemas of tools. */
#include "base/json.h"
#include "op/op.h"

/*
 * Omits the lease if nothing needs one; a mailbox replaces the account.
 * `skills` are the possible values for a tool that takes one.
 */
void mcp_schema_put_input(struct json *j, const struct op *op,
    const struct op_selector *boxes, const struct strs *skills, bool lease);
void mcp_schema_put_output(struct json *j);

#endif
