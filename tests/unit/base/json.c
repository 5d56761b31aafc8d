/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <fcntl.h>

#include "base/base64.h"
#include "base/json.h"

static struct row {
	const char *why;
	struct str s;
	const char *want;
} rows[] = {
	{ "a text", SI("abc"), "\"abc\"" },
	{ "the empty text", { NULL, 0 }, "\"\"" },
	{ "quotes and backslashes", SI("a\"b\\c/"), "\"a\\\"b\\\\c/\"" },
	{ "named escapes", SI("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"" },
	{ "other controls, NUL too", SI("\0\x1f\x1b"),
	    "\"\\u0000\\u001f\\u001b\"" },
	{ "UTF-8 as it is", SI("\xC3\xA4\xF0\x9F\x98\x80"),
	    "\"\xC3\xA4\xF0\x9F\x98\x80\"" },
	{ "line ends of Unicode", SI("a\xE2\x80\xA8\xE2\x80\xA9z"),
	    "\"a\\u2028\\u2029z\"" },
	{ "what drives a terminal: DEL and C1",
	    SI("\x7f\xC2\x80\xC2\x9B\xC2\x9F\xC2\xA0~"),
	    "\"\\u007f\\u0080\\u009b\\u009f\xC2\xA0~\"" },
	{ "what turns the direction of writing, UAX 9",
	    SI("\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\xAA\xE2\x80\xAE"
	       "\xE2\x81\xA6\xE2\x81\xA9"),
	    "\"\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069\"" },
	{ "and not what lies beside it",
	    SI("\xD8\x9B\xE2\x80\x8D\xE2\x80\x90\xE2\x80\xAF\xE2\x81\xA5"),
	    "\"\xD8\x9B\xE2\x80\x8D\xE2\x80\x90\xE2\x80\xAF\xE2\x81\xA5\"" },
	{ "a stray byte becomes U+FFFD", SI("a\xFFz"), "\"a\xEF\xBF\xBDz\"" },
	{ "a cut character too", SI("a\xE2\x82"),
	    "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"" },
	{ "a surrogate too", SI("\xED\xA0\x80"),
	    "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a);

	json_put_str(j, NULL, r->s);
	rows_same(json_text(j, a), str_of(r->want));
}

/* Every function once, with another document inside. */
static struct json *
sample(struct arena *a, struct str raw)
{
	struct json *j = json_new(a), *sub = json_new(a);

	json_open_object(sub, NULL);
	json_put_base64(sub, "raw", raw);
	json_put_int(sub, "x", 1);
	json_close_object(sub);

	json_open_object(j, NULL);
	json_put_text(j, "z", "1");
	json_put_int(j, "a\"", INT64_MIN);
	json_open_array(j, "list");
	json_put_bool(j, NULL, true);
	json_put_bool(j, NULL, false);
	json_put_null(j, NULL);
	json_open_object(j, NULL);
	json_close_object(j);
	json_open_array(j, NULL);
	json_close_array(j);
	json_put_json(j, NULL, sub);
	json_close_array(j);
	json_put_json(j, "sub", sub);
	json_put_members(j, sub);
	json_put_base64(j, "none", S(""));
	json_close_object(j);
	return j;
}

static const char whole[] =
    "{\"z\":\"1\",\"a\\\"\":-9223372036854775808,\"list\":[true,false,null,{},"
    "[],{\"raw\":\"Zm9v\",\"x\":1}],\"sub\":{\"raw\":\"Zm9v\",\"x\":1},"
    "\"raw\":\"Zm9v\",\"x\":1,\"none\":\"\"}";

static void
document(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str t = json_text(sample(a, S("foo")), a);

	(void)state;
	rows_same(t, S(whole));
	assert_int_equal(t.p[t.n], 0);
}

static void
shown(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	rows_same(json_shown(a,
		      S("{\"a\x7f\":\"\xC3\xA4\xC2\x9B\xFF\xE2\x80\xAE\"}\n")),
	    S("{\"a\\u007f\":\"\xC3\xA4\\u009b\xFF\\u202e\"}\n"));
	rows_same(json_shown(a, S("")), S(""));
}

static void
written(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct str raw = { arena_alloc(a, 100001), 100001 }, t;
	struct json *j = sample(a, raw);
	int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	char *p;

	(void)state;
	assert_true(fd >= 0);
	t = json_text(j, a);
	assert_true(t.n > 3 * base64_size(raw.n));
	assert_int_equal(json_write(j, fd), 0);
	p = arena_alloc(a, t.n + 1);
	assert_int_equal(pread(fd, p, t.n + 1, 0), (ssize_t)t.n);
	assert_memory_equal(p, t.p, t.n);
	(void)close(fd);
	assert_int_equal(json_write(j, -1), -1);
}

static void
empty_members(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a), *sub = json_new(a);

	(void)state;
	json_open_object(sub, NULL);
	json_close_object(sub);
	json_open_object(j, NULL);
	json_put_members(j, sub);
	json_put_int(j, "x", 1);
	json_put_members(j, sub);
	json_close_object(j);
	rows_same(json_text(j, a), S("{\"x\":1}"));
}

static void
missing_key(void)
{
	struct json *j = json_new(arena_open(1 << 20));

	json_open_object(j, NULL);
	json_put_int(j, NULL, 1);
}

static void
stray_key(void)
{
	struct json *j = json_new(arena_open(1 << 20));

	json_open_array(j, NULL);
	json_put_int(j, "x", 1);
}

static void
second_value(void)
{
	struct json *j = json_new(arena_open(1 << 20));

	json_put_int(j, NULL, 1);
	json_put_int(j, NULL, 1);
}

static void
wrong_close(void)
{
	struct json *j = json_new(arena_open(1 << 20));

	json_open_array(j, NULL);
	json_close_object(j);
}

static void
close_nothing(void)
{
	json_close_array(json_new(arena_open(1 << 20)));
}

static void
unfinished(void)
{
	struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a);

	json_open_array(j, NULL);
	(void)json_text(j, a);
}

static void
no_value(void)
{
	(void)json_write(json_new(arena_open(1 << 20)), 1);
}

static void
no_members(void)
{
	struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a), *sub = json_new(a);

	json_open_array(sub, NULL);
	json_close_array(sub);
	json_open_object(j, NULL);
	json_put_members(j, sub);
}

static void
too_deep(void)
{
	struct json *j = json_new(arena_open(1 << 20));

	for (int i = 0; i < 1000; i++)
		json_open_array(j, NULL);
}

static struct misuse {
	const char *why;
	void (*fn)(void);
} misuses[] = {
	{ "a value without a key in an object is a bug", missing_key },
	{ "a key in an array is a bug", stray_key },
	{ "two values at the top are a bug", second_value },
	{ "closing what is not open is a bug", wrong_close },
	{ "closing nothing is a bug", close_nothing },
	{ "an unfinished document is a bug", unfinished },
	{ "a document without a value is a bug", no_value },
	{ "members of an array are a bug", no_members },
	{ "a thousand levels are a bug", too_deep },
};

static void
words(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a);

	(void)state;
	json_open_object(j, NULL);
	json_put_words(j, "some", S(" list  get "));
	json_put_words(j, "none", S(""));
	json_put_words(j, "all", (struct str){ NULL, 0 });
	json_close_object(j);
	assert_true(str_eq(json_text(j, a),
	    S("{\"some\":[\"list\",\"get\"],\"none\":[],\"all\":null}")));
}

static void
texts(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a);
	struct strs two = { 0 };

	(void)state;
	str_push(a, &two, S("a b"));
	str_push(a, &two, S(""));
	json_open_object(j, NULL);
	json_put_strs(j, "two", &two);
	json_put_strs(j, "none", &(struct strs){ 0 });
	json_close_object(j);
	assert_true(
	    str_eq(json_text(j, a), S("{\"two\":[\"a b\",\"\"],\"none\":[]}")));
}

static void
misuse(void **state)
{
	const struct misuse *m = *state;

	assert_true(rows_aborts(m->fn));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("keys keep their order, documents nest", document, NULL);
	rows_add("another's JSON, for a terminal", shown, NULL);
	rows_add("what is written is what the text says", written, NULL);
	rows_add("an empty object has no members to copy", empty_members, NULL);
	rows_add("words become an array, none given null", words, NULL);
	rows_add("texts become an array, an empty one too", texts, NULL);
	ROWS(misuses, misuse);
	return cmocka_run_group_tests_name("base/json", rows_tests, NULL, NULL);
}
