/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/json.h"
#include "base/yaml.h"

/* The result as JSON text; NULL if it is refused. */
static struct row {
	const char *why;
	struct str text;
	const char *want;
	enum err_kind kind;
} rows[] = {
	/* As written by PyYAML. */
	{ "a map keeps its order", SI("b: x\na: y\n"),
	    "{\"b\":\"x\",\"a\":\"y\"}", ERR_NONE },
	{ "a list at its key's indentation",
	    SI("to:\n- a: 1\n  b: null\n- a: 2\n  b: x\ncc: []\nh: {}\n"),
	    "{\"to\":[{\"a\":1,\"b\":null},{\"a\":2,\"b\":\"x\"}],\"cc\":[],"
	    "\"h\":{}}",
	    ERR_NONE },
	{ "a list in a list", SI("- - a\n  - b\n- []\n"), "[[\"a\",\"b\"],[]]",
	    ERR_NONE },
	{ "a plain scalar folded onto another line",
	    SI("s: one two\n  three\n"), "{\"s\":\"one two three\"}",
	    ERR_NONE },
	{ "single quotes", SI("s: 'it''s: #1'\n"), "{\"s\":\"it's: #1\"}",
	    ERR_NONE },
	{ "single quotes, a blank line being a line end",
	    SI("s: 'one\n\n  two\n\n\n  three'\n"),
	    "{\"s\":\"one\\ntwo\\n\\nthree\"}", ERR_NONE },
	{ "single quotes, folded", SI("s: 'one: two\n  three'\n"),
	    "{\"s\":\"one: two three\"}", ERR_NONE },
	{ "double quotes with escapes",
	    SI("s: \"a\\tb\\nc\\\"d\\\\e\\xE4\\u20AC\\U0001F600\\e\"\n"),
	    "{\"s\":\"a\\tb\\nc\\\"d\\\\e\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"
	    "\\u001b\"}",
	    ERR_NONE },
	{ "double quotes, folded behind a backslash",
	    SI("s: \"Gr\\xFC\\xDFe aus M\\xFCnchen,\\\n  \\ und mehr\"\n"),
	    "{\"s\":\"Gr\xC3\xBC\xC3\x9F"
	    "e aus M\xC3\xBCnchen, und mehr\"}",
	    ERR_NONE },
	{ "non-ASCII as it is", SI("s: \xC3\xA4\n"), "{\"s\":\"\xC3\xA4\"}",
	    ERR_NONE },
	{ "a literal block", SI("s: |\n  a\n   b\n\n  c\n"),
	    "{\"s\":\"a\\n b\\n\\nc\\n\"}", ERR_NONE },
	{ "a literal block without its line end", SI("s: |-\n  a\n"),
	    "{\"s\":\"a\"}", ERR_NONE },
	{ "a folded block", SI("s: >-\n  a\n  b\n"), "{\"s\":\"a b\"}",
	    ERR_NONE },
	{ "a key in quotes", SI("'a b': 1\n\"\\x41\": 2\n"),
	    "{\"a b\":1,\"A\":2}", ERR_NONE },
	{ "a long key behind a question mark", SI("? a\n: 1\n"), "{\"a\":1}",
	    ERR_NONE },
	{ "a map on one line", SI("{a: 1, b: [x, 'y']}"),
	    "{\"a\":1,\"b\":[\"x\",\"y\"]}", ERR_NONE },
	{ "between document marks", SI("---\na: 1\n...\n"), "{\"a\":1}",
	    ERR_NONE },
	{ "comments", SI("# x\na: 1 # y\n"), "{\"a\":1}", ERR_NONE },
	{ "lines of Windows", SI("a: 1\r\nb: 2\r\n"), "{\"a\":1,\"b\":2}",
	    ERR_NONE },
	{ "a mark of UTF-8 at the beginning",
	    SI("\xEF\xBB\xBF"
	       "a: 1\n"),
	    "{\"a\":1}", ERR_NONE },
	{ "a key without value", SI("a:\nb: ''\n"), "{\"a\":null,\"b\":\"\"}",
	    ERR_NONE },
	{ "the same key in two maps", SI("a: {x: 1}\nb: {x: 2}\n"),
	    "{\"a\":{\"x\":1},\"b\":{\"x\":2}}", ERR_NONE },
	{ "eight levels", SI("[[[[[[[[1]]]]]]]]"), "[[[[[[[[1]]]]]]]]",
	    ERR_NONE },

	/* A quoted scalar is always a string. */
	{ "words and numbers in quotes",
	    SI("['null', \"yes\", '12', '1.5', '2026-04-08T10:11:12Z', '~']"),
	    "[\"null\",\"yes\",\"12\",\"1.5\",\"2026-04-08T10:11:12Z\",\"~\"]",
	    ERR_NONE },
	{ "a block is never a number", SI("- |-\n  12\n"), "[\"12\"]",
	    ERR_NONE },

	/* Refused input. */
	{ "nothing", SI(""), NULL, ERR_USAGE },
	{ "no pointer at all", { NULL, 0 }, NULL, ERR_USAGE },
	{ "a comment alone", SI("# x\n"), NULL, ERR_USAGE },
	{ "a scalar", SI("x"), NULL, ERR_USAGE },
	{ "cut short in quotes", SI("a: 'x"), NULL, ERR_USAGE },
	{ "cut short in a list", SI("a: [1,"), NULL, ERR_USAGE },
	{ "a tab as indentation", SI("a:\n\tb: 1\n"), NULL, ERR_USAGE },
	{ "a key twice", SI("a: 1\nb: 2\na: 3\n"), NULL, ERR_USAGE },
	{ "a key twice, spelled apart", SI("a: 1\n\"\\x61\": 2\n"), NULL,
	    ERR_USAGE },
	{ "a key that is a number", SI("1: a\n"), NULL, ERR_USAGE },
	{ "a key that is a boolean", SI("yes: a\n"), NULL, ERR_USAGE },
	{ "a key that is nothing", SI(": a\n"), NULL, ERR_USAGE },
	{ "a key that is a list", SI("? [a]\n: 1\n"), NULL, ERR_USAGE },
	{ "an anchor", SI("a: &x 1\n"), NULL, ERR_USAGE },
	{ "an anchor on a map", SI("a: &x {b: 1}\n"), NULL, ERR_USAGE },
	{ "an anchor on a list", SI("a: &x [1]\n"), NULL, ERR_USAGE },
	{ "an alias", SI("a: *x\n"), NULL, ERR_USAGE },
	{ "a merge key", SI("<<: {b: 1}\n"), NULL, ERR_USAGE },
	{ "a merge key as a value", SI("a: <<\n"), NULL, ERR_USAGE },
	{ "a tag", SI("a: !!str 1\n"), NULL, ERR_USAGE },
	{ "a tag that runs code elsewhere",
	    SI("a: !!python/object/apply:os.system [x]\n"), NULL, ERR_USAGE },
	{ "a tag on a map", SI("!x {a: 1}\n"), NULL, ERR_USAGE },
	{ "a tag without name", SI("a: ! 12\n"), NULL, ERR_USAGE },
	{ "two documents", SI("a: 1\n---\nb: 2\n"), NULL, ERR_USAGE },
	{ "a directive", SI("%TAG !x! y:\n---\na: 1\n"), NULL, ERR_USAGE },
	{ "a directive after the document", SI("a: 1\n...\n%YAML 1.1\n"), NULL,
	    ERR_USAGE },
	{ "a NUL", SI("a: x\0y\n"), NULL, ERR_USAGE },
	{ "an escaped NUL", SI("a: \"x\\0y\"\n"), NULL, ERR_USAGE },
	{ "an escaped NUL in a key", SI("\"x\\0y\": 1\n"), NULL, ERR_USAGE },
	{ "a control character", SI("a: x\x01\n"), NULL, ERR_USAGE },
	{ "bytes that are not UTF-8", SI("a: \xFF\n"), NULL, ERR_USAGE },
	{ "half a surrogate pair", SI("a: \"\\uD800\"\n"), NULL, ERR_USAGE },
	{ "UTF-16",
	    SI("\xFF\xFE"
	       "a\0:\0 \0"
	       "1\0"),
	    NULL, ERR_USAGE },
	{ "an escape that YAML lacks", SI("a: \"\\q\"\n"), NULL, ERR_USAGE },
	{ "nine levels", SI("[[[[[[[[[1]]]]]]]]]"), NULL, ERR_LIMIT },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct json_doc *d = NULL, *want = NULL;
	struct err e = { 0 };

	assert_int_equal(yaml_read(r->text, 1000, &d, &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(d != NULL, r->kind == ERR_NONE);
	if (d == NULL)
		return;
	assert_int_equal(json_parse_open(str_of(r->want), 1000, &want, &e), 0);
	assert_true(
	    json_parse_equal(json_parse_root(d), json_parse_root(want)));
	json_parse_close(&want);
	json_parse_close(&d);
}

/* Plain scalars as PyYAML's safe loader types them, one a row. */
static struct plain {
	const char *why; /* the scalar itself */
	const char *want;
} plains[] = {
	{ "~", "null" },
	{ "Null", "null" },
	{ "nULL", "\"nULL\"" },
	{ "yes", "true" },
	{ "On", "true" },
	{ "TRUE", "true" },
	{ "off", "false" },
	{ "No", "false" },
	{ "y", "\"y\"" },
	{ "tRUE", "\"tRUE\"" },
	{ "0", "0" },
	{ "-7", "-7" },
	{ "+7", "7" },
	{ "1_000", "1000" },
	{ "010", "8" },
	{ "08", "\"08\"" },
	{ "0o10", "\"0o10\"" },
	{ "0b101", "5" },
	{ "0b2", "\"0b2\"" },
	{ "-0x1F", "-31" },
	{ "0xg", "\"0xg\"" },
	{ "1:30", "90" },
	{ "1:60", "\"1:60\"" },
	{ "-1:02:03", "-3723" },
	{ "9223372036854775807", "9223372036854775807" },
	{ "9223372036854775808", "{\"!!int\":\"9223372036854775808\"}" },
	{ "0x_", "{\"!!int\":\"0x_\"}" },
	{ "1.5", "{\"!!float\":\"1.5\"}" },
	{ "-1.", "{\"!!float\":\"-1.\"}" },
	{ ".5", "{\"!!float\":\".5\"}" },
	{ "-.5", "\"-.5\"" },
	{ "1e5", "\"1e5\"" },
	{ "1.0e5", "\"1.0e5\"" },
	{ "1.0e+5", "{\"!!float\":\"1.0e+5\"}" },
	{ "1:30.5", "{\"!!float\":\"1:30.5\"}" },
	{ "-.inf", "{\"!!float\":\"-.inf\"}" },
	{ ".NaN", "{\"!!float\":\".NaN\"}" },
	{ "-.nan", "\"-.nan\"" },
	{ ".", "\".\"" },
	{ "1.2.3", "\"1.2.3\"" },
	{ "2026-04-08", "{\"!!timestamp\":\"2026-04-08\"}" },
	{ "2026-4-8", "\"2026-4-8\"" },
	{ "2026-04-08T10:11:12Z",
	    "{\"!!timestamp\":\"2026-04-08T10:11:12Z\"}" },
	{ "2026-4-8 1:11:12.25 +02:00",
	    "{\"!!timestamp\":\"2026-4-8 1:11:12.25 +02:00\"}" },
	{ "2026-04-08T10:11:12.5-5",
	    "{\"!!timestamp\":\"2026-04-08T10:11:12.5-5\"}" },
	{ "2026-04-08T10:11", "\"2026-04-08T10:11\"" },
	{ "2026-04-08T10:11:12z", "\"2026-04-08T10:11:12z\"" },
	{ "msg-20260408T101112Z-00", "\"msg-20260408T101112Z-00\"" },
	{ "3f2504e0", "\"3f2504e0\"" },
	{ "-", "[null]" },
	{ "a=b", "\"a=b\"" },
};

static void
plain(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct plain *r = *state;
	struct row one = { r->why, str_fmt(a, "- %s\n", r->why),
		(const char *)str_fmt(a, "[%s]", r->want).p, ERR_NONE };
	void *p = &one;

	row(&p);
}

/* Ends within a test's time, and names the limit. */
static void
limits(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct str blank[] = { S(" "), S("\n"), S("\xE2\x80\xA8") };

	(void)state;
	assert_int_equal(yaml_read(S("a: 1\n"), 4, &d, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	assert_int_equal(yaml_read(S("a: 1\n"), 5, &d, &e), 0);
	json_parse_close(&d);
	for (size_t i = 0; i < 3; i++) {
		struct str run = rows_repeat(a, blank[i], 4000 / blank[i].n);
		struct str long_run = rows_repeat(a, blank[i], 4200);
		struct str words = rows_repeat(a, S("x "), 1 << 17);

		assert_int_equal(yaml_read(str_fmt(a, "a: \"%.*s%.*s\"",
					       STR_ARG(run), STR_ARG(words)),
				     1 << 20, &d, &e),
		    0);
		json_parse_close(&d);
		e = (struct err){ 0 };
		assert_int_equal(yaml_read(str_fmt(a, "a: \"%.*s%.*s\"",
					       STR_ARG(long_run),
					       STR_ARG(words)),
				     1 << 20, &d, &e),
		    -1);
		assert_int_equal(e.kind, ERR_LIMIT);
	}
}

static void
nodes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str list = rows_repeat(a, S("- a\n"), LIMIT_YAML_NODES);
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct buf b;

	(void)state;
	/* The list itself counts as one. */
	assert_int_equal(yaml_read(list, SIZE_MAX, &d, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	assert_int_equal(yaml_read(str_from(list, 4), SIZE_MAX, &d, &e), 0);
	assert_int_equal(json_parse_count(json_parse_root(d)),
	    LIMIT_YAML_NODES - 1);
	json_parse_close(&d);

	buf_init(&b, a, SIZE_MAX);
	for (unsigned i = 0; i < LIMIT_YAML_NODES / 2 - 1; i++)
		buf_fmt(&b, "k%x: 1\n", i);
	assert_int_equal(yaml_read(buf_view(&b), SIZE_MAX, &d, &e), 0);
	json_parse_close(&d);
	buf_text(&b, "k0: 1\n");
	e = (struct err){ 0 };
	assert_int_equal(yaml_read(buf_view(&b), SIZE_MAX, &d, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
}

/* An error names the place, not the text. */
static void
errors(void **state)
{
	struct json_doc *d = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(yaml_read(S("a: 1\nb: s3cret: x\n"), 100, &d, &e), -1);
	assert_string_equal(e.say,
	    "the YAML is not valid, at line 2, column 10");
	assert_null(strstr(e.detail, "s3cret"));
	assert_int_equal(yaml_read(S("a: 1\ns3cret: 1\ns3cret: 2\n"), 100, &d,
			     &e),
	    -1);
	assert_string_equal(e.say,
	    "the YAML has a key twice in a map, at line 3");
}

static void
one_map_has_so_many_keys(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct yaml_caps caps = { SIZE_MAX, SIZE_MAX };
	struct yaml_nodes all;
	struct err e = { 0 };
	struct buf b;

	(void)state;
	buf_init(&b, a, SIZE_MAX);
	for (unsigned i = 0; i < LIMIT_YAML_KEYS; i++)
		buf_fmt(&b, "k%x: 1\n", i);
	assert_int_equal(yaml_nodes(a, buf_view(&b), &caps, &all, &e), 0);
	assert_int_equal(all.n, LIMIT_YAML_KEYS + 1);
	buf_text(&b, "more: 1\n");
	assert_int_equal(yaml_nodes(a, buf_view(&b), &caps, &all, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
}

/* Each value with its line, or its key's, and what is in it. */
static void
lines(void **state)
{
	static const struct {
		enum yaml_kind kind;
		const char *key, *text;
		size_t line, end;
		bool plain;
	} want[] = {
		{ YAML_KIND_MAP, NULL, NULL, 2, 8, false },
		{ YAML_KIND_MAP, "a", NULL, 2, 4, false },
		{ YAML_KIND_TEXT, "b", "0x10", 4, 3, true },
		{ YAML_KIND_TEXT, "c", "no", 5, 4, false },
		{ YAML_KIND_LIST, "l", NULL, 6, 7, false },
		{ YAML_KIND_TEXT, NULL, "x", 7, 6, true },
		{ YAML_KIND_MAP, NULL, NULL, 8, 7, false },
		{ YAML_KIND_TEXT, "z", "one two", 9, 8, true },
	};
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct yaml_caps caps = { 1000, 100 };
	struct yaml_nodes got = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(yaml_nodes(a,
			     S("# note\na:\n\n  b: 0x10\n  c: \"no\"\nl:\n"
			       "- x\n- {}\nz: one\n  two\n"),
			     &caps, &got, &e),
	    0);
	assert_int_equal(got.n, sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < got.n; i++) {
		const struct yaml_node *x = &got.v[i];

		assert_int_equal(x->kind, want[i].kind);
		assert_int_equal(x->line, want[i].line);
		assert_int_equal(x->end, want[i].end);
		assert_int_equal(x->plain, want[i].plain);
		if (want[i].key == NULL)
			assert_null(x->key.p);
		else
			assert_string_equal(x->key.p, want[i].key);
		if (want[i].text != NULL)
			assert_string_equal(x->text.p, want[i].text);
	}
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(plains, plain);
	rows_add("a run of blanks is short enough to be cheap", limits, NULL);
	rows_add("so many keys and values, and no more", nodes, NULL);
	rows_add("one map has so many keys", one_map_has_so_many_keys, NULL);
	rows_add("each value has its line", lines, NULL);
	rows_add("an error names the place and repeats nothing", errors, NULL);
	return cmocka_run_group_tests_name("base/yaml", rows_tests, NULL, NULL);
}
