/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a host writes.  Lines are cut in pieces of odd sizes; each
 * is read as a message, and what needs no gate is answered.
 */
#include <stdint.h>

#include "base/limits.h"
#include "door/given.h"
#include "door/mcp/internal.h"
#include "op/op.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One line out, whatever came in; and arguments that a table judges. */
static void
answer(struct arena *a, struct mcp *m, struct str line)
{
	struct mcp_request q = { .a = a, .m = m };
	const struct given_own own = { 0 };
	struct json_doc *doc = NULL;
	const struct mcp_method *row = NULL;
	const struct op *op;
	struct json *out = NULL;
	struct err e = { 0 };
	struct args args;

	mcp_jsonrpc_read(line, &q, &doc);
	if (q.kind == MCP_REQUEST)
		row = mcp_method_find(&q);
	if (row != NULL && !(row->flags & MCP_GATED))
		out = mcp_method_answer(&q, row);
	else if (q.kind == MCP_FAULT || (q.kind == MCP_REQUEST && row == NULL))
		out = mcp_jsonrpc_error(&q);
	if (out != NULL && str_has_char(json_text(out, a), '\n'))
		err_bug("fuzz: an answer of two lines");
	op = mcp_params_op(&q);
	if (op != NULL) {
		args_init(&args, op->args, a);
		if (given_read(json_parse_member(q.params, "arguments"), &own,
			a, &args, &e) == 0)
			(void)args_check(&args, a, &e);
	}
	json_parse_close(&doc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(512 << 20);
	struct str rest = { (const char *)data, size }, line;
	/* No key, and nothing that initialize could open. */
	char db[] = "/nonexistent/emcli.db", agent[] = "agent";
	struct env env = { .db = db, .agent = agent };
	struct mcp m = { .filter = true, .env = &env };
	bool more = true;

	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		answer(a, &m, line);
	}
	return 0;
}
