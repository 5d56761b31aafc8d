/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli.sqlite: the data that makes the root safe, and data that the upstream
 * program's tables have no place for.  That program ignores it, and its repair
 * does not touch it.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

enum {
	OWN_LOG = 100 /* pages of the log */
};

static const char own_tables[] =
    /* About the root: the path at its last use, the format of this file. */
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY,"
    " value TEXT NOT NULL);"
    /* Unfinished changes, as JSON. */
    "CREATE TABLE IF NOT EXISTS journal ("
    " seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,"
    " plan TEXT NOT NULL);"
    /* The message that a sender's idempotency key created, and its request. */
    "CREATE TABLE IF NOT EXISTS keys (address TEXT NOT NULL,"
    " key TEXT NOT NULL, digest TEXT NOT NULL, message_id TEXT NOT NULL,"
    " PRIMARY KEY (address, key));"
    /* A message file delivered by this program: its digest, signed. */
    "CREATE TABLE IF NOT EXISTS mac (message_id TEXT PRIMARY KEY,"
    " digest TEXT NOT NULL, mac BLOB NOT NULL);"
    /* State that protocol 1 has no columns for; box null: not moved. */
    "CREATE TABLE IF NOT EXISTS view (address TEXT NOT NULL,"
    " message_id TEXT NOT NULL, box TEXT,"
    " answered INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (address, message_id));"
    "CREATE INDEX IF NOT EXISTS view_box ON view(address, box);"
    /* Which messages went into another box, the last one highest. */
    "CREATE TABLE IF NOT EXISTS moved ("
    " seq INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL,"
    " message_id TEXT NOT NULL, UNIQUE (address, message_id));"
    /* Folders of messages/ as they were when last scanned. */
    "CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY,"
    " mtime_ns INTEGER NOT NULL);"
    /* Files that are not messages. */
    "CREATE TABLE IF NOT EXISTS damaged (name TEXT PRIMARY KEY,"
    " why TEXT NOT NULL);";

static int
own_open(struct db *d, const struct agentbox_root *r, struct err *e)
{
	static const char made[] = "SELECT count(*) FROM sqlite_master WHERE"
				   " type = 'table' AND name = 'moved'";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_open(d, r, r->dir, r->path.p, "emcli.sqlite", true, e) < 0)
		return -1;
	(void)sqlite3_db_config(d->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
	    NULL);
	/* The first process to open it reads the whole log. */
	(void)sqlite3_wal_autocheckpoint(d->h, OWN_LOG);
	if (db_stmt_prepare(d, made, &st, e) < 0 || db_stmt_step(d, st, e) < 0)
		return -1;
	if (db_stmt_number(st, 0) == 1)
		return 0;
	db_stmt_done(&st);
	/* A write-ahead log: one sync to disk per commit. */
	if (db_stmt_exec(d, "PRAGMA journal_mode = WAL", e) < 0 ||
	    db_stmt_begin(d, e) < 0 || db_stmt_exec(d, own_tables, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_own_meta(struct db *d, const char *name, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, "SELECT value FROM meta WHERE name = ?1", &st,
		e) < 0)
		return -1;
	db_stmt_text(st, 1, str_of(name));
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*out = db_stmt_column(st, 0, a);
	return r;
}

int
db_own_meta_put(struct db *d, const char *name, struct str value, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT(name)"
	    " DO UPDATE SET value = excluded.value";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, str_of(name));
	db_stmt_text(st, 2, value);
	return db_stmt_run(d, st, e);
}

int
db_own_row_add(struct db *d, const char *kind, struct str plan, int64_t *seq,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d,
		"INSERT INTO journal (kind, plan) VALUES (?1, ?2)", &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, str_of(kind));
	db_stmt_text(st, 2, plan);
	if (db_stmt_run(d, st, e) < 0)
		return -1;
	*seq = sqlite3_last_insert_rowid(d->h);
	return 0;
}

int
db_own_row_next(struct db *d, int64_t after, struct arena *a, int64_t *seq,
    struct str *kind, struct str *plan, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d,
		"SELECT seq, kind, plan FROM journal WHERE seq > ?1"
		" ORDER BY seq LIMIT 1",
		&st, e) < 0)
		return -1;
	db_stmt_int(st, 1, after);
	r = db_stmt_step(d, st, e);
	if (r != 1)
		return r;
	*seq = db_stmt_number(st, 0);
	*kind = db_stmt_column(st, 1, a);
	*plan = db_stmt_column(st, 2, a);
	return 1;
}

int
db_own_rows(struct db *d, size_t *n, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, "SELECT count(*) FROM journal", &st, e) < 0 ||
	    db_stmt_step(d, st, e) < 0)
		return -1;
	*n = (size_t)db_stmt_number(st, 0);
	return 0;
}

int
db_own_row_done(struct db *d, int64_t seq, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, "DELETE FROM journal WHERE seq = ?1", &st, e) <
	    0)
		return -1;
	db_stmt_int(st, 1, seq);
	/*
	 * The change is done; doing it again after a power failure is harmless.
	 */
	if (db_stmt_exec(d, "PRAGMA synchronous = NORMAL", e) < 0 ||
	    db_stmt_run(d, st, e) < 0)
		return -1;
	return db_stmt_exec(d, "PRAGMA synchronous = FULL", e);
}

struct db *
db_own(struct agentbox_root *r, struct err *e)
{
	if (r->own != NULL)
		return r->own;
	r->own = arena_new(r->a, struct db);
	if (own_open(r->own, r, e) == 0)
		return r->own;
	db_stmt_close(r->own);
	r->own = NULL;
	return NULL;
}

void
db_own_close(struct agentbox_root *r)
{
	if (r->own != NULL)
		db_stmt_close(r->own);
	r->own = NULL;
}
