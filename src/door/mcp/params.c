/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the params of a request. */
#include "door/mcp/internal.h"
#include "door/mcp/sight.h"
#include "op/op.h"

int
mcp_params_cursor(struct mcp_request *q)
{
	const struct json_value *v = json_parse_member(q->params, "cursor");
	struct str cursor;

	if (v == NULL || (json_parse_str(v, &cursor) && cursor.n == 0))
		return 0;
	return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
	    "the cursor is not valid: this list has one page");
}

int
mcp_params_text(struct mcp_request *q, const char *key, struct str *out)
{
	if (json_parse_str(json_parse_member(q->params, key), out))
		return 0;
	return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
	    "params.%s must be a string", key);
}

const struct op *
mcp_params_op(const struct mcp_request *q)
{
	struct str name, prefix = mcp_sight_prefix(q);

	if (!json_parse_str(json_parse_member(q->params, "name"), &name))
		return NULL;
	/* The name without a prefix works too: texts say `get`. */
	if (str_starts(name, prefix))
		name = str_from(name, prefix.n);
	for (size_t i = 0; op_table[i] != NULL; i++)
		if (str_eq(str_of(op_table[i]->name), name))
			return op_table[i];
	return NULL;
}

bool
mcp_params_may_end(const struct mcp_request *q)
{
	const struct op *op;

	if (!str_eq(q->method, S("tools/call")))
		return true;
	op = mcp_params_op(q);
	return op == NULL || op->effect == EFFECT_READ;
}

void
mcp_params_fault(struct mcp_request *q)
{
	(void)mcp_jsonrpc_fault(q, MCP_BROKEN,
	    mcp_params_may_end(q) ? "the call did not finish"
				  : "the call did not finish: check what it "
				    "did before you make it again");
}
