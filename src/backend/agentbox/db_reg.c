/* SPDX-License-Identifier: Apache-2.0 */
/* The registrations of a root: index.sqlite, mailbox_registrations. */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

#define REG_SELECT                                                             \
	"SELECT registration_id, address, owner_principal_id, status,"         \
	" mailbox_kind, mailbox_path, mailbox_entry_path, display_name,"       \
	" manifest_path_hint, role, created_at_utc, deactivated_at_utc,"       \
	" replaced_by_registration_id FROM mailbox_registrations "

static const char *const reg_status[] = { [AGENTBOX_INACTIVE] = "inactive",
	[AGENTBOX_ACTIVE] = "active",
	[AGENTBOX_STASHED] = "stashed" };

static void
reg_read(sqlite3_stmt *st, struct arena *a, struct agentbox_reg *out)
{
	struct str status = db_stmt_column(st, 3, a);

	*out = (struct agentbox_reg){
		.id = db_stmt_column(st, 0, a),
		.address = db_stmt_column(st, 1, a),
		.owner = db_stmt_column(st, 2, a),
		.is_private = str_eq(db_stmt_column(st, 4, a), S("symlink")),
		.path = db_stmt_column(st, 5, a),
		.entry = db_stmt_column(st, 6, a),
		.display_name = db_stmt_column(st, 7, a),
		.manifest_hint = db_stmt_column(st, 8, a),
		.role = db_stmt_column(st, 9, a),
		.created = db_stmt_column(st, 10, a),
		.deactivated = db_stmt_column(st, 11, a),
		.replaced_by = db_stmt_column(st, 12, a),
	};
	out->status = str_eq(status, S("active")) ? AGENTBOX_ACTIVE
	    : str_eq(status, S("stashed"))        ? AGENTBOX_STASHED
						  : AGENTBOX_INACTIVE;
}

static int
reg_one(struct db *d, const char *sql, struct str key, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, key);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		reg_read(st, a, out);
	return r;
}

int
db_reg_active(struct db *d, struct str address, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	return reg_one(d, REG_SELECT "WHERE address = ?1 AND status = 'active'",
	    address, a, out, e);
}

int
db_reg_id(struct db *d, struct str id, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	return reg_one(d, REG_SELECT "WHERE registration_id = ?1", id, a, out,
	    e);
}

int
db_reg_claims(struct db *d, struct str entry_path, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	return reg_one(d,
	    REG_SELECT "WHERE mailbox_entry_path = ?1 ORDER BY"
		       " created_at_utc DESC, registration_id DESC LIMIT 1",
	    entry_path, a, out, e);
}

int
db_reg_private(struct db *d, struct str path, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	return reg_one(d,
	    REG_SELECT "WHERE mailbox_path = ?1 AND status = 'active'", path, a,
	    out, e);
}

int
db_reg_list(struct db *d, struct arena *a, struct agentbox_regs *out,
    struct err *e)
{
	static const char sql[] =
	    REG_SELECT "ORDER BY address, status <> 'active', created_at_utc,"
		       " registration_id";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	size_t room = 0;
	int r;

	*out = (struct agentbox_regs){ 0 };
	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	while ((r = db_stmt_step(d, st, e)) == 1) {
		if (out->n >= LIMIT_AGENTBOX_REGS)
			return err_set(e, ERR_LIMIT,
			    "the mailbox root has too many registrations");
		if (out->n == room) {
			out->v = arena_grow(a, out->v, room * sizeof(*out->v),
			    (room + 64) * sizeof(*out->v));
			room += 64;
		}
		reg_read(st, a, &out->v[out->n++]);
	}
	return r;
}

static int
reg_write(struct db *d, const char *sql, const struct agentbox_reg *reg,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, reg->id);
	db_stmt_text(st, 2, reg->address);
	db_stmt_text(st, 3, reg->owner);
	db_stmt_text(st, 4, str_of(reg_status[reg->status]));
	db_stmt_text(st, 5, str_of(reg->is_private ? "symlink" : "in_root"));
	db_stmt_text(st, 6, reg->path);
	db_stmt_text(st, 7, reg->entry);
	db_stmt_text_or_null(st, 8, reg->display_name);
	db_stmt_text_or_null(st, 9, reg->manifest_hint);
	db_stmt_text_or_null(st, 10, reg->role);
	db_stmt_text(st, 11, reg->created);
	db_stmt_text_or_null(st, 12, reg->deactivated);
	db_stmt_text_or_null(st, 13, reg->replaced_by);
	return db_stmt_run(d, st, e);
}

int
db_reg_add(struct db *d, const struct agentbox_reg *reg, struct err *e)
{
	return reg_write(d,
	    "INSERT INTO mailbox_registrations (registration_id, address,"
	    " owner_principal_id, status, mailbox_kind, mailbox_path,"
	    " mailbox_entry_path, display_name, manifest_path_hint, role,"
	    " created_at_utc, deactivated_at_utc, replaced_by_registration_id)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
	    reg, e);
}

int
db_reg_put(struct db *d, const struct agentbox_reg *reg, struct err *e)
{
	return reg_write(d,
	    "UPDATE mailbox_registrations SET address = ?2,"
	    " owner_principal_id = ?3, status = ?4, mailbox_kind = ?5,"
	    " mailbox_path = ?6, mailbox_entry_path = ?7, display_name = ?8,"
	    " manifest_path_hint = ?9, role = ?10, created_at_utc = ?11,"
	    " deactivated_at_utc = ?12, replaced_by_registration_id = ?13"
	    " WHERE registration_id = ?1",
	    reg, e);
}

static int
reg_by_id(struct db *d, const char *sql, struct str id, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	return db_stmt_run(d, st, e);
}

int
db_reg_purge(struct db *d, struct str id, bool row, struct err *e)
{
	if (reg_by_id(d,
		"DELETE FROM mailbox_projections WHERE registration_id = ?1",
		id, e) < 0 ||
	    reg_by_id(d, "DELETE FROM mailbox_state WHERE registration_id = ?1",
		id, e) < 0)
		return -1;
	if (!row)
		return 0;
	return reg_by_id(d,
	    "DELETE FROM mailbox_registrations WHERE registration_id = ?1", id,
	    e);
}
