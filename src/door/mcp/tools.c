/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tools/list: the table of operations for a model, always in the table's order.
 */
#include "door/mcp/answers.h"
#include "door/mcp/schema.h"
#include "door/mcp/sight.h"
#include "gate/grant.h"
#include "op/op.h"

/*
 * Hints for a host's own prompts, which need not trust them.  Only those that
 * differ from the defaults: not read-only, destructive, not idempotent, open to
 * the world.  (For a read the second and third mean nothing.)  An operation
 * without an account is not open to the world; a draft harms nothing, but two
 * calls make two.  A provider may empty its trash.
 */
static void
mcp_tools_put_hints(struct json *j, const struct op *op)
{
	bool outside = op->effect != EFFECT_STATE &&
	    ((op->needs & (NEED_ACCOUNT | NEED_SOURCE)) || op->report);

	json_open_object(j, "annotations");
	if (op->effect == EFFECT_READ)
		json_put_bool(j, "readOnlyHint", true);
	else
		json_put_bool(j, "destructiveHint",
		    op->effect == EFFECT_SEND || op->discards);
	if (op->effect == EFFECT_STATE || op->same)
		json_put_bool(j, "idempotentHint", true);
	if (!outside)
		json_put_bool(j, "openWorldHint", false);
	json_close_object(j);
}

static void
put_tool(struct mcp_request *q, struct json *j, const struct op *op,
    const struct selector *boxes, const struct strs *skills)
{
	struct str prefix = mcp_sight_prefix(q);

	json_open_object(j, NULL);
	json_put_str(j, "name",
	    str_fmt(q->a, "%.*s%s", STR_ARG(prefix), op->name));
	json_put_str(j, "description", selector_describe(boxes, op, q->a));
	mcp_schema_put_input(j, op, &boxes->shown, skills, !q->m->always);
	if (mcp_sight_structured(q))
		mcp_schema_put_output(j);
	mcp_tools_put_hints(j, op);
	json_close_object(j);
}

/* The available ones, by name. */
static struct strs
mcp_tools_names_of(struct mcp_request *q, uint64_t skills)
{
	const struct skill *s;
	struct strs names = { 0 };

	for (size_t i = 0; i < 64 && (s = skill_at(i)) != NULL; i++)
		if (skills >> i & 1)
			str_push(q->a, &names, str_of(s->name));
	return names;
}

int
mcp_tools_list(struct mcp_request *q, struct json *out)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct selector boxes = { 0 };
	struct gate_caller who;
	uint64_t skills = 0;
	struct strs names = { 0 };
	struct err e = { 0 };

	if (mcp_params_cursor(q) < 0)
		return -1;
	/* Without a gate each call says why it is missing. */
	if (mcp_sight_gate(q, &who, &g, &e) == 0) {
		if (!q->m->always) {
			skills = mcp_sight_skills(q, g, false);
			names = mcp_tools_names_of(q, skills);
		}
		if (mcp_sight_filters(q))
			skills = mcp_sight_skills(q, g, true);
		(void)mcp_sight_boxes(q, g, false, &boxes, &e);
	}
	json_open_array(out, "tools");
	for (size_t i = 0; op_table[i] != NULL; i++)
		if (mcp_sight_shows(q, skills, op_table[i]))
			put_tool(q, out, op_table[i], &boxes, &names);
	json_close_array(out);
	return 0;
}
