/*
 * Changes whose process has died.  Nothing is done again: the server is looked
 * at, and the row says what became of it.  Only a call that changes mail, or
 * asks for changes, does so, and with a part of its time: reading never waits.
 */
#include "base/clock.h"
#include "gate/journal.h"

enum {
	SETTLED = 16, /* rows of one call */
	PART = 4      /* of the time that the call has left */
};

static void
journal_settle_one(struct mailbox *m, struct store_journal *row)
{
	struct err none = { 0 };

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
