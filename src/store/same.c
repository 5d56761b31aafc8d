/* SPDX-License-Identifier: Apache-2.0 */
/* Is the store still what it was when it was opened? */
#include "store/internal.h"
#include "store/opening.h"
#include "store/sqlite.h"

/* A number that changes when another connection has written; 0: unknown. */
static int64_t
store_same_version(struct store *s)
{
	struct err none = { 0 };
	int64_t n;

	return s->driver->version(s, &n, &none) < 0 ? 0 : n;
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

	if (!s->driver->is_file)
		return true;
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
