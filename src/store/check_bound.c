/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds of a check.  SQLite evaluates expressions of the file that it checks:
 * constraints, indexes on expressions, generated columns.  In a file from
 * elsewhere a few bytes of these could take all memory, or never end.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "store/opening.h"
#include "store/sqlite.h"

enum {
	CHECK_STEPS = 1000 /* of SQLite's machine between two looks */
};

static int
check_bound_is_over(void *bound)
{
	const struct check_bound *b = bound;

	return clock_mono_ms() >= b->end_ms;
}

void
check_bound_begin(struct store *s, int64_t end_ms, struct check_bound *b)
{
	*b = (struct check_bound){ .s = s, .end_ms = end_ms };
	b->length =
	    sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, (int)LIMIT_STORE_VALUE);
	/* One comparison with a long pattern may never end. */
	b->pattern = sqlite3_limit(s->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 0);
	(void)sqlite3_exec(s->db, "PRAGMA ignore_check_constraints = ON", NULL,
	    NULL, NULL);
	sqlite3_progress_handler(s->db, CHECK_STEPS, check_bound_is_over, b);
}

int
check_bound_fail(const struct check_bound *b, struct err *e)
{
	if ((sqlite3_errcode(b->s->db) & 0xff) != SQLITE_INTERRUPT)
		return -1;
	(void)err_set(e, ERR_LIMIT,
	    "the check of the database did not end in %d minutes",
	    LIMIT_STORE_CHECK_MS / 60000);
	return err_hint(e,
	    "if the file comes from elsewhere, do not use it; check a large "
	    "database on a faster disk");
}

void
check_bound_end(struct check_bound *b)
{
	if (b->s == NULL)
		return;
	sqlite3_progress_handler(b->s->db, 0, NULL, NULL);
	(void)sqlite3_exec(b->s->db, "PRAGMA ignore_check_constraints = OFF",
	    NULL, NULL, NULL);
	(void)sqlite3_limit(b->s->db, SQLITE_LIMIT_LENGTH, b->length);
	(void)sqlite3_limit(b->s->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH,
	    b->pattern);
	b->s = NULL;
}
