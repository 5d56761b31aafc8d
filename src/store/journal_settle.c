/* SPDX-License-Identifier: Apache-2.0 */
/* Records the result of a change. */
#include "base/clock.h"
#include "store/journal.h"
#include "store/journal_row.h"
#include "store/outbox_row.h"

/* Most changes did the same to all messages, and told no new names. */
static bool
store_journal_settle_is_plain(const struct store_journal *row)
{
	for (size_t i = 0; i < row->n; i++)
		if (row->v[i].new_uid != 0 || row->v[i].new_id.n > 0 ||
		    row->v[i].done != row->v[0].done)
			return false;
	return row->n > 0;
}

static int
store_journal_settle_put_results(struct store *s,
    const struct store_journal *row, struct err *e)
{
	static const char all[] =
	    "UPDATE journal_message SET done = ?2, new_uid = 0, new_ref = ''"
	    " WHERE journal_id = ?1";
	static const char each[] =
	    "UPDATE journal_message SET done = ?3, new_uid = ?4, new_ref = ?5"
	    " WHERE journal_id = ?1 AND place = ?2";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (store_journal_settle_is_plain(row))
		return stmt_do(s, e, all, V(row->id),
		    V((int64_t)row->v[0].done));
	if (stmt_ask(s, e, each, &st, V(row->id)) < 0)
		return -1;
	for (size_t i = 0; i < row->n; i++) {
		stmt_int(st, 2, (int64_t)i);
		stmt_int(st, 3, row->v[i].done);
		stmt_int(st, 4, row->v[i].new_uid);
		stmt_text(st, 5, row->v[i].new_id);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

/* -- copies ---------------------------------------------------------------- */

int
store_journal_settle_copied(struct store *s, const struct store_journal *row,
    struct err *e)
{
	static const char sql[] =
	    "UPDATE journal SET target_uidvalidity = ?2, changed_s = ?3"
	    " WHERE id = ?1 AND state = 'begun'";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_durable(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(row->id), V(row->target_uidvalidity),
		V(clock_now())) < 0)
		return -1;
	if (stmt_changes(s) != 1)
		return err_set(e, ERR_DB, "the change is not under way");
	if (store_journal_settle_put_results(s, row, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

/* Is it begun still, and does no process live that makes it?  1, 0, -1. */
static int
store_journal_settle_is_left(struct store *s, int64_t id, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM journal WHERE id = ?1 AND state = 'begun'";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r != 1)
		return r;
	r = outbox_lock_held(s, JOURNAL_LOCK + id, e);
	return r < 0 ? -1 : !r;
}

int
store_journal_settle_take(struct store *s, const struct store_journal *row,
    struct err *e)
{
	CLEANUP(outbox_lock_unready) struct store *locks = s;
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	/* A send's may be held. */
	if (s->sending != NULL)
		return 0;
	/* Most are another process's, which needs no connection. */
	r = store_journal_settle_is_left(s, row->id, e);
	if (r != 1)
		return r;
	if (outbox_lock_ready(locks, e) < 0 || tx_begin(s, &t, e) < 0)
		return -1;
	r = store_journal_settle_is_left(s, row->id, e);
	if (r == 1 && outbox_lock_take(s, JOURNAL_LOCK + row->id, e) < 0)
		return -1;
	return r;
}

enum {
	/* A result has at least so many milliseconds, whatever is left of the
	 * call's time. */
	SETTLE_MS = 5000
};

/* -- the result ------------------------------------------------------------ */

static int
store_journal_settle_put(struct store *s, const struct store_journal *row,
    enum store_journal_state to, struct err *e)
{
	static const char sql[] =
	    "UPDATE journal SET state = ?2, changed_s = ?3,"
	    " target_uidvalidity = ?4 WHERE id = ?1 AND state = 'begun'";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(row->id), V(str_of(journal_row_word(to))),
		V(clock_now()), V(row->target_uidvalidity)) < 0)
		return -1;
	if (stmt_changes(s) != 1)
		return 0;
	if (store_journal_settle_put_results(s, row, e) < 0 ||
	    (row->undoes != 0 && journal_undo_mark(s, row, e) < 0))
		return -1;
	return tx_commit(&t, e);
}

int
store_journal_settle(struct store *s, const struct store_journal *row,
    enum store_journal_state to, struct err *e)
{
	int r;

	if (to != STORE_JOURNAL_DONE && to != STORE_JOURNAL_PARTLY &&
	    to != STORE_JOURNAL_FAILED)
		err_bug("store: that is no end of a change");
	until_least(s, SETTLE_MS);
	r = store_journal_settle_put(s, row, to, e);
	/* After the commit, as in outbox_settle.c. */
	store_journal_settle_not(s, row);
	return r;
}

/* What another process left has no lock, and a send's may be held. */
void
store_journal_settle_not(struct store *s, const struct store_journal *row)
{
	outbox_lock_drop_of(s, JOURNAL_LOCK + row->id);
}

void
store_journal_settle_later(struct store *s, const struct store_journal *row)
{
	/* Also if the clock was set back. */
	static const char sql[] =
	    "UPDATE journal SET changed_s = max(?2, 1 + (SELECT"
	    " coalesce(max(changed_s), 0) FROM journal WHERE account_id = ?3"
	    " AND state = 'begun' AND id <> ?1))"
	    " WHERE id = ?1 AND state = 'begun'";
	struct err none = { 0 };

	(void)stmt_do(s, &none, sql, V(row->id), V(clock_now()),
	    V(row->account));
	store_journal_settle_not(s, row);
}

int
store_journal_settle_none(struct store *s, const struct store_journal *row,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	until_least(s, SETTLE_MS);
	r = tx_begin(s, &t, e) < 0 ||
		stmt_do(s, e,
		    "DELETE FROM journal WHERE id = ?1 AND state = 'begun'",
		    V(row->id)) < 0 ||
		(row->approval != 0 && outbox_change_fail(s, row->id, e) < 0) ||
		tx_commit(&t, e) < 0
	    ? -1
	    : 0;

	store_journal_settle_not(s, row);
	return r;
}
