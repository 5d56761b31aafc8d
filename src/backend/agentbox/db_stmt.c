/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only access to SQLite in this room.  The files are untrusted: links,
 * triggers and views are refused; values and time have limits.
 */
#include <errno.h>
#include <limits.h>
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "base/clock.h"

#define DB_VALUE (64 << 20) /* bytes of one value */
#define DB_OPS 20000        /* steps of SQLite's machine between two checks */

static const char db_setup[] = "PRAGMA foreign_keys = ON;"
			       "PRAGMA synchronous = FULL;"
			       "PRAGMA trusted_schema = OFF;"
			       "PRAGMA cell_size_check = ON;"
			       "PRAGMA temp_store = MEMORY;";

static const char *
db_reason(int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return "the mailbox root is in use; try again in a moment";
	case SQLITE_FULL:
		return "the mailbox root cannot be written: the disk is full";
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return "a database of the mailbox root cannot be opened or "
		       "written";
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return "a database of the mailbox root is damaged; run mailbox "
		       "repair";
	case SQLITE_INTERRUPT:
		return "the mailbox root took too long";
	default:
		return "a database of the mailbox root failed";
	}
}

int
db_stmt_fail(struct db *d, struct err *e)
{
	int code = sqlite3_extended_errcode(d->h);

	(void)err_set(e, ERR_DB, "%s", db_reason(code));
	if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
		e->reason = "locked";
	if ((code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT)
		e->reason = "damaged";
	return err_because(e, "sqlite %d: %s", code, sqlite3_errmsg(d->h));
}

static int
db_late(void *ctx)
{
	const struct db *d = ctx;

	return clock_left_ms(d->deadline_ms) == 0;
}

/* Neither our schemas nor upstream's ever have these. */
int
db_stmt_check(struct db *d, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')";
	int r;

	if (d->code == NULL && db_stmt_prepare(d, sql, &d->code, e) < 0)
		return -1;
	r = db_stmt_step(d, d->code, e);
	(void)sqlite3_reset(d->code);
	if (r <= 0)
		return r;
	(void)err_set(e, ERR_CONFIG,
	    "a database of the mailbox root holds a trigger or a view, which "
	    "is refused");
	e->reason = "root_stale";
	return -1;
}

void
db_stmt_until(struct db *d, const struct agentbox_root *r)
{
	d->deadline_ms = r->use.deadline_ms;
	(void)sqlite3_busy_timeout(d->h, clock_left_ms(d->deadline_ms));
	sqlite3_progress_handler(d->h, DB_OPS, db_late, d);
}

int
db_stmt_open(struct db *d, const struct agentbox_root *r, int folder,
    const char *dir, const char *file, bool make, struct err *e)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
	    SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW;
	char path[PATH_MAX];

	if (make && agentbox_layout_touch(folder, file) < 0) {
		(void)err_set(e, ERR_DB, "%s", db_reason(SQLITE_CANTOPEN));
		return err_errno(e, file);
	}
	if (snprintf(path, sizeof(path), "%s/%s", dir, file) >=
	    (int)sizeof(path))
		return err_set(e, ERR_CONFIG, "the root's name is too long");
	if (sqlite3_open_v2(path, &d->h, flags, NULL) != SQLITE_OK)
		return db_stmt_fail(d, e);
	db_stmt_until(d, r);
	(void)sqlite3_db_config(d->h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_limit(d->h, SQLITE_LIMIT_LENGTH, DB_VALUE);
	(void)sqlite3_limit(d->h, SQLITE_LIMIT_ATTACHED, 2);
	return db_stmt_exec(d, db_setup, e) < 0 ? -1 : db_stmt_check(d, e);
}

/* Puts it where the next task finds it, as it was when it was opened. */
static bool
db_keep(struct db *d)
{
	struct db_spare *s = d->home;

	if (s == NULL || s->h != NULL || d->h == NULL || d->code == NULL)
		return false;
	if (sqlite3_get_autocommit(d->h) == 0)
		db_stmt_rollback(d);
	if (sqlite3_get_autocommit(d->h) == 0)
		return false;
	sqlite3_progress_handler(d->h, 0, NULL, NULL);
	*s = (struct db_spare){ d->h, d->code, d->was };
	*d = (struct db){ 0 };
	return true;
}

void
db_stmt_close(struct db *d)
{
	if (db_keep(d))
		return;
	db_stmt_done(&d->code);
	db_stmt_done(&d->one);
	db_stmt_done(&d->has);
	/* Closing rolls back an open transaction. */
	(void)sqlite3_close(d->h);
	d->h = NULL;
}

int
db_stmt_prepare(struct db *d, const char *sql, sqlite3_stmt **out,
    struct err *e)
{
	return sqlite3_prepare_v2(d->h, sql, -1, out, NULL) == SQLITE_OK
	    ? 0
	    : db_stmt_fail(d, e);
}

void
db_stmt_done(sqlite3_stmt **st)
{
	(void)sqlite3_finalize(*st);
	*st = NULL;
}

/* Binding fails only for an invalid index or lack of memory: both are bugs. */
static void
db_bound(int result)
{
	if (result != SQLITE_OK)
		err_bug("agentbox: bind: %s", sqlite3_errstr(result));
}

void
db_stmt_text(sqlite3_stmt *st, int i, struct str s)
{
	db_bound(sqlite3_bind_text64(st, i, s.p != NULL ? s.p : "", s.n,
	    SQLITE_STATIC, SQLITE_UTF8));
}

void
db_stmt_text_or_null(sqlite3_stmt *st, int i, struct str s)
{
	if (s.n > 0)
		db_stmt_text(st, i, s);
	else
		db_bound(sqlite3_bind_null(st, i));
}

void
db_stmt_int(sqlite3_stmt *st, int i, int64_t n)
{
	db_bound(sqlite3_bind_int64(st, i, n));
}

void
db_stmt_blob(sqlite3_stmt *st, int i, struct str s)
{
	db_bound(sqlite3_bind_blob64(st, i, s.p != NULL ? s.p : "", s.n,
	    SQLITE_STATIC));
}

int
db_stmt_step(struct db *d, sqlite3_stmt *st, struct err *e)
{
	switch (sqlite3_step(st)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return db_stmt_fail(d, e);
	}
}

int
db_stmt_run(struct db *d, sqlite3_stmt *st, struct err *e)
{
	int r;

	do
		r = db_stmt_step(d, st, e);
	while (r == 1);
	(void)sqlite3_reset(st);
	return r;
}

struct str
db_stmt_column(sqlite3_stmt *st, int i, struct arena *a)
{
	/* The bytes first: getting them may convert, and so move, the value. */
	const void *p = sqlite3_column_blob(st, i);
	struct str s = { p, (size_t)sqlite3_column_bytes(st, i) };

	return p == NULL ? (struct str){ "", 0 } : str_dup(a, s);
}

int64_t
db_stmt_number(sqlite3_stmt *st, int i)
{
	return sqlite3_column_int64(st, i);
}

int
db_stmt_exec(struct db *d, const char *sql, struct err *e)
{
	return sqlite3_exec(d->h, sql, NULL, NULL, NULL) == SQLITE_OK
	    ? 0
	    : db_stmt_fail(d, e);
}

int
db_stmt_begin(struct db *d, struct err *e)
{
	return db_stmt_exec(d, "BEGIN IMMEDIATE", e);
}

int
db_stmt_commit(struct db *d, struct err *e)
{
	return db_stmt_exec(d, "COMMIT", e);
}

void
db_stmt_rollback(struct db *d)
{
	/*
	 * After some errors SQLite has already rolled back; then this one
	 * fails.
	 */
	(void)sqlite3_exec(d->h, "ROLLBACK", NULL, NULL, NULL);
}
