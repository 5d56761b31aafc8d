/*
 * Anthropic Messages: calls and results are blocks.  Results come in messages
 * of the user's role, where harnesses put reminders beside them: one
 * tool_result makes the whole message a continuation.
 */
#include "skill/turn_item.h"

static bool
has_result(const struct json_value *blocks)
{
	size_t n = json_parse_count(blocks);

	for (size_t i = 0; i < n; i++)
		if (turn_item_is(json_parse_item(blocks, i), "type",
			"tool_result"))
			return true;
	return false;
}

static enum turn_kind
kind(const struct json_value *item)
{
	if (turn_item_is(item, "role", "assistant"))
		return TURN_KIND_CALLS;
	if (!turn_item_is(item, "role", "user"))
		return TURN_KIND_OTHER;
	return has_result(json_parse_member(item, "content")) ? TURN_KIND_RESULT
							      : TURN_KIND_USER;
}

static void
read_item(const struct json_value *item, struct turn_events *out)
{
	const struct json_value *blocks = json_parse_member(item, "content");
	size_t n = json_parse_count(blocks);
	enum turn_kind k = kind(item);

	for (size_t i = 0; i < n; i++) {
		const struct json_value *b = json_parse_item(blocks, i);
		const struct turn_call call = {
			.id = turn_item_text(b, "id"),
			.name = turn_item_text(b, "name"),
			.input = json_parse_member(b, "input"),
		};

		if (k == TURN_KIND_RESULT &&
		    turn_item_is(b, "type", "tool_result"))
			turn_item_result(out, turn_item_text(b, "tool_use_id"),
			    json_parse_member(b, "content"));
		else if (k == TURN_KIND_CALLS &&
		    turn_item_is(b, "type", "tool_use"))
			turn_item_call(out, &call);
	}
}

const struct turn_adapter turn_anthropic = {
	.list = "messages",
	.kind = kind,
	.read = read_item,
	.one_step_an_item = true,
};
