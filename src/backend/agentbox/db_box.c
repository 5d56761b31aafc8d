/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mailbox.sqlite: which of its messages a mailbox has read, starred, archived
 * or deleted, in the tables of the upstream program.  We add two indexes, so
 * that a page of the newest costs the same in a large mailbox, and so that the
 * deleted ones, which the upstream program marks, are found at once.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static const char box_tables[] =
    "CREATE TABLE IF NOT EXISTS message_state ("
    " message_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL,"
    " created_at_utc TEXT NOT NULL, subject TEXT NOT NULL,"
    " is_read INTEGER NOT NULL DEFAULT 0,"
    " is_starred INTEGER NOT NULL DEFAULT 0,"
    " is_archived INTEGER NOT NULL DEFAULT 0,"
    " is_deleted INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE IF NOT EXISTS thread_summaries ("
    " thread_id TEXT PRIMARY KEY, normalized_subject TEXT NOT NULL,"
    " latest_message_id TEXT, latest_message_created_at_utc TEXT,"
    " unread_count INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX IF NOT EXISTS idx_message_state_thread_id"
    " ON message_state(thread_id);"
    "CREATE INDEX IF NOT EXISTS idx_emcli_message_state_created"
    " ON message_state(created_at_utc, message_id);"
    "CREATE INDEX IF NOT EXISTS idx_emcli_message_state_deleted"
    " ON message_state(message_id) WHERE is_deleted <> 0;";

int
db_box_open(struct db *d, const struct agentbox_root *r, int box, bool make,
    struct err *e)
{
	static const char made[] = "SELECT 1 FROM sqlite_master WHERE name ="
				   " 'idx_emcli_message_state_deleted'";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	char path[PATH_MAX];
	int got;

	if (agentbox_box_path(box, path, e) < 0 ||
	    db_stmt_open(d, r, box, path, DB_BOX, make, e) < 0)
		return -1;
	if (!make)
		return 0;
	if (db_stmt_prepare(d, made, &st, e) < 0)
		return -1;
	got = db_stmt_step(d, st, e);
	db_stmt_done(&st);
	if (got != 0)
		return got < 0 ? -1 : 0;
	if (db_stmt_exec(d, "PRAGMA journal_mode = DELETE", e) < 0 ||
	    db_stmt_begin(d, e) < 0 || db_stmt_exec(d, box_tables, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_box_clear(struct db *d, struct err *e)
{
	if (db_stmt_begin(d, e) < 0 ||
	    db_stmt_exec(d,
		"DELETE FROM message_state; DELETE FROM thread_summaries",
		e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_box_thread(struct db *d, struct str thread, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO thread_summaries (thread_id, normalized_subject,"
	    " latest_message_id, latest_message_created_at_utc, unread_count)"
	    " SELECT thread_id, lower(trim(subject)), message_id,"
	    " created_at_utc, (SELECT count(*) FROM message_state WHERE"
	    " thread_id = ?1 AND is_read = 0) FROM message_state"
	    " WHERE thread_id = ?1"
	    " ORDER BY created_at_utc DESC, message_id DESC LIMIT 1"
	    " ON CONFLICT(thread_id) DO UPDATE SET"
	    " normalized_subject = excluded.normalized_subject,"
	    " latest_message_id = excluded.latest_message_id,"
	    " latest_message_created_at_utc ="
	    " excluded.latest_message_created_at_utc,"
	    " unread_count = excluded.unread_count";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, thread);
	return db_stmt_run(d, st, e);
}

int
db_box_insert(struct db *d, const struct agentbox_message *m, bool read,
    struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO message_state (message_id, thread_id,"
	    " created_at_utc, subject, is_read) VALUES (?1, ?2, ?3, ?4, ?5)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, m->id);
	db_stmt_text(st, 2, m->thread);
	db_stmt_text(st, 3, m->created);
	db_stmt_text(st, 4, m->subject);
	db_stmt_int(st, 5, read);
	return db_stmt_run(d, st, e);
}

int
db_box_put(struct db *d, const struct agentbox_message *m, bool read,
    struct err *e)
{
	if (db_stmt_begin(d, e) < 0 || db_box_insert(d, m, read, e) < 0 ||
	    db_box_thread(d, m->thread, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

/* A flag of a change: 1, 0, or -1 to leave it. */
static int
box_flag(enum agentbox_flag f)
{
	return f == AGENTBOX_ANY ? -1 : f == AGENTBOX_YES;
}

int
db_box_set(struct db *d, struct str id, const struct agentbox_change *c,
    struct err *e)
{
	static const char sql[] =
	    "UPDATE message_state SET"
	    " is_read = CASE ?2 WHEN -1 THEN is_read ELSE ?2 END,"
	    " is_starred = CASE ?3 WHEN -1 THEN is_starred ELSE ?3 END,"
	    " is_archived = CASE ?4 WHEN -1 THEN is_archived ELSE ?4 END,"
	    " is_deleted = CASE ?5 WHEN -1 THEN is_deleted ELSE ?5 END"
	    " WHERE message_id = ?1";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	db_stmt_int(st, 2, box_flag(c->read));
	db_stmt_int(st, 3, box_flag(c->starred));
	db_stmt_int(st, 4, box_flag(c->archived));
	db_stmt_int(st, 5, box_flag(c->deleted));
	return db_stmt_run(d, st, e);
}

int
db_box_has(struct db *d, struct str id, struct arena *a, struct str *thread,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d,
		"SELECT thread_id FROM message_state WHERE message_id = ?1",
		&st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*thread = db_stmt_column(st, 0, a);
	return r;
}
