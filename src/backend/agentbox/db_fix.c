/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair's changes to index.sqlite: absolute paths, which the upstream program
 * reads, are updated after the root was moved.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static int
fix_run(struct db *d, const char *sql, struct str root, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, root);
	return db_stmt_run(d, st, e);
}

int
db_fix_paths(struct db *d, struct str root, struct err *e)
{
	/*
	 * The name of a mailbox that was set aside is the path's last segment.
	 */
	static const char entries[] =
	    "UPDATE mailbox_registrations SET mailbox_entry_path ="
	    " ?1 || '/mailboxes/' || CASE status WHEN 'stashed' THEN"
	    " substr(mailbox_entry_path, -length(address) - 34) ELSE address"
	    " END";
	static const char boxes[] =
	    "UPDATE mailbox_registrations SET mailbox_path ="
	    " mailbox_entry_path WHERE mailbox_kind = 'in_root' AND ?1 <> ''";
	static const char messages[] =
	    "UPDATE messages SET canonical_path = ?1 || '/messages/' ||"
	    " substr(created_at_utc, 1, 10) || '/' || message_id || '.md'";
	static const char links[] =
	    "UPDATE mailbox_projections SET projection_path = (SELECT"
	    " r.mailbox_path || '/' || folder_name || '/' || message_id ||"
	    " '.md' FROM mailbox_registrations r WHERE r.registration_id ="
	    " mailbox_projections.registration_id) WHERE ?1 <> ''";

	if (db_stmt_begin(d, e) < 0 || fix_run(d, entries, root, e) < 0 ||
	    fix_run(d, boxes, root, e) < 0 ||
	    fix_run(d, messages, root, e) < 0 || fix_run(d, links, root, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_fix_each(struct db *d, struct str reg, struct arena *a,
    int (*one)(void *ctx, const struct agentbox_message *m, struct str box,
	struct err *e),
    void *ctx, struct err *e)
{
	static const char sql[] =
	    "SELECT m.message_id, m.thread_id, m.created_at_utc, m.subject,"
	    " p.folder_name FROM mailbox_projections p JOIN messages m USING"
	    " (message_id) WHERE p.registration_id = ?1"
	    " ORDER BY m.created_at_utc, m.message_id, p.folder_name = 'sent'";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	while ((r = db_stmt_step(d, st, e)) == 1) {
		struct agentbox_message m = {
			.id = db_stmt_column(st, 0, a),
			.thread = db_stmt_column(st, 1, a),
			.created = db_stmt_column(st, 2, a),
			.subject = db_stmt_column(st, 3, a),
		};

		if (one(ctx, &m, db_stmt_column(st, 4, a), e) < 0)
			return -1;
	}
	return r;
}

int
db_fix_ids(struct db *d, struct arena *a, struct strs *ids,
    struct strs *created, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d,
		"SELECT message_id, created_at_utc FROM messages"
		" ORDER BY created_at_utc, message_id",
		&st, e) < 0)
		return -1;
	while ((r = db_stmt_step(d, st, e)) == 1) {
		str_push(a, ids, db_stmt_column(st, 0, a));
		str_push(a, created, db_stmt_column(st, 1, a));
	}
	return r;
}
