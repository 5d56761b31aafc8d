/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a trace: what is omitted, and how long they get. */
#include "base/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/said.h"
#include "base/secret.h"

/* The rest of a traced line, from the message on. */
static struct str
line_of(struct arena *a, const char *text)
{
	struct err e = { 0 };
	struct str all;
	ptrdiff_t at;

	assert_int_equal(trace_keep(&e), 0);
	trace_line("host:1", '<', "%s", text);
	all = trace_kept(a);
	assert_true(all.n > 0 && all.p[all.n - 1] == '\n');
	at = str_find(all, S(" host:1 < "));
	assert_true(at > 0);
	return str_first(str_from(all, (size_t)at + 10),
	    all.n - (size_t)at - 11);
}

static void
check(const char *text, const char *want)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct str is = line_of(a, text);

	assert_string_equal(str_c(a, is), want);
}

static void
lines(void **state)
{
	(void)state;
	check("250 fine", "250 fine");
	check("", "");
	check("a\r\n\x1b[2J\xc3\xa4", "a???[2J??");
}

static void
secrets(void **state)
{
	static const char plain[] = "p\xc3\xa4sswort-4711";
	struct secret *s = secret_new(plain, sizeof(plain) - 1);

	(void)state;
	check("NO p\xc3\xa4sswort-4711 is wrong", SAID_HIDDEN);
	check("NO cMOkc3N3b3J0LTQ3MTE= is wrong", SAID_HIDDEN);
	check("NO passwort is wrong", "NO passwort is wrong");
	secret_close(&s);
	check("NO p\xc3\xa4sswort-4711 is wrong", "NO p??sswort-4711 is wrong");
}

static void
long_lines(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	static char text[2 * LIMIT_TRACE_LINE];
	struct str is;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	is = line_of(a, text);
	assert_true(is.n > LIMIT_TRACE_LINE / 2 && is.n <= LIMIT_TRACE_LINE);
}

static void
nothing(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct err e = { 0 };

	(void)state;
	assert_false(trace_on());
	trace_line("host:1", '<', "unheard");
	assert_int_equal(trace_kept(a).n, 0);
	assert_int_equal(trace_keep(&e), 0);
	assert_true(trace_on());
	assert_int_equal(trace_kept(a).n, 0);
}

/* Beyond the limit, whole lines are omitted. */
static void
much(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct err e = { 0 };
	struct str all;

	(void)state;
	assert_int_equal(trace_keep(&e), 0);
	for (int i = 0; i < 20000; i++)
		trace_line("host:1", '>', "%060d", i);
	all = trace_kept(a);
	assert_true(all.n >= LIMIT_TRACE_KEPT &&
	    all.n < LIMIT_TRACE_KEPT + LIMIT_TRACE_LINE + 2);
	assert_int_equal(all.p[all.n - 1], '\n');
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(lines),
		cmocka_unit_test(secrets),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(much),
	};

	return cmocka_run_group_tests_name("base/trace", tests, NULL, NULL);
}
