#include "door/far.h"

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
