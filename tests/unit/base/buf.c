/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/buf.h"

static struct cap {
	const char *why;
	size_t max;
	const char *add[4];
	struct str want;
	bool over;
} caps[] = {
	{ "bytes follow each other", 100, { "ab", "cd" }, SI("abcd"), false },
	{ "the cap itself is reached", 4, { "ab", "cd" }, SI("abcd"), false },
	{ "what passes the cap is left out", 3, { "ab", "cd" }, SI("ab"),
	    true },
	{ "nothing follows what was left out", 3, { "ab", "cd", "e" }, SI("ab"),
	    true },
	{ "a cap of zero holds nothing", 0, { "a" }, SI(""), true },
	{ "adding nothing to a full one is fine", 2, { "ab", "" }, SI("ab"),
	    false },
};

static void
cap(void **state)
{
	const struct cap *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, r->max);
	for (size_t i = 0; i < 4 && r->add[i] != NULL; i++)
		buf_text(&b, r->add[i]);
	rows_same(buf_view(&b), r->want);
	assert_int_equal(b.p[b.n], 0);
	assert_int_equal(b.over, r->over);
}

static void
grows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	for (size_t i = 0; i < 1 << 20; i++)
		buf_char(&b, (char)(i * 7));
	assert_false(b.over);
	assert_int_equal(b.n, 1 << 20);
	for (size_t i = 0; i < 1 << 20; i++)
		if (b.p[i] != (char)(i * 7))
			fail();
	assert_int_equal(b.p[b.n], 0);
	buf_char(&b, 'x');
	assert_true(b.over);
}

static void
formats(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 8);
	buf_fmt(&b, "%d:%s", 12, "abcde");
	rows_same(buf_view(&b), S("12:abcde"));
	buf_fmt(&b, "%d", 1);
	assert_true(b.over);
	buf_reset(&b);
	assert_false(b.over);
	buf_fmt(&b, "%9d", 1);
	assert_true(b.over);
	rows_same(buf_view(&b), S(""));
}

static void
characters(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 100);
	buf_utf8(&b, 'a');
	buf_utf8(&b, 0xE4);
	buf_utf8(&b, 0xD800);
	buf_utf8(&b, 0x110000);
	buf_utf8(&b, 1UL << 32 | 'b');
	rows_same(buf_view(&b),
	    S("a\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
}

static void
reserves(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 100);
	assert_true(buf_reserve(&b, 100));
	memset(b.p, 'x', 100);
	assert_false(buf_reserve(&b, SIZE_MAX));
	assert_true(b.over);
}

int
main(void)
{
	ROWS(caps, cap);
	rows_add("a megabyte, byte by byte", grows, NULL);
	rows_add("formatted text is all there or not at all", formats, NULL);
	rows_add("what is no character becomes U+FFFD", characters, NULL);
	rows_add("room asked for is there, up to the cap", reserves, NULL);
	return cmocka_run_group_tests_name("base/buf", rows_tests, NULL, NULL);
}
