/* SPDX-License-Identifier: Apache-2.0 */
/* Text without invisible characters. */
#include "../rows.h"

#include "base/clean.h"
#include "base/utf8.h"

static const struct row {
	const char *why;
	struct str in, out;
	size_t removed;
} rows[] = {
	{ "plain text stays", SI("a b\tc\n"), SI("a b\tc\n"), 0 },
	{ "letters of every script stay", SI("\xC3\xA9\xE6\x97\xA5\xD7\x90"),
	    SI("\xC3\xA9\xE6\x97\xA5\xD7\x90"), 0 },
	{ "terminal controls go", SI("a\033[2Jb\r\x7F\xC2\x9B"), SI("a[2Jb"),
	    4 },
	{ "words in Unicode tags go", SI("a\xF3\xA0\x81\x81\xF3\xA0\x81\x82z"),
	    SI("az"), 2 },
	{ "zero widths go",
	    SI("a\xE2\x80\x8B\xEF\xBB\xBF\xC2\xAD"
	       "b"),
	    SI("ab"), 3 },
	{ "direction marks go", SI("a\xE2\x80\xAEgpj.exe\xE2\x81\xA9"),
	    SI("agpj.exe"), 2 },
	{ "an emoji of several keeps its joiner",
	    SI("\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5"),
	    SI("\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5"), 0 },
	{ "joiners behind ASCII go",
	    SI("a\xE2\x80\x8C\xE2\x80\x8D"
	       "b"),
	    SI("ab"), 2 },
	{ "so do they in scripts that know none",
	    SI("\xE6\x97\xA5\xE2\x80\x8C\xE6\x9C\xAC\xE2\x80\x8D\xC3\xA9"),
	    SI("\xE6\x97\xA5\xE6\x9C\xAC\xC3\xA9"), 2 },
	{ "Persian keeps its joiner between letters",
	    SI("\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\xD9\x88\xD8\xA7\xD9\x87"
	       "\xD9\x85"),
	    SI("\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\xD9\x88\xD8\xA7\xD9\x87"
	       "\xD9\x85"),
	    0 },
	{ "of a run of joiners one stays",
	    SI("\xD9\x85\xDB\x8C\xE2\x80\x8C\xE2\x80\x8C\xE2\x80\x8D\xD8\xAE"),
	    SI("\xD9\x85\xDB\x8C\xE2\x80\x8D\xD8\xAE"), 2 },
	{ "an Arabic word may end in a ZWJ: the Hijri year's mark",
	    SI("1447 \xD9\x87\xE2\x80\x8D \xD9\x87\xE2\x80\x8D. "
	       "\xD9\x87\xE2\x80\x8D"),
	    SI("1447 \xD9\x87\xE2\x80\x8D \xD9\x87\xE2\x80\x8D. "
	       "\xD9\x87\xE2\x80\x8D"),
	    0 },
	{ "one, and none before a letter of another script",
	    SI("\xD9\x87\xE2\x80\x8D\xE2\x80\x8D "
	       "\xD9\x87\xE2\x80\x8Dx"),
	    SI("\xD9\x87\xE2\x80\x8D \xD9\x87x"), 2 },
	{ "a Persian number keeps its ending apart",
	    SI("\xDB\xB2\xDB\xB0\xE2\x80\x8C\xD8\xA7\xD9\x85"),
	    SI("\xDB\xB2\xDB\xB0\xE2\x80\x8C\xD8\xA7\xD9\x85"), 0 },
	{ "between its digits there is none",
	    SI("\xDB\xB2\xE2\x80\x8C\xDB\xB0"), SI("\xDB\xB2\xDB\xB0"), 1 },
	{ "a ZWNJ at the end of a word goes",
	    SI("\xD9\x85\xDB\x8C\xE2\x80\x8C x\xE2\x80\x8D"),
	    SI("\xD9\x85\xDB\x8C x"), 2 },
	{ "Devanagari keeps joiners behind a virama",
	    SI("\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7 "
	       "\xE0\xA4\xB0\xE0\xA5\x8D\xE2\x80\x8D"),
	    SI("\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7 "
	       "\xE0\xA4\xB0\xE0\xA5\x8D\xE2\x80\x8D"),
	    0 },
	{ "a joiner between two scripts goes",
	    SI("\xD8\xA7\xE2\x80\x8D\xE0\xA4\x95"), SI("\xD8\xA7\xE0\xA4\x95"),
	    1 },
	{ "an emoji family keeps its joiners",
	    SI("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0"
	       "\x9F\x91\xA7"),
	    SI("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0"
	       "\x9F\x91\xA7"),
	    0 },
	{ "so does one with a skin and a style",
	    SI("\xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD\xE2\x80\x8D\xE2\x9D\xA4\xEF"
	       "\xB8\x8F\xE2\x80\x8D\xF0\x9F\x91\xA8"),
	    SI("\xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD\xE2\x80\x8D\xE2\x9D\xA4\xEF"
	       "\xB8\x8F\xE2\x80\x8D\xF0\x9F\x91\xA8"),
	    0 },
	{ "a joiner behind an emoji joins nothing",
	    SI("\xF0\x9F\x91\xA9\xE2\x80\x8D \xF0\x9F\x91\xA9\xE2\x80\x8Dx"),
	    SI("\xF0\x9F\x91\xA9 \xF0\x9F\x91\xA9x"), 2 },
	{ "an emoji keeps one style",
	    SI("\xE2\x98\x8E\xEF\xB8\x8E\xE2\x9D\xA4\xEF\xB8\x8F\xEF\xB8\x8F"),
	    SI("\xE2\x98\x8E\xEF\xB8\x8E\xE2\x9D\xA4\xEF\xB8\x8F"), 1 },
	{ "a keycap keeps its style",
	    SI("1\xEF\xB8\x8F\xE2\x83\xA3#\xEF\xB8\x8F\xE2\x83\xA3"),
	    SI("1\xEF\xB8\x8F\xE2\x83\xA3#\xEF\xB8\x8F\xE2\x83\xA3"), 0 },
	{ "a digit has none",
	    SI("1\xEF\xB8\x8F"
	       "2\xEF\xB8\x8E"),
	    SI("12"), 2 },
	{ "other selectors go",
	    SI("\xC3\xA9\xEF\xB8\x80\xEF\xB8\x87\xE6\x97\xA5\xF3\xA0\x84\x80"),
	    SI("\xC3\xA9\xE6\x97\xA5"), 3 },
	{ "the flags of England, Scotland and Wales stay",
	    SI("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81"
	       "\xA5\xF3\xA0\x81\xAE\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF\xF0\x9F"
	       "\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xB3\xF3"
	       "\xA0\x81\xA3\xF3\xA0\x81\xB4\xF3\xA0\x81\xBF"),
	    SI("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81"
	       "\xA5\xF3\xA0\x81\xAE\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF\xF0\x9F"
	       "\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xB3\xF3"
	       "\xA0\x81\xA3\xF3\xA0\x81\xB4\xF3\xA0\x81\xBF"),
	    0 },
	{ "a flag that does not end goes",
	    SI("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81"
	       "\xA5\xF3\xA0\x81\xAE\xF3\xA0\x81\xA7x"),
	    SI("\xF0\x9F\x8F\xB4x"), 5 },
	{ "words behind a flag go",
	    SI("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xB0\xF3\xA0\x81\xA1\xF3\xA0\x81"
	       "\xB9\xF3\xA0\x81\xBF"),
	    SI("\xF0\x9F\x8F\xB4"), 4 },
	{ "a flag keeps one name",
	    SI("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81"
	       "\xB7\xF3\xA0\x81\xAC\xF3\xA0\x81\xB3\xF3\xA0\x81\xBF\xF3\xA0"
	       "\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xB7\xF3\xA0\x81\xAC\xF3"
	       "\xA0\x81\xB3\xF3\xA0\x81\xBF"),
	    SI("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81"
	       "\xB7\xF3\xA0\x81\xAC\xF3\xA0\x81\xB3\xF3\xA0\x81\xBF"),
	    6 },
	{ "private use and noncharacters go",
	    SI("a\xEE\x80\x80\xEF\xA3\xBF\xF3\xB0\x80\x80\xF4\x8F\xBF\xBF\xEF"
	       "\xB7\x90\xEF\xBF\xBEz"),
	    SI("az"), 6 },
	{ "fillers go",
	    SI("a\xE1\x85\x9F\xE1\x85\xA0\xE3\x85\xA4\xEF\xBE\xA0\xE1\x9E\xB4"
	       "\xE1\xA0\x8Bz"),
	    SI("az"), 6 },
	{ "marks of annotation and music go",
	    SI("a\xEF\xBF\xB9\xEF\xBF\xBB\xF0\x9D\x85\xB3\xF0\x9D\x85\xBAz"),
	    SI("az"), 4 },
	{ "what is no character stays",
	    SI("a\xEF\xBF\xBD"
	       "b"),
	    SI("a\xEF\xBF\xBD"
	       "b"),
	    0 },
	{ "nothing stays nothing", SI("\xE2\x80\x8B"), SI(""), 1 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	size_t removed = 0;

	rows_same(clean_text(a, r->in, &removed), r->out);
	assert_int_equal(removed, r->removed);
	assert_true(str_eq(clean_text(a, r->in, NULL), r->out));
}

/* Characters at the limits of every rule, in any order. */
static const uint32_t cast[] = { 'a', '1', '#', '\n', 0x1B, 0xA9, 0xAD, 0xE9,
	0x628, 0x6CC, 0x61C, 0x915, 0x94D, 0x200B, 0x200C, 0x200D, 0x200E,
	0x202E, 0x20E3, 0x2060, 0x2764, 0x65E5, 0xE000, 0xFDD0, 0xFE00, 0xFE0E,
	0xFE0F, 0xFEFF, 0xFFFD, 0x1F3F4, 0x1F469, 0x1F3FD, 0xE0067, 0xE0062,
	0xE0065, 0xE006E, 0xE0067, 0xE007F, 0xE0100, 0x10FFFF };

static bool
is_never_seen(uint32_t cp)
{
	return (cp < ' ' && cp != '\n') || cp == 0xAD || cp == 0x200B ||
	    cp == 0x200E || cp == 0x202E || cp == 0x2060 || cp == 0x61C ||
	    cp == 0xE000 || cp == 0xFDD0 || cp == 0xFE00 || cp == 0xFEFF ||
	    cp == 0xE0100 || cp == 0x10FFFF;
}

/*
 * For any input: removals are counted, the rest keeps its order, is visible or
 * shapes what is visible, two shapers are never adjacent, and cleaning again
 * finds nothing.
 */
static void
any_order(void **state)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct buf b;
		struct str once, twice;
		size_t removed = 0, again = 0, kept = 0, n = 0;
		uint32_t before = 0;

		if (round % 100 == 0)
			arena_close(&a);
		if (a == NULL)
			a = arena_open(LIMIT_ARENA);
		buf_init(&b, a, 1000);
		for (; n < 1 + (size_t)round % 24; n++) {
			seed = seed * 1664525 + 1013904223;
			buf_utf8(&b,
			    cast[(seed >> 16) %
				(sizeof(cast) / sizeof(cast[0]))]);
		}
		once = clean_text(a, buf_view(&b), &removed);
		twice = clean_text(a, once, &again);
		rows_same(twice, once);
		assert_int_equal(again, 0);
		for (size_t i = 0; i < once.n; kept++) {
			bool ok = true;
			uint32_t cp = utf8_next(once, &i, &ok);

			assert_true(ok);
			assert_false(is_never_seen(cp));
			if (cp == 0x200C || cp == 0x200D || cp == 0xFE0F ||
			    cp == 0xFE0E)
				assert_false(before == 0x200C ||
				    before == 0x200D || before == '\n' ||
				    before == 'a' || before == 0);
			before = cp;
		}
		assert_int_equal(kept + removed, n);
	}
}

static void
an_address_shows_what_went(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	size_t removed = 0;

	(void)state;
	rows_same(clean_address(a, S("bo\xE2\x80\x8Bss@us.example\xE2\x80\xAE"),
		      &removed),
	    S("bo\xEF\xBF\xBDss@us.example\xEF\xBF\xBD"));
	assert_int_equal(removed, 2);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("whatever stands where", any_order, NULL);
	rows_add("an address shows what went", an_address_shows_what_went,
	    NULL);
	return cmocka_run_group_tests_name("base/clean", rows_tests, NULL,
	    NULL);
}
