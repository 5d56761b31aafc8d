/* SPDX-License-Identifier: Apache-2.0 */
/* The paths that may be in a home, and what a plan has for each. */
#include "../rows.h"
#include "base/arena.h"
#include "runtime/home.h"

static const struct row {
	const char *why;
	struct str path;
	bool good;
} paths[] = {
	{ "a name", SI("CLAUDE.md"), true },
	{ "a name in a folder", SI("skills/a/SKILL.md"), true },
	{ "a hidden name", SI(".gemini/settings.json"), true },
	{ "a name with dots", SI("a..b"), true },
	{ "any bytes but NUL", SI("a\n\xff"), true },
	{ "nothing is no path", SI(""), false },
	{ "an absolute path is refused", SI("/etc/passwd"), false },
	{ "the folder itself is refused", SI("."), false },
	{ "the folder above is refused", SI(".."), false },
	{ "a way up is refused", SI("a/../../b"), false },
	{ "a step on the spot is refused", SI("a/./b"), false },
	{ "an empty part is refused", SI("a//b"), false },
	{ "a folder's path is refused", SI("a/"), false },
	{ "NUL is refused", SI("a\0b"), false },
};

static void
path_is_judged(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct home h = { .a = a, .old = -1 };
	struct err e = { 0 };
	int got = home_plan_put(&h, r->path, S("x"), &e);

	assert_int_equal(got, r->good ? 0 : -1);
	assert_int_equal(e.kind, r->good ? ERR_NONE : ERR_USAGE);
	assert_int_equal(h.files, r->good ? 1 : 0);
}

static void
long_names_are_refused(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct home h = { .a = a, .old = -1 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(home_plan_put(&h, rows_repeat(a, S("x"), 255), S(""),
			     &e),
	    0);
	assert_int_equal(home_plan_put(&h, rows_repeat(a, S("x"), 256), S(""),
			     &e),
	    -1);
	assert_int_equal(home_plan_put(&h, rows_repeat(a, S("x/y"), 2000),
			     S(""), &e),
	    -1);
}

static void
last_one_counts(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct home h = { .a = a, .old = -1 };
	struct err e = { 0 };
	struct str text;

	(void)state;
	assert_int_equal(home_plan_put(&h, S("a"), S("one"), &e), 0);
	assert_int_equal(home_plan_put(&h, S("a"), S("two"), &e), 0);
	assert_int_equal(h.files, 1);
	assert_int_equal(home_plan_text(&h, S("a"), &text, &e), 0);
	rows_same(text, S("two"));
	assert_int_equal(home_plan_text(&h, S("b"), &text, &e), 0);
	rows_same(text, S(""));
	/* A credential never replaces another file. */
	assert_int_equal(home_plan_auth(&h, S("/etc/passwd"), S("a"), false,
			     &e),
	    -1);
	assert_int_equal(e.kind, ERR_USAGE);
}

static void
number_has_a_cap(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct home h = { .a = a, .old = -1 };
	struct err e = { 0 };

	(void)state;
	for (int i = 0; i < LIMIT_HOME_FILES; i++)
		assert_int_equal(home_plan_put(&h, str_fmt(a, "f%d", i), S(""),
				     &e),
		    0);
	assert_int_equal(home_plan_put(&h, S("more"), S(""), &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	/* An existing one may still be replaced. */
	e = (struct err){ 0 };
	assert_int_equal(home_plan_put(&h, S("f0"), S("x"), &e), 0);
}

int
main(void)
{
	ROWS(paths, path_is_judged);
	rows_add("long names are refused", long_names_are_refused, NULL);
	rows_add("the last one by a path counts", last_one_counts, NULL);
	rows_add("the number of files has a cap", number_has_a_cap, NULL);
	return cmocka_run_group_tests_name("runtime/home_plan", rows_tests,
	    NULL, NULL);
}
