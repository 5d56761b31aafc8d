/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What agents know of messages that were moved.  A store without uids is asked
 * for the numbers of its target only where somebody knows that folder, or
 * where a listing costs no request to a server.
 */
#include "gate/journal.h"
#include "gate/uids.h"

/* Is what is known of this folder needed?  1, 0, -1. */
static int
journal_follow_is_due(struct mailbox *m, const struct store_journal *row,
    struct err *e)
{
	struct store *s = m->gate->store;
	int64_t account = m->src->acct.id;
	int r;

	if (row->folder.n == 0 || row->target.n == 0)
		return 0;
	/* Of one that comes back: what was known of it there before. */
	if (row->undoes != 0)
		return store_seen_follow_due(s, account, row->target, e);
	r = store_seen_follow_due(s, account, row->folder, e);
	if (r <= 0 || m->src->acct.process_backlog)
		return r;
	return store_seen_follow_due(s, account, row->target, e);
}

/* The numbers of what is newest there. */
static int
journal_follow_number(struct mailbox *m, struct store_journal *row,
    struct err *e)
{
	struct refs newest = { 0 };
	struct uids u;
	size_t at = 0;

	if (uids_learn(m, row->target, &u, e) < 0)
		return -1;
	if (u.native)
		return 0;
	row->target_uidvalidity = u.map.uidvalidity;
	/* Some may have come in meanwhile. */
	if (uids_below(m, &u, m->arena, 1, UINT32_MAX, 2 * row->n + 100,
		&newest, e) < 0)
		return -1;
	for (size_t i = row->n; i-- > 0;)
		for (size_t k = 0; row->v[i].done && k < newest.n; k++) {
			const struct ref *ref = &newest.v[(at + k) % newest.n];

			if (!str_eq(ref->id, row->v[i].new_id))
				continue;
			row->v[i].new_uid = ref->uid;
			at = (at + k) % newest.n;
			break;
		}
	return 0;
}

static int
journal_follow_put(struct mailbox *m, const struct store_journal *row,
    struct err *e)
{
	uint32_t *was = arena_array(m->arena, row->n, sizeof(*was));
	uint32_t *is = arena_array(m->arena, row->n, sizeof(*is));
	struct store_seen_follow f = {
		.account = m->src->acct.id,
		.from = row->folder,
		.to = row->target,
		.from_uidvalidity = row->uidvalidity,
		.to_uidvalidity = row->target_uidvalidity,
		.backlog = m->src->acct.process_backlog,
		.was = was,
		.is = is,
	};

	for (size_t i = 0; i < row->n; i++) {
		if (!row->v[i].done || row->v[i].uid == 0 ||
		    row->v[i].new_uid == 0)
			continue;
		was[f.n] = row->v[i].uid;
		is[f.n++] = row->v[i].new_uid;
	}
	if (f.n == 0 || f.to_uidvalidity == 0)
		return 0;
	return store_seen_follow(m->gate->store, &f, e);
}

/*
 * A message that comes back has another uid there: what was known of it by the
 * old one holds again, also for agents that never looked where it was
 * meanwhile.
 */
static int
journal_follow_back(struct mailbox *m, const struct store_journal *row,
    struct err *e)
{
	uint32_t *was = arena_array(m->arena, row->n, sizeof(*was));
	uint32_t *is = arena_array(m->arena, row->n, sizeof(*is));
	struct store_seen_follow f = {
		.account = m->src->acct.id,
		.from = row->target,
		.to = row->target,
		.from_uidvalidity = row->target_uidvalidity,
		.to_uidvalidity = row->target_uidvalidity,
		.was = was,
		.is = is,
	};
	struct store_journal of;

	if (store_journal_get(m->gate->store, m->arena, row->undoes, &of, e) <
	    0)
		return -1;
	for (size_t i = 0; i < row->n; i++) {
		const struct store_journal_message *v = &row->v[i];

		if (!v->done || v->new_uid == 0 || v->origin >= of.n ||
		    of.v[v->origin].uid == 0)
			continue;
		was[f.n] = of.v[v->origin].uid;
		is[f.n++] = v->new_uid;
	}
	if (f.n == 0 || f.to_uidvalidity == 0 ||
	    of.uidvalidity != f.to_uidvalidity)
		return 0;
	return store_seen_follow(m->gate->store, &f, e);
}

void
journal_follow(struct mailbox *m, struct store_journal *row)
{
	struct err none = { 0 };
	int due = journal_follow_is_due(m, row, &none);

	if (due < 0 ||
	    ((due == 1 || (m->src->be->caps & CAP_LISTING)) &&
		journal_follow_number(m, row, &none) < 0))
		return;
	if (due == 1)
		(void)journal_follow_put(m, row, &none);
	if (due == 1 && row->undoes != 0)
		(void)journal_follow_back(m, row, &none);
}
