/*
 * OpenAI Chat Completions: calls are an assistant's tool_calls, results are
 * messages of the role "tool".  "system" and "developer" are no users.
 */
#include "skill/turn_item.h"

static enum turn_kind
kind(struct str item)
{
	struct str role = turn_item_raw(item, "role");

	if (span_says(role, "user"))
		return TURN_KIND_USER;
	if (span_says(role, "assistant"))
		return TURN_KIND_CALLS;
	return span_says(role, "tool") ? TURN_KIND_RESULT : TURN_KIND_OTHER;
}

static void
read_item(struct str item, struct turn_events *out)
{
	struct str calls = turn_item_raw(item, "tool_calls"), one;
	enum turn_kind k = kind(item);
	size_t at = 0;

	if (k == TURN_KIND_RESULT) {
		turn_item_result(out,
		    turn_item_text(out->a, item, "tool_call_id"),
		    turn_item_raw(item, "content"));
		return;
	}
	while (k == TURN_KIND_CALLS && span_next(calls, &at, &one)) {
		struct str fn = turn_item_raw(one, "function");
		const struct turn_call call = {
			.id = turn_item_text(out->a, one, "id"),
			.name = turn_item_text(out->a, fn, "name"),
			.args = turn_item_text(out->a, fn, "arguments"),
		};

		turn_item_call(out, &call);
	}
}

const struct turn_adapter turn_openai = {
	.list = "messages",
	.kind = kind,
	.read = read_item,
	.one_step_an_item = true,
};
