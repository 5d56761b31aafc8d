/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_ROWS_H
#define UNIT_ROWS_H

/* Table rows as tests, of several tables in one group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"

/* cmocka leaves out what was never filled in. */
static struct CMUnitTest rows_tests[256];
static size_t rows_n;

static inline void
rows_add(const char *name, void (*fn)(void **), const void *row)
{
	assert_true(rows_n < 256);
	rows_tests[rows_n++] =
	    (struct CMUnitTest){ name, fn, NULL, NULL, (void *)(uintptr_t)row };
}

#define ROWS(table, fn)                                                        \
	for (size_t i_ = 0; i_ < sizeof(table) / sizeof((table)[0]); i_++)     \
	rows_add((table)[i_].why, (fn), &(table)[i_])

/* One table is all there is. */
#define ROWS_MAIN(group, table, fn)                                            \
	int main(void)                                                         \
	{                                                                      \
		ROWS(table, fn);                                               \
		return cmocka_run_group_tests_name(group, rows_tests, NULL,    \
		    NULL);                                                     \
	}

static inline void
rows_same(struct str got, struct str want)
{
	if (!str_eq(got, want))
		fail_msg("got \"%.*s\", want \"%.*s\"", STR_ARG(got),
		    STR_ARG(want));
}

/* "{" n times over, for what must not recurse or take long. */
static inline struct str
rows_repeat(struct arena *a, struct str s, size_t n)
{
	struct buf b;

	buf_init(&b, a, s.n * n);
	for (size_t i = 0; i < n; i++)
		buf_str(&b, s);
	return buf_view(&b);
}

/* Does fn abort?  It is called in a child that keeps quiet. */
static inline bool
rows_aborts(void (*fn)(void))
{
	int status = 0;
	pid_t pid;

	(void)fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)close(2);
		fn();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#endif
