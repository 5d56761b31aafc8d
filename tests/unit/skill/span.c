/* SPDX-License-Identifier: Apache-2.0 */
/* JSON read in place: what is refused, and the contents of a text. */
#include "../rows.h"

#include "base/json.h"
#include "skill/span.h"

static const struct row {
	const char *why;
	struct str text;
	enum err_kind kind;
} rows[] = {
	{ "an object", SI("{\"a\":1}"), ERR_NONE },
	{ "with space", SI(" {\t\"a\" : [ ] ,\r\"b\":{ }\n} "), ERR_NONE },
	{ "every kind of value",
	    SI("{\"a\":[0,-1.5e+3,2E9,true,false,null,\"\\u00e9\\n\",{}]}"),
	    ERR_NONE },
	{ "a long text", SI("{\"a\":\"0123456789abcdef\\\"0123456789\"}"),
	    ERR_NONE },
	{ "other letters",
	    SI("{\"a\":\"gr\xc3\xbc\xc3\x9f"
	       "e \xf0\x9f\x99\x82 at last\"}"),
	    ERR_NONE },
	{ "a NUL that is written", SI("{\"a\":\"\\u0000\"}"), ERR_NONE },
	{ "a number of any size", SI("{\"a\":99999999999999999999}"),
	    ERR_NONE },
	{ "nothing", SI(""), ERR_USAGE },
	{ "an array", SI("[]"), ERR_USAGE },
	{ "a text", SI("\"a\""), ERR_USAGE },
	{ "something behind it", SI("{} x"), ERR_USAGE },
	{ "two", SI("{}{}"), ERR_USAGE },
	{ "a comma too many", SI("{\"a\":1,}"), ERR_USAGE },
	{ "a comma too many, inside", SI("{\"a\":[1,]}"), ERR_USAGE },
	{ "no comma", SI("{\"a\":[1 2]}"), ERR_USAGE },
	{ "no colon", SI("{\"a\" 1}"), ERR_USAGE },
	{ "no value", SI("{\"a\":}"), ERR_USAGE },
	{ "a name without quotes", SI("{a:1}"), ERR_USAGE },
	{ "the wrong end", SI("{\"a\":[1}"), ERR_USAGE },
	{ "cut short", SI("{\"a\":\"0123456789"), ERR_USAGE },
	{ "cut in an escape", SI("{\"a\":\"\\u00"), ERR_USAGE },
	{ "a leading zero", SI("{\"a\":01}"), ERR_USAGE },
	{ "a dot without digits", SI("{\"a\":1.}"), ERR_USAGE },
	{ "no number", SI("{\"a\":-}"), ERR_USAGE },
	{ "no word", SI("{\"a\":nul}"), ERR_USAGE },
	{ "no escape", SI("{\"a\":\"\\x\"}"), ERR_USAGE },
	{ "a line end in a text", SI("{\"a\":\"0123456789\n\"}"), ERR_USAGE },
	{ "a control among the first eight",
	    SI("{\"a\":\"01\x1f"
	       "34567890\"}"),
	    ERR_USAGE },
	{ "a raw NUL", SI("{\"a\":\"\0\"}"), ERR_USAGE },
	{ "no UTF-8", SI("{\"a\":\"0123456789\xff\"}"), ERR_USAGE },
	{ "a name twice", SI("{\"role\":1,\"role\":2}"), ERR_USAGE },
	{ "the second in escapes", SI("{\"role\":1,\"r\\u006fle\":2}"),
	    ERR_USAGE },
	{ "twice, in two objects",
	    SI("{\"role\":{\"role\":{}},\"a\":"
	       "[{\"role\":1},{\"role\":2}]}"),
	    ERR_NONE },
	{ "twice, one inside", SI("{\"a\":[{\"id\":{\"id\":1},\"id\":2}]}"),
	    ERR_USAGE },
};

static void
row(void **state)
{
	const struct row *r = *state;
	struct err e = { 0 };

	assert_int_equal(span_check(r->text, &e), r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
}

static const struct text {
	const char *why, *raw;
	struct str want;
} texts[] = {
	{ "as it is", "\"abc\"", SI("abc") },
	{ "empty", "\"\"", SI("") },
	{ "escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", SI("\"\\/\b\f\n\r\t") },
	{ "a letter", "\"\\u00e9\\u20AC\"", SI("\xc3\xa9\xe2\x82\xac") },
	{ "a pair", "\"x\\ud83d\\ude42y\"", SI("x\xf0\x9f\x99\x82y") },
	{ "half a pair", "\"\\ud83dx\"", SI("\xef\xbf\xbdx") },
	{ "a half and a letter", "\"\\ud83d\\u0041\"",
	    SI("\xef\xbf\xbd"
	       "A") },
	{ "NUL", "\"\\u0000\"", SI("\0") },
};

static void
text(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct text *r = *state;
	struct str got;

	assert_true(span_text(a, str_of(r->raw), &got));
	rows_same(got, r->want);
}

static void
depth(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const size_t n[] = { SPAN_DEPTH - 1, SPAN_DEPTH, 1000000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct str open = rows_repeat(a, S("["), n[i]);
		struct str close = rows_repeat(a, S("]"), n[i]);
		struct err e = { 0 };

		(void)span_check(str_fmt(a, "{\"a\":%.*s%.*s}", STR_ARG(open),
				     STR_ARG(close)),
		    &e);
		assert_int_equal(e.kind, i == 0 ? ERR_NONE : ERR_LIMIT);
	}
}

/* Compares with the other reader, on the beginnings of a request. */
static void
beginnings(void **state)
{
	static const struct str whole =
	    SI("{ \"messages\":[{\"role\":\"user\",\"content\":\"a\\\\\\\"b "
	       "\xc3\xbc\"},[1.5e3,-0,true,null,{}]],\"x\":\"\\u00e9\"}");

	(void)state;
	for (size_t n = 0; n <= whole.n; n++) {
		CLEANUP(json_parse_close) struct json_doc *d = NULL;
		struct err e = { 0 };
		struct str part = str_first(whole, n);

		assert_int_equal(span_check(part, &e),
		    json_parse_open(part, 1000, &d, &e));
	}
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(texts, text);
	rows_add("depth", depth, NULL);
	rows_add("every beginning", beginnings, NULL);
	return cmocka_run_group_tests_name("span", rows_tests, NULL, NULL);
}
