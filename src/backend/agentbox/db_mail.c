/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages in index.sqlite.  Rows are only added if they are missing, so that
 * an interrupted delivery can be finished from any step.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static int
mail_message(struct db *d, const struct db_mail *m, struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO messages (message_id, thread_id,"
	    " in_reply_to, created_at_utc, canonical_path, subject,"
	    " body_markdown, headers_json, sender_principal_id,"
	    " sender_address, sender_display_name, sender_manifest_path_hint,"
	    " sender_role, sender_registration_id) VALUES (?1, ?2, ?3, ?4, ?5,"
	    " ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
	const struct agentbox_message *x = m->message;
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, x->id);
	db_stmt_text(st, 2, x->thread);
	db_stmt_text_or_null(st, 3, x->in_reply_to);
	db_stmt_text(st, 4, x->created);
	db_stmt_text(st, 5, m->canonical);
	db_stmt_text(st, 6, x->subject);
	db_stmt_text(st, 7, m->file);
	db_stmt_text(st, 8, m->headers_json);
	db_stmt_text(st, 9, x->from.principal);
	db_stmt_text(st, 10, x->from.address);
	db_stmt_text_or_null(st, 11, x->from.display_name);
	db_stmt_text_or_null(st, 12, x->from.manifest_hint);
	db_stmt_text_or_null(st, 13, x->from.role);
	db_stmt_text_or_null(st, 14, m->sender_reg);
	return db_stmt_run(d, st, e);
}

static struct str
mail_reg_of(const struct db_mail *m, struct str address)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->to[i].is_recipient && str_eq(m->to[i].address, address))
			return m->to[i].reg;
	return (struct str){ 0 };
}

static int
mail_recipients(struct db *d, const struct db_mail *m,
    const struct agentbox_parties *l, const char *kind, size_t first,
    struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO message_recipients (message_id,"
	    " recipient_kind, ordinal, address, owner_principal_id,"
	    " display_name, manifest_path_hint, role,"
	    " delivered_registration_id)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		const struct agentbox_party *p = &l->v[i];

		db_stmt_text(st, 1, m->message->id);
		db_stmt_text(st, 2, str_of(kind));
		db_stmt_int(st, 3, (int64_t)(first + i));
		db_stmt_text(st, 4, p->address);
		db_stmt_text(st, 5, p->principal);
		db_stmt_text_or_null(st, 6, p->display_name);
		db_stmt_text_or_null(st, 7, p->manifest_hint);
		db_stmt_text_or_null(st, 8, p->role);
		db_stmt_text_or_null(st, 9, mail_reg_of(m, p->address));
		if (db_stmt_run(d, st, e) < 0)
			return -1;
	}
	return 0;
}

