/* SPDX-License-Identifier: Apache-2.0 */
/* Is the store still what it was when it was opened? */
#include "store/internal.h"
#include "store/opening.h"

/* A number that changes when another connection has written; 0: unknown. */
static int64_t
store_same_version(struct store *s)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	struct err none = { 0 };

	if (stmt_prepare(s, "PRAGMA data_version", &st, &none) < 0 ||
	    stmt_step(s, st, &none) != 1)
		return 0;
	return sqlite3_column_int64(st, 0);
}

void
store_same_note(struct store *s)
{
	s->version = store_same_version(s);
}

bool
store_same_file(struct store *s)
{
	int moved = 1;

	return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED,
		   &moved) == SQLITE_OK &&
	    moved == 0;
}

bool
store_same(struct store *s)
{
	return s->version != 0 && store_same_version(s) == s->version &&
	    store_same_file(s);
}
