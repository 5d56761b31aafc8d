/* SPDX-License-Identifier: Apache-2.0 */
/* Where the rows of a thread end that are older than a position. */
#include "../rows.h"

#include "backend/internal.h"

/* Oldest first, with two from the same second. */
static const struct row thread[] = {
	{ .ref = { .id = SI("d") }, .received_s = 10 },
	{ .ref = { .id = SI("b") }, .received_s = 20 },
	{ .ref = { .id = SI("c") }, .received_s = 20 },
	{ .ref = { .id = SI("a") }, .received_s = 30 },
};

static const struct row_end {
	const char *why;
	const char *behind;
	int64_t behind_s;
	size_t want;
} ends[] = {
	{ "no place: all of them", "", 0, 4 },
	{ "the newest is not behind itself", "a", 30, 3 },
	{ "in one second by the order they came in", "c", 20, 2 },
	{ "and the first of the two", "b", 20, 1 },
	{ "behind the oldest there is none", "d", 10, 0 },
	{ "by its id, though it is of another time now", "c", 5, 2 },
	{ "one that is gone: its second comes once more", "x", 20, 3 },
	{ "one that is gone, older than all", "x", 9, 0 },
	{ "one that is gone, newer than all", "x", 31, 4 },
};

static const struct row *
row_of(const void *ctx, size_t i)
{
	const struct row *v = ctx;

	return &v[i];
}

static void
an_end(void **state)
{
	const struct row_end *r = *state;
	const struct query q = { .behind = str_of(r->behind),
		.behind_s = r->behind_s };

	assert_int_equal(backend_place_end(thread, 4, &q, row_of), r->want);
}

int
main(void)
{
	ROWS(ends, an_end);
	return cmocka_run_group_tests_name("place", rows_tests, NULL, NULL);
}
