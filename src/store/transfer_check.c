/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is looked at on both ends of a copy.  What is not as emcli wrote it is
 * not copied: in the copy it would be as old as everything else there.
 */
#include "store/chain.h"
#include "store/check.h"
#include "store/transferring.h"

static int
transfer_check_head(struct store *s, struct arena *a,
    struct store_transferred *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_prepare(s,
		"SELECT seq, hash FROM audit_link ORDER BY seq DESC LIMIT 1",
		&st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1) {
		out->link = stmt_column_int(st, 0);
		out->head = str_first(stmt_column(st, 1, a), (size_t)CHAIN_HEX);
	}
	return r < 0 ? -1 : 0;
}

int
transfer_check(struct store *s, struct arena *a, struct store_transferred *out,
    struct err *e)
{
	struct store_checked v = { .chain = { .whole = true } };

	if (store_check_rows(s, a, &v, e) < 0 ||
	    transfer_check_head(s, a, out, e) < 0)
		return -1;
	out->chain = v.chain;
	if (v.faults.n == 0)
		return 0;
	(void)err_set(e, ERR_DB, "the database is not as emcli wrote it");
	(void)err_because(e, "%.*s", STR_ARG(v.faults.v[0]));
	return err_hint(e, "emcli store check lists what is wrong");
}

int
transfer_check_count(struct store *s, struct arena *a,
    struct store_transferred *out, struct err *e)
{
	const char *table;

	for (size_t i = 0; (table = transfer_rows_table(i)) != NULL; i++) {
		struct store_transfer_table *t;

		out->tables =
		    arena_more(a, out->tables, out->n, sizeof(*out->tables));
		t = &out->tables[out->n++];
		t->name = table;
		if (transfer_rows_count(s, table, &t->rows, e) < 0)
			return -1;
		out->rows += t->rows;
	}
	return 0;
}

int
transfer_check_same(const struct store_transferred *is,
    const struct store_transferred *was, struct err *e)
{
	const char *what = NULL;

	for (size_t i = 0; what == NULL && i < was->n; i++)
		if (i >= is->n || is->tables[i].rows != was->tables[i].rows)
			what = was->tables[i].name;
	if (what == NULL &&
	    (is->link != was->link || !str_eq(is->head, was->head) ||
		is->chain.rows != was->chain.rows ||
		is->chain.signatures != was->chain.signatures))
		what = "the audit log";
	if (what == NULL)
		return 0;
	(void)err_set(e, ERR_DB, "the copy differs from the database");
	return err_because(e, "%s", what);
}
