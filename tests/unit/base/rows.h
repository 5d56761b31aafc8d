#ifndef UNIT_BASE_ROWS_H
#define UNIT_BASE_ROWS_H

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

static inline void
rows_same(struct str got, struct str want)
{
	assert_int_equal(got.n, want.n);
	if (want.n > 0)
		assert_memory_equal(got.p, want.p, want.n);
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
