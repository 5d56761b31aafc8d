/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of mail, as agents are told of them: no more than they asked for. */
#include "gate/changes.h"
#include "gate/internal.h"
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
		.copied = row->copied,
		.undone = row->undone,
		.undoes = row->undoes,
	};
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

	(void)journal_settle_left(m, false, 0);
	if (store_journal_list(m->gate->store, m->arena, &q, &v, n, e) < 0)
		return -1;
	*out = arena_array(m->arena, *n, sizeof(**out));
	for (size_t i = 0; i < *n; i++)
		changes_tell(&v[i], &(*out)[i]);
	return 0;
}

int
changes_held(struct mailbox *m, size_t limit, struct mailbox_waiting **out,
    size_t *n, struct err *e)
{
	struct store_outbox *v = NULL;

	if (store_outbox_change_list(m->gate->store, m->arena, m->src->acct.id,
		m->gate->principal, limit, &v, n, e) < 0)
		return -1;
	*out = arena_array(m->arena, *n, sizeof(**out));
	for (size_t i = 0; i < *n; i++) {
		struct mailbox_change ch;

		changes_tell(v[i].change, &ch);
		(*out)[i] = (struct mailbox_waiting){
			.id = v[i].id,
			.change = ch.id,
			.state = store_outbox_change_word(&v[i]),
			.what = changes_text(m->arena, &ch),
			.expires_s = v[i].state == STORE_OUTBOX_HELD
			    ? v[i].expires_s + v[i].frozen_s
			    : 0,
		};
	}
	return 0;
}
