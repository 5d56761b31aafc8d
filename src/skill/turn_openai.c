/*
 * OpenAI Chat Completions: calls are an assistant's tool_calls, results are
 * messages of the role "tool".  "system" and "developer" are no users.
 */
#include "skill/turn_item.h"

static enum turn_kind
kind(const struct json_value *item)
{
	struct str role = turn_item_text(item, "role");

	if (str_eq(role, S("user")))
		return TURN_KIND_USER;
	if (str_eq(role, S("assistant")))
		return TURN_KIND_CALLS;
	return str_eq(role, S("tool")) ? TURN_KIND_RESULT : TURN_KIND_OTHER;
}

static void
read_item(const struct json_value *item, struct turn_events *out)
{
	const struct json_value *calls = json_parse_member(item, "tool_calls");
	size_t n = json_parse_count(calls);

	if (kind(item) == TURN_KIND_RESULT) {
		turn_item_result(out, turn_item_text(item, "tool_call_id"),
		    json_parse_member(item, "content"));
		return;
	}
	for (size_t i = 0; kind(item) == TURN_KIND_CALLS && i < n; i++) {
		const struct json_value *one = json_parse_item(calls, i);
		const struct json_value *fn =
		    json_parse_member(one, "function");
		const struct turn_call call = {
			.id = turn_item_text(one, "id"),
			.name = turn_item_text(fn, "name"),
			.args = turn_item_text(fn, "arguments"),
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
