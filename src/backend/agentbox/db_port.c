/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases of another root: reads the state of messages in mailboxes of
 * protocol 1 or 3; and converts databases of one of our roots to protocol 3.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

/* Protocol 3 has two more columns. */
static int
port_is_3(struct db *d, struct err *e)
{
	static const char sql[] =
	    "SELECT count(*) FROM pragma_table_info('message_state')"
	    " WHERE name IN ('is_answered', 'box_name')";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	r = db_stmt_step(d, st, e);
	return r < 0 ? -1 : r == 1 && db_stmt_number(st, 0) == 2;
}

int
db_port_state(struct db *d, struct arena *a, struct agentbox_entries *out,
    struct err *e)
{
	static const char one[] =
	    "SELECT message_id, is_read, is_starred, is_archived, is_deleted,"
	    " 0, '' FROM message_state ORDER BY rowid";
	static const char three[] =
	    "SELECT message_id, is_read, is_starred, is_archived, is_deleted,"
	    " is_answered, box_name FROM message_state ORDER BY rowid";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r = port_is_3(d, e);
	size_t room = 0;

	*out = (struct agentbox_entries){ 0 };
	if (r < 0 || db_stmt_prepare(d, r == 1 ? three : one, &st, e) < 0)
		return -1;
	while ((r = db_stmt_step(d, st, e)) == 1) {
		if (out->n == room) {
			out->v = arena_grow(a, out->v, room * sizeof(*out->v),
			    (room + 256) * sizeof(*out->v));
			room += 256;
		}
		out->v[out->n++] = (struct agentbox_entry){
			.id = db_stmt_column(st, 0, a),
			.read = db_stmt_number(st, 1) != 0,
			.starred = db_stmt_number(st, 2) != 0,
			.archived = db_stmt_number(st, 3) != 0,
			.deleted = db_stmt_number(st, 4) != 0,
			.answered = db_stmt_number(st, 5) != 0,
			.box = db_stmt_column(st, 6, a),
		};
	}
	return r;
}

int
db_port_upgrade_box(struct db *d, struct err *e)
{
	static const char sql[] =
	    "DROP INDEX IF EXISTS idx_emcli_message_state_created;"
	    "DROP INDEX IF EXISTS idx_message_state_thread_id;"
	    "ALTER TABLE message_state RENAME TO former;"
	    "CREATE TABLE message_state ("
	    " message_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL,"
	    " created_at_utc TEXT NOT NULL, subject TEXT NOT NULL,"
	    " is_read INTEGER NOT NULL DEFAULT 0,"
	    " is_answered INTEGER NOT NULL DEFAULT 0,"
	    " is_starred INTEGER NOT NULL DEFAULT 0,"
	    " is_archived INTEGER NOT NULL DEFAULT 0,"
	    " is_deleted INTEGER NOT NULL DEFAULT 0,"
	    " box_name TEXT NOT NULL DEFAULT 'inbox');"
	    "INSERT INTO message_state SELECT message_id, thread_id,"
	    " created_at_utc, subject, is_read, 0, is_starred, is_archived,"
	    " is_deleted, 'inbox' FROM former ORDER BY rowid;"
	    "DROP TABLE former;"
	    "CREATE INDEX idx_message_state_thread_id"
	    " ON message_state(thread_id);";

	if (db_stmt_begin(d, e) < 0 || db_stmt_exec(d, sql, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_port_put_box(struct db *d, const struct agentbox_entries *l, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_begin(d, e) < 0 ||
	    db_stmt_prepare(d,
		"UPDATE message_state SET is_answered = ?2, box_name = ?3"
		" WHERE message_id = ?1",
		&st, e) < 0)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		db_stmt_text(st, 1, l->v[i].id);
		db_stmt_int(st, 2, l->v[i].answered);
		db_stmt_text(st, 3, l->v[i].box);
		if (db_stmt_run(d, st, e) < 0)
			return -1;
	}
	return db_stmt_commit(d, e);
}

int
db_port_upgrade_index(struct db *d, struct err *e)
{
	static const char sql[] =
	    "DROP TABLE mailbox_state;"
	    "CREATE TABLE mailbox_state ("
	    " registration_id TEXT NOT NULL, message_id TEXT NOT NULL,"
	    " is_read INTEGER NOT NULL DEFAULT 0,"
	    " is_answered INTEGER NOT NULL DEFAULT 0,"
	    " is_starred INTEGER NOT NULL DEFAULT 0,"
	    " is_archived INTEGER NOT NULL DEFAULT 0,"
	    " is_deleted INTEGER NOT NULL DEFAULT 0,"
	    " box_name TEXT NOT NULL DEFAULT 'inbox',"
	    " PRIMARY KEY (registration_id, message_id),"
	    " FOREIGN KEY (registration_id)"
	    "  REFERENCES mailbox_registrations(registration_id)"
	    "  ON DELETE CASCADE,"
	    " FOREIGN KEY (message_id) REFERENCES messages(message_id)"
	    "  ON DELETE CASCADE);"
	    "CREATE INDEX idx_state_registration_id"
	    " ON mailbox_state(registration_id);";

	if (db_stmt_begin(d, e) < 0 || db_stmt_exec(d, sql, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_port_document(struct db *d, struct str id, struct str file, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d,
		"UPDATE messages SET body_markdown = ?2 WHERE message_id = ?1",
		&st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	db_stmt_text(st, 2, file);
	return db_stmt_run(d, st, e);
}
