/*
 * Changes whose process has died.  Nothing is done again: the server is looked
 * at, and the row says what became of it.
 */
#include "gate/journal.h"

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
	size_t n = 0;

	if (!(m->src->be->caps & (CAP_MARK | CAP_MOVE)) ||
	    store_journal_left(m->gate->store, m->arena, m->src->acct.id, &v,
		&n, &none) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		journal_settle_one(m, &v[i]);
}
