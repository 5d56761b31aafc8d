/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/imap/internal.h"
#include "base/limits.h"

/* A set from a server, clipped, and its five highest numbers written again. */
static struct sample {
	const char *why;
	const char *text;
	uint32_t lo, hi;
	const char *want; /* NULL: refused */
} rows[] = {
	{ "one", "7", 1, UINT32_MAX, "7" },
	{ "out of order and double", "9,2:4,4,3,11", 1, UINT32_MAX,
	    "11,9,2:4" },
	{ "a range backwards", "4:2", 1, UINT32_MAX, "2:4" },
	{ "clipped", "1:10,20:30", 8, 22, "20:22,9:10" },
	{ "clipped to nothing", "1:10", 11, 20, "" },
	{ "four thousand million", "1:4294967295", 1, UINT32_MAX,
	    "4294967291:4294967295" },
	{ "zero is no uid", "0", 1, UINT32_MAX, NULL },
	{ "the star is refused", "1:*", 1, UINT32_MAX, NULL },
	{ "an empty part is refused", "1,,2", 1, UINT32_MAX, NULL },
	{ "a number too big is refused", "4294967296", 1, UINT32_MAX, NULL },
	{ "letters are refused", "1x", 1, UINT32_MAX, NULL },
};

static void
newest(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct sample *r = *state;
	struct imap_set s = { .a = a };
	uint32_t uids[5];
	size_t n, from = 0;

	assert_int_equal(imap_set_parse(&s, str_of(r->text)), r->want != NULL);
	if (r->want == NULL)
		return;
	imap_set_tidy(&s, r->lo, r->hi);
	n = imap_set_take(&s, uids, 5);
	assert_true(str_eq(imap_set_text(a, uids, n, &from), str_of(r->want)));
	assert_int_equal(from, n);
}

static void
split(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static uint32_t uids[5000];
	size_t from = 0, last = 0;
	int commands = 0;

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		uids[i] = UINT32_MAX - 2 * (uint32_t)i;
	while (from < 5000) {
		struct str set = imap_set_text(a, uids, 5000, &from);

		assert_true(set.n <= 8032);
		assert_true(from > last);
		last = from;
		commands++;
	}
	assert_int_equal(commands, 7);
}

/* "1 3 5 ..." or "1 1 1 ...": separate numbers cost memory. */
static void
crowded(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(32 << 20);
	struct imap_set s = { .a = a };

	(void)state;
	for (uint32_t i = 0; i < LIMIT_IMAP_NODES; i++)
		imap_set_add(&s, 1, 1);
	assert_false(s.over);
	for (uint32_t i = 0; i < 10000000; i++)
		imap_set_add(&s, 1, 1);
	assert_true(s.over);
	assert_int_equal(s.n, LIMIT_IMAP_NODES);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 2] = {
		[ROWS] = cmocka_unit_test(split),
		[ROWS + 1] = cmocka_unit_test(crowded),
	};

	tests[ROWS].name = "a long set goes in several commands";
	tests[ROWS + 1].name = "a set has an end";
	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = newest;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("backend/imap_set", tests, NULL,
	    NULL);
}
