/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/json.h"

/* The input, and the text made from it, equal to that of Python's json. */
static struct row {
	const char *why;
	const char *text, *want;
} rows[] = {
	{ "members are sorted, at every depth",
	    "{\"b\":{\"z\":1,\"a\":2},\"B\":0,\"a\":[{\"y\":1,\"x\":2}]}",
	    "{\n  \"B\": 0,\n  \"a\": [\n    {\n      \"x\": 2,\n      \"y\": "
	    "1\n    }\n  ],\n  \"b\": {\n    \"a\": 2,\n    \"z\": 1\n  "
	    "}\n}\n" },
	{ "an empty object and an empty array",
	    "{\"a\":{},\"b\":[],\"c\":[[]]}",
	    "{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    []\n  ]\n}\n" },
	{ "nothing", "{}", "{}\n" },
	{ "every type", "[\"x\",-7,true,false,null,0.5]",
	    "[\n  \"x\",\n  -7,\n  true,\n  false,\n  null,\n  0.5\n]\n" },
	{ "numbers are as short as they can be",
	    "[0.1,30.0,1e5,1e300,-2.5e-7,123456789.25]",
	    "[\n  0.1,\n  30.0,\n  100000.0,\n  1e+300,\n  -2.5e-07,\n  "
	    "123456789.25\n]\n" },
	{ "strings are ASCII",
	    "[\"\\u00e4\\u20ac\\ud83d\\ude00 \\\"\\\\\\n\\u0001\\u2028/\"]",
	    "[\n  \"\\u00e4\\u20ac\\ud83d\\ude00 \\\"\\\\\\n\\u0001\\u2028/\"\n"
	    "]\n" },
	{ "what looks like structure in a string",
	    "{\"{a\":\"},[:\\\"\",\"b\\\\\":1}",
	    "{\n  \"b\\\\\": 1,\n  \"{a\": \"},[:\\\"\"\n}\n" },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct json_doc *d = NULL;
	struct err e = { 0 };

	assert_int_equal(json_parse_open(str_of(r->text), 1000, &d, &e), 0);
	rows_same(json_copy_text(a, json_parse_root(d)), str_of(r->want));
	json_parse_close(&d);
}

static void
deepest(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str in = rows_repeat(a, S("["), LIMIT_JSON_DEPTH),
		   out = rows_repeat(a, S("]"), LIMIT_JSON_DEPTH);
	struct str text = str_fmt(a, "%.*s%.*s", STR_ARG(in), STR_ARG(out));
	struct json_doc *d = NULL;
	struct json *j = json_new(a);
	struct err e = { 0 };

	(void)state;
	assert_int_equal(json_parse_open(text, 1000, &d, &e), 0);
	json_open_object(j, NULL);
	json_copy_put(j, "x", json_parse_root(d));
	json_close_object(j);
	rows_same(json_text(j, a), str_fmt(a, "{\"x\":%.*s}", STR_ARG(text)));
	json_parse_close(&d);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("as deep as it is read", deepest, NULL);
	return cmocka_run_group_tests_name("base/json_copy", rows_tests, NULL,
	    NULL);
}
