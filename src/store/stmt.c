/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: prepare, bind, step. */
#include "store/stmt.h"

#include "store/internal.h"

bool
store_stmt_damaged(const struct err *e)
{
	return e->kind == ERR_DB &&
	    strcmp(e->say, driver_says(DRIVER_DAMAGED)) == 0;
}

/* With a copy of its text, which may have been built. */
static struct stmt *
stmt_new(struct store *s, const char *sql)
{
	const size_t n = strlen(sql) + 1;
	struct stmt *st = calloc(1, sizeof(*st) + n);

	if (st == NULL)
		err_bug("out of memory");
	st->s = s;
	st->sql = memcpy(st + 1, sql, n);
	return st;
}

int
stmt_prepare(struct store *s, const char *sql, struct stmt **out, struct err *e)
{
	const bool keeps = stmt_kept_by(s);
	struct stmt *st = keeps ? stmt_kept_find(s, sql) : NULL;

	if (st == NULL) {
		st = stmt_new(s, sql);
		if (s->driver->prepare(st, keeps, e) < 0) {
			free(st);
			return -1;
		}
		if (keeps)
			stmt_kept_put(st);
	}
	*out = st;
	return 0;
}

void
stmt_done(struct stmt **st)
{
	struct stmt *is = *st;

	*st = NULL;
	if (is == NULL)
		return;
	if (is->kept) {
		/* What it was bound to is the caller's. */
		is->s->driver->reset(is, true);
		is->used = false;
		return;
	}
	is->s->driver->finish(is);
	free(is);
}

static void
stmt_bind(struct stmt *st, int i, struct stmt_value v)
{
	st->s->driver->bind(st, i, &v);
}

void
stmt_text(struct stmt *st, int i, struct str s)
{
	stmt_bind(st, i, stmt_v_text(s));
}

void
stmt_text_or_null(struct stmt *st, int i, struct str s)
{
	stmt_bind(st, i, stmt_v_or_null(s));
}

void
stmt_int(struct stmt *st, int i, int64_t n)
{
	stmt_bind(st, i, stmt_v_int(n));
}

void
stmt_blob(struct stmt *st, int i, struct str s)
{
	stmt_bind(st, i, stmt_v_blob(s));
}

int
stmt_step(struct store *s, struct stmt *st, struct err *e)
{
	return s->driver->step(st, e);
}

void
stmt_reset(struct stmt *st)
{
	st->s->driver->reset(st, false);
}

int
stmt_run(struct store *s, struct stmt *st, struct err *e)
{
	int r = stmt_step(s, st, e);

	stmt_reset(st);
	if (r == 1)
		err_bug("store: a statement without rows had one");
	return r;
}

int
stmt_insert(struct store *s, struct stmt *st, int64_t *id, struct err *e)
{
	int r = stmt_step(s, st, e);

	if (r == 0)
		err_bug("store: a row was inserted, and has no number");
	if (r == 1) {
		*id = stmt_column_int(st, 0);
		r = stmt_step(s, st, e);
	}
	stmt_reset(st);
	return r;
}

int64_t
stmt_changes(struct store *s)
{
	return s->driver->changes(s);
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
    struct stmt **out, const struct stmt_value *v, size_t n)
{
	if (stmt_prepare(s, sql, out, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		stmt_bind(*out, (int)i + 1, v[i]);
	return 0;
}

int
stmt_do_values(struct store *s, struct err *e, const char *sql,
    const struct stmt_value *v, size_t n)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask_values(s, e, sql, &st, v, n) < 0)
		return -1;
	return stmt_run(s, st, e);
}

int
stmt_add_values(struct store *s, struct err *e, const char *sql, int64_t *id,
    const struct stmt_value *v, size_t n)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask_values(s, e, sql, &st, v, n) < 0)
		return -1;
	return stmt_insert(s, st, id, e);
}

int
stmt_exec(struct store *s, const char *sql, struct err *e)
{
	return s->driver->exec(s, sql, e);
}
