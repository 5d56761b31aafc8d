/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write transactions.  All begin with the write lock, so that any number of
 * processes queue up (connect.c) and none fails half way.  A nested one
 * (store_whole_change()) is part of the outer one, which commits, and rolls
 * back if the inner one fails.  The operator's also write a signed copy of
 * their changes (signed.c).
 */
#include "store/chain.h"
#include "store/internal.h"
#include "store/setting_kept.h"

bool
tx_open(const struct store *s)
{
	return s->driver->in_transaction(s);
}

static int
tx_begin_write(struct store *s, struct tx *t, enum driver_begin how,
    struct err *e)
{
	if (tx_open(s))
		return 0;
	if (s->driver->begin(s, how, e) < 0)
		return -1;
	t->s = s;
	setting_kept_drop(s);
	return signed_copy_begin(s, e);
}

int
tx_begin(struct store *s, struct tx *t, struct err *e)
{
	/* What an operator's command checks, and then signs, is the same. */
	return tx_begin_write(s, t,
	    s->role == STORE_ADMIN ? DRIVER_ALONE : DRIVER_WRITE, e);
}

int
tx_begin_alone(struct store *s, struct tx *t, struct err *e)
{
	return tx_begin_write(s, t, DRIVER_ALONE, e);
}

int
tx_begin_append(struct store *s, struct tx *t, int want, int *out,
    struct err *e)
{
	if (tx_open(s))
		return s->driver->chain(s, want, out, e);
	if (s->driver->begin_append(s, want, out, e) < 0)
		return -1;
	t->s = s;
	setting_kept_drop(s);
	return 0;
}

int
tx_begin_read(struct store *s, struct tx *t, struct err *e)
{
	if (tx_open(s))
		return 0;
	if (s->driver->begin(s, DRIVER_READ, e) < 0)
		return -1;
	t->s = s;
	setting_kept_drop(s);
	return 0;
}

int
tx_commit(struct tx *t, struct err *e)
{
	if (t->s == NULL)
		return 0;
	if (signed_copy_renew(t->s, e) < 0 || t->s->driver->commit(t->s, e) < 0)
		return -1;
	signed_copy_drop(t->s);
	setting_kept_drop(t->s);
	t->s = NULL;
	return 0;
}

void
tx_done(struct tx *t)
{
	if (t->s == NULL)
		return;
	t->s->driver->rollback(t->s);
	signed_copy_drop(t->s);
	setting_kept_drop(t->s);
	t->s = NULL;
}
