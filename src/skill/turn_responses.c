/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenAI Responses: calls and results are separate items.  With
 * previous_response_id or conversation the provider keeps earlier messages, and
 * the request has only the new ones.
 */
#include "skill/turn_item.h"

static enum turn_kind
turn_responses_kind_of(struct str type, struct str role)
{
	/* A message may omit its type. */
	if (type.n == 0 || span_says(type, S("message")))
		return span_says(role, S("user")) ? TURN_KIND_USER
						  : TURN_KIND_OTHER;
	if (span_says(type, S("function_call")))
		return TURN_KIND_CALLS;
	return span_says(type, S("function_call_output")) ? TURN_KIND_RESULT
							  : TURN_KIND_OTHER;
}

static enum turn_kind
turn_responses_kind(struct str item)
{
	struct str type = turn_item_raw(item, S("type")), role = { 0 };

	if (type.n == 0 || span_says(type, S("message")))
		role = turn_item_raw(item, S("role"));
	return turn_responses_kind_of(type, role);
}

static void
turn_responses_read_item(struct str item, struct turn_events *out)
{
	struct span_want v[] = { { .key = S("type") }, { .key = S("role") },
		{ .key = S("call_id") }, { .key = S("output") },
		{ .key = S("name") }, { .key = S("arguments") } };
	struct turn_call call = { 0 };
	enum turn_kind k;

	span_members(item, v, 6);
	k = turn_responses_kind_of(v[0].value, v[1].value);
	if (k == TURN_KIND_RESULT)
		turn_item_result(out, v[2].value, v[3].value);
	if (k != TURN_KIND_CALLS)
		return;
	(void)span_text(out->a, v[2].value, &call.id);
	(void)span_text(out->a, v[4].value, &call.name);
	(void)span_text(out->a, v[5].value, &call.args);
	turn_item_call(out, &call);
}

const struct turn_adapter turn_responses = {
	.list = "input",
	.kind = turn_responses_kind,
	.read = turn_responses_read_item,
	.deltas = true,
};
