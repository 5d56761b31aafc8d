/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is looked at on both ends of a copy.  What is not as emcli wrote it is
 * not copied: in the copy it would be as old as everything else there.
 */
#include "store/check.h"
#include "store/transferring.h"

int
transfer_check_count(struct store *s, struct arena *a,
    struct store_transferred *out, struct err *e)
{
	return store_info_count(s, a, &out->is, e) < 0
	    ? -1
	    : store_info_heads(s, a, &out->is, e);
}

int
transfer_check(struct store *s, struct arena *a, struct store_transferred *out,
    struct err *e)
{
	struct store_checked v = { .chain = { .whole = true } };

	if (store_check_rows(s, a, &v, e) < 0)
		return -1;
	out->chain = v.chain;
	if (v.faults.n == 0)
		return 0;
	(void)err_set(e, ERR_DB, "the database is not as emcli wrote it");
	(void)err_because(e, "%.*s", STR_ARG(v.faults.v[0]));
	return err_hint(e, "emcli store check lists what is wrong");
}

static bool
transfer_check_heads(const struct store_info *a, const struct store_info *b)
{
	for (size_t i = 0; i < a->n_heads && i < b->n_heads; i++)
		if (a->heads[i].link != b->heads[i].link ||
		    !str_eq(a->heads[i].hash, b->heads[i].hash))
			return false;
	return a->n_heads == b->n_heads;
}

int
transfer_check_same(const struct store_transferred *is,
    const struct store_transferred *was, struct err *e)
{
	const char *what = NULL;

	for (size_t i = 0; what == NULL && i < was->is.n; i++)
		if (is->is.tables[i].rows != was->is.tables[i].rows)
			what = was->is.tables[i].name;
	if (what == NULL &&
	    (!transfer_check_heads(&is->is, &was->is) ||
		is->chain.rows != was->chain.rows ||
		is->chain.signatures != was->chain.signatures))
		what = "the audit log";
	if (what == NULL)
		return 0;
	(void)err_set(e, ERR_DB, "the copy differs from the database");
	return err_because(e, "%s", what);
}
