/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes whose process has died.  Nothing is made again: the server is looked
 * at, and the row says what became of it.  Only a call that changes mail, or
 * asks for changes, does so, and with a part of its time: reading never waits.
 *
 * A move whose copies are known is finished: their originals are removed.
 * That changes mail, so only a call that changes mail does it, and only where
 * its agent could move them now.  Until then the change is not over, the
 * messages are in both folders, and no other change of them begins.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/journal.h"
#include "store/freeze.h"

enum {
	SETTLED = 16,   /* rows of one call */
	PART = 4,       /* of the time that the call has left */
	TRIED_S = 86400 /* so long a move is tried again if the line drops */
};

/* Policy is asked again.  What the operator agreed to was agreed to. */
static bool
journal_settle_may(struct mailbox *m, const struct store_journal *row)
{
	struct policy_facts f = { .effect = EFFECT_ORGANISE };
	enum verdict verdict;
	struct err none = { 0 };

	if (m->gate->operates != NULL)
		return true;
	str_push(m->arena, &f.folders, row->folder);
	str_push(m->arena, &f.folders, row->target);
	f.frozen = !str_eq(row->principal, S("operator")) &&
	    store_freeze_has(m->gate->store, row->principal, row->account,
		&none) != 0;
	verdict = policy_decide(m->rules, &f).verdict;
	return verdict == VERDICT_ALLOW || verdict == VERDICT_ASK;
}

/* 1: its result is in the row; 0; -1: the server cannot be asked. */
static int
journal_settle_look(struct mailbox *m, struct store_journal *row, bool copied)
{
	struct err e = { 0 };

	if (journal_look(m, row, &e) < 0)
		return journal_is_lost(&e) ? -1 : 0;
	row->state = journal_state(row);
	/* "failed" is what certainly changed nothing. */
	if (copied && row->state == STORE_JOURNAL_FAILED)
		row->state = STORE_JOURNAL_PARTLY;
	if (row->move)
		journal_follow(m, row);
	return 1;
}

/*
 * What the server refuses is looked at, like any other change; and so is, in
 * the end, what drops the line each time.
 */
static int
journal_settle_rest(struct mailbox *m, struct store_journal *row)
{
	struct refs moved = { 0 };
	struct err e = { 0 };
	bool lost;
	int r;

	if (store_journal_settle_take(m->gate->store, row, &e) != 1)
		return 0;
	lost = journal_move_rest(m, row, &moved, &e) < 0 && journal_is_lost(&e);
	r = lost && clock_now() < row->created_s + TRIED_S
	    ? -1
	    : journal_settle_look(m, row, true);
	if (r == 1)
		(void)store_journal_settle(m->gate->store, row, row->state, &e);
	else
		store_journal_settle_not(m->gate->store, row);
	return r;
}

/* -1: the server cannot be asked; 0: it was not; 1. */
static int
journal_settle_one(struct mailbox *m, struct store_journal *row, bool finishes)
{
	struct err none = { 0 };
	int r;

	/* It was made through a backend with uids, and that may be another now.
	 */
	if (store_journal_has_copies(row) && (m->src->be->caps & CAP_UIDS) != 0)
		return finishes && journal_settle_may(m, row)
		    ? journal_settle_rest(m, row)
		    : 0;
	r = journal_settle_look(m, row, false);
	if (r == 1)
		(void)store_journal_settle(m->gate->store, row, row->state,
		    &none);
	return r;
}

/* The next one after that id.  -1: there is none, or the server cannot be
 * asked. */
static int
journal_settle_next(struct mailbox *m, int64_t *after, bool finishes)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct store_journal row;
	struct err none = { 0 };
	struct mailbox one;
	int r;

	if (store_journal_left(m->gate->store, a, m->src->acct.id, *after, &row,
		&none) != 1 ||
	    mailbox_open(m, &none) < 0)
		return -1;
	*after = row.id;
	one = *m;
	one.arena = a;
	r = journal_settle_one(&one, &row, finishes);
	m->conn = one.conn;
	return r;
}

void
journal_settle_left(struct mailbox *m, bool finishes)
{
	const int64_t deadline_ms = m->src->view.deadline_ms;
	const int64_t until_ms =
	    clock_mono_ms() + clock_left_ms(deadline_ms) / PART;
	int64_t after = 0;
	int tried = 0, r = 0;

	/* Without the server they stay as they are. */
	if (!(m->src->be->caps & (CAP_MARK | CAP_MOVE)))
		return;
	m->src->view.deadline_ms = until_ms;
	while (r >= 0 && tried < SETTLED && clock_mono_ms() < until_ms) {
		r = journal_settle_next(m, &after, finishes);
		tried += r > 0;
	}
	m->src->view.deadline_ms = deadline_ms;
}
