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

int
tx_begin(struct store *s, struct tx *t, struct err *e)
{
	if (sqlite3_get_autocommit(s->db) == 0)
		return 0;
	if (stmt_exec(s, "BEGIN IMMEDIATE", e) < 0)
		return -1;
	t->s = s;
	return signed_copy_begin(s, e);
}

int
tx_begin_read(struct store *s, struct tx *t, struct err *e)
{
	if (sqlite3_get_autocommit(s->db) == 0)
		return 0;
	if (stmt_exec(s, "BEGIN", e) < 0)
		return -1;
	t->s = s;
	return 0;
}

int
tx_commit(struct tx *t, struct err *e)
{
	if (t->s == NULL)
		return 0;
	if (signed_copy_renew(t->s, e) < 0 || stmt_exec(t->s, "COMMIT", e) < 0)
		return -1;
	signed_copy_drop(t->s);
	t->s = NULL;
	return 0;
}

void
tx_done(struct tx *t)
{
	if (t->s == NULL)
		return;
	/*
	 * Some errors have already rolled back; then this one fails,
	 * harmlessly.
	 */
	(void)sqlite3_exec(t->s->db, "ROLLBACK", NULL, NULL, NULL);
	signed_copy_drop(t->s);
	t->s = NULL;
}
