/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the rows of a mailbox went, and those behind that.  Rows are added
 * with rising numbers: to message_state and mailbox_projections by both
 * programs, to emcli.sqlite's `moved` when a message changes its box.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "base/buf.h"

/* A file that was replaced is another one, even with the same number. */
static struct str
change_file(int folder, const char *name, struct arena *a)
{
	struct statx st;

	if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME,
		&st) < 0)
		return S("none");
	if ((st.stx_mask & STATX_BTIME) == 0)
		st.stx_btime = (struct statx_timestamp){ 0 };
	return str_fmt(a, "%u:%u %llu %lld.%u", st.stx_dev_major,
	    st.stx_dev_minor, (unsigned long long)st.stx_ino,
	    (long long)st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
}

static int
change_number(struct db *d, const char *sql, int64_t *out, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0 ||
	    (r = db_stmt_step(d, st, e)) < 0)
		return -1;
	*out = r == 1 ? db_stmt_number(st, 0) : 0;
	return 0;
}

/* Those that the upstream program marked as deleted: few. */
static int
change_deleted(struct db *d, struct arena *a, struct str *out, struct err *e)
{
	static const char sql[] =
	    "SELECT message_id FROM message_state WHERE is_deleted <> 0"
	    " ORDER BY message_id";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	struct buf b;
	int r;

	buf_init(&b, a, 64 << 20);
	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	while ((r = db_stmt_step(d, st, e)) == 1) {
		buf_str(&b, db_stmt_column(st, 0, a));
		buf_char(&b, '\n');
	}
	*out = agentbox_attach_digest(a, buf_view(&b));
	return r;
}

/* What must not have changed. */
static int
change_same(struct db *d, const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct arena *a, struct str *out,
    struct err *e)
{
	int64_t box, index;
	struct str deleted, text;

	if (change_number(d, "PRAGMA main.schema_version", &box, e) < 0 ||
	    change_number(d, "PRAGMA idx.schema_version", &index, e) < 0 ||
	    change_deleted(d, a, &deleted, e) < 0)
		return -1;
	text = str_fmt(a, "%.*s\n%.*s\n%.*s\n%.*s\n%lld %lld %.*s",
	    STR_ARG(reg->id), STR_ARG(change_file(r->dir, "index.sqlite", a)),
	    STR_ARG(change_file(r->dir, "emcli.sqlite", a)),
	    STR_ARG(change_file(r->read_box, "mailbox.sqlite", a)),
	    (long long)box, (long long)index, STR_ARG(deleted));
	*out = agentbox_attach_digest(a, text);
	return 0;
}

int
db_change_last(struct db *d, const struct db_mark *m, struct arena *a,
    struct str *out, struct err *e)
{
	static const char sql[] =
	    "SELECT coalesce((SELECT message_id FROM message_state WHERE rowid"
	    " = ?1), '') || ' ' || coalesce((SELECT registration_id || ' ' ||"
	    " message_id FROM idx.mailbox_projections WHERE rowid = ?2), '')";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_int(st, 1, m->state);
	db_stmt_int(st, 2, m->projection);
	if (db_stmt_step(d, st, e) < 0)
		return -1;
	*out = agentbox_attach_digest(a, db_stmt_column(st, 0, a));
	return 0;
}

int
db_change_mark(struct db *d, const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct arena *a, struct db_mark *out,
    struct err *e)
{
	if (change_number(d, "SELECT max(rowid) FROM message_state",
		&out->state, e) < 0 ||
	    change_number(d, "SELECT max(rowid) FROM idx.mailbox_projections",
		&out->projection, e) < 0 ||
	    change_number(d,
		"SELECT seq FROM own.sqlite_sequence WHERE name = 'moved'",
		&out->moved, e) < 0 ||
	    change_same(d, r, reg, a, &out->same, e) < 0)
		return -1;
	return db_change_last(d, out, a, &out->last, e);
}

int
db_change_ids(struct db *d, const struct agentbox_reg *reg,
    const struct db_mark *m, size_t max, struct arena *a, struct strs *out,
    struct err *e)
{
	/* "+": by the number of the row, and not by an index. */
	static const char sql[] =
	    "SELECT message_id FROM message_state WHERE rowid > ?1 UNION"
	    " SELECT message_id FROM idx.mailbox_projections WHERE rowid > ?2"
	    " AND +registration_id = ?3 UNION SELECT message_id FROM own.moved"
	    " WHERE seq > ?4 AND +address = ?5 LIMIT ?6";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_int(st, 1, m->state);
	db_stmt_int(st, 2, m->projection);
	db_stmt_text(st, 3, reg->id);
	db_stmt_int(st, 4, m->moved);
	db_stmt_text(st, 5, reg->address);
	db_stmt_int(st, 6, (int64_t)max);
	while ((r = db_stmt_step(d, st, e)) == 1)
		str_push(a, out, db_stmt_column(st, 0, a));
	return r;
}
