/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PostgreSQL's statements.  A parameter's type is that of what is bound, so a
 * statement is prepared when it is run.  Rows are read one by one, until
 * another statement is run: then the rest is taken in at once.
 */
#include <stdlib.h>
#include <string.h>

#include "store/chain.h"
#include "store/postgres.h"
#include "store/postgres_text.h"

enum {
	TYPE_BLOB = 17,
	TYPE_INT = 20,
	TYPE_TEXT = 25,
	ARENA_MOST = 512 << 20
};

int
postgres_stmt_prepare(struct stmt *st, bool keep, struct err *e)
{
	struct arena *a = arena_open(ARENA_MOST);
	struct postgres_stmt *of = arena_new(a, struct postgres_stmt);

	(void)keep;
	(void)e;
	of->a = a;
	of->pg = st->s->db;
	postgres_sql_of(str_of(st->sql), a, &of->sql);
	of->hash = str_hash(STR_HASH, of->sql.text);
	st->of = of;
	return 0;
}

static void
postgres_stmt_clear(struct postgres_stmt *of)
{
	for (size_t i = 0; i < of->have; i++)
		PQ.clear(of->results[i]);
	free(of->results);
	of->results = NULL;
	of->have = of->at = 0;
	of->row = 0;
	of->ran = of->ended = false;
	of->cells = NULL; /* another run may have other columns */
}

/* -- parameters ------------------------------------------------------------ */

void
postgres_stmt_bind(struct stmt *st, int i, const struct stmt_value *v)
{
	struct postgres_stmt *of = st->of;

	if (i < 1 || i > POSTGRES_PARAMETERS)
		err_bug("store: bind: parameter %d", i);
	of->v[i - 1] = *v;
	if (of->n < i)
		of->n = i;
}

struct sending {
	Oid types[POSTGRES_PARAMETERS];
	const char *values[POSTGRES_PARAMETERS];
	int lengths[POSTGRES_PARAMETERS], formats[POSTGRES_PARAMETERS];
	unsigned char numbers[POSTGRES_PARAMETERS][8];
	struct arena *a;
};

static struct str
postgres_stmt_text(struct sending *x, struct str s)
{
	struct buf b;

	if (postgres_text_plain(s))
		return s;
	buf_init(&b, x->a, 4 * s.n + 16);
	postgres_text_put(&b, s);
	return buf_view(&b);
}

static void
postgres_stmt_send_value(struct sending *x, int i, const struct stmt_value *v)
{
	struct str s = v->s;

	x->formats[i] = 1;
	x->types[i] = 0;
	x->values[i] = NULL;
	switch (v->type) {
	case STMT_INT:
		for (int k = 0; k < 8; k++)
			x->numbers[i][k] =
			    (unsigned char)((uint64_t)v->n >> (56 - 8 * k));
		x->types[i] = TYPE_INT;
		s = (struct str){ (const char *)x->numbers[i], 8 };
		break;
	case STMT_TEXT:
		x->types[i] = TYPE_TEXT;
		s = postgres_stmt_text(x, s);
		break;
	case STMT_BLOB:
		x->types[i] = TYPE_BLOB;
		break;
	case STMT_NULL:
	case STMT_REAL:
		return;
	}
	x->values[i] = s.p != NULL ? s.p : "";
	x->lengths[i] = (int)s.n;
}

/* -- running --------------------------------------------------------------- */

/* Prepares it under that name. */
static int
postgres_stmt_make(struct store *s, struct postgres_stmt *of,
    const struct sending *x, const char name[POSTGRES_NAME], struct err *e)
{
	struct postgres *pg = s->db;

	if (PQ.sendPrepare(pg->c, name, of->sql.text.p, of->n, x->types) != 1)
		return postgres_fail_lost(s, e);
	if (postgres_wait_all(s, NULL, e) < 0)
		return -1;
	postgres_known_prepared(pg, name);
	return 0;
}

static int
postgres_stmt_send(struct store *s, struct postgres_stmt *of, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(ARENA_MOST);
	struct sending *x = arena_new(a, struct sending);
	struct postgres *pg = s->db;
	char name[POSTGRES_NAME];
	enum postgres_use use;
	int r;

	x->a = a;
	for (int i = 0; i < of->n; i++)
		postgres_stmt_send_value(x, i, &of->v[i]);
	use = postgres_known_find(pg, of, x->types, name);
	if (use == POSTGRES_PREPARE &&
	    postgres_stmt_make(s, of, x, name, e) < 0)
		return -1;
	if (use == POSTGRES_ONCE)
		r = PQ.sendQueryParams(pg->c, of->sql.text.p, of->n, x->types,
		    x->values, x->lengths, x->formats, 1);
	else
		r = PQ.sendQueryPrepared(pg->c, name, of->n, x->values,
		    x->lengths, x->formats, 1);
	if (r != 1)
		return postgres_fail_lost(s, e);
	of->ran = true;
	pg->reading = of;
	return 0;
}

/* The same, to be read row by row. */
static int
postgres_stmt_send_rows(struct store *s, struct postgres_stmt *of,
    struct err *e)
{
	const struct postgres *pg = s->db;

	if (postgres_stmt_send(s, of, e) < 0)
		return -1;
	(void)PQ.setSingleRowMode(pg->c);
	return 0;
}

