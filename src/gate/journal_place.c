/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the journal in a folder. */
#include "gate/journal_place.h"

#include "base/limits.h"
#include "gate/judge.h"

bool
journal_place_same_ref(const struct ref *x, const struct ref *y)
{
	return x->id.n > 0 || y->id.n > 0 ? str_eq(x->id, y->id)
					  : x->uid == y->uid;
}

int
journal_place_rows(struct mailbox *m, struct arena *a, struct str folder,
    uint32_t uidvalidity, const struct refs *refs, struct folder_state *st,
    struct rows *rows, struct err *e)
{
	*rows = (struct rows){ 0 };
	if (m->src->be->headers(m->conn, a, folder, refs, st, rows, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	if ((m->src->be->caps & CAP_UIDS) && uidvalidity != 0 &&
	    st->uidvalidity != uidvalidity)
		rows->n = 0;
	judge_ahead(m, a, rows);
	return 1;
}

int
journal_place_page(struct mailbox *m, struct arena *a, struct str folder,
    struct journal_place *t, struct folder_state *st, struct rows *rows,
    struct err *e)
{
	struct query q = { .folder = folder };
	struct refs among = { 0 };

	if (t->uids.native) {
		q.uid_max = t->top < UINT32_MAX ? t->top : 0;
	} else {
		if (uids_below(m, &t->uids, a, 1, t->top, LIMIT_PAGE, &among,
			e) < 0)
			return -1;
		q.among = &among;
	}
	if (m->src->be->find(m->conn, a, &q, LIMIT_PAGE, st, rows, e) < 0)
		return -1;
	uids_apply(&t->uids, st, rows);
	judge_ahead(m, a, rows);
	t->top = rows->n < LIMIT_PAGE ? 0 : rows->v[rows->n - 1].ref.uid - 1;
	return 0;
}
