/* SPDX-License-Identifier: Apache-2.0 */
/* A reply with the quoted text: format=flowed, RFC 3676. */
#include "../rows.h"

#include "mime/message.h"
#include "mime/quote.h"

#define W10 "ninechars ninechars ninechars ninechars ninechars "
#define LONG W10 W10 W10 "end"

static const struct flow_row {
	const char *why;
	struct str in;
	size_t deeper;
	const char *want;
} flows[] = {
	{ "a short line stays", SI("one\ntwo\n"), 0, "one\ntwo\n" },
	{ "a last line gets its end", SI("one"), 0, "one\n" },
	{ "a quoted line has a mark", SI("one\n\ntwo\n"), 1,
	    "> one\n>\n> two\n" },
	{ "one more for what was quoted", SI("> one\n>> two\n> > three\n"), 1,
	    ">> one\n>>> two\n>>> three\n" },
	{ "spaces at the end do not continue it", SI("one  \ntwo\n"), 0,
	    "one\ntwo\n" },
	{ "a signature's line stays", SI("-- \nme\n"), 0, "-- \nme\n" },
	{ "a quoted one too", SI("-- \nme\n"), 1, "> -- \n> me\n" },
	{ "a space at the beginning is stuffed", SI("  one\n"), 0, "   one\n" },
	{ "From is stuffed", SI("From me\n"), 0, " From me\n" },
	{ "one's own marks stay marks", SI("> one\n"), 0, "> one\n" },
	{ "a long line is broken after a space", SI(LONG), 0,
	    W10 "ninechars ninechars \n"
		"ninechars ninechars ninechars ninechars ninechars ninechars "
		"ninechars \nninechars end\n" },
	{ "CRLF is an end", SI("one\r\ntwo\r\n"), 1, "> one\n> two\n" },
	{ "nothing is nothing", SI(""), 1, "" },
};

static void
flow(void **state)
{
	const struct flow_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, 1 << 16);
	quote_flow(&b, r->in, r->deeper);
	rows_same(buf_view(&b), str_of(r->want));
}

/* A reader of format=flowed gets every text back, one level deeper. */
static void
comes_back(void **state)
{
	static const char *const texts[] = { "one", LONG, "  " LONG,
		"-- ninecharsninecharsninecharsninecharsninecharsninechars"
		"ninecharsninecharsninechars x",
		"From " LONG, "\303\274\303\274 " LONG,
		"a                                                           "
		"                                                    b" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
		struct mime_message m;
		struct buf b;

		buf_init(&b, a, 1 << 16);
		buf_text(&b,
		    "Content-Type: text/plain; charset=utf-8; format=flowed\n"
		    "\n");
		quote_flow(&b, str_of(texts[i]), 1);
		mime_message_parse(a, buf_view(&b), &m);
		rows_same(mime_part_text(a, &m.part[0]),
		    str_fmt(a, "> %s\n", texts[i]));
	}
}

static const struct text_row {
	const char *why;
	struct quote q;
	const char *want;
} texts[] = {
	{ "whose it is, and when",
	    { SI("hello\n\n"), SI("2026-06-21T12:00:00+02:00"),
		SI("ann@us.example") },
	    "yes\n\nOn 2026-06-21 12:00 +02:00, ann@us.example wrote:\n"
	    "> hello\n" },
	{ "without a date", { SI("hello"), SI(""), SI("ann@us.example") },
	    "yes\n\nann@us.example wrote:\n> hello\n" },
	{ "without a sender", { SI("hello"), SI(""), SI("") },
	    "yes\n\nthe sender wrote:\n> hello\n" },
};

static struct str
answer(struct arena *a, const struct quote *q)
{
	return quote_above(a, S("yes"), quote_block(a, q));
}

static void
text(void **state)
{
	const struct text_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(answer(a, &r->q), str_of(r->want));
}

/* Whatever there is to quote, little of it goes out. */
static void
is_capped(void **state)
{
	static const char *const of[] = { "word ", "x", "\n", ">", "> > > >\n",
		"\303\274" };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct quote q = { 0 };
		struct str got;

		q.text = rows_repeat(a, str_of(of[i]), 20 << 20);
		got = answer(a, &q);
		assert_true(got.n < 32 * LIMIT_QUOTE);
		assert_true(str_ends_case(got, S("> [...]\n")));
	}
}

int
main(void)
{
	ROWS(flows, flow);
	rows_add("it comes back", comes_back, NULL);
	ROWS(texts, text);
	rows_add("it is capped", is_capped, NULL);
	return cmocka_run_group_tests_name("mime/quote", rows_tests, NULL,
	    NULL);
}
