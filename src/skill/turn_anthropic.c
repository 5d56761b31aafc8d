/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anthropic Messages: calls and results are blocks.  Results are in messages
 * with the user's role, where harnesses add reminders: one tool_result makes
 * the whole message a continuation.
 */
#include "skill/turn_item.h"

static bool
turn_anthropic_has_result(struct str blocks)
{
	struct str one;
	size_t at = 0;

	while (span_next(blocks, &at, &one))
		if (turn_item_is(one, S("type"), S("tool_result")))
			return true;
	return false;
}

static enum turn_kind
turn_anthropic_kind(struct str item)
{
	struct str role = turn_item_raw(item, S("role"));

	if (span_says(role, S("assistant")))
		return TURN_KIND_CALLS;
	if (!span_says(role, S("user")))
		return TURN_KIND_OTHER;
	return turn_anthropic_has_result(turn_item_raw(item, S("content")))
	    ? TURN_KIND_RESULT
	    : TURN_KIND_USER;
}

static void
turn_anthropic_read_call(struct str block, struct turn_events *out)
{
	struct span_want v[] = { { .key = S("type") }, { .key = S("id") },
		{ .key = S("name") }, { .key = S("input") } };
	struct turn_call call = { 0 };

	span_members(block, v, 4);
	if (!span_says(v[0].value, S("tool_use")))
		return;
	(void)span_text(out->a, v[1].value, &call.id);
	(void)span_text(out->a, v[2].value, &call.name);
	call.args = v[3].value;
	turn_item_call(out, &call);
}

static void
turn_anthropic_read_result(struct str block, struct turn_events *out)
{
	struct span_want v[] = { { .key = S("type") },
		{ .key = S("tool_use_id") }, { .key = S("content") } };

	span_members(block, v, 3);
	if (span_says(v[0].value, S("tool_result")))
		turn_item_result(out, v[1].value, v[2].value);
}

static void
turn_anthropic_read_item(struct str item, struct turn_events *out)
{
	struct span_want v[] = { { .key = S("role") },
		{ .key = S("content") } };
	struct str one;
	size_t at = 0;
	bool calls;

	span_members(item, v, 2);
	calls = span_says(v[0].value, S("assistant"));
	if (!calls && !span_says(v[0].value, S("user")))
		return;
	while (span_next(v[1].value, &at, &one))
		if (calls)
			turn_anthropic_read_call(one, out);
		else
			turn_anthropic_read_result(one, out);
}

const struct turn_adapter turn_anthropic = {
	.list = "messages",
	.kind = turn_anthropic_kind,
	.read = turn_anthropic_read_item,
	.one_step_an_item = true,
};
