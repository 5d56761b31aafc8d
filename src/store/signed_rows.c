/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operator's current rows, and their text form.  A row's cells are names
 * and values in the audit log's format (chain.c); of a blob only its hash is
 * kept.
 *
 * A new table must be named here or, if agents' processes write it, in the list
 * of tests/unit/store/signed_rows.c. A new column needs nothing.
 */
#include <stdlib.h>

#include "store/chain.h"
#include "store/seal.h"
#include "store/signed_rows.h"

enum {
	CELL_MAX = 4096 /* longer values are kept as a hash */
};

static const struct table {
	const char *name;
	const char *sql;
	int keys; /* the number of first columns that identify a row */
} tables[] = {
	/* Not by an index, which may differ from the table. */
	{ "account_op", "SELECT * FROM account_op NOT INDEXED", 1 },
	{ "accounts", "SELECT * FROM accounts NOT INDEXED", 1 },
	{ "agent", "SELECT * FROM agent NOT INDEXED", 1 },
	{ "agent_uid", "SELECT * FROM agent_uid NOT INDEXED", 2 },
	{ "audit_checkpoint",
	    "SELECT 'newest' AS which, n, seq, hash FROM audit_checkpoint"
	    " ORDER BY n DESC LIMIT 1",
	    1 },
	{ "canary", "SELECT * FROM canary NOT INDEXED", 1 },
	{ "issuer", "SELECT * FROM issuer NOT INDEXED", 1 },
	{ "migration",
	    "SELECT 'newest' AS which, max(version) AS version FROM migration",
	    1 },
	{ "model", "SELECT * FROM model NOT INDEXED", 1 },
	/* These change with keys and migrations; the slots are sealed. */
	{ "settings",
	    "SELECT * FROM settings NOT INDEXED WHERE key NOT IN ("
	    "'dek_wrap_admin', 'dek_wrap_agent', 'dek_count',"
	    " 'schema_version')",
	    1 },
	{ "whitelist_in", "SELECT * FROM whitelist_in NOT INDEXED", 2 },
	{ "whitelist_out", "SELECT * FROM whitelist_out NOT INDEXED", 2 },
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* Columns of an account that an agent's process writes: they are not policy. */
static bool
signed_rows_is_agents_column(const char *name)
{
	static const char *const names[] = { "enc_oauth_refresh_token",
		"oauth_refresh_s" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool
signed_rows_cover(const char *table)
{
	for (size_t i = 0; i < TABLES; i++)
		if (strcmp(table, tables[i].name) == 0)
			return true;
	return false;
}

/* With a letter for its type: the text 1 is not the number 1. */
static void
put_typed(struct buf *b, char type, struct str s)
{
	buf_fmt(b, "%zu:%c", s.n + 1, type);
	buf_str(b, s);
	buf_char(b, ',');
}

static char
signed_rows_type_letter(enum stmt_type type)
{
	if (type == STMT_INT)
		return 'i';
	if (type == STMT_REAL)
		return 'r';
	return 't';
}

static void
signed_rows_put_cell(struct buf *b, struct stmt *st, int i)
{
	enum stmt_type type = stmt_column_type(st, i);
	const struct str raw_s = stmt_column_raw(st, i);
	const struct str s = raw_s.p != NULL ? raw_s : S("");
	unsigned char raw[SEAL_HASH];
	char hex[CHAIN_HEX];

	if (type == STMT_NULL) {
		chain_put(b, (struct str){ 0 });
	} else if (type == STMT_BLOB || s.n > CELL_MAX) {
		seal_hash(s, raw);
		str_hex_put(hex, raw, SEAL_HASH);
		put_typed(b, type == STMT_BLOB ? 'b' : 'h',
		    (struct str){ hex, CHAIN_HEX });
	} else {
		put_typed(b, signed_rows_type_letter(type), s);
	}
}

/* False: emcli never writes that size. */
static bool
signed_rows_take_row(struct stmt *st, const struct table *t, struct buf *b,
    struct arena *a, struct signed_row *out)
{
	out->tab = str_of(t->name);
	buf_reset(b);
	for (int i = 0; i < t->keys; i++)
		signed_rows_put_cell(b, st, i);
	out->key = str_dup(a, buf_view(b));
	buf_reset(b);
	for (int i = 0; i < stmt_column_count(st); i++) {
		const char *name = stmt_column_name(st, i);

		if (signed_rows_is_agents_column(name))
			continue;
		chain_put(b, str_of(name));
		signed_rows_put_cell(b, st, i);
	}
	out->cells = str_dup(a, buf_view(b));
	return !b->over;
}

struct signed_row *
signed_rows_add(struct arena *a, struct signed_set *set)
{
	set->v = arena_more(a, set->v, set->n, sizeof(*set->v));
	return &set->v[set->n++];
}

static int
signed_rows_order(const struct signed_row *x, const struct signed_row *y)
{
	int r = str_cmp(x->tab, y->tab);

	return r != 0 ? r : str_cmp(x->key, y->key);
}

static int
compare_rows(const void *x, const void *y)
{
	return signed_rows_order(x, y);
}

int
signed_rows_take(struct store *s, struct arena *a, struct signed_set *out,
    struct err *e)
{
	struct signed_set set = { 0 };
	struct buf b;
	int r;

	buf_init(&b, a, CHAIN_BYTES);
	for (size_t i = 0; i < TABLES; i++) {
		CLEANUP(stmt_done) struct stmt *st = NULL;

		/* Tables of future migrations have no rows yet. */
		r = s->driver->has_table(s, tables[i].name, e);
		if (r == 0)
			continue;
		if (r < 0 || stmt_prepare(s, tables[i].sql, &st, e) < 0)
			return -1;
		while ((r = stmt_step(s, st, e)) == 1)
			if (!signed_rows_take_row(st, &tables[i], &b, a,
				signed_rows_add(a, &set)))
				return err_set(e, ERR_DB,
				    "the store's file is damaged or not a "
				    "store");
		if (r < 0)
			return -1;
	}
	if (set.n > 1)
		qsort(set.v, set.n, sizeof(*set.v), compare_rows);
	*out = set;
	return 0;
}

bool
signed_rows_same(const struct signed_set *x, const struct signed_set *y)
{
	if (x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++)
		if (signed_rows_order(&x->v[i], &y->v[i]) != 0 ||
		    !str_eq(x->v[i].cells, y->v[i].cells))
			return false;
	return true;
}

struct str
signed_rows_text(const struct signed_set *set, struct arena *a)
{
	struct buf b;

	buf_init(&b, a, SIGNED_BYTES);
	for (size_t i = 0; i < set->n; i++) {
		chain_put(&b, set->v[i].tab);
		chain_put(&b, set->v[i].key);
		chain_put(&b, set->v[i].cells);
	}
	return buf_view(&b);
}

bool
signed_rows_next(struct str *rest, struct str *out)
{
	struct str head, tail;
	uint32_t n;

	if (str_starts(*rest, S("-,"))) {
		*out = (struct str){ 0 };
		*rest = str_from(*rest, 2);
		return true;
	}
	if (!str_cut(*rest, ':', &head, &tail) ||
	    !str_to_u32(head, SIGNED_BYTES, &n) || tail.n <= n ||
	    tail.p[n] != ',')
		return false;
	*out = str_first(tail, n);
	*rest = str_from(tail, n + 1UL);
	return true;
}

bool
signed_rows_read(struct str text, struct arena *a, struct signed_set *out)
{
	struct signed_set set = { 0 };

	while (text.n > 0) {
		struct signed_row *row = signed_rows_add(a, &set);

		if (!signed_rows_next(&text, &row->tab) ||
		    !signed_rows_next(&text, &row->key) ||
		    !signed_rows_next(&text, &row->cells))
			return false;
	}
	*out = set;
	return true;
}

bool
signed_rows_cell(struct str cells, struct str name, struct str *out)
{
	struct str is, value;

	while (
	    signed_rows_next(&cells, &is) && signed_rows_next(&cells, &value))
		if (str_eq(is, name)) {
			*out = value;
			return true;
		}
	return false;
}

/* The next row of that set; NULL after its last. */
static const struct signed_row *
walk_row(const struct signed_walk *w, int i)
{
	const struct signed_set *set = w->set[i];

	if (set == NULL || set->v == NULL || w->at[i] >= set->n)
		return NULL;
	return &set->v[w->at[i]];
}

bool
signed_rows_step(struct signed_walk *w)
{
	const struct signed_row *least = NULL;

	for (int i = 0; i < SIGNED_SETS; i++) {
		const struct signed_row *row = walk_row(w, i);

		if (row != NULL &&
		    (least == NULL || signed_rows_order(row, least) < 0))
			least = row;
	}
	w->least = least;
	for (int i = 0; i < SIGNED_SETS; i++) {
		const struct signed_row *row = walk_row(w, i);

		if (row != NULL && signed_rows_order(row, least) != 0)
			row = NULL;
		w->row[i] = row;
		if (row != NULL)
			w->at[i]++;
	}
	return least != NULL;
}
