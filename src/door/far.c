/* SPDX-License-Identifier: Apache-2.0 */
#include "door/far.h"

#include "base/limits.h"

static const char *const words[] = {
	[GATE_PLAIN] = "plain",
	[GATE_GOOD] = "good",
	[GATE_BAD] = "bad",
	[GATE_NOTE] = "note",
	[GATE_NEXT] = "next",
	[GATE_TEXT] = "text",
	[GATE_ABOVE] = "above",
	[GATE_PAIR] = "pair",
	[GATE_RAW] = "raw",
};

#define WORDS (sizeof(words) / sizeof(words[0]))

const char *
far_mark(enum gate_mark mark)
{
	return words[mark];
}

enum gate_mark
far_mark_of(struct str word)
{
	for (size_t i = 0; i < WORDS; i++)
		if (str_eq(word, str_of(words[i])))
			return (enum gate_mark)i;
	return GATE_PLAIN;
}

/* envelope_make() puts it last. */
struct str
far_data(struct str envelope)
{
	static const struct str head =
	    SI("{\"error\":false,\"error_detail\":{},\"data\":");

	if (!str_starts(envelope, head) || !str_ends(envelope, S("}")))
		return S("{}");
	return str_first(str_from(envelope, head.n), envelope.n - head.n - 1);
}

void
far_error(struct arena *a, struct str envelope, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;
	struct str say = S("the broker refused the call"), next = { 0 };
	struct err none = { 0 };

	if (json_parse_open(envelope, LIMIT_MESSAGE, &doc, &none) == 0) {
		v = json_parse_member(json_parse_root(doc), "error_detail");
		(void)json_parse_str(json_parse_member(v, "message"), &say);
		(void)json_parse_str(json_parse_member(v, "next"), &next);
	}
	(void)err_set(e, ERR_INTERNAL, "%.*s", STR_ARG(say));
	if (next.n > 0)
		(void)err_hint(e, str_c(a, next));
}
