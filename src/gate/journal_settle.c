/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes whose process has died.  Nothing is made again: the server is looked
 * at, and the row says what became of it.  Only a call that changes mail, or
 * asks for changes, does so, and with a part of its time: reading never waits.
 *
 * A move whose copies are known is finished: their originals are removed.
 * That changes mail, so it is done only where its agent could move them now;
 * until then the change is not over, and the messages are in both folders.
 */
#include "base/clock.h"
#include "gate/journal.h"
#include "store/freeze.h"

enum {
	SETTLED = 16, /* rows of one call */
	PART = 4      /* of the time that the call has left */
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

/* What the server refuses is looked at, like any other change. */
static void
journal_settle_rest(struct mailbox *m, struct store_journal *row)
{
	struct refs moved = { 0 };
	struct err e = { 0 };
	int r;

	if (!journal_settle_may(m, row) ||
	    store_journal_settle_take(m->gate->store, row, &e) != 1)
		return;
	r = journal_move_rest(m, row, &moved, &e);
	(void)journal_finish(m, row, r, &moved, &e);
}

static void
journal_settle_one(struct mailbox *m, struct store_journal *row)
{
	struct err none = { 0 };

	/* It was made through a backend with uids, and that may be another now.
	 */
	if (store_journal_has_copies(row) &&
	    (m->src->be->caps & CAP_UIDS) != 0) {
		journal_settle_rest(m, row);
		return;
	}
	if (journal_look(m, row, &none) < 0)
		return;
	row->state = journal_state(row);
	if (row->move)
		journal_follow(m, row);
	(void)store_journal_settle(m->gate->store, row, row->state, &none);
}

void
journal_settle_left(struct mailbox *m)
{
	struct store_journal *v = NULL;
	struct err none = { 0 };
	int64_t until_ms =
	    clock_mono_ms() + clock_left_ms(m->src->view.deadline_ms) / PART;
	size_t n = 0;

	/* Without the server they stay as they are. */
	if (!(m->src->be->caps & (CAP_MARK | CAP_MOVE)) ||
	    store_journal_left(m->gate->store, m->arena, m->src->acct.id,
		SETTLED, &v, &n, &none) < 0 ||
	    n == 0 || mailbox_open(m, &none) < 0)
		return;
	for (size_t i = 0; i < n && clock_mono_ms() < until_ms; i++)
		journal_settle_one(m, &v[i]);
}
