/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a value: by blocks, by eight bytes and by single bytes, it is the
 * same.
 */
#include "../rows.h"

#include "skill/span_skip.h"

/* The same file for processors that have no SSE2. */
#undef __SSE2__
#define span_skip_string plain_string
#define span_skip_value plain_value
size_t plain_string(struct str s, size_t i);
size_t plain_value(struct str s, size_t i);
#include "skill/span_skip.c"
#undef span_skip_string
#undef span_skip_value

static size_t
slow_string(struct str s, size_t i)
{
	for (i++; s.p[i] != '"'; i++)
		i += s.p[i] == '\\';
	return i + 1;
}

static size_t
slow_value(struct str s, size_t i)
{
	size_t depth = 0;

	do {
		char c = s.p[i];

		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		i = c == '"' ? slow_string(s, i) : i + 1;
	} while (depth > 0);
	return i;
}

static void
same(struct str s, size_t i)
{
	size_t want = slow_value(s, i);

	assert_int_equal(span_skip_value(s, i), want);
	assert_int_equal(plain_value(s, i), want);
}

/* A growing one, before values, after one, and alone. */
static void
each_place(struct arena *a, struct str v)
{
	for (size_t n = 0; n < 70; n++) {
		struct str pad = rows_repeat(a, S(" "), n), s;

		s = str_fmt(a, "%.*s%.*s,\"]}\\\\\"", STR_ARG(pad), STR_ARG(v));
		same(s, n);
		s = str_fmt(a, "[%.*s%.*s]%.*s", STR_ARG(pad), STR_ARG(v),
		    STR_ARG(pad));
		same(s, 0);
	}
}

static const struct row {
	const char *why, *first, *again, *last;
} rows[] = {
	{ "letters", "\"", "a", "\"" },
	{ "quotes in escapes", "\"", "\\\"", "\"" },
	{ "backslashes", "\"", "\\\\", "\"" },
	{ "backslashes, then a quote", "\"", "\\\\", "\\\"\"" },
	{ "both by turns", "\"", "x\\\\\\\"", "\"" },
	{ "brackets in a text", "\"", "}]{[", "\"" },
	{ "objects", "[0", ",{\"a\":\"}\"}", "]" },
	{ "nesting", "[", "[]", "]" },
	{ "texts of brackets", "{\"]\":[", "\"]\\\"}\"", "]}" },
	{ "a text over blocks", "[\"]\",\"", "]\\\\\\\"", "\",{}]" },
};

static void
row(void **state)
{
	const struct row *r = *state;

	for (size_t n = 0; n < 40; n++) {
		CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
		struct str again = rows_repeat(a, str_of(r->again), n);

		each_place(a,
		    str_fmt(a, "%s%.*s%s", r->first, STR_ARG(again), r->last));
	}
}

/* Any text: each of five characters at each position. */
static void
chance(void **state)
{
	static const char *const piece[] = { "\\\\", "\\\"", "a", "]", "{" };
	uint64_t x = 1;

	(void)state;
	for (size_t n = 0; n < 2000; n++) {
		CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
		struct buf b;

		buf_init(&b, a, 1 << 16);
		buf_text(&b, "[\"");
		for (size_t k = 0; k < n % 150; k++) {
			x = x * 6364136223846793005 + 1442695040888963407;
			buf_text(&b, piece[(x >> 33) % 5]);
		}
		buf_text(&b, "\",\"}\"],[");
		same(buf_view(&b), 0);
		same(buf_view(&b), 1);
	}
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("chance", chance, NULL);
	return cmocka_run_group_tests_name("span_skip", rows_tests, NULL, NULL);
}
