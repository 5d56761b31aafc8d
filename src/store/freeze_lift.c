/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lifts freezes, and extends held messages by the time they were frozen.  For a
 * message, the seconds count in which at least one freeze covered it, once
 * however many did.  So a lift adds only the time before the earliest freeze
 * that still covers the message; lifting that one adds the rest.  None of that
 * time was added before: an earlier lift added time up to this freeze's start
 * at most, because this freeze covered the message too.
 */
#include "base/clock.h"
#include "store/freeze.h"
#include "store/freeze_row.h"
#include "store/internal.h"

static int
store_freeze_lift_give_time(struct store *s, struct str agent, int64_t account,
    struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox SET frozen_s = frozen_s + max(0,"
	    " min(?3, coalesce((SELECT min(g.at_s) FROM freeze g"
	    " WHERE g.rowid <> f.rowid"
	    " AND g.agent IN ('', outbox.principal)"
	    " AND g.account_id IN (0, outbox.account_id)), ?3))"
	    " - max(outbox.created_s, f.at_s)) FROM freeze f"
	    " WHERE f.agent = ?1 AND f.account_id = ?2"
	    " AND outbox.state = 'held'"
	    " AND f.agent IN ('', outbox.principal)"
	    " AND f.account_id IN (0, outbox.account_id)";

	return stmt_do(s, e, sql, V(agent), V(account), V(clock_now()));
}

int
store_freeze_lift(struct store *s, struct str agent, struct str account,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t id;

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    freeze_account(s, account, &id, e) < 0 ||
	    store_freeze_lift_give_time(s, agent, id, e) < 0 ||
	    stmt_do(s, e,
		"DELETE FROM freeze WHERE agent = ?1 AND account_id = ?2",
		V(agent), V(id)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "that is not frozen");
	return tx_commit(&t, e);
}

/* The time until now that is covered begins with the earliest freeze. */
static int
store_freeze_lift_give_all(struct store *s, struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox SET frozen_s = frozen_s + max(0, ?1"
	    " - max(created_s, coalesce((SELECT min(g.at_s) FROM freeze g"
	    " WHERE g.agent IN ('', outbox.principal)"
	    " AND g.account_id IN (0, outbox.account_id)), ?1)))"
	    " WHERE state = 'held'";

	return stmt_do(s, e, sql, V(clock_now()));
}

int
store_freeze_lift_all(struct store *s, size_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_freeze_lift_give_all(s, e) < 0 ||
	    stmt_prepare(s, "DELETE FROM freeze WHERE true", &st, e) < 0 ||
	    stmt_run(s, st, e) < 0)
		return -1;
	*n = (size_t)stmt_changes(s);
	if (*n == 0)
		return err_set(e, ERR_NOT_FOUND, "nothing is frozen");
	return tx_commit(&t, e);
}
