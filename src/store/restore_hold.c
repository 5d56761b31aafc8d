/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SQLite's backup into the store that is there.  The file stays, so that
 * processes that have it open go on with what is in it then; a backup without
 * pages takes the write lock and keeps it.
 */
#include "store/internal.h"
#include "store/restoring.h"

void
restore_hold_drop(struct restore_hold *h)
{
	if (h->b != NULL)
		(void)sqlite3_backup_finish(h->b);
	h->b = NULL;
}

static int
restore_hold_fail(struct store *into, int code, struct err *e)
{
	const bool busy =
	    (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;

	(void)err_set(e, ERR_DB, "%s",
	    busy ? "the store is busy: try again"
		: (code & 0xff) == SQLITE_FULL
		? "the store cannot be written: the disk is full"
		: "the store cannot be written");
	return err_because(e, "sqlite %d: %s", code, sqlite3_errmsg(into->db));
}

static int
restore_hold_page_size(struct store *s, int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, "PRAGMA page_size", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column_int(st, 0);
	return 0;
}

/* SQLite cannot put pages of another size into a store that is in use. */
static int
restore_hold_check_pages(struct store *from, struct store *into, struct err *e)
{
	int64_t is, was;

	if (restore_hold_page_size(from, &is, e) < 0 ||
	    restore_hold_page_size(into, &was, e) < 0)
		return -1;
	if (is == was)
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "the copy has pages of %lld bytes, and the database pages of %lld",
	    (long long)is, (long long)was);
	return err_hint(e,
	    "use a copy that emcli store backup made: a copy by another "
	    "program may have other pages");
}

int
restore_hold_begin(struct store *from, struct store *into,
    struct restore_hold *h, struct err *e)
{
	int r;

	if (restore_hold_check_pages(from, into, e) < 0 ||
	    store_durable(into, e) < 0)
		return -1;
	h->b = sqlite3_backup_init(into->db, "main", from->db, "main");
	r = h->b != NULL ? sqlite3_backup_step(h->b, 0)
			 : sqlite3_errcode(into->db);
	return r == SQLITE_OK ? 0 : restore_hold_fail(into, r, e);
}

int
restore_hold_put(struct restore_hold *h, struct store *into,
    void (*progress)(uint64_t done, uint64_t all), struct err *e)
{
	int r = copy_pages_run(h->b, progress);
	int end = sqlite3_backup_finish(h->b);

	h->b = NULL;
	if (r != SQLITE_DONE || end != SQLITE_OK)
		return restore_hold_fail(into, r != SQLITE_DONE ? r : end, e);
	return 0;
}
