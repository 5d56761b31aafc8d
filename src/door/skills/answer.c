/* SPDX-License-Identifier: Apache-2.0 */
/* Replies as the messages that answer a model's calls. */
#include "door/envelope.h"
#include "door/fence.h"
#include "door/skills/internal.h"

int
answer_text(struct skills_call *c, const struct op *op, const struct reply *r,
    struct str *text, struct err *e)
{
	*text = json_text(envelope_make(c->arena, r), c->arena);
	if (op == NULL || !fence_needed(op, r))
		return 0;
	return fence_put(c->arena, *text, text, e);
}

static void
answer_put_anthropic(struct json *j, const struct answer *v, size_t n)
{
	if (n == 0)
		return;
	json_open_object(j, NULL);
	json_put_text(j, "role", "user");
	json_open_array(j, "content");
	for (size_t i = 0; i < n; i++) {
		json_open_object(j, NULL);
		json_put_text(j, "type", "tool_result");
		json_put_str(j, "tool_use_id", v[i].call->id);
		json_put_str(j, "content", v[i].text);
		if (v[i].failed)
			json_put_bool(j, "is_error", true);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
}

void
answer_put_one(struct json *j, enum turn_format f, const struct answer *v)
{
	bool items = f == TURN_RESPONSES;

	json_open_object(j, NULL);
	if (items)
		json_put_text(j, "type", "function_call_output");
	else
		json_put_text(j, "role", "tool");
	json_put_str(j, items ? "call_id" : "tool_call_id", v->call->id);
	json_put_str(j, items ? "output" : "content", v->text);
	json_close_object(j);
}

void
answer_put(struct json *j, enum turn_format f, const struct answer *v, size_t n)
{
	json_open_array(j, NULL);
	if (f == TURN_ANTHROPIC)
		answer_put_anthropic(j, v, n);
	for (size_t i = 0; f != TURN_ANTHROPIC && i < n; i++)
		answer_put_one(j, f, &v[i]);
	json_close_array(j);
}
