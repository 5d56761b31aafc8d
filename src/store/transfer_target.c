/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a store is copied to: a draft of a file, which gets its name at the
 * end, or a transaction of a server, which is committed at the end.
 */
#include "store/opening.h"
#include "store/postgres_open.h"
#include "store/slot.h"
#include "store/transferring.h"

/* -- the place ------------------------------------------------------------- */

static int
transfer_target_is_empty(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int known = migrate_known(s, e), r;

	if (known < 0 || stmt_prepare(s, s->driver->parts, &st, e) < 0 ||
	    (r = stmt_step(s, st, e)) < 0)
		return transfer_fail(e);
	if (r == 0)
		return 0;
	(void)err_set(e, ERR_USAGE, "the target is not empty: %s",
	    known == 1 ? "there is a store already"
		       : "its schema has something in it");
	(void)err_because(e, "%.*s", STR_ARG(stmt_column(st, 0, a)));
	return err_hint(e,
	    "name a place where nothing is: a new file, or another schema "
	    "(schema=NAME)");
}

static int
transfer_target_open_file(struct transfer_target *t, struct err *e)
{
	if (copy_check(t->to, e) < 0 || copy_draft_begin(t->to, &t->d, e) < 0)
		return -1;
	return store_connect_open(t->d.file, &t->s, e) < 0 ||
		store_connect_use_wal(t->s, e) < 0
	    ? transfer_fail(e)
	    : 0;
}

int
transfer_target_open(const char *to, struct transfer_target *t, struct err *e)
{
	*t = (struct transfer_target){ .to = to,
		.is_file = !postgres_open_is(to),
		.d = { .fd = -1 } };
	if (t->is_file)
		return transfer_target_open_file(t, e);
	if (store_connect_open(to, &t->s, e) < 0)
		return transfer_fail(e);
	return transfer_target_is_empty(t->s, e);
}

/* -- what is made ---------------------------------------------------------- */

int
transfer_target_begin(struct transfer_target *t, struct err *e)
{
	/* What is loaded has its signatures: none is made of it. */
	t->s->older = true;
	t->s->driver->be_operator(t->s);
	if (t->s->driver->durable(t->s, true, e) < 0 ||
	    tx_begin_alone(t->s, &t->tx, e) < 0)
		return transfer_fail(e);
	/* Others may have made one there meanwhile. */
	if (transfer_target_is_empty(t->s, e) < 0)
		return -1;
	if (migrate_run(t->s, migrations_all, e) < 0 ||
	    transfer_rows_empty(t->s, e) < 0)
		return transfer_fail(e);
	return 0;
}

int
transfer_target_operate(struct transfer_target *t,
    const struct store_keys *keys, struct err *e)
{
	CLEANUP(store_key_done) struct key key = { 0 };

	return store_key_admin(keys, &key, e) < 0
	    ? -1
	    : store_open_operate(t->s, &key, e);
}

int
transfer_target_put(struct transfer_target *t, struct arena *a,
    struct str *place, struct err *e)
{
	*place = t->is_file ? str_of(t->to) : store_about(t->s, a);
	if (tx_commit(&t->tx, e) < 0)
		return transfer_fail(e);
	if (!t->is_file)
		return 0;
	return copy_close_whole(&t->s, t->d.file, e) < 0
	    ? -1
	    : copy_publish_new(&t->d, t->to, e);
}

void
transfer_target_drop(struct transfer_target *t)
{
	tx_done(&t->tx);
	store_close(&t->s);
	if (t->is_file)
		copy_draft_drop(&t->d);
}
