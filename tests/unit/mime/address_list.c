/* SPDX-License-Identifier: Apache-2.0 */
/* The lenient reading of address fields: for display, never for decisions. */
#include "../rows.h"

#include "mime/address.h"

#define A_E "\xC3\xA4" /* a with diaeresis */
#define U_E "\xC3\xBC"

static const struct list_row {
	const char *why;
	struct str in;
	const char *want; /* "name|addr" each, a newline after it */
	bool clean;
} lists[] = {
	{ "one", SI("bob@b.example"), "|bob@b.example\n", true },
	{ "one with a name", SI("Bob Bee <bob@b.example>"),
	    "Bob Bee|bob@b.example\n", true },
	{ "two", SI("Bob <bob@b.example>, eve@e.example"),
	    "Bob|bob@b.example\n|eve@e.example\n", true },
	{ "a comma in quotes", SI("\"Bee, Bob\" <bob@b.example>"),
	    "Bee, Bob|bob@b.example\n", true },
	{ "a comment is the name for want of one", SI("bob@b.example (Bob B)"),
	    "Bob B|bob@b.example\n", true },
	{ "a name is decoded",
	    SI("=?utf-8?q?B=C3=BC?= =?utf-8?q?cher?= <bob@b.example>"),
	    "B" U_E "cher|bob@b.example\n", true },
	{ "a decoded name is no address",
	    SI("=?utf-8?q?=3Ca=40x=3E=2C?= <bob@b.example>"),
	    "<a@x>,|bob@b.example\n", true },
	{ "a group is opened", SI("us: bob@b.example, eve@e.example;"),
	    "|bob@b.example\n|eve@e.example\n", true },
	{ "a group and another", SI("us: bob@b.example;, eve@e.example"),
	    "|bob@b.example\n|eve@e.example\n", true },
	{ "an empty group", SI("undisclosed-recipients:;"), "", true },
	{ "a group that does not end", SI("us: bob@b.example"),
	    "|bob@b.example\n", false },
	{ "a group in a group", SI("a: b: bob@b.example;;"), "|bob@b.example\n",
	    false },
	{ "a route is left out", SI("<@x.example,@y.example:bob@b.example>"),
	    "|bob@b.example\n", false },
	{ "space round the at", SI("bob @ b . example"), "|bob@b.example\n",
	    false },
	{ "comments in the address", SI("bob(x)@(y)b(z).example"),
	    "z|bob@b.example\n", false },
	{ "a nested comment", SI("bob@b.example (a (b) c)"),
	    "a (b) c|bob@b.example\n", true },
	{ "empty items", SI(",bob@b.example,,eve@e.example,"),
	    "|bob@b.example\n|eve@e.example\n", false },
	{ "an address as name", SI("bob@b.example <eve@e.example>"),
	    "bob@b.example|eve@e.example\n", false },
	{ "a quoted local part", SI("\"b b\"@b.example"),
	    "|\"b b\"@b.example\n", true },
	{ "quotes that were not needed", SI("\"bob\"@b.example"),
	    "|bob@b.example\n", true },
	{ "dots of the Japanese kind", SI("b..b.@b.example"),
	    "|b..b.@b.example\n", false },
	{ "an address literal with colons", SI("bob@[IPv6:::1], a@b.example"),
	    "|bob@[IPv6:::1]\n|a@b.example\n", true },
	{ "words without an address", SI("Bob Bee"), "Bob Bee|\n", false },
	{ "a bracket that does not end",
	    SI("Bob <bob@b.example, <a@b.example>"),
	    "Bob|bob@b.example\n|a@b.example\n", false },
	{ "a quote that does not end", SI("\"Bob <bob@b.example>"),
	    "\"Bob|bob@b.example\n", false },
	{ "a comment that does not end", SI("Bob (x <bob@b.example>"),
	    "Bob (x|bob@b.example\n", false },
	{ "bytes of windows-1252", SI("B\xFC <bob@b.example>"),
	    "B" U_E "|bob@b.example\n", false },
	{ "bytes within a word are in its charset",
	    SI("=?iso-8859-2?q?\xB1?= <bob@b.example>"),
	    "\xC4\x85|bob@b.example\n", false },
	{ "bytes in an address are made UTF-8",
	    SI("b\xFC"
	       "b@b.example"),
	    "|b" U_E "b@b.example\n", false },
	{ "a NUL becomes a space", SI("Bo\0b <bob@b.example>"),
	    "Bo b|bob@b.example\n", false },
	{ "folds go", SI("Bob\r\n Bee\r\n\t<bob@b.example>"),
	    "Bob Bee|bob@b.example\n", true },
	{ "a mailto prefix is passed over", SI("mailto:bob@b.example"),
	    "|bob@b.example\n", false },
	{ "words before a bare address", SI("Bob Bee bob@b.example"),
	    "Bob Bee|bob@b.example\n", false },
	{ "nothing", SI(""), "", true },
	{ "a dot in a name", SI("B. Bee <bob@b.example>"),
	    "B. Bee|bob@b.example\n", true },
};

static void
list(void **state)
{
	const struct list_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct addresses got;
	struct buf b;

	address_list(a, r->in, &got);
	buf_init(&b, a, 4096);
	for (size_t i = 0; i < got.n; i++) {
		buf_str(&b, got.v[i].name);
		buf_char(&b, '|');
		buf_str(&b, got.v[i].addr);
		buf_char(&b, '\n');
	}
	rows_same(buf_view(&b), str_of(r->want));
	assert_int_equal(got.clean, r->clean);
	assert_false(got.over);
}

/* All comments, for warnings about their contents. */
static void
comments(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct addresses got;

	(void)state;
	address_list(a,
	    S("(a@x.example) Bob (=?utf-8?q?b=40?= y) <bob@b.example> (c) (d)"),
	    &got);
	assert_int_equal(got.n, 1);
	rows_same(got.v[0].name, S("Bob"));
	rows_same(got.v[0].comments, S("a@x.example b@ y c) (d"));
}

static void
deep(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	static const struct str bits[] = { SI("("), SI("g:"), SI("<"), SI("\""),
		SI("\\\""), SI("a@"), SI("@"), SI("["), SI("<@"), SI("a@b "),
		SI("\"\\"), SI("(\\"), SI("=?a?q?"), SI(".") };
	struct addresses got;
	struct str sole_text;

	(void)state;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		struct str s = rows_repeat(a, bits[i], 100000);

		address_list(a, s, &got);
		assert_false(got.clean);
		assert_int_equal(address_sole(a, s, &sole_text), 0);
	}
}

static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct addresses got;

	(void)state;
	address_list(a, rows_repeat(a, S("a@b.example,"), 100000), &got);
	assert_int_equal(got.n, LIMIT_ADDRESSES);
	assert_true(got.over);
}

int
main(void)
{
	ROWS(lists, list);
	rows_add("comments are kept", comments, NULL);
	rows_add("a hundred thousand of anything is read in time", deep, NULL);
	rows_add("more than a thousand addresses are cut and said so", many,
	    NULL);
	return cmocka_run_group_tests_name("mime/address_list", rows_tests,
	    NULL, NULL);
}
