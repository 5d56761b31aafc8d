/* SPDX-License-Identifier: Apache-2.0 */
/* A tool in each of the three wire formats. */
#include "door/skills/nova.h"

struct str
tools_text(struct skills_call *c, const struct op *op, struct str name)
{
	bool nested = c->format == TURN_OPENAI;
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	if (c->format != TURN_ANTHROPIC)
		json_put_text(j, "type", "function");
	if (nested)
		json_open_object(j, "function");
	json_put_str(j, "name", name);
	json_put_str(j, "description",
	    selector_describe(&c->boxes, op, c->arena));
	/* The default there is strict, which makes every argument required. */
	if (c->format == TURN_RESPONSES)
		json_put_bool(j, "strict", false);
	op_schema_arguments_put(j,
	    c->format == TURN_ANTHROPIC ? "input_schema" : "parameters", op,
	    &c->boxes.shown);
	if (nested)
		json_close_object(j);
	json_close_object(j);
	return json_text(j, c->arena);
}
