/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: prepare, bind, step, read; turns SQLite's errors into emcli's. */
#include "store/internal.h"

/* SQLite errors worth showing; none contains a path. */
static const char *
stmt_reason(int code)
{
	/* On a full disk, the -shm file fails first. */
	switch (code == SQLITE_IOERR_SHMSIZE ? SQLITE_FULL : code & 0xff) {
	case SQLITE_BUSY:
		return "the store is busy";
	case SQLITE_FULL:
		return "the store cannot be written: the disk is full";
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return "the store cannot be written: this user may not write "
		       "to its file or folder";
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return "the store's file is damaged or not a store";
	default:
		return "the store failed";
	}
}

bool
store_stmt_damaged(const struct err *e)
{
	return e->kind == ERR_DB &&
	    strcmp(e->say, stmt_reason(SQLITE_CORRUPT)) == 0;
}

int
stmt_fail(struct store *s, struct err *e)
{
	int code = sqlite3_extended_errcode(s->db);

	if (code == SQLITE_FULL && stmt_last(s))
		return stmt_last_fail(e);
	/*
	 * All references are to an account, which may have been removed a
	 * moment ago.
	 */
	if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
		(void)err_set(e, ERR_NOT_FOUND, "there is no such account");
	else
		(void)err_set(e, ERR_DB, "%s", stmt_reason(code));
	return err_because(e, "sqlite %d: %s", code,
	    code == SQLITE_FULL ? sqlite3_errstr(code) : sqlite3_errmsg(s->db));
}

/* -- statements that are kept ---------------------------------------------- */

enum {
	KEPT = 96
};

struct stmt_kept {
	const struct store *of;
	size_t n;
	struct {
		sqlite3_stmt *st;
		bool used;
	} v[KEPT];
};

/* Of one store, for a statement does not know its own. */
static struct stmt_kept kept;

void
stmt_keep(struct store *s)
{
	if (kept.of != NULL)
		return;
	kept = (struct stmt_kept){ .of = s };
}

bool
stmt_rested(const struct store *s)
{
	for (size_t i = 0; kept.of == s && i < kept.n; i++)
		if (kept.v[i].used)
			return false;
	return true;
}

void
stmt_drop(struct store *s)
{
	if (kept.of != s)
		return;
	for (size_t i = 0; i < kept.n; i++)
		if (!kept.v[i].used)
			(void)sqlite3_finalize(kept.v[i].st);
	kept = (struct stmt_kept){ 0 };
}

/* One of them that is not in use, or NULL. */
static sqlite3_stmt *
stmt_find_kept(const char *sql)
{
	for (size_t i = 0; i < kept.n; i++)
		if (!kept.v[i].used &&
		    strcmp(sqlite3_sql(kept.v[i].st), sql) == 0) {
			kept.v[i].used = true;
			return kept.v[i].st;
		}
	return NULL;
}

int
stmt_prepare(struct store *s, const char *sql, sqlite3_stmt **out,
    struct err *e)
{
	bool keeps = kept.of == s;
	unsigned flags = keeps ? SQLITE_PREPARE_PERSISTENT : 0;

	if (keeps && (*out = stmt_find_kept(sql)) != NULL)
		return 0;
	if (sqlite3_prepare_v3(s->db, sql, -1, flags, out, NULL) != SQLITE_OK)
		return stmt_fail(s, e);
	if (keeps && *out != NULL && kept.n < KEPT) {
		kept.v[kept.n].st = *out;
		kept.v[kept.n++].used = true;
	}
	return 0;
}

void
stmt_done(sqlite3_stmt **st)
{
	for (size_t i = 0; *st != NULL && i < kept.n; i++)
		if (kept.v[i].st == *st) {
			/* What it was bound to is the caller's. */
			(void)sqlite3_reset(*st);
			(void)sqlite3_clear_bindings(*st);
			kept.v[i].used = false;
			*st = NULL;
			return;
		}
	/* It returns the last step's error, which was already handled. */
	(void)sqlite3_finalize(*st);
	*st = NULL;
}

/* -- running them ---------------------------------------------------------- */

/* Binding fails only for a wrong index or out of memory: both are bugs. */
static void
stmt_bound(int result)
{
	if (result != SQLITE_OK)
		err_bug("store: bind: %s", sqlite3_errstr(result));
}

void
stmt_text(sqlite3_stmt *st, int i, struct str s)
{
	const char *p = s.p != NULL ? s.p : "";

	stmt_bound(
	    sqlite3_bind_text64(st, i, p, s.n, SQLITE_STATIC, SQLITE_UTF8));
}

void
stmt_text_or_null(sqlite3_stmt *st, int i, struct str s)
{
	if (s.n > 0)
		stmt_text(st, i, s);
	else
		stmt_bound(sqlite3_bind_null(st, i));
}

void
stmt_int(sqlite3_stmt *st, int i, int64_t n)
{
	stmt_bound(sqlite3_bind_int64(st, i, n));
}

void
stmt_blob(sqlite3_stmt *st, int i, struct str s)
{
	const char *p = s.p != NULL ? s.p : "";

	stmt_bound(sqlite3_bind_blob64(st, i, p, s.n, SQLITE_STATIC));
}

int
stmt_step(struct store *s, sqlite3_stmt *st, struct err *e)
{
	switch (sqlite3_step(st)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return stmt_fail(s, e);
	}
}

int
stmt_run(struct store *s, sqlite3_stmt *st, struct err *e)
{
	int r = stmt_step(s, st, e);

	(void)sqlite3_reset(st);
	if (r == 1)
		err_bug("store: a statement without rows had one");
	return r;
}

struct stmt_value
stmt_v_text(struct str s)
{
	return (struct stmt_value){ .type = STMT_TEXT, .s = s };
}

struct stmt_value
stmt_v_int(int64_t n)
{
	return (struct stmt_value){ .type = STMT_INT, .n = n };
}

struct stmt_value
stmt_v_blob(struct str s)
{
	return (struct stmt_value){ .type = STMT_BLOB, .s = s };
}

struct stmt_value
stmt_v_or_null(struct str s)
{
	return s.n > 0 ? stmt_v_text(s)
		       : (struct stmt_value){ .type = STMT_NULL };
}

int
stmt_ask_values(struct store *s, struct err *e, const char *sql,
    sqlite3_stmt **out, const struct stmt_value *v, size_t n)
{
	if (stmt_prepare(s, sql, out, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int place = (int)i + 1;

		if (v[i].type == STMT_INT)
			stmt_int(*out, place, v[i].n);
		else if (v[i].type == STMT_TEXT)
			stmt_text(*out, place, v[i].s);
		else if (v[i].type == STMT_BLOB)
			stmt_blob(*out, place, v[i].s);
	}
	return 0;
}

int
stmt_do_values(struct store *s, struct err *e, const char *sql,
    const struct stmt_value *v, size_t n)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_ask_values(s, e, sql, &st, v, n) < 0)
		return -1;
	return stmt_run(s, st, e);
}

struct str
stmt_column(sqlite3_stmt *st, int i, struct arena *a)
{
	/*
	 * Read the bytes first: reading them may convert, and so move, the
	 * value.
	 */
	const void *p = sqlite3_column_blob(st, i);
	struct str s = { p, (size_t)sqlite3_column_bytes(st, i) };

	if (p == NULL)
		return (struct str){ "", 0 };
	return str_dup(a, s);
}

uint32_t
stmt_column_u32(sqlite3_stmt *st, int i)
{
	int64_t n = sqlite3_column_int64(st, i);

	return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

int
stmt_exec(struct store *s, const char *sql, struct err *e)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return stmt_fail(s, e);
	return 0;
}
