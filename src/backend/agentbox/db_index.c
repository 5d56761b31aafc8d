/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index.sqlite: the same tables and columns as the upstream program's, so that
 * each program can read what the other writes.
 */
#include <fcntl.h>
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static const char index_regs[] =
    "CREATE TABLE IF NOT EXISTS mailbox_registrations ("
    " registration_id TEXT PRIMARY KEY, address TEXT NOT NULL,"
    " owner_principal_id TEXT NOT NULL,"
    " status TEXT NOT NULL"
    "  CHECK (status IN ('active', 'inactive', 'stashed')),"
    " mailbox_kind TEXT NOT NULL"
    "  CHECK (mailbox_kind IN ('in_root', 'symlink')),"
    " mailbox_path TEXT NOT NULL, mailbox_entry_path TEXT NOT NULL,"
    " display_name TEXT, manifest_path_hint TEXT, role TEXT,"
    " created_at_utc TEXT NOT NULL, deactivated_at_utc TEXT,"
    " replaced_by_registration_id TEXT,"
    " FOREIGN KEY (replaced_by_registration_id)"
    "  REFERENCES mailbox_registrations(registration_id)"
    "  ON DELETE SET NULL);"
    "CREATE UNIQUE INDEX IF NOT EXISTS"
    " idx_mailbox_registrations_active_address"
    " ON mailbox_registrations(address) WHERE status = 'active';"
    "CREATE INDEX IF NOT EXISTS idx_mailbox_registrations_owner_principal"
    " ON mailbox_registrations(owner_principal_id);";

static const char index_messages[] =
    "CREATE TABLE IF NOT EXISTS messages ("
    " message_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL,"
    " in_reply_to TEXT, created_at_utc TEXT NOT NULL,"
    " canonical_path TEXT NOT NULL, subject TEXT NOT NULL,"
    " body_markdown TEXT NOT NULL,"
    " headers_json TEXT NOT NULL DEFAULT '{}',"
    " sender_principal_id TEXT NOT NULL, sender_address TEXT NOT NULL,"
    " sender_display_name TEXT, sender_manifest_path_hint TEXT,"
    " sender_role TEXT, sender_registration_id TEXT);"
    "CREATE TABLE IF NOT EXISTS message_recipients ("
    " message_id TEXT NOT NULL, recipient_kind TEXT NOT NULL,"
    " ordinal INTEGER NOT NULL, address TEXT NOT NULL,"
    " owner_principal_id TEXT NOT NULL, display_name TEXT,"
    " manifest_path_hint TEXT, role TEXT, delivered_registration_id TEXT,"
    " PRIMARY KEY (message_id, recipient_kind, ordinal),"
    " FOREIGN KEY (message_id) REFERENCES messages(message_id)"
    "  ON DELETE CASCADE);"
    "CREATE TABLE IF NOT EXISTS attachments ("
    " attachment_id TEXT PRIMARY KEY, kind TEXT NOT NULL,"
    " locator TEXT NOT NULL, media_type TEXT NOT NULL, sha256 TEXT,"
    " size_bytes INTEGER, label TEXT);"
    "CREATE TABLE IF NOT EXISTS message_attachments ("
    " message_id TEXT NOT NULL, attachment_id TEXT NOT NULL,"
    " ordinal INTEGER NOT NULL, PRIMARY KEY (message_id, attachment_id),"
    " FOREIGN KEY (message_id) REFERENCES messages(message_id)"
    "  ON DELETE CASCADE,"
    " FOREIGN KEY (attachment_id) REFERENCES attachments(attachment_id)"
    "  ON DELETE CASCADE);";

static const char index_views[] =
    "CREATE TABLE IF NOT EXISTS mailbox_projections ("
    " registration_id TEXT NOT NULL, message_id TEXT NOT NULL,"
    " folder_name TEXT NOT NULL, projection_path TEXT NOT NULL,"
    " PRIMARY KEY (registration_id, message_id, folder_name),"
    " FOREIGN KEY (registration_id)"
    "  REFERENCES mailbox_registrations(registration_id)"
    "  ON DELETE CASCADE,"
    " FOREIGN KEY (message_id) REFERENCES messages(message_id)"
    "  ON DELETE CASCADE);"
    "CREATE TABLE IF NOT EXISTS mailbox_state ("
    " registration_id TEXT NOT NULL, message_id TEXT NOT NULL,"
    " is_read INTEGER NOT NULL DEFAULT 0,"
    " is_starred INTEGER NOT NULL DEFAULT 0,"
    " is_archived INTEGER NOT NULL DEFAULT 0,"
    " is_deleted INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (registration_id, message_id),"
    " FOREIGN KEY (registration_id)"
    "  REFERENCES mailbox_registrations(registration_id)"
    "  ON DELETE CASCADE,"
    " FOREIGN KEY (message_id) REFERENCES messages(message_id)"
    "  ON DELETE CASCADE);"
    "CREATE TABLE IF NOT EXISTS thread_summaries ("
    " thread_id TEXT PRIMARY KEY, normalized_subject TEXT NOT NULL,"
    " latest_message_id TEXT, latest_message_created_at_utc TEXT,"
    " unread_count INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX IF NOT EXISTS idx_messages_thread_id"
    " ON messages(thread_id);"
    "CREATE INDEX IF NOT EXISTS idx_recipients_address"
    " ON message_recipients(address);"
    "CREATE INDEX IF NOT EXISTS idx_state_registration_id"
    " ON mailbox_state(registration_id);";

static int
index_make(struct db *d, struct err *e)
{
	if (db_stmt_exec(d, "PRAGMA journal_mode = DELETE", e) < 0 ||
	    db_stmt_begin(d, e) < 0 || db_stmt_exec(d, index_regs, e) < 0 ||
	    db_stmt_exec(d, index_messages, e) < 0 ||
	    db_stmt_exec(d, index_views, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

/* An earlier layout keyed its registrations by principal. */
static int
index_check(struct db *d, bool make, struct err *e)
{
	static const char sql[] = "SELECT name FROM sqlite_master WHERE type ="
				  " 'table' AND name IN ('principals',"
				  " 'messages') ORDER BY name DESC";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	r = db_stmt_step(d, st, e);
	if (r == 0 && make)
		return 0;
	if (r == 1 && str_eq(db_stmt_column(st, 0, a), S("messages")))
		return 0;
	if (r < 0)
		return -1;
	(void)err_set(e, ERR_CONFIG,
	    "the mailbox root is of an earlier layout or has no index: make a "
	    "new root");
	e->reason = "root_stale";
	return -1;
}

int
db_index_open(struct db *d, const struct agentbox_root *r, bool make,
    struct err *e)
{
	struct stat was = { 0 };
	int got = 0;

	if (make)
		db_spare_close(r->spare);
	else
		got = db_spare_take(d, r, e);
	if (got != 0)
		return got < 0 ? -1 : 0;
	/* Before it is opened: if it is replaced meanwhile, it is not kept. */
	(void)fstatat(r->dir, DB_INDEX, &was, AT_SYMLINK_NOFOLLOW);
	if (db_stmt_open(d, r, r->dir, r->path.p, DB_INDEX, make, e) < 0 ||
	    index_check(d, make, e) < 0)
		return -1;
	if (make)
		return index_make(d, e);
	d->was = was;
	d->home = r->spare;
	return 0;
}
