#ifndef TESTS_UNIT_SOURCE_ROWS_H
#define TESTS_UNIT_SOURCE_ROWS_H

/* Tables of rows as tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))
#define ROWS(group, rows, fn)                                                  \
	int main(void)                                                         \
	{                                                                      \
		struct CMUnitTest tests[COUNT(rows)] = { 0 };                  \
                                                                               \
		for (size_t i = 0; i < COUNT(rows); i++) {                     \
			tests[i].name = rows[i].why;                           \
			tests[i].test_func = fn;                               \
			tests[i].initial_state = (void *)&rows[i];             \
		}                                                              \
		return cmocka_run_group_tests_name(group, tests, NULL, NULL);  \
	}

#endif
