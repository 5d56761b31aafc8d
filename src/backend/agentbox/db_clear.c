/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that go on command: which there are, and their rows in index.sqlite.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

int
db_clear_list(struct db *d, struct str reg, struct arena *a, struct strs *ids,
    struct strs *days, struct err *e)
{
	static const char sql[] =
	    "SELECT message_id, substr(created_at_utc, 1, 10) FROM messages"
	    " WHERE ?1 = '' OR message_id IN (SELECT message_id FROM"
	    " mailbox_projections GROUP BY message_id HAVING"
	    " min(registration_id) = ?1 AND max(registration_id) = ?1)"
	    " ORDER BY created_at_utc, message_id";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	while ((r = db_stmt_step(d, st, e)) == 1) {
		str_push(a, ids, db_stmt_column(st, 0, a));
		str_push(a, days, db_stmt_column(st, 1, a));
	}
	return r;
}

int
db_clear_count(struct db *d, struct str reg, size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT count(DISTINCT message_id) FROM mailbox_projections"
	    " WHERE registration_id = ?1";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*n = (size_t)db_stmt_number(st, 0);
	return r < 0 ? -1 : 0;
}

static int
clear_messages(struct db *d, const struct strs *ids, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, "DELETE FROM messages WHERE message_id = ?1",
		&st, e) < 0)
		return -1;
	for (size_t i = 0; i < ids->n; i++) {
		db_stmt_text(st, 1, ids->v[i]);
		if (db_stmt_run(d, st, e) < 0)
			return -1;
	}
	return 0;
}

int
db_clear_rows(struct db *d, const struct strs *regs, const struct strs *ids,
    struct err *e)
{
	/*
	 * All at once: the foreign keys would look through a whole table for
	 * each message.
	 */
	static const char children[] =
	    "DELETE FROM message_recipients WHERE message_id NOT IN"
	    " (SELECT message_id FROM messages);"
	    "DELETE FROM message_attachments WHERE message_id NOT IN"
	    " (SELECT message_id FROM messages);"
	    "DELETE FROM mailbox_projections WHERE message_id NOT IN"
	    " (SELECT message_id FROM messages);"
	    "DELETE FROM mailbox_state WHERE message_id NOT IN"
	    " (SELECT message_id FROM messages);";
	/* A thread is as new as the newest of what is left of it. */
	static const char threads[] =
	    "DELETE FROM thread_summaries WHERE latest_message_id NOT IN"
	    " (SELECT message_id FROM messages);"
	    "INSERT INTO thread_summaries (thread_id, normalized_subject,"
	    " latest_message_id, latest_message_created_at_utc, unread_count)"
	    " SELECT thread_id, lower(trim(subject)), message_id,"
	    " max(created_at_utc), 0 FROM messages WHERE thread_id NOT IN"
	    " (SELECT thread_id FROM thread_summaries) GROUP BY thread_id;";

	if (db_stmt_exec(d, "PRAGMA foreign_keys = OFF", e) < 0 ||
	    db_stmt_begin(d, e) < 0)
		return -1;
	for (size_t i = 0; i < regs->n; i++)
		if (db_reg_purge(d, regs->v[i], false, e) < 0)
			return -1;
	if (clear_messages(d, ids, e) < 0 || db_stmt_exec(d, children, e) < 0 ||
	    db_stmt_exec(d, threads, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

#define UNUSED                                                                 \
	"attachment_id NOT IN (SELECT attachment_id FROM message_attachments)"

int
db_clear_copies(struct db *d, struct arena *a, struct strs *sums, struct err *e)
{
	static const char sql[] =
	    "SELECT DISTINCT sha256 FROM attachments WHERE " UNUSED
	    " AND kind = 'managed_copy' AND sha256 IS NOT NULL"
	    " EXCEPT SELECT sha256 FROM attachments WHERE NOT " UNUSED
	    " AND sha256 IS NOT NULL";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	while ((r = db_stmt_step(d, st, e)) == 1)
		str_push(a, sums, db_stmt_column(st, 0, a));
	return r;
}

int
db_clear_unused(struct db *d, struct err *e)
{
	return db_stmt_exec(d, "DELETE FROM attachments WHERE " UNUSED, e);
}
