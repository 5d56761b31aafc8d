/*
 * A copy that follows what we change, and only that: a row that was changed by
 * somebody else keeps differing from its copy, cell by cell, whatever we write
 * beside it.
 */
#include "store/signed_rows.h"

static bool
same_value(struct str x, struct str y)
{
	return (x.p == NULL) == (y.p == NULL) && str_eq(x, y);
}

/* What we changed as we left it, all else as the copy had it. */
static struct str
merge_cells(struct arena *a, struct str kept, struct str before,
    struct str after)
{
	struct str name, value, was;
	struct buf b;

	buf_init(&b, a, CHAIN_BYTES);
	while (signed_rows_next(&after, &name) &&
	    signed_rows_next(&after, &value)) {
		if (signed_rows_cell(before, name, &was) &&
		    same_value(was, value) &&
		    !signed_rows_cell(kept, name, &value))
			continue;
		chain_put(&b, name);
		chain_put(&b, value);
	}
	return buf_view(&b);
}

void
signed_merge(struct arena *a, const struct signed_set *kept,
    const struct signed_set *before, const struct signed_set *after,
    struct signed_set *out)
{
	struct signed_walk w = { .set = { kept, before, after } };
	size_t room = 0;

	*out = (struct signed_set){ 0 };
	while (signed_rows_step(&w)) {
		const struct signed_row *k = w.row[0], *b = w.row[1],
					*n = w.row[2];
		struct signed_row row;

		if ((b == NULL && n == NULL) ||
		    (b != NULL && n != NULL && str_eq(b->cells, n->cells))) {
			if (k != NULL)
				*signed_rows_add(a, out, &room) = *k;
			continue;
		}
		/* Taken out; or a stranger's, of which we changed a part. */
		if (n == NULL || (b != NULL && k == NULL))
			continue;
		row = *n;
		if (b != NULL)
			row.cells =
			    merge_cells(a, k->cells, b->cells, n->cells);
		*signed_rows_add(a, out, &room) = row;
	}
}

/* The copy's cells, and those that were added since: 1, or 0 when one is not as
 * it was added, or -1. */
static int
add_cells(struct store *s, struct arena *a, const struct signed_row *kept,
    struct str now, struct str *out, struct err *e)
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

int
signed_merge_newer(struct store *s, struct arena *a,
    const struct signed_set *kept, const struct signed_set *now,
    struct signed_set *out, struct err *e)
{
	struct signed_set ours;
	struct signed_walk w = { .set = { kept, now, &ours } };
	const struct signed_row *version = NULL;
	size_t room = 0;
	int all = 1;

	*out = (struct signed_set){ 0 };
	if (signed_schema_rows(a, &ours, e) < 0)
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
			r = add_cells(s, a, k, n->cells, &row.cells, e);
		if (r < 0)
			return -1;
		all = all && r == 1;
		*signed_rows_add(a, out, &room) = row;
	}
	/* Until nothing is left to add, it is the copy of an older store. */
	for (size_t i = 0; all && version != NULL && i < out->n; i++)
		if (str_eq(out->v[i].tab, version->tab))
			out->v[i] = *version;
	return 0;
}
