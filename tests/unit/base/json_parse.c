/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/json.h"
#include "base/limits.h"

static struct row {
	const char *why;
	struct str text;
	enum err_kind kind;
} rows[] = {
	{ "an object", SI("{\"a\":1}"), ERR_NONE },
	{ "an array", SI(" [1, 2.5, \"x\", null] \n"), ERR_NONE },
	{ "nothing", SI(""), ERR_USAGE },
	{ "no pointer at all", { NULL, 0 }, ERR_USAGE },
	{ "a scalar at the top", SI("1"), ERR_USAGE },
	{ "something behind it", SI("{} x"), ERR_USAGE },
	{ "two documents", SI("{}{}"), ERR_USAGE },
	{ "a key twice", SI("{\"a\":1,\"a\":2}"), ERR_USAGE },
	{ "a key twice, spelled apart", SI("{\"a\":1,\"\\u0061\":2}"),
	    ERR_USAGE },
	{ "a NUL in a string", SI("[\"a\\u0000b\"]"), ERR_USAGE },
	{ "a raw NUL", SI("[\"a\0b\"]"), ERR_USAGE },
	{ "bytes that are not UTF-8", SI("[\"\xFF\"]"), ERR_USAGE },
	{ "half a surrogate pair", SI("[\"\\ud800\"]"), ERR_USAGE },
	{ "a number too great", SI("[99999999999999999999]"), ERR_USAGE },
	{ "a comment", SI("[1] // x"), ERR_USAGE },
	{ "a comma too many", SI("[1,]"), ERR_USAGE },
	{ "cut short", SI("{\"a\":"), ERR_USAGE },
	{ "longer than allowed",
	    SI("[                                      "
	       "                                     1]"),
	    ERR_LIMIT },
};

static void
row(void **state)
{
	const struct row *r = *state;
	struct json_doc *d = NULL;
	struct err e = { 0 };

	assert_int_equal(json_parse_open(r->text, 64, &d, &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(d != NULL, r->kind == ERR_NONE);
	json_parse_close(&d);
	assert_null(d);
	json_parse_close(&d);
}

static void
depth(void **state)
{
	char text[2 * (LIMIT_JSON_DEPTH + 1)];

	(void)state;
	for (size_t n = LIMIT_JSON_DEPTH; n <= LIMIT_JSON_DEPTH + 1; n++) {
		struct json_doc *d = NULL;
		struct err e = { 0 };
		bool ok = n == LIMIT_JSON_DEPTH;

		memset(text, '[', n);
		memset(text + n, ']', n);
		assert_int_equal(json_parse_open((struct str){ text, 2 * n },
				     1000, &d, &e),
		    ok ? 0 : -1);
		assert_int_equal(e.kind, ok ? ERR_NONE : ERR_LIMIT);
		json_parse_close(&d);
	}
}

static void
quoted_brackets(void **state)
{
	char text[302] = "[\"\\\"";
	struct json_doc *d = NULL;
	struct err e = { 0 };

	(void)state;
	memset(text + 4, '[', 295);
	memcpy(text + 299, "\"]", 3);
	assert_int_equal(json_parse_open(str_of(text), 1000, &d, &e), 0);
	json_parse_close(&d);
}

static void
values(void **state)
{
	static const char text[] = "{\"s\":\"\\u00e4\",\"i\":-7,\"b\":true,"
				   "\"n\":null,\"r\":1.0,\"l\":[10,20]}";
	const struct json_value *v, *l;
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct str s;
	int64_t n;
	bool b = false;

	(void)state;
	assert_int_equal(json_parse_open(S(text), 1000, &d, &e), 0);
	v = json_parse_root(d);
	assert_int_equal(json_parse_count(v), 6);
	assert_true(json_parse_str(json_parse_member(v, "s"), &s));
	rows_same(s, S("\xC3\xA4"));
	assert_true(json_parse_int(json_parse_member(v, "i"), &n));
	assert_int_equal(n, -7);
	assert_true(json_parse_bool(json_parse_member(v, "b"), &b));
	assert_true(b);
	assert_false(json_parse_int(json_parse_member(v, "r"), &n));
	assert_false(json_parse_int(json_parse_member(v, "s"), &n));
	assert_false(json_parse_str(json_parse_member(v, "i"), &s));
	assert_false(json_parse_bool(json_parse_member(v, "n"), &b));
	l = json_parse_member(v, "l");
	assert_int_equal(json_parse_count(l), 2);
	assert_true(json_parse_int(json_parse_item(l, 1), &n));
	assert_int_equal(n, 20);
	assert_null(json_parse_item(l, 2));
	assert_null(json_parse_item(v, 0));
	assert_null(json_parse_member(l, "s"));
	assert_null(json_parse_member(v, "none"));
	assert_null(json_parse_member(NULL, "s"));
	assert_int_equal(json_parse_count(NULL), 0);
	assert_false(json_parse_str(NULL, &s));
	json_parse_close(&d);
}

static void
no_echo(void **state)
{
	struct json_doc *d = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(json_parse_open(S("{\"password\": s3cret}"), 100, &d,
			     &e),
	    -1);
	assert_null(strstr(e.say, "s3cret"));
	assert_non_null(strstr(e.say, "line 1"));
}

/* Names in any order, each once. */
static void
members(void **state)
{
	struct json_doc *d = NULL;
	const struct json_value *v;
	struct err e = { 0 };
	struct str key = { 0 };
	int64_t n, sum = 0, told = 0;

	(void)state;
	assert_int_equal(json_parse_open(S("{\"a\":1,\"bc\":20,\"\":300}"), 100,
			     &d, &e),
	    0);
	while ((v = json_parse_next(json_parse_root(d), &key)) != NULL) {
		assert_true(json_parse_int(v, &n));
		assert_int_equal(key.n, n == 1 ? 1 : n == 20 ? 2 : 0);
		sum += n;
		told++;
	}
	assert_int_equal(sum, 321);
	assert_int_equal(told, 3);
	json_parse_close(&d);
	key = (struct str){ 0 };
	assert_null(json_parse_next(NULL, &key));
}

/* Deeper if requested, and no deeper. */
static void
deep(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct str in = rows_repeat(a, S("["), 500),
		   out = rows_repeat(a, S("]"), 500);
	struct str text = str_fmt(a, "%.*s%.*s", STR_ARG(in), STR_ARG(out));
	struct json_doc *d = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(json_parse_deep(text, 2000, 500, &d, &e), 0);
	json_parse_close(&d);
	assert_int_equal(json_parse_deep(text, 2000, 499, &d, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	arena_close(&a);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("nesting is allowed up to its limit", depth, NULL);
	rows_add("brackets in strings do not nest", quoted_brackets, NULL);
	rows_add("a value is given as its own type only", values, NULL);
	rows_add("an object's members, one after another", members, NULL);
	rows_add("what nests on purpose", deep, NULL);
	rows_add("an error does not repeat the text to the agent", no_echo,
	    NULL);
	return cmocka_run_group_tests_name("base/json_parse", rows_tests, NULL,
	    NULL);
}
