/* SPDX-License-Identifier: Apache-2.0 */
/* What SQLite's errors are in emcli's words. */
#include "store/internal.h"
#include "store/sqlite.h"

/* An extended code goes before its first byte. */
static const struct {
	int code;
	enum driver_reason why;
} reasons[] = {
	/* On a full disk, the -shm file fails first. */
	{ SQLITE_IOERR_SHMSIZE, DRIVER_FULL },
	{ SQLITE_CONSTRAINT_FOREIGNKEY, DRIVER_NO_ACCOUNT },
	{ SQLITE_CONSTRAINT_UNIQUE, DRIVER_TAKEN },
	{ SQLITE_BUSY, DRIVER_BUSY },
	{ SQLITE_FULL, DRIVER_FULL },
	{ SQLITE_READONLY, DRIVER_READONLY },
	{ SQLITE_CANTOPEN, DRIVER_READONLY },
	{ SQLITE_PERM, DRIVER_READONLY },
	{ SQLITE_CORRUPT, DRIVER_DAMAGED },
	{ SQLITE_NOTADB, DRIVER_DAMAGED },
};

static enum driver_reason
sqlite_fail_reason(int code)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].code == code || reasons[i].code == (code & 0xff))
			return reasons[i].why;
	return DRIVER_FAILED;
}

static int
sqlite_fail_last_found(void *found, int n, char **values, char **names)
{
	(void)n;
	(void)values;
	(void)names;
	*(bool *)found = true;
	return 0;
}

/*
 * SQLite says of a table without a number for its next row what it says of a
 * full disk.
 */
static bool
sqlite_fail_last(struct store *s)
{
	bool found = false;

	(void)sqlite3_exec(s->db,
	    "SELECT 1 FROM main.sqlite_sequence WHERE typeof(seq) = 'integer'"
	    " AND seq = 9223372036854775807 LIMIT 1",
	    sqlite_fail_last_found, &found, NULL);
	return found;
}

int
sqlite_fail(struct store *s, struct err *e)
{
	const int code = sqlite3_extended_errcode(s->db);
	const bool last = code == SQLITE_FULL && sqlite_fail_last(s);

	(void)driver_fail(s, last ? DRIVER_LAST : sqlite_fail_reason(code), e);
	return err_because(e, "sqlite %d: %s", code,
	    code == SQLITE_FULL ? sqlite3_errstr(code) : sqlite3_errmsg(s->db));
}
