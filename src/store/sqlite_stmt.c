/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's statements. */
#include "store/internal.h"
#include "store/sqlite.h"

int
sqlite_stmt_prepare(struct stmt *st, bool keep, struct err *e)
{
	const unsigned flags = keep ? SQLITE_PREPARE_PERSISTENT : 0;
	sqlite3_stmt *of = NULL;

	if (sqlite3_prepare_v3(st->s->db, st->sql, -1, flags, &of, NULL) !=
	    SQLITE_OK)
		return sqlite_fail(st->s, e);
	st->of = of;
	return 0;
}

void
sqlite_stmt_finish(struct stmt *st)
{
	/* It returns the last step's error, which was already handled. */
	(void)sqlite3_finalize(st->of);
	st->of = NULL;
}

void
sqlite_stmt_bind(struct stmt *st, int i, const struct stmt_value *v)
{
	const char *p = v->s.p != NULL ? v->s.p : "";
	int r = SQLITE_OK;

	switch (v->type) {
	case STMT_INT:
		r = sqlite3_bind_int64(st->of, i, v->n);
		break;
	case STMT_TEXT:
		r = sqlite3_bind_text64(st->of, i, p, v->s.n, SQLITE_STATIC,
		    SQLITE_UTF8);
		break;
	case STMT_BLOB:
		r = sqlite3_bind_blob64(st->of, i, p, v->s.n, SQLITE_STATIC);
		break;
	case STMT_NULL:
	case STMT_REAL:
		r = sqlite3_bind_null(st->of, i);
		break;
	}
	/* It fails only for a wrong index or out of memory: both are bugs. */
	if (r != SQLITE_OK)
		err_bug("store: bind: %s", sqlite3_errstr(r));
}

int
sqlite_stmt_step(struct stmt *st, struct err *e)
{
	switch (sqlite3_step(st->of)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return sqlite_fail(st->s, e);
	}
}

void
sqlite_stmt_reset(struct stmt *st, bool unbind)
{
	(void)sqlite3_reset(st->of);
	if (unbind)
		(void)sqlite3_clear_bindings(st->of);
}

int
sqlite_stmt_columns(struct stmt *st)
{
	return sqlite3_column_count(st->of);
}

const char *
sqlite_stmt_column_name(struct stmt *st, int i)
{
	return sqlite3_column_name(st->of, i);
}

enum stmt_type
sqlite_stmt_type(struct stmt *st, int i)
{
	switch (sqlite3_column_type(st->of, i)) {
	case SQLITE_INTEGER:
		return STMT_INT;
	case SQLITE_FLOAT:
		return STMT_REAL;
	case SQLITE_BLOB:
		return STMT_BLOB;
	case SQLITE_NULL:
		return STMT_NULL;
	default:
		return STMT_TEXT;
	}
}

int64_t
sqlite_stmt_number(struct stmt *st, int i)
{
	return sqlite3_column_int64(st->of, i);
}

struct str
sqlite_stmt_bytes(struct stmt *st, int i)
{
	/*
	 * Read the bytes first: reading them may convert, and so move, the
	 * value.
	 */
	const void *p = sqlite3_column_blob(st->of, i);

	return (struct str){ p, (size_t)sqlite3_column_bytes(st->of, i) };
}

int64_t
sqlite_stmt_changes(struct store *s)
{
	return sqlite3_changes(s->db);
}

int
sqlite_stmt_exec(struct store *s, const char *sql, struct err *e)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return sqlite_fail(s, e);
	return 0;
}
