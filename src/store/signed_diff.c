/* SPDX-License-Identifier: Apache-2.0 */
/* What differs from the signed copy, in words. */
#include "store/signed_rows.h"

enum {
	VALUE_SHOWN = 80
};

/* How rows are named: by a word and one of their cells. */
static const struct {
	struct str tab, word, cell;
} names[] = {
	{ SI("account_op"), SI("source of"), SI("op") },
	{ SI("accounts"), SI("account"), SI("name") },
	{ SI("agent"), SI("agent"), SI("name") },
	{ SI("agent_uid"), SI("an agent's user"), SI("uid") },
	{ SI("canary"), SI("canary"), SI("word") },
	{ SI("issuer"), SI("identity provider"), SI("issuer") },
	{ SI("model"), SI("model"), SI("name") },
	{ SI("settings"), SI("setting"), SI("key") },
	{ SI("whitelist_in"), SI("whitelist in of"), SI("address") },
	{ SI("whitelist_out"), SI("whitelist out of"), SI("address") },
};

/* The value without the letter of its type. */
static struct str
signed_diff_plain(struct str value)
{
	return str_from(value, value.n > 0 ? 1 : 0);
}

static struct str
signed_diff_cell_of(const struct signed_row *row, struct str name)
{
	struct str out = { 0 };

	(void)signed_rows_cell(row->cells, name, &out);
	return str_first(signed_diff_plain(out), VALUE_SHOWN);
}

/* The name of the account that a row refers to. */
static struct str
signed_diff_account_of(const struct signed_set *set,
    const struct signed_row *row)
{
	struct str id = { 0 }, is;

	(void)signed_rows_cell(row->cells, S("account_id"), &id);
	for (size_t i = 0; i < set->n; i++)
		if (str_eq(set->v[i].tab, S("accounts")) &&
		    signed_rows_cell(set->v[i].cells, S("id"), &is) &&
		    str_eq(id, is))
			return signed_diff_cell_of(&set->v[i], S("name"));
	return S("?");
}

static struct str
signed_diff_where_of(struct arena *a, const struct signed_set *set,
    const struct signed_row *row)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct str cell = signed_diff_cell_of(row, names[i].cell);

		if (!str_eq(row->tab, names[i].tab))
			continue;
		if (str_starts(row->tab, S("whitelist")))
			return str_fmt(a, "%.*s %.*s: %.*s",
			    STR_ARG(names[i].word),
			    STR_ARG(signed_diff_account_of(set, row)),
			    STR_ARG(cell));
		return str_fmt(a, "%.*s %.*s", STR_ARG(names[i].word),
		    STR_ARG(cell));
	}
	return row->tab;
}

/* A hash is not useful to a person. */
static bool
signed_diff_is_shown(struct str value)
{
	return value.p == NULL || value.n == 0 ||
	    (value.p[0] != 'b' && value.p[0] != 'h');
}

static struct str
signed_diff_shown(struct arena *a, struct str value)
{
	struct str s = signed_diff_plain(value);

	if (value.p == NULL)
		return S("empty");
	return s.n == 0
	    ? S("''")
	    : str_fmt(a, "%.*s%s", STR_ARG(str_first(s, VALUE_SHOWN)),
		  s.n > VALUE_SHOWN ? "..." : "");
}

static struct str
signed_diff_changed(struct arena *a, struct str name, struct str was,
    struct str is)
{
	if (!signed_diff_is_shown(was) || !signed_diff_is_shown(is))
		return str_fmt(a, "%.*s was changed", STR_ARG(name));
	return str_fmt(a, "%.*s was %.*s and is %.*s", STR_ARG(name),
	    STR_ARG(signed_diff_shown(a, was)),
	    STR_ARG(signed_diff_shown(a, is)));
}

