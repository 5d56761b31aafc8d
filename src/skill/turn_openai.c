/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenAI Chat Completions: calls are an assistant's tool_calls, results are
 * messages with role "tool".  "system" and "developer" are not users.
 */
#include "skill/turn_item.h"

static enum turn_kind
turn_openai_kind_of(struct str role)
{
	if (span_says(role, S("user")))
		return TURN_KIND_USER;
	if (span_says(role, S("assistant")))
		return TURN_KIND_CALLS;
	return span_says(role, S("tool")) ? TURN_KIND_RESULT : TURN_KIND_OTHER;
}

static enum turn_kind
turn_openai_kind(struct str item)
{
	return turn_openai_kind_of(turn_item_raw(item, S("role")));
}

static void
turn_openai_read_call(struct str v, struct turn_events *out)
{
	struct span_want of_call[] = { { .key = S("id") },
		{ .key = S("function") } };
	struct span_want of_fn[] = { { .key = S("name") },
		{ .key = S("arguments") } };
	struct turn_call call = { 0 };

	span_members(v, of_call, 2);
	span_members(of_call[1].value, of_fn, 2);
	(void)span_text(out->a, of_call[0].value, &call.id);
	(void)span_text(out->a, of_fn[0].value, &call.name);
	(void)span_text(out->a, of_fn[1].value, &call.args);
	turn_item_call(out, &call);
}

static void
turn_openai_read_item(struct str item, struct turn_events *out)
{
	struct span_want v[] = { { .key = S("role") },
		{ .key = S("tool_call_id") }, { .key = S("content") },
		{ .key = S("tool_calls") } };
	enum turn_kind k;
	struct str one;
	size_t at = 0;

	span_members(item, v, 4);
	k = turn_openai_kind_of(v[0].value);
	if (k == TURN_KIND_RESULT)
		turn_item_result(out, v[1].value, v[2].value);
	while (k == TURN_KIND_CALLS && span_next(v[3].value, &at, &one))
		turn_openai_read_call(one, out);
}

const struct turn_adapter turn_openai = {
	.list = "messages",
	.kind = turn_openai_kind,
	.read = turn_openai_read_item,
	.one_step_an_item = true,
};
