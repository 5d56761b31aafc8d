/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mailbox as its owner sees it: the state in mailbox.sqlite, the place in the
 * index, and additions from emcli.sqlite.  The order is that of one of our
 * indexes, so that a page of the newest costs the same in a large mailbox.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

#define VIEW_BOX                                                               \
	"CASE p.folder_name WHEN 'sent' THEN 'sent'"                           \
	" ELSE coalesce(v.box, p.folder_name) END"
#define VIEW_FROM                                                              \
	" FROM message_state s"                                                \
	" CROSS JOIN idx.mailbox_projections p ON p.registration_id = ?1 AND"  \
	" p.message_id = s.message_id"                                         \
	" LEFT JOIN own.view v ON v.address = ?2 AND"                          \
	" v.message_id = s.message_id WHERE "
/*
 * CROSS JOIN: walks the mailbox's own rows in the requested order, and looks up
 * each in the index.
 */
/* ?3 box, ?4 thread, ?5 to ?9 flags, ?10 since. */
#define VIEW_WHERE                                                             \
	" (?3 = '' OR ?3 = " VIEW_BOX ") AND (?4 = '' OR ?4 = s.thread_id)"    \
	" AND (?5 < 0 OR ?5 = s.is_read)"                                      \
	" AND (?6 < 0 OR ?6 = coalesce(v.answered, 0))"                        \
	" AND (?7 < 0 OR ?7 = s.is_starred)"                                   \
	" AND (?8 < 0 OR ?8 = s.is_archived)"                                  \
	" AND (?9 < 0 OR ?9 = s.is_deleted)"                                   \
	" AND (?10 = '' OR s.created_at_utc >= ?10)"
#define VIEW_SELECT                                                            \
	"SELECT DISTINCT s.message_id, s.thread_id, s.created_at_utc,"         \
	" s.subject, " VIEW_BOX ", s.is_read, coalesce(v.answered, 0),"        \
	" s.is_starred, s.is_archived, s.is_deleted, s.rowid" VIEW_FROM

static const char view_newest[] = VIEW_SELECT VIEW_WHERE
    " AND (?11 = '' OR (s.created_at_utc, s.message_id) < (?11, ?12))"
    " ORDER BY s.created_at_utc DESC, s.message_id DESC LIMIT ?13";
/* The same for one thread, by the thread's index. */
static const char view_thread[] = VIEW_SELECT
    "s.thread_id = ?4 AND" VIEW_WHERE
    " AND (?11 = '' OR (s.created_at_utc, s.message_id) < (?11, ?12))"
    " ORDER BY s.created_at_utc DESC, s.message_id DESC LIMIT ?13";
static const char view_arrival[] =
    VIEW_SELECT VIEW_WHERE " AND s.rowid > ?14 ORDER BY s.rowid LIMIT ?13";
static const char view_one[] = VIEW_SELECT "s.message_id = ?15 AND" VIEW_WHERE;
static const char view_count[] =
    "SELECT count(*) FROM (SELECT DISTINCT s.rowid, " VIEW_BOX VIEW_FROM
	VIEW_WHERE ")";

static int
view_attach(struct db *d, struct str path, const char *sql, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, path);
	return db_stmt_run(d, st, e);
}

/* An index on the boxes of a mailbox; without it their names take longer. */
static void
view_index(struct db *d)
{
	static const char made[] =
	    "SELECT 1 FROM idx.sqlite_master WHERE name ="
	    " 'idx_emcli_projections_box'";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	struct err none = { 0 };

	if (db_stmt_prepare(d, made, &st, &none) < 0 ||
	    db_stmt_step(d, st, &none) != 0)
		return;
	db_stmt_done(&st);
	(void)db_stmt_exec(d,
	    "CREATE INDEX IF NOT EXISTS idx.idx_emcli_projections_box"
	    " ON mailbox_projections(registration_id, folder_name)",
	    &none);
}

int
db_view_open(struct db *d, struct agentbox_root *r, int box, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	if (db_own(r, e) == NULL || db_box_open(d, r, box, true, e) < 0 ||
	    view_attach(d, str_fmt(a, "%.*s/index.sqlite", STR_ARG(r->path)),
		"ATTACH ?1 AS idx", e) < 0 ||
	    view_attach(d, str_fmt(a, "%.*s/emcli.sqlite", STR_ARG(r->path)),
		"ATTACH ?1 AS own", e) < 0)
		return -1;
	view_index(d);
	return 0;
}

int
db_view_has(struct db *d, const struct agentbox_reg *reg, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM idx.mailbox_registrations WHERE registration_id ="
	    " ?1 AND address = ?2 AND mailbox_path = ?3 AND status = 'active'";
	int r;

	if (d->has == NULL && db_stmt_prepare(d, sql, &d->has, e) < 0)
		return -1;
	db_stmt_text(d->has, 1, reg->id);
	db_stmt_text(d->has, 2, reg->address);
	db_stmt_text(d->has, 3, reg->path);
	r = db_stmt_step(d, d->has, e);
	(void)sqlite3_reset(d->has);
	(void)sqlite3_clear_bindings(d->has);
	return r;
}

static int64_t
view_flag(enum agentbox_flag f)
{
	return f == AGENTBOX_ANY ? -1 : f == AGENTBOX_YES;
}

static void
view_bind(sqlite3_stmt *st, const struct agentbox_reg *reg,
    const struct agentbox_want *w)
{
	db_stmt_text(st, 1, reg->id);
	db_stmt_text(st, 2, reg->address);
	db_stmt_text(st, 3, w->box);
	db_stmt_text(st, 4, w->thread);
	db_stmt_int(st, 5, view_flag(w->read));
	db_stmt_int(st, 6, view_flag(w->answered));
	db_stmt_int(st, 7, view_flag(w->starred));
	db_stmt_int(st, 8, view_flag(w->archived));
	db_stmt_int(st, 9, view_flag(w->deleted));
	db_stmt_text(st, 10, w->since);
}

