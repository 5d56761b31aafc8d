/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates a copy with emcli's own changes, and only these: a row that others
 * changed keeps differing from its copy, cell by cell, whatever emcli writes
 * beside it.
 */
#include "store/chain.h"
#include "store/signed_rows.h"

static bool
same_value(struct str x, struct str y)
{
	return (x.p == NULL) == (y.p == NULL) && str_eq(x, y);
}

/* emcli's changes as written, everything else as in the copy. */
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

	*out = (struct signed_set){ 0 };
	while (signed_rows_step(&w)) {
		const struct signed_row *k = w.row[0], *b = w.row[1],
					*n = w.row[2];
		struct signed_row row;

		if ((b == NULL && n == NULL) ||
		    (b != NULL && n != NULL && str_eq(b->cells, n->cells))) {
			if (k != NULL)
				*signed_rows_add(a, out) = *k;
			continue;
		}
		/*
		 * Deleted; or a row of others, of which emcli changed a part.
		 */
		if (n == NULL || (b != NULL && k == NULL))
			continue;
		row = *n;
		if (b != NULL)
			row.cells =
			    merge_cells(a, k->cells, b->cells, n->cells);
		*signed_rows_add(a, out) = row;
	}
}
