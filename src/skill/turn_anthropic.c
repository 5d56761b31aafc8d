/*
 * Anthropic Messages: calls and results are blocks.  Results come in messages
 * of the user's role, where harnesses put reminders beside them: one
 * tool_result makes the whole message a continuation.
 */
#include "skill/turn_item.h"

static bool
has_result(struct str blocks)
{
	struct str one;
	size_t at = 0;

	while (span_next(blocks, &at, &one))
		if (turn_item_is(one, "type", "tool_result"))
			return true;
	return false;
}

static enum turn_kind
kind(struct str item)
{
	struct str role = turn_item_raw(item, "role");

	if (span_says(role, "assistant"))
		return TURN_KIND_CALLS;
	if (!span_says(role, "user"))
		return TURN_KIND_OTHER;
	return has_result(turn_item_raw(item, "content")) ? TURN_KIND_RESULT
							  : TURN_KIND_USER;
}

static void
read_item(struct str item, struct turn_events *out)
{
	struct str blocks = turn_item_raw(item, "content"), b;
	enum turn_kind k = kind(item);
	size_t at = 0;

	while (span_next(blocks, &at, &b)) {
		struct str type = turn_item_raw(b, "type");

		if (k == TURN_KIND_RESULT && span_says(type, "tool_result")) {
			turn_item_result(out,
			    turn_item_text(out->a, b, "tool_use_id"),
			    turn_item_raw(b, "content"));
		} else if (k == TURN_KIND_CALLS &&
		    span_says(type, "tool_use")) {
			const struct turn_call call = {
				.id = turn_item_text(out->a, b, "id"),
				.name = turn_item_text(out->a, b, "name"),
				.args = turn_item_raw(b, "input"),
			};

			turn_item_call(out, &call);
		}
	}
}

const struct turn_adapter turn_anthropic = {
	.list = "messages",
	.kind = kind,
	.read = read_item,
	.one_step_an_item = true,
};