static int
view_prepare(struct db *d, const char *sql, const struct agentbox_reg *reg,
    const struct agentbox_want *w, sqlite3_stmt **st, struct err *e)
{
	if (db_stmt_prepare(d, sql, st, e) < 0)
		return -1;
	view_bind(*st, reg, w);
	return 0;
}

static void
view_push(sqlite3_stmt *st, struct arena *a, size_t *room,
    struct agentbox_entries *out)
{
	if (out->n == *room) {
		size_t more = *room > 0 ? *room : 64;

		out->v = arena_grow(a, out->v, *room * sizeof(*out->v),
		    (*room + more) * sizeof(*out->v));
		*room += more;
	}
	out->v[out->n++] = (struct agentbox_entry){
		.id = db_stmt_column(st, 0, a),
		.thread = db_stmt_column(st, 1, a),
		.created = db_stmt_column(st, 2, a),
		.subject = db_stmt_column(st, 3, a),
		.box = db_stmt_column(st, 4, a),
		.read = db_stmt_number(st, 5) != 0,
		.answered = db_stmt_number(st, 6) != 0,
		.starred = db_stmt_number(st, 7) != 0,
		.archived = db_stmt_number(st, 8) != 0,
		.deleted = db_stmt_number(st, 9) != 0,
		.arrival = db_stmt_number(st, 10),
	};
	/* A box name that could become the path of another file is skipped. */
	if (!agentbox_name_message(out->v[out->n - 1].id) ||
	    !agentbox_name_time(out->v[out->n - 1].created) ||
	    !agentbox_name_box(out->v[out->n - 1].box))
		out->n--;
}

static int
view_rows(struct db *d, sqlite3_stmt *st, struct arena *a, size_t *room,
    struct agentbox_entries *out, struct err *e)
{
	int r;

	while ((r = db_stmt_step(d, st, e)) == 1)
		view_push(st, a, room, out);
	(void)sqlite3_reset(st);
	return r;
}

static int
view_each(struct db *d, const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, struct err *e)
{
	size_t room = 0;
	int r = 0;

	for (size_t i = 0; i < w->ids->n && r == 0; i++) {
		db_stmt_text(d->one, 15, w->ids->v[i]);
		r = view_rows(d, d->one, a, &room, out, e);
	}
	return r;
}

/*
 * Bodies are asked for one by one, so the statement is kept.  Many are read in
 * one transaction, so that the files are locked once.
 */
static int
view_ids(struct db *d, const struct agentbox_reg *reg,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, struct err *e)
{
	bool many = w->ids->n > 1;
	int r;

	if ((d->one == NULL && db_stmt_prepare(d, view_one, &d->one, e) < 0) ||
	    (many && db_stmt_exec(d, "BEGIN", e) < 0))
		return -1;
	view_bind(d->one, reg, w);
	r = view_each(d, w, a, out, e);
	if (many)
		db_stmt_rollback(d);
	/* The texts are borrowed. */
	(void)sqlite3_clear_bindings(d->one);
	return r;
}

int
db_view_list(struct db *d, const struct agentbox_reg *reg,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	size_t room = 0;

	*out = (struct agentbox_entries){ 0 };
	if (w->ids != NULL)
		return view_ids(d, reg, w, a, out, e);
	if (view_prepare(d,
		w->by_arrival         ? view_arrival
		    : w->thread.n > 0 ? view_thread
				      : view_newest,
		reg, w, &st, e) < 0)
		return -1;
	if (w->by_arrival) {
		db_stmt_int(st, 14, w->after_arrival);
	} else {
		db_stmt_text(st, 11, w->after_created);
		db_stmt_text(st, 12, w->after_id);
	}
	db_stmt_int(st, 13, w->limit > 0 ? (int64_t)w->limit : -1);
	return view_rows(d, st, a, &room, out, e);
}

int
db_view_count(struct db *d, const struct agentbox_reg *reg,
    const struct agentbox_want *w, size_t *out, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (view_prepare(d, view_count, reg, w, &st, e) < 0)
		return -1;
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*out = (size_t)db_stmt_number(st, 0);
	return r < 0 ? -1 : 0;
}

int
db_view_boxes(struct db *d, const struct agentbox_reg *reg, struct arena *a,
    struct strs *out, struct err *e)
{
	/* Each the next name after the one before: by an index, in few steps.
	 */
	static const char sql[] =
	    "WITH RECURSIVE p(box) AS (SELECT min(folder_name) FROM"
	    " idx.mailbox_projections WHERE registration_id = ?1 UNION ALL"
	    " SELECT (SELECT min(folder_name) FROM idx.mailbox_projections"
	    " WHERE registration_id = ?1 AND folder_name > p.box) FROM p WHERE"
	    " p.box IS NOT NULL), v(box) AS (SELECT min(box) FROM own.view"
	    " WHERE address = ?2 UNION ALL SELECT (SELECT min(box) FROM"
	    " own.view WHERE address = ?2 AND box > v.box) FROM v WHERE"
	    " v.box IS NOT NULL) SELECT box FROM p WHERE box IS NOT NULL UNION"
	    " SELECT box FROM v WHERE box IS NOT NULL";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg->id);
	db_stmt_text(st, 2, reg->address);
	while ((r = db_stmt_step(d, st, e)) == 1) {
		struct str box = db_stmt_column(st, 0, a);

		if (agentbox_name_box(box) && !str_among(out, box))
			str_push(a, out, box);
	}
	return r;
}
