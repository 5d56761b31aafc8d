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
	SETTLED = 16,   /* rows of one call, */
	LOST = 2,       /* and those that the server did not answer for */
	PART = 4,       /* of the time that the call has left */
	TRIED_S = 86400 /* so long a move is tried again if the line drops */
};

/* Policy is asked again.  What the operator agreed to was agreed to. */
static bool
journal_settle_may(struct mailbox *m, const struct store_journal *row,
    int64_t named)
{
	struct policy_facts f = { .effect = EFFECT_ORGANISE };
	enum verdict verdict;
	struct err none = { 0 };

	if (m->gate->operates != NULL && row->id == named)
		return true;
	str_push(m->arena, &f.folders, row->folder);
	str_push(m->arena, &f.folders, row->target);
	f.frozen = !str_eq(row->principal, S("operator")) &&
	    store_freeze_has(m->gate->store, row->principal, row->account,
		&none) != 0;
	verdict = policy_decide(m->rules, &f).verdict;
	return verdict == VERDICT_ALLOW || verdict == VERDICT_ASK;
}

static void
journal_settle_put(struct mailbox *m, struct store_journal *row, bool copies)
{
	struct err none = { 0 };

	row->state = journal_state(row, copies);
	if (row->move)
		journal_follow(m, row);
	(void)store_journal_settle(m->gate->store, row, row->state, &none);
}

/* What is not known otherwise: all of it was done, or none. */
static void
journal_settle_all(struct store_journal *row, bool done)
{
	for (size_t i = 0; i < row->n; i++)
		row->v[i].done = done;
}

/*
 * 1: it is over; -1: the server cannot be asked.  What the server refuses is
 * over, and so is, in the end, what drops the line each time; but no original
 * is left with the mark of one that is to be removed.
 */
static int
journal_settle_rest(struct mailbox *m, struct store_journal *row)
{
	struct err e = { 0 }, look = { 0 };
	int r = journal_move_rest(m, row, &e);

	if (r < 0 && journal_is_lost(&e) &&
	    clock_now() < row->created_s + TRIED_S)
		return -1;
	e = (struct err){ 0 };
	if (r < 0 && journal_move_give_up(m, row, &e) < 0)
		return -1;
	if (journal_look(m, row, &look) < 0)
		journal_settle_all(row, r == 0);
	return 1;
}

/* Of a row whose copies are known. */
static int
journal_settle_copied(struct mailbox *m, struct store_journal *row)
{
	struct err e = { 0 };
	int r = 1;

	if (store_journal_settle_take(m->gate->store, row, &e) != 1)
		return 0;
	if (m->src->be->caps & CAP_UIDS)
		r = journal_settle_rest(m, row);
	else
		journal_settle_all(row, false);
	if (r == 1)
		journal_settle_put(m, row, true);
	else
		store_journal_settle_not(m->gate->store, row);
	return r;
}

/* -1: the server did not answer; 0: it was not asked, or refused; 1. */
static int
journal_settle_one(struct mailbox *m, struct store_journal *row, bool finishes,
    int64_t named)
{
	struct err e = { 0 };

	if (!store_journal_has_copies(row)) {
		if (journal_look(m, row, &e) < 0)
			return journal_is_lost(&e) ? -1 : 0;
		journal_settle_put(m, row, false);
		return 1;
	}
	/* The account is another since, where nobody knows these names. */
	if (!(m->src->be->caps & CAP_UIDS) ||
	    (finishes && journal_settle_may(m, row, named)))
		return journal_settle_copied(m, row);
	return 0;
}

/* The next one after that id, with its result.  False: there is none, or no
 * connection. */
static bool
journal_settle_next(struct mailbox *m, int64_t *after, bool finishes,
    int64_t named, int *r)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct store_journal row;
	struct err none = { 0 };
	struct mailbox one;

	if (store_journal_left(m->gate->store, a, m->src->acct.id, *after, &row,
		&none) != 1 ||
	    mailbox_open(m, &none) < 0)
		return false;
	*after = row.id;
	one = *m;
	one.arena = a;
	*r = journal_settle_one(&one, &row, finishes, named);
	m->conn = one.conn;
	return true;
}

bool
journal_settle_left(struct mailbox *m, bool finishes, int64_t named)
{
	const int64_t deadline_ms = m->src->view.deadline_ms;
	const int64_t until_ms =
	    clock_mono_ms() + clock_left_ms(deadline_ms) / PART;
	int64_t after = 0;
	int settled = 0, lost = 0, r;

	/* Without the server they stay as they are. */
	if (!(m->src->be->caps & (CAP_MARK | CAP_MOVE)))
		return false;
	m->src->view.deadline_ms = until_ms;
	while (settled < SETTLED && lost < LOST && clock_mono_ms() < until_ms &&
	    journal_settle_next(m, &after, finishes, named, &r)) {
		settled += r > 0;
		lost += r < 0;
	}
	m->src->view.deadline_ms = deadline_ms;
	return after != 0;
}

int
journal_settle_before(struct mailbox *m, const struct mailbox_set *set,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	const struct refs first = { set->refs.v, set->refs.n > 0 };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };

	if (!journal_settle_left(m, true, 0) ||
	    !(m->src->be->caps & CAP_UIDS) || first.n == 0)
		return 0;
	a = arena_open(LIMIT_ARENA);
	if (m->src->be->headers(m->conn, a, set->folder, &first, &st, &rows,
		e) < 0)
		return -1;
	if (st.uidvalidity == set->uidvalidity)
		return 0;
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}
