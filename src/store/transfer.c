/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a store row by row.  The store is checked before a row is read, and
 * its transaction ends before the copy is checked: a server gives up one in
 * which nothing happens.  The copy is committed when all of it was checked.
 */
#include "store/transfer.h"

#include "store/transferring.h"

/* The first read fixes the moment. */
static int
transfer_look(const struct store_transfer *x, struct arena *a,
    struct store_transferred *out, struct err *e)
{
	if (transfer_check_count(x->from, a, out, e) < 0 ||
	    (x->begun != NULL && x->begun(x->ctx, e) < 0))
		return -1;
	return transfer_check(x->from, a, out, e);
}

static int
transfer_from(const struct store_transfer *x, struct transfer_target *t,
    struct arena *a, struct store_transferred *out, struct err *e)
{
	CLEANUP(tx_done) struct tx moment = { 0 };

	if (tx_begin_read(x->from, &moment, e) < 0 ||
	    transfer_look(x, a, out, e) < 0)
		return -1;
	return transfer_target_begin(t, e) < 0 ||
		transfer_rows(x, t->s, out->is.rows, e) < 0
	    ? -1
	    : 0;
}

static int
transfer_verify(const struct store_transfer *x, struct transfer_target *t,
    struct arena *a, const struct store_transferred *was, struct err *e)
{
	struct store_transferred is = { 0 };

	if (transfer_target_operate(t, x->keys, e) < 0 ||
	    transfer_check_count(t->s, a, &is, e) < 0 ||
	    transfer_check(t->s, a, &is, e) < 0 ||
	    transfer_check_same(&is, was, e) < 0)
		return transfer_fail(e);
	return 0;
}

int
store_transfer(const struct store_transfer *x, struct arena *a,
    struct store_transferred *out, struct err *e)
{
	CLEANUP(transfer_target_drop) struct transfer_target t = { 0 };
	int r;

	*out = (struct store_transferred){ 0 };
	if (store_key_need_admin(x->from, e) < 0 ||
	    transfer_target_open(x->to, &t, e) < 0)
		return -1;
	r = transfer_from(x, &t, a, out, e);
	if (r == 0)
		r = transfer_verify(x, &t, a, out, e);
	if (x->progress != NULL)
		x->progress(1, 1);
	return r < 0 ? -1 : transfer_target_put(&t, a, &out->place, e);
}
