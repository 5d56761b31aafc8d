/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SQLite says of a table without a number for its next row what it says of a
 * full disk.  emcli never comes so far: somebody else wrote that number.
 */
#include "store/internal.h"

static int
stmt_last_found(void *found, int n, char **values, char **names)
{
	(void)n;
	(void)values;
	(void)names;
	*(bool *)found = true;
	return 0;
}

bool
stmt_last(struct store *s)
{
	bool found = false;

	(void)sqlite3_exec(s->db,
	    "SELECT 1 FROM main.sqlite_sequence WHERE typeof(seq) = 'integer'"
	    " AND seq = 9223372036854775807 LIMIT 1",
	    stmt_last_found, &found, NULL);
	return found;
}

int
stmt_last_fail(struct err *e)
{
	(void)err_set(e, ERR_DB,
	    "the store cannot be written: one of its tables was given the last "
	    "number that there is, without emcli");
	return err_hint(e,
	    "move the database aside with its -wal and -shm, and restore a "
	    "copy: see emcli(1), Copies of a store");
}
