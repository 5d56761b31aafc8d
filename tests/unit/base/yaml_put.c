/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/yaml.h"

/* JSON input, and the YAML output. */
static struct row {
	const char *why;
	const char *json, *want;
} rows[] = {
	{ "a map of every type",
	    "{\"s\":\"x y\",\"n\":-7,\"t\":true,\"f\":false,\"z\":null}",
	    "s: \"x y\"\nn: -7\nt: true\nf: false\nz: null\n" },
	{ "what is empty", "{\"l\":[],\"m\":{},\"s\":\"\"}",
	    "l: []\nm: {}\ns: \"\"\n" },
	{ "an empty map", "{}", "{}\n" },
	{ "an empty list", "[]", "[]\n" },
	{ "a map in a map", "{\"a\":{\"b\":{\"c\":1},\"d\":2},\"e\":3}",
	    "a:\n  b:\n    c: 1\n  d: 2\ne: 3\n" },
	{ "maps in a list", "{\"to\":[{\"a\":1,\"b\":[\"x\"]},{\"c\":{}}]}",
	    "to:\n- a: 1\n  b:\n  - \"x\"\n- c: {}\n" },
	{ "lists in lists", "[[1,[2]],[],[{\"a\":{\"b\":1}}],3]",
	    "- - 1\n  - - 2\n- []\n- - a:\n      b: 1\n- 3\n" },
	{ "a string is one line of ASCII",
	    "[\"a\\n\\\"\\\\\\t\\u0001\\u007f\\u0085\\u00e4\\u20ac"
	    "\\ud83d\\ude00\\u2028\\ufeff\\u202e\"]",
	    "- \"a\\n\\\"\\\\\\t\\x01\\x7F\\x85\\xE4\\u20AC\\U0001F600"
	    "\\u2028\\uFEFF\\u202E\"\n" },
	{ "a key that is not a word",
	    "{\"a b\":1,\"\":2,\"yes\":3,\"12\":4,\"x-1\":5,\"-\":6,\"<<\":7}",
	    "\"a b\": 1\n\"\": 2\n\"yes\": 3\n\"12\": 4\nx-1: 5\n\"-\": 6\n"
	    "\"<<\": 7\n" },
};

static void
put_value(struct yaml_put *y, const char *key, const struct json_value *v)
{
	const struct json_value *one;
	struct str s = { 0 };
	int64_t n;
	bool b;

	if (json_parse_is_object(v)) {
		yaml_put_map(y, key);
		while ((one = json_parse_next(v, &s)) != NULL)
			put_value(y, s.p, one);
		yaml_put_end(y);
	} else if (json_parse_is_array(v)) {
		yaml_put_list(y, key);
		for (size_t i = 0; i < json_parse_count(v); i++)
			put_value(y, NULL, json_parse_item(v, i));
		yaml_put_end(y);
	} else if (json_parse_str(v, &s)) {
		yaml_put_str(y, key, s);
	} else if (json_parse_int(v, &n)) {
		yaml_put_int(y, key, n);
	} else if (json_parse_bool(v, &b)) {
		yaml_put_bool(y, key, b);
	} else {
		yaml_put_null(y, key);
	}
}

/* Writes the JSON as YAML, and reads it again: it is the same. */
static struct str
there_and_back(struct arena *a, struct str json)
{
	struct json_doc *d = NULL, *back = NULL;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, a, 1 << 20);
	assert_int_equal(json_parse_open(json, SIZE_MAX, &d, &e), 0);
	put_value(yaml_put_new(a, &b), NULL, json_parse_root(d));
	assert_int_equal(yaml_read(buf_view(&b), SIZE_MAX, &back, &e), 0);
	assert_true(
	    json_parse_equal(json_parse_root(d), json_parse_root(back)));
	json_parse_close(&d);
	json_parse_close(&back);
	return buf_view(&b);
}

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct row *r = *state;

	rows_same(there_and_back(a, str_of(r->json)), str_of(r->want));
}

