/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and sentences within the width of a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "door/fit.h"

static const struct str one[] = { SI("work"), SI("a sentence of some length"),
	SI("ok") };
static const struct str two[] = { SI("h\303\251"), SI("short"),
	SI("something else") };

static const struct {
	size_t width;
	const char *want;
} tables[] = {
	{ 0,
	    "work  a sentence of some length  ok\n"
	    "h\303\251    short                      something else\n" },
	{ 80,
	    "work  a sentence of some length  ok\n"
	    "h\303\251    short                      something else\n" },
	{ 40,
	    "work  a sentence of s...  ok\n"
	    "h\303\251    short               something else\n" },
	{ 30,
	    "work  a senten...  ok\n"
	    "h\303\251    short        somethin...\n" },
	/* A narrower column would be useless: then the table is wider. */
	{ 10,
	    "work  a sen...  ok\n"
	    "h\303\251    short     somet...\n" },
};

static void
tables_fit(void **state)
{
	const struct out_row r[] = { { one }, { two } };

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct buf b;

		assert_int_equal(fit_needs(a, r, 2, 3), 47);
		buf_init(&b, a, 1000);
		fit_table(&b, r, 2, 3, tables[i].width);
		assert_string_equal(b.p, tables[i].want);
	}
}

static const struct {
	const char *why, *text;
	size_t at, indent, width;
	const char *want;
} lines[] = {
	{ "no terminal", "one two three", 2, 2, 0, "one two three" },
	{ "it fits", "one two three", 7, 2, 20, "one two three" },
	{ "one letter too many", "one two three", 8, 2, 20,
	    "one two\n  three" },
	{ "several lines", "aaaa bbbb cccc dddd eeee ffff", 2, 2, 18,
	    "aaaa bbbb cccc\n  dddd eeee ffff" },
	{ "a word that never fits", "aaaaaaaaaaaaaaaaaaaaaaaaaa b", 2, 2, 20,
	    "aaaaaaaaaaaaaaaaaaaaaaaaaa\n  b" },
	{ "too narrow for anything", "one two three", 10, 10, 20,
	    "one two three" },
	{ "characters, not bytes", "\303\251\303\251\303\251 b", 14, 0, 19,
	    "\303\251\303\251\303\251 b" },
};

static void
lines_fit(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct buf b;

		buf_init(&b, a, 1000);
		fit_wrap(&b, str_of(lines[i].text), lines[i].at,
		    lines[i].indent, lines[i].width);
		if (strcmp(b.p, lines[i].want) != 0)
			fail_msg("%s: %s", lines[i].why, b.p);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_fit),
		cmocka_unit_test(lines_fit),
	};

	return cmocka_run_group_tests_name("door/fit", tests, NULL, NULL);
}