/* A migration's default in SQL: a quoted word, a number, or none. */
static bool
signed_diff_is_default(struct str sql, struct str value)
{
	if (sql.n >= 2 && sql.p[0] == '\'')
		return value.n > 0 && value.p[0] == 't' &&
		    str_eq(signed_diff_plain(value),
			str_first(str_from(sql, 1), sql.n - 2));
	if (sql.n == 0 || str_eq_case(sql, S("NULL")))
		return value.p == NULL;
	return value.n > 0 && value.p[0] == 'i' &&
	    str_eq(signed_diff_plain(value), sql);
}

int
signed_diff_added(struct store *s, struct str table, struct str column,
    struct str value, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, s->driver->column_default, &st, V(table),
		V(column)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	return r == 1 ? signed_diff_is_default(stmt_column(st, 0, a), value)
		      : r;
}

bool
signed_diff_newer(const struct signed_set *kept, const struct signed_set *now)
{
	const struct signed_set *sets[] = { kept, now };
	uint32_t version[] = { 0, 0 };

	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < sets[i]->n; k++)
			if (str_eq(sets[i]->v[k].tab, S("migration")))
				(void)
				    str_to_u32(signed_diff_cell_of(&sets[i]
									->v[k],
						   S("version")),
					INT32_MAX, &version[i]);
	return version[1] > version[0];
}

struct diff {
	struct store *s;
	struct arena *a;
	struct store_signed *out;
	bool newer;
};

static int
diff_cells(const struct diff *d, struct str where, const struct signed_row *was,
    const struct signed_row *is, struct err *e)
{
	struct str rest = is->cells, name, old, new;

	while (
	    signed_rows_next(&rest, &name) && signed_rows_next(&rest, &new)) {
		bool had = signed_rows_cell(was->cells, name, &old);
		int r = !had && d->newer
		    ? signed_diff_added(d->s, is->tab, name, new, e)
		    : 0;

		if (r < 0)
			return -1;
		if (r == 1 ||
		    (had && str_eq(old, new) &&
			(old.p == NULL) == (new.p == NULL)))
			continue;
		signed_edit_put(d->out, d->a, where,
		    signed_diff_changed(d->a, name,
			had ? old : S("t(unsigned)"), new));
	}
	rest = was->cells;
	while (signed_rows_next(&rest, &name) && signed_rows_next(&rest, &old))
		if (!signed_rows_cell(is->cells, name, &new))
			signed_edit_put(d->out, d->a, where,
			    str_fmt(d->a, "%.*s was removed", STR_ARG(name)));
	return 0;
}

/* A difference that is not an edit. */
static bool
signed_diff_is_no_edit(const struct diff *d, const struct signed_walk *w)
{
	const struct signed_row *was = w->row[0], *is = w->row[1];

	if (was == NULL && is == NULL)
		return true;
	if (was != NULL && is != NULL && str_eq(was->cells, is->cells))
		return true;
	/* The check of the audit log reports its own faults. */
	if (str_eq(w->least->tab, S("audit_checkpoint")))
		return true;
	return d->newer &&
	    (str_eq(w->least->tab, S("migration")) ||
		(was == NULL && signed_schema_made(is, w->row[2])));
}

int
signed_diff(struct store *s, struct arena *a, const struct signed_set *kept,
    const struct signed_set *now, struct store_signed *out, struct err *e)
{
	const struct diff d = { s, a, out, signed_diff_newer(kept, now) };
	struct signed_set ours = { 0 };
	struct signed_walk w = { .set = { kept, now, &ours } };

	if (d.newer && signed_schema_rows(d.s, a, &ours, e) < 0)
		return -1;
	while (signed_rows_step(&w)) {
		const struct signed_row *was = w.row[0], *is = w.row[1];
		struct str where;

		if (signed_diff_is_no_edit(&d, &w))
			continue;
		where =
		    signed_diff_where_of(a, is != NULL ? now : kept, w.least);
		if (was == NULL)
			signed_edit_put(out, a, where, S("was added"));
		else if (is == NULL)
			signed_edit_put(out, a, where, S("was removed"));
		else if (diff_cells(&d, where, was, is, e) < 0)
			return -1;
	}
	return 0;
}
