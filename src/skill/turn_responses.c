/*
 * OpenAI Responses: calls and results are items of their own.  With
 * previous_response_id or conversation the provider keeps what came before,
 * and only the difference is here.
 */
#include "skill/turn_item.h"

static enum turn_kind
kind(struct str item)
{
	struct str type = turn_item_raw(item, "type");

	/* A message may leave its type out. */
	if (type.n == 0 || span_says(type, "message"))
		return turn_item_is(item, "role", "user") ? TURN_KIND_USER
							  : TURN_KIND_OTHER;
	if (span_says(type, "function_call"))
		return TURN_KIND_CALLS;
	return span_says(type, "function_call_output") ? TURN_KIND_RESULT
						       : TURN_KIND_OTHER;
}

static void
read_item(struct str item, struct turn_events *out)
{
	enum turn_kind k = kind(item);

	if (k == TURN_KIND_RESULT) {
		turn_item_result(out, turn_item_text(out->a, item, "call_id"),
		    turn_item_raw(item, "output"));
	} else if (k == TURN_KIND_CALLS) {
		const struct turn_call call = {
			.id = turn_item_text(out->a, item, "call_id"),
			.name = turn_item_text(out->a, item, "name"),
			.args = turn_item_text(out->a, item, "arguments"),
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
