/* SPDX-License-Identifier: Apache-2.0 */
/* Output to a terminal, and the guess for a mistyped word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/near.h"
#include "door/out.h"

static struct row {
	const char *why;
	struct str in;
	const char *want;
} rows[] = {
	{ "plain text stays", SI("a b\n"), "a b\n" },
	{ "letters of all the world stay", SI("\303\251\346\227\245"),
	    "\303\251\346\227\245" },
	{ "an escape sequence loses its escape", SI("\033[31mred"),
	    "?[31mred" },
	{ "a carriage return cannot overwrite a line", SI("a\rb"), "a?b" },
	{ "a tab is a blank", SI("a\tb"), "a b" },
	{ "a NUL is shown", SI("a\0b"), "a?b" },
	{ "C1 controls as UTF-8 are shown",
	    SI("\302\233"
	       "31m"),
	    "?31m" },
	{ "direction changes are shown", SI("a\342\200\256b"), "a?b" },
	{ "zero-width characters are shown", SI("a\342\200\213b"), "a?b" },
	{ "bad UTF-8 is replaced", SI("a\377b"), "a\357\277\275b" },
};

static void
safe_row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	assert_string_equal(str_c(a, out_safe(a, r->in)), r->want);
}

static void
line_has_no_line_end(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	assert_string_equal(str_c(a, out_line(a, S("a\nb"))), "a?b");
}

static void
columns_are_aligned(void **state)
{
	static const struct str one[] = { SI("a"), SI("b"), SI("c") };
	static const struct str two[] = { SI("\303\251\303\251"), SI("-"),
		SI("cc") };
	const struct out_row r[] = { { one }, { two } };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct buf b;

	(void)state;
	buf_init(&b, a, 1000);
	out_table(&b, r, 2, 3);
	assert_string_equal(b.p, "a   b  c\n\303\251\303\251  -  cc\n");
}

static void
status_tells_usage_apart(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(out_status(&e), 0);
	e.kind = ERR_USAGE;
	assert_int_equal(out_status(&e), 2);
	e.kind = ERR_POLICY;
	assert_int_equal(out_status(&e), 1);
}

static void
near_words(void **state)
{
	struct str v[] = { SI("list"), SI("get"), SI("search"), SI("send"),
		SI("account") };
	struct strs known = { v, 5 };

	(void)state;
	assert_true(str_eq(near_pick(S("lits"), &known), S("list")));
	assert_true(str_eq(near_pick(S("gte"), &known), S("get")));
	assert_true(str_eq(near_pick(S("serch"), &known), S("search")));
	assert_true(str_eq(near_pick(S("acc"), &known), S("account")));
	assert_true(str_eq(near_pick(S("frobnicate"), &known), S("")));
	assert_true(str_eq(near_pick(S(""), &known), S("")));
	assert_true(
	    str_eq(near_pick(S("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), &known),
		S("")));
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N + 4] = {
		[N] = cmocka_unit_test(line_has_no_line_end),
		cmocka_unit_test(columns_are_aligned),
		cmocka_unit_test(status_tells_usage_apart),
		cmocka_unit_test(near_words),
	};

	for (size_t i = 0; i < N; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = safe_row;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("door/out", tests, NULL, NULL);
}
