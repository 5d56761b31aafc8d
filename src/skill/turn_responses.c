/*
 * OpenAI Responses: calls and results are items of their own.  With
 * previous_response_id or conversation the provider keeps what came before,
 * and only the difference is here.
 */
#include "skill/turn_item.h"

static enum turn_kind
kind(const struct json_value *item)
{
	struct str type = turn_item_text(item, "type");

	/* A message may leave its type out. */
	if (type.n == 0 || str_eq(type, S("message")))
		return turn_item_is(item, "role", "user") ? TURN_KIND_USER
							  : TURN_KIND_OTHER;
	if (str_eq(type, S("function_call")))
		return TURN_KIND_CALLS;
	return str_eq(type, S("function_call_output")) ? TURN_KIND_RESULT
						       : TURN_KIND_OTHER;
}

static void
read_item(const struct json_value *item, struct turn_events *out)
{
	enum turn_kind k = kind(item);

	if (k == TURN_KIND_RESULT) {
		turn_item_result(out, turn_item_text(item, "call_id"),
		    json_parse_member(item, "output"));
	} else if (k == TURN_KIND_CALLS) {
		const struct turn_call call = {
			.id = turn_item_text(item, "call_id"),
			.name = turn_item_text(item, "name"),
			.args = turn_item_text(item, "arguments"),
		};

		turn_item_call(out, &call);
	}
}

const struct turn_adapter turn_responses = {
	.list = "input",
	.kind = kind,
	.read = read_item,
	.deltas = true,
};
