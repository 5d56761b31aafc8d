/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of all tables, from one database into the other.  Several go in one
 * statement, for each is a way to a server and back; no more are in memory.
 */
#include "base/limits.h"
#include "store/restoring.h"
#include "store/transferring.h"

enum {
	VALUES = 120,    /* of one statement: fewer than every driver takes */
	BYTES = 1 << 20, /* of the rows that wait for theirs */
	SQL_MOST = 8 << 10
};

/* Which numbers were given: it is filled while others are, so it is last. */
#define NUMBERS "sqlite_sequence"

const char *
transfer_rows_table(size_t i)
{
	const char *table = restore_rows_table(i);

	if (table == NULL && (i == 0 || restore_rows_table(i - 1) != NULL))
		table = NUMBERS;
	return table;
}

int
transfer_rows_count(struct store *s, const char *table, int64_t *out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	/* Not by an index, which may differ from the table. */
	struct str sql =
	    str_fmt(a, "SELECT count(*) FROM %s NOT INDEXED", table);

	if (stmt_prepare(s, sql.p, &st, e) < 0 || stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column_int(st, 0);
	return 0;
}

static int
transfer_rows_empty_one(struct store *s, const char *table, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	return stmt_exec(s, str_fmt(a, "DELETE FROM %s WHERE true", table).p,
	    e);
}

int
transfer_rows_empty(struct store *s, struct err *e)
{
	size_t n = 0;

	while (transfer_rows_table(n) != NULL)
		n++;
	while (n > 0)
		if (transfer_rows_empty_one(s, transfer_rows_table(--n), e) < 0)
			return -1;
	return 0;
}

/* -- rows that wait for their statement ------------------------------------ */

/* CLEANUP(rows_drop).  The arena is a new one for each statement. */
struct rows {
	struct store *to;
	const char *table;
	struct stmt *several, *one; /* NULL: not needed yet */
	struct arena *a;
	struct stmt_value v[VALUES];
	int columns;
	int n, most; /* of rows */
	size_t bytes;
};

static void
rows_drop(struct rows *r)
{
	stmt_done(&r->several);
	stmt_done(&r->one);
	arena_close(&r->a);
}

/* INSERT INTO t VALUES (?1, ?2), (?3, ?4) */
static int
rows_prepare(struct rows *r, int n, struct stmt **out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct buf b;

	buf_init(&b, a, SQL_MOST);
	buf_fmt(&b, "INSERT INTO %s VALUES ", r->table);
	for (int i = 0; i < n * r->columns; i++)
		buf_fmt(&b, "%s?%d%s",
		    i % r->columns > 0 ? ", "
			: i > 0        ? ", ("
				       : "(",
		    i + 1, (i + 1) % r->columns == 0 ? ")" : "");
	if (b.over)
		err_bug("store: a table has too many columns");
	return stmt_prepare(r->to, str_c(a, buf_view(&b)), out, e);
}

static int
rows_put(struct rows *r, struct stmt **st, int from, int n, struct err *e)
{
	if (*st == NULL && rows_prepare(r, n, st, e) < 0)
		return -1;
	for (int i = 0; i < n * r->columns; i++)
		r->to->driver->bind(*st, i + 1, &r->v[from * r->columns + i]);
	return stmt_run(r->to, *st, e);
}

static int
rows_flush(struct rows *r, struct err *e)
{
	const int n = r->n;

	if (n > 1 && n == r->most) {
		if (rows_put(r, &r->several, 0, n, e) < 0)
			return -1;
	} else {
		for (int i = 0; i < n; i++)
			if (rows_put(r, &r->one, i, 1, e) < 0)
				return -1;
	}
	r->n = 0;
	r->bytes = 0;
	arena_close(&r->a);
	return 0;
}

/* emcli's are of these types alone. */
static int
rows_take_value(struct rows *r, struct stmt *st, int i, struct stmt_value *out,
    struct err *e)
{
	struct str s;

	*out = (struct stmt_value){ .type = stmt_column_type(st, i) };
	switch (out->type) {
	case STMT_NULL:
		return 0;
	case STMT_INT:
		out->n = stmt_column_int(st, i);
		return 0;
	case STMT_TEXT:
	case STMT_BLOB:
		s = stmt_column_raw(st, i);
		out->s = s.n > 0 ? str_dup(r->a, s) : S("");
		r->bytes += s.n;
		return 0;
	case STMT_REAL:
		break;
	}
	return err_set(e, ERR_DB,
	    "the database has a value that emcli never wrote");
}

static int
rows_take(struct rows *r, struct stmt *st, struct err *e)
{
	const int columns = stmt_column_count(st);

	if (r->columns == 0) {
		if (columns < 1 || columns > VALUES)
			err_bug("store: %s has %d columns", r->table, columns);
		r->columns = columns;
		r->most = VALUES / columns;
	}
	if (r->a == NULL)
		r->a = arena_open(LIMIT_ARENA);
	for (int i = 0; i < columns; i++)
		if (rows_take_value(r, st, i, &r->v[r->n * columns + i], e) < 0)
			return -1;
	r->n++;
	return 0;
}

/* -- tables ---------------------------------------------------------------- */

/* Rows that were copied, of those that there are. */
struct counted {
	void (*tell)(uint64_t done, uint64_t all);
	int64_t done, all;
};

static void
count_row(struct counted *c)
{
	if (c->tell != NULL && c->done % 1000 == 0)
		c->tell((uint64_t)c->done, (uint64_t)c->all + 1);
	c->done++;
}

static int
transfer_rows_of(struct store *from, struct rows *r, struct counted *c,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str sql = str_fmt(a, "SELECT * FROM %s NOT INDEXED", r->table);
	int is;

	if (stmt_prepare(from, sql.p, &st, e) < 0)
		return -1;
	while ((is = stmt_step(from, st, e)) == 1) {
		if (rows_take(r, st, e) < 0)
			return -1;
		count_row(c);
		if ((r->n == r->most || r->bytes >= BYTES) &&
		    rows_flush(r, e) < 0)
			return transfer_fail(e);
	}
	if (is < 0)
		return -1;
	return rows_flush(r, e) < 0 ? transfer_fail(e) : 0;
}

static int
transfer_rows_one(struct store *from, struct store *to, const char *table,
    struct counted *c, struct err *e)
{
	CLEANUP(rows_drop) struct rows r = { .to = to, .table = table };

	if (strcmp(table, NUMBERS) == 0 &&
	    transfer_rows_empty_one(to, table, e) < 0)
		return transfer_fail(e);
	if (transfer_rows_of(from, &r, c, e) == 0)
		return 0;
	return err_because(e, "table %s", table);
}

int
transfer_rows(const struct store_transfer *x, struct store *to, int64_t all,
    struct err *e)
{
	struct counted c = { .tell = x->progress, .all = all };
	const char *table;

	if (to->driver->load(to, true, e) < 0)
		return transfer_fail(e);
	for (size_t i = 0; (table = transfer_rows_table(i)) != NULL; i++)
		if (transfer_rows_one(x->from, to, table, &c, e) < 0)
			return -1;
	return to->driver->load(to, false, e) < 0 ? transfer_fail(e) : 0;
}