static int
mail_attachment(struct db *d, const struct agentbox_attachment *t,
    struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO attachments (attachment_id, kind, locator,"
	    " media_type, sha256, size_bytes, label)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, t->id);
	db_stmt_text(st, 2, t->managed ? S("managed_copy") : S("path_ref"));
	db_stmt_text(st, 3, t->path);
	db_stmt_text(st, 4, t->media_type);
	db_stmt_text_or_null(st, 5, t->sha256);
	if (t->size >= 0)
		db_stmt_int(st, 6, t->size);
	db_stmt_text_or_null(st, 7, t->label);
	return db_stmt_run(d, st, e);
}

static int
mail_attachments(struct db *d, const struct agentbox_message *x, struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO message_attachments (message_id,"
	    " attachment_id, ordinal) VALUES (?1, ?2, ?3)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < x->attachments; i++) {
		if (mail_attachment(d, &x->attachment[i], e) < 0)
			return -1;
		db_stmt_text(st, 1, x->id);
		db_stmt_text(st, 2, x->attachment[i].id);
		db_stmt_int(st, 3, (int64_t)i);
		if (db_stmt_run(d, st, e) < 0)
			return -1;
	}
	return 0;
}

/* The thread's subject is that of its newest message. */
int
db_mail_thread(struct db *d, struct str thread, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO thread_summaries (thread_id, normalized_subject,"
	    " latest_message_id, latest_message_created_at_utc, unread_count)"
	    " SELECT thread_id, lower(trim(subject)), message_id,"
	    " created_at_utc, 0 FROM messages WHERE thread_id = ?1"
	    " ORDER BY created_at_utc DESC, message_id DESC LIMIT 1"
	    " ON CONFLICT(thread_id) DO UPDATE SET"
	    " normalized_subject = excluded.normalized_subject,"
	    " latest_message_id = excluded.latest_message_id,"
	    " latest_message_created_at_utc ="
	    " excluded.latest_message_created_at_utc";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, thread);
	return db_stmt_run(d, st, e);
}

int
db_mail_project(struct db *d, struct str reg, struct str id, struct str box,
    struct str path, struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO mailbox_projections (registration_id,"
	    " message_id, folder_name, projection_path)"
	    " VALUES (?1, ?2, ?3, ?4)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	db_stmt_text(st, 2, id);
	db_stmt_text(st, 3, box);
	db_stmt_text(st, 4, path);
	return db_stmt_run(d, st, e);
}

int
db_mail_put(struct db *d, const struct db_mail *m, struct err *e)
{
	const struct agentbox_message *x = m->message;

	if (db_stmt_begin(d, e) < 0 || mail_message(d, m, e) < 0 ||
	    mail_recipients(d, m, &x->to, "to", 0, e) < 0 ||
	    mail_recipients(d, m, &x->cc, "cc", x->to.n, e) < 0 ||
	    mail_attachments(d, x, e) < 0)
		return -1;
	for (size_t i = 0; i < m->n; i++) {
		const struct db_copy *c = &m->to[i];

		if (c->is_recipient &&
		    db_mail_project(d, c->reg, x->id, c->box, c->box_path, e) <
			0)
			return -1;
		if (c->is_sender &&
		    db_mail_project(d, c->reg, x->id, S("sent"), c->sent_path,
			e) < 0)
			return -1;
	}
	if (db_mail_thread(d, x->thread, e) < 0)
		return -1;
	return db_stmt_commit(d, e);
}

int
db_mail_created(struct db *d, struct str id, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d,
		"SELECT created_at_utc FROM messages WHERE message_id = ?1",
		&st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*out = db_stmt_column(st, 0, a);
	return r;
}

int
db_mail_is_projected(struct db *d, struct str reg, struct str id, struct err *e)
{
	static const char sql[] = "SELECT 1 FROM mailbox_projections WHERE"
				  " registration_id = ?1 AND message_id = ?2";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	db_stmt_text(st, 2, id);
	return db_stmt_step(d, st, e);
}

int
db_mail_box(struct db *d, struct str reg, struct str id, struct arena *a,
    struct str *out, struct err *e)
{
	static const char sql[] =
	    "SELECT folder_name FROM mailbox_projections WHERE"
	    " registration_id = ?1 AND message_id = ?2"
	    " ORDER BY folder_name = 'sent' LIMIT 1";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	db_stmt_text(st, 2, id);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*out = db_stmt_column(st, 0, a);
	return r;
}

int
db_mail_move(struct db *d, struct str reg, struct str id, struct str box,
    struct str path, struct err *e)
{
	/* The row stays the same one, so that db_change.c finds it again. */
	static const char sql[] =
	    "UPDATE OR REPLACE mailbox_projections SET folder_name = ?3,"
	    " projection_path = ?4 WHERE registration_id = ?1 AND message_id ="
	    " ?2 AND folder_name NOT IN ('sent', ?3)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg);
	db_stmt_text(st, 2, id);
	db_stmt_text(st, 3, box);
	db_stmt_text(st, 4, path);
	if (db_stmt_run(d, st, e) < 0)
		return -1;
	return db_mail_project(d, reg, id, box, path, e);
}

int
db_mail_facts(struct db *d, struct str id, struct arena *a,
    struct agentbox_message *out, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d,
		"SELECT thread_id, created_at_utc, subject FROM messages"
		" WHERE message_id = ?1",
		&st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	r = db_stmt_step(d, st, e);
	if (r == 1) {
		out->id = id;
		out->thread = db_stmt_column(st, 0, a);
		out->created = db_stmt_column(st, 1, a);
		out->subject = db_stmt_column(st, 2, a);
	}
	return r;
}
