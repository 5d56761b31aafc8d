/*
 * mailbox.sqlite: which of its messages a mailbox has read, starred, archived
 * or deleted, in the tables of the upstream program.  The one index is ours, so
 * that a page of the newest costs the same in a large mailbox.
 */
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
    " ON message_state(created_at_utc, message_id);";

int
db_box_open(struct db *d, const struct agentbox_root *r, int box, bool make,
    struct err *e)
{
	char path[PATH_MAX];

	if (agentbox_box_path(box, path, e) < 0 ||
	    db_stmt_open(d, r, box, path, "mailbox.sqlite", make, e) < 0)
		return -1;
	if (!make)
		return 0;
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
