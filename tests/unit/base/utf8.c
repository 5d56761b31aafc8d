/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/utf8.h"

static struct row {
	const char *why;
	struct str s;
	uint32_t cp; /* of the first character; 0xFFFD with ok false */
	size_t n;    /* bytes it takes */
	bool ok;
} rows[] = {
	{ "a letter", SI("a"), 'a', 1, true },
	{ "NUL is a character", SI("\0"), 0, 1, true },
	{ "two bytes", SI("\xC3\xA4"), 0xE4, 2, true },
	{ "three bytes", SI("\xE2\x82\xAC"), 0x20AC, 3, true },
	{ "four bytes", SI("\xF0\x9F\x98\x80"), 0x1F600, 4, true },
	{ "the last of all", SI("\xF4\x8F\xBF\xBF"), 0x10FFFF, 4, true },
	{ "U+FFFD itself is fine", SI("\xEF\xBF\xBD"), 0xFFFD, 3, true },
	{ "beyond the last", SI("\xF4\x90\x80\x80"), 0xFFFD, 1, false },
	{ "a long form of two", SI("\xC0\xAF"), 0xFFFD, 1, false },
	{ "a long form of two, C1", SI("\xC1\xBF"), 0xFFFD, 1, false },
	{ "a long form of three", SI("\xE0\x9F\xBF"), 0xFFFD, 1, false },
	{ "a long form of four", SI("\xF0\x8F\xBF\xBF"), 0xFFFD, 1, false },
	{ "a high surrogate", SI("\xED\xA0\x80"), 0xFFFD, 1, false },
	{ "a low surrogate", SI("\xED\xBF\xBF"), 0xFFFD, 1, false },
	{ "the last before surrogates", SI("\xED\x9F\xBF"), 0xD7FF, 3, true },
	{ "a tail alone", SI("\x80"), 0xFFFD, 1, false },
	{ "cut after one of two", SI("\xC3"), 0xFFFD, 1, false },
	{ "cut after two of three", SI("\xE2\x82"), 0xFFFD, 1, false },
	{ "cut after three of four", SI("\xF0\x9F\x98"), 0xFFFD, 1, false },
	{ "a letter where a tail should be", SI("\xE2\x82z"), 0xFFFD, 1,
	    false },
	{ "F5 begins nothing", SI("\xF5\x80\x80\x80"), 0xFFFD, 1, false },
	{ "FF begins nothing", SI("\xFF"), 0xFFFD, 1, false },
};

static void
row(void **state)
{
	const struct row *r = *state;
	/* Exactly its own length, so that ASan sees a read beyond it. */
	CLEANUP(arena_close) struct arena *a = arena_open(1000);
	char *p = memcpy(arena_alloc(a, r->s.n), r->s.p, r->s.n);
	struct str s = { p, r->s.n };
	bool ok = !r->ok;
	size_t i = 0;

	assert_int_equal(utf8_next(s, &i, &ok), r->cp);
	assert_int_equal(i, r->n);
	assert_int_equal(ok, r->ok);
	assert_int_equal(utf8_valid(s), r->ok);
}

static void
all(void **state)
{
	char c[4];

	(void)state;
	for (uint32_t cp = 0; cp <= 0x110000; cp++) {
		bool real = cp <= 0x10FFFF && (cp < 0xD800 || cp > 0xDFFF);
		size_t n = utf8_put(c, cp), i = 0;
		bool ok;

		if (utf8_next((struct str){ c, n }, &i, &ok) !=
			(real ? cp : 0xFFFD) ||
		    !ok || i != n)
			fail_msg("U+%04X", (unsigned)cp);
	}
}

static struct first {
	const char *why;
	struct str s;
	size_t n, want;
} firsts[] = {
	{ "all of it fits", SI("ab"), 2, 2 },
	{ "letters are cut anywhere", SI("abc"), 2, 2 },
	{ "no cut within two", SI("a\xC3\xA4"), 2, 1 },
	{ "no cut within four", SI("a\xF0\x9F\x98\x80"), 4, 1 },
	{ "a cut between two", SI("\xC3\xA4\xC3\xA4"), 2, 2 },
	{ "tails without a head are cut anywhere",
	    SI("\x80\x80\x80\x80\x80\x80"), 5, 5 },
	{ "nothing", SI("\xC3\xA4"), 0, 0 },
};

static void
first(void **state)
{
	const struct first *r = *state;

	assert_int_equal(utf8_first(r->s, r->n).n, r->want);
}

static void
count(void **state)
{
	(void)state;
	assert_int_equal(utf8_count(S("")), 0);
	assert_int_equal(utf8_count(S("abc")), 3);
	assert_int_equal(utf8_count(S("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80")),
	    4);
	/* A cut character counts by its beginning. */
	assert_int_equal(utf8_count(S("\x80\x80 \xC3")), 2);
}

static void
far_along(void **state)
{
	char p[64];

	(void)state;
	for (size_t n = 0; n <= sizeof(p); n++) {
		memset(p, 'x', sizeof(p));
		assert_true(utf8_ascii((struct str){ p, n }));
		assert_true(utf8_valid((struct str){ p, n }));
		for (size_t i = 0; i < n; i++) {
			p[i] = '\xA4';
			assert_false(utf8_ascii((struct str){ p, n }));
			assert_false(utf8_valid((struct str){ p, n }));
			p[i] = 'x';
		}
	}
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("every character comes back as it was", all, NULL);
	ROWS(firsts, first);
	rows_add("characters are counted by their heads", count, NULL);
	rows_add("one bad byte is seen wherever it is", far_along, NULL);
	return cmocka_run_group_tests_name("base/utf8", rows_tests, NULL, NULL);
}