/* For people: as it is written, and every reader takes it for that string. */
static struct plain_row {
	const char *why;
	struct str text;
	const char *want;
} plains[] = {
	{ "a word", SI("imap.example.org"), "imap.example.org" },
	{ "an address", SI("me@example.org"), "me@example.org" },
	{ "a web address", SI("https://x.example/a"), "https://x.example/a" },
	{ "two words", SI("me@example.org dmarc"), "me@example.org dmarc" },
	{ "a boolean", SI("on"), "\"on\"" },
	{ "what others take for one", SI("y"), "\"y\"" },
	{ "null", SI("null"), "\"null\"" },
	{ "a number", SI("1e5"), "\"1e5\"" },
	{ "a time", SI("2026-01-01"), "\"2026-01-01\"" },
	{ "nothing", SI(""), "\"\"" },
	{ "a key", SI("a: b"), "\"a: b\"" },
	{ "a key without a value", SI("a:"), "\"a:\"" },
	{ "a comment", SI("a #b"), "\"a #b\"" },
	{ "a blank at its end", SI("ab "), "\"ab \"" },
	{ "a list", SI("- a"), "\"- a\"" },
	{ "a domain", SI("@example.org"), "\"@example.org\"" },
	{ "quotes", SI("a\"b\\c"), "\"a\\\"b\\\\c\"" },
	{ "lines", SI("a\nb"), "\"a\\nb\"" },
	{ "other letters",
	    SI("Gr\xC3\xBC\xC3\x9F"
	       "e"),
	    "\"Gr\xC3\xBC\xC3\x9F"
	    "e\"" },
	{ "a direction",
	    SI("a\xE2\x80\xAE"
	       "b"),
	    "\"a\\u202Eb\"" },
	{ "a line end of Unicode",
	    SI("a\xE2\x80\xA8"
	       "b"),
	    "\"a\\u2028b\"" },
	{ "another one",
	    SI("a\xC2\x85"
	       "b"),
	    "\"a\\x85b\"" },
};

static void
plain(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct plain_row *r = *state;
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct yaml_put *y;
	struct str back;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	y = yaml_put_new(a, &b);
	yaml_put_map(y, NULL);
	yaml_put_plain(y, "k", r->text);
	yaml_put_end(y);
	rows_same(buf_view(&b), str_fmt(a, "k: %s\n", r->want));
	assert_int_equal(yaml_read(buf_view(&b), SIZE_MAX, &d, &e), 0);
	assert_true(
	    json_parse_str(json_parse_member(json_parse_root(d), "k"), &back));
	rows_same(back, r->text);
	json_parse_close(&d);
}

/* Comments, wherever a member may begin. */
static void
notes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct yaml_put *y;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	y = yaml_put_new(a, &b);
	yaml_put_map(y, NULL);
	yaml_put_note(y, S("one"));
	yaml_put_map(y, "m");
	yaml_put_note(y, S("two\nthree: 3"));
	yaml_put_word(y, "a", S("on"));
	yaml_put_note(y, S("four"));
	yaml_put_int(y, "b", 1);
	yaml_put_end(y);
	yaml_put_note(y, S("five"));
	yaml_put_end(y);
	rows_same(buf_view(&b),
	    S("# one\nm:\n  # two?three: 3\n  a: on\n  # four\n  b: 1\n"
	      "# five\n"));
	assert_int_equal(yaml_read(buf_view(&b), SIZE_MAX, &d, &e), 0);
	json_parse_close(&d);
}

/* A reader searches 1024 characters for the end of a key. */
static void
long_keys(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);

	(void)state;
	for (size_t n = 90; n <= 1100; n++) {
		struct str word = rows_repeat(a, S("k"), n);
		struct str other = rows_repeat(a, S("\xC3\xA4"), n);

		there_and_back(a,
		    str_fmt(a, "[{\"%.*s\":1,\"%.*s\":{\"x\":[1]}}]",
			STR_ARG(word), STR_ARG(other)));
	}
}

static void
stray(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct yaml_put *y;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	y = yaml_put_new(a, &b);
	yaml_put_list(y, NULL);
	yaml_put_str(y, NULL, S("\xFF"));
	yaml_put_end(y);
	rows_same(buf_view(&b), S("- \"\\uFFFD\"\n"));
	buf_init(&b, a, 3);
	y = yaml_put_new(a, &b);
	yaml_put_list(y, NULL);
	yaml_put_str(y, NULL, S("abc"));
	yaml_put_end(y);
	assert_true(b.over);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(plains, plain);
	rows_add("a comment is no value", notes, NULL);
	rows_add("a key of any length is found again", long_keys, NULL);
	rows_add("bytes that are not UTF-8, and what does not fit", stray,
	    NULL);
	return cmocka_run_group_tests_name("base/yaml_put", rows_tests, NULL,
	    NULL);
}
