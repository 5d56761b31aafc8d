/* SPDX-License-Identifier: Apache-2.0 */
/* Updates a copy with what migrations have added. */
#include "base/limits.h"
#include "store/chain.h"
#include "store/signed_rows.h"

/*
 * The copy's cells, and those added since: 1, or 0 if one does not have the
 * migration's value, or -1.
 */
static int
signed_newer_add_cells(struct store *s, struct arena *a,
    const struct signed_row *kept, struct str now, struct str *out,
    struct err *e)
{
	struct str name, value, is;
	struct buf b;
	int all = 1;

	buf_init(&b, a, CHAIN_BYTES);
	buf_str(&b, kept->cells);
	while (
	    signed_rows_next(&now, &name) && signed_rows_next(&now, &value)) {
		int r;

		if (signed_rows_cell(kept->cells, name, &is))
			continue;
		r = signed_diff_added(s, kept->tab, name, value, e);
		if (r < 0)
			return -1;
		all = all && r == 1;
		if (r == 0)
			continue;
		chain_put(&b, name);
		chain_put(&b, value);
	}
	*out = buf_view(&b);
	return all;
}

static int
signed_newer_merge(struct store *s, struct arena *a,
    const struct signed_set *kept, const struct signed_set *now,
    struct signed_set *out, struct err *e)
{
	struct signed_set ours;
	struct signed_walk w = { .set = { kept, now, &ours } };
	const struct signed_row *version = NULL;
	int all = 1;

	*out = (struct signed_set){ 0 };
	if (signed_schema_rows(s, a, &ours, e) < 0)
		return -1;
	while (signed_rows_step(&w)) {
		const struct signed_row *k = w.row[0], *n = w.row[1];
		struct signed_row row = *w.least;
		int r = 1;

		if (k == NULL &&
		    (n == NULL || !signed_schema_made(n, w.row[2])))
			continue;
		if (str_eq(row.tab, S("migration")) && n != NULL)
			version = n;
		else if (k != NULL && n != NULL)
			r = signed_newer_add_cells(s, a, k, n->cells,
			    &row.cells, e);
		if (r < 0)
			return -1;
		all = all && r == 1;
		*signed_rows_add(a, out) = row;
	}
	/* Until nothing is left to add, it is the copy of an older store. */
	for (size_t i = 0; all && version != NULL && i < out->n; i++)
		if (str_eq(out->v[i].tab, version->tab))
			out->v[i] = *version;
	return 0;
}

int
signed_newer(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct signed_set now, merged;
	struct signed_copy c;
	int r = s->older ? 0 : signed_copy_load(s, s->audit_key, a, &c, e);

	if (r <= 0)
		return r;
	if (signed_rows_take(s, a, &now, e) < 0)
		return -1;
	if (!signed_diff_newer(&c.rows, &now))
		return 0;
	if (signed_newer_merge(s, a, &c.rows, &now, &merged, e) < 0)
		return -1;
	return signed_copy_put(s, a, &merged, e);
}
