/* Changes of mail, as agents are told of them: no more than they asked for. */
#include "gate/changes.h"
#include "gate/journal.h"

void
changes_tell(const struct store_journal *row, struct mailbox_change *out)
{
	*out = (struct mailbox_change){
		.id = row->id,
		.created_s = row->created_s,
		.state = store_journal_word(row->state),
		.move = row->move,
		.folder = row->folder,
		.target = row->target,
		.set = row->set,
		.clear = row->clear,
		.add = row->add,
		.drop = row->drop,
		.n = row->n,
		.done = row->done,
	};
}

/* Without the server they stay as they are. */
static int
changes_settle(struct mailbox *m, struct err *e)
{
	struct store_journal *left = NULL;
	struct err none = { 0 };
	size_t n = 0;

	if (store_journal_left(m->gate->store, m->arena, m->src->acct.id, 1,
		&left, &n, e) < 0)
		return -1;
	if (n > 0 && mailbox_open(m, &none) == 0)
		journal_settle_left(m);
	return 0;
}

int
changes_own(struct mailbox *m, int64_t before, size_t limit,
    struct mailbox_change **out, size_t *n, struct err *e)
{
	const struct store_journal_query q = {
		.account = m->src->acct.id,
		.principal = m->gate->principal,
		.before = before,
		.limit = limit,
	};
	struct store_journal *v = NULL;

	if (changes_settle(m, e) < 0 ||
	    store_journal_list(m->gate->store, m->arena, &q, &v, n, e) < 0)
		return -1;
	*out = arena_array(m->arena, *n, sizeof(**out));
	for (size_t i = 0; i < *n; i++)
		changes_tell(&v[i], &(*out)[i]);
	return 0;
}
