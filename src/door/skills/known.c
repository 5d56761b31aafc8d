/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds our own tools in a request, by name and by our description of the
 * operation, for any mailboxes and any style of the harness's JSON.  A tool
 * with our name and another text is somebody else's.
 */
#include "base/limits.h"
#include "door/skills/nova.h"

/* A tool of tools_text(), as the request has it. */
struct known {
	struct str name, description, schema;
};

static struct known
read_known(struct skills_call *c, struct str tool)
{
	struct known k = { 0 };
	struct str raw = { 0 };

	if (c->format == TURN_OPENAI && !span_member(tool, "function", &tool))
		return k;
	if (span_member(tool, "name", &raw))
		(void)span_text(c->arena, raw, &k.name);
	if (span_member(tool, "description", &raw))
		(void)span_text(c->arena, raw, &k.description);
	(void)span_member(tool,
	    c->format == TURN_ANTHROPIC ? "input_schema" : "parameters",
	    &k.schema);
	return k;
}

const struct op *
known_op(struct skills_call *c, struct str tool)
{
	struct known k = read_known(c, tool);
	const struct op *op =
	    c->nova ? nova_op(k.name) : op_find(turn_tool(k.name));

	return op != NULL && selector_describes(op, k.description) ? op : NULL;
}

/* Members may be in any order. */
static bool
known_is_same_json(struct str x, struct str y)
{
	CLEANUP(json_parse_close) struct json_doc *a = NULL;
	CLEANUP(json_parse_close) struct json_doc *b = NULL;
	struct err none = { 0 };

	return json_parse_open(x, LIMIT_MESSAGE, &a, &none) == 0 &&
	    json_parse_open(y, LIMIT_MESSAGE, &b, &none) == 0 &&
	    json_parse_equal(json_parse_root(a), json_parse_root(b));
}

bool
known_same(struct skills_call *c, struct str tool, struct str other)
{
	struct known x = read_known(c, tool), y = read_known(c, other);

	return str_eq(x.name, y.name) && str_eq(x.description, y.description) &&
	    known_is_same_json(x.schema, y.schema);
}
