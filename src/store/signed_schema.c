/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the schema and the settings with those that the migrations make: a
 * foreign trigger, view, column or setting would act in emcli's name.
 */
#include "store/opening.h"
#include "store/signed_rows.h"

struct part {
	struct str name, sql;
};

struct parts {
	struct part *v;
	size_t n;
};

static int
signed_schema_read_parts(struct store *s, struct arena *a, struct parts *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*out = (struct parts){ 0 };
	if (stmt_prepare(s, s->driver->parts, &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
		out->v[out->n].name = stmt_column(st, 0, a);
		out->v[out->n++].sql = stmt_column(st, 1, a);
	}
	return r;
}

/* The schema of a new store of that version. */
static int
signed_schema_open_ours(struct store *s, struct store *ours, int64_t version,
    struct arena *a, struct err *e)
{
	struct migration *m;
	size_t n = 0;

	while (migrations_all[n].version != 0 &&
	    migrations_all[n].version <= version)
		n++;
	m = arena_grow(a, NULL, 0, (n + 1) * sizeof(*m));
	memcpy(m, migrations_all, n * sizeof(*m));
	m[n] = (struct migration){ 0 };
	if (s->driver->empty(s, ours, e) < 0)
		return -1;
	return migrate_run(ours, m, e);
}

static int
signed_schema_read_ours(struct store *s, int64_t version, struct arena *a,
    struct parts *out, struct err *e)
{
	struct store ours = { 0 };
	int r = signed_schema_open_ours(s, &ours, version, a, e);

	if (r == 0)
		r = signed_schema_read_parts(&ours, a, out, e);
	driver_empty_close(&ours);
	return r;
}

int
signed_schema_rows(struct store *s, struct arena *a, struct signed_set *out,
    struct err *e)
{
	struct store ours = { 0 };
	int r = signed_schema_open_ours(s, &ours, INT64_MAX, a, e);

	if (r == 0)
		r = signed_rows_take(&ours, a, out, e);
	driver_empty_close(&ours);
	return r;
}

bool
signed_schema_made(const struct signed_row *row, const struct signed_row *ours)
{
	return ours != NULL && str_eq(row->tab, S("settings")) &&
	    str_eq(row->cells, ours->cells);
}

static const struct part *
signed_schema_find_part(const struct parts *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->v[i].name, name))
			return &p->v[i];
	return NULL;
}

int
signed_schema_check_of(struct store *s, int64_t version, struct arena *a,
    struct store_signed *out, struct err *e)
{
	struct parts is, ours = { 0 };

	if (signed_schema_read_parts(s, a, &is, e) < 0 ||
	    signed_schema_read_ours(s, version, a, &ours, e) < 0)
		return -1;
	for (size_t i = 0; i < is.n; i++) {
		const struct part *p =
		    signed_schema_find_part(&ours, is.v[i].name);

		if (p == NULL || !str_eq(p->sql, is.v[i].sql))
			signed_edit_put(out, a,
			    str_fmt(a, "schema: %.*s", STR_ARG(is.v[i].name)),
			    p == NULL ? S("was added") : S("was changed"));
	}
	for (size_t i = 0; i < ours.n; i++)
		if (signed_schema_find_part(&is, ours.v[i].name) == NULL)
			signed_edit_put(out, a,
			    str_fmt(a, "schema: %.*s", STR_ARG(ours.v[i].name)),
			    S("was removed"));
	return 0;
}

int
signed_schema_check(struct store *s, struct arena *a, struct store_signed *out,
    struct err *e)
{
	return signed_schema_check_of(s, INT64_MAX, a, out, e);
}