/* All of it, in a transaction of its own. */
static int
postgres_stmt_read_alone(struct store *s, struct postgres_stmt *of,
    struct err *e)
{
	return postgres_pipeline_begin(s, e) < 0 ||
		postgres_stmt_send(s, of, e) < 0
	    ? -1
	    : postgres_pipeline_end(s, of, e);
}

static int
postgres_stmt_write_alone(struct store *s, struct postgres_stmt *of,
    struct err *e)
{
	if (postgres_tx_begin(s, DRIVER_WRITE, e) < 0)
		return -1;
	if (postgres_stmt_send_rows(s, of, e) < 0 ||
	    postgres_read_settle(s, e) < 0) {
		postgres_tx_rollback(s);
		return -1;
	}
	return postgres_tx_commit(s, e);
}

static int
postgres_stmt_run(struct store *s, struct postgres_stmt *of, struct err *e)
{
	struct postgres *pg = s->db;

	if (postgres_connect_again(s, e) < 0 || postgres_read_settle(s, e) < 0)
		return -1;
	if (!pg->open && of->sql.writes)
		return postgres_stmt_write_alone(s, of, e);
	/* Behind a pool the next transaction has another's settings. */
	if (!pg->open && pg->uri.pooled)
		return postgres_stmt_read_alone(s, of, e);
	if (postgres_stmt_send_rows(s, of, e) < 0)
		return -1;
	return of->sql.writes ? postgres_read_settle(s, e) : 0;
}

int
postgres_stmt_step(struct stmt *st, struct err *e)
{
	struct postgres_stmt *of = st->of;
	int r;

	if (!of->ran) {
		if (postgres_stmt_run(st->s, of, e) < 0)
			return -1;
	} else if (of->have > 0 &&
	    ++of->row == PQ.ntuples(of->results[of->at])) {
		PQ.clear(of->results[of->at]);
		of->results[of->at++] = NULL;
		of->row = 0;
	}
	if (of->at == of->have) {
		of->at = of->have = 0;
		r = postgres_read_more(st->s, of, e);
		if (r <= 0)
			return r;
	}
	postgres_row_read(of);
	return 1;
}

void
postgres_stmt_reset(struct stmt *st, bool unbind)
{
	struct postgres_stmt *of = st->of;
	struct postgres *pg = of->pg;
	struct err none = { 0 };

	/* What is left of it is not wanted. */
	if (pg->reading == of)
		while (postgres_read_more(st->s, of, &none) == 1)
			PQ.clear(of->results[--of->have]);
	postgres_stmt_clear(of);
	if (unbind) {
		memset(of->v, 0, sizeof(of->v));
		of->n = 0;
	}
}

void
postgres_stmt_finish(struct stmt *st)
{
	struct postgres_stmt *of = st->of;
	struct arena *a = of->a;

	postgres_stmt_reset(st, false);
	st->of = NULL;
	arena_close(&a);
}

int
postgres_stmt_exec(struct store *s, const char *sql, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct postgres *pg = s->db;
	const bool alone = !pg->open;
	struct postgres_sql of;
	int r;

	postgres_sql_of(str_of(sql), a, &of);
	if (alone &&
	    postgres_tx_begin(s, of.writes ? DRIVER_WRITE : DRIVER_READ, e) < 0)
		return -1;
	r = of.schema ? postgres_schema_base(s, e) : 0;
	if (r == 0)
		r = postgres_exec(s, of.text.p, NULL, e);
	/* What was prepared may read other columns now. */
	if (r == 0 && of.schema && !pg->uri.pooled)
		r = postgres_exec(s, "DEALLOCATE ALL", NULL, e);
	if (r == 0 && of.schema)
		postgres_known_forget(pg);
	if (r == 0 && of.table.n > 0 && pg->operates)
		signed_copy_touched(s, of.table.p);
	if (!alone)
		return r;
	if (r == 0)
		return postgres_tx_commit(s, e);
	postgres_tx_rollback(s);
	return -1;
}

/* -- what came of it ------------------------------------------------------- */

int64_t
postgres_stmt_changes(struct store *s)
{
	const struct postgres *pg = s->db;

	return pg->changes;
}

static const struct postgres_cell *
postgres_stmt_cell(struct stmt *st, int i)
{
	static const struct postgres_cell none = { .type = STMT_NULL };
	struct postgres_stmt *of = st->of;

	return of->cells != NULL && i >= 0 && i < of->columns ? &of->cells[i]
							      : &none;
}

int
postgres_stmt_columns(struct stmt *st)
{
	const struct postgres_stmt *of = st->of;

	return of->cells != NULL ? of->columns : 0;
}

const char *
postgres_stmt_column_name(struct stmt *st, int i)
{
	const struct postgres_stmt *of = st->of;

	return PQ.fname(of->results[of->at], i);
}

enum stmt_type
postgres_stmt_type(struct stmt *st, int i)
{
	return postgres_stmt_cell(st, i)->type;
}

int64_t
postgres_stmt_number(struct stmt *st, int i)
{
	const struct postgres_cell *c = postgres_stmt_cell(st, i);
	uint64_t n = 0;

	if (c->type == STMT_TEXT)
		(void)str_to_u64(c->s, INT64_MAX, &n);
	return c->type == STMT_TEXT ? (int64_t)n : c->n;
}

struct str
postgres_stmt_bytes(struct stmt *st, int i)
{
	return postgres_stmt_cell(st, i)->s;
}
