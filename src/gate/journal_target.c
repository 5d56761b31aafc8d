/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that were moved, or were to be, as the target shows them: by their
 * digests among its newest, then by Message-ID.
 *
 * A server without MOVE copies first.  If that was cut off before its answer
 * was written down, a message is in both folders.  Nothing is removed then:
 * only that answer said which copy is its own.  The row says that there is one.
 */
#include "base/limits.h"
#include "gate/journal_place.h"
#include "gate/judge.h"

enum {
	ASKED = 100 /* messages that are asked for one by one */
};

struct journal_target {
	struct store_journal *j;
	const bool *there; /* where it was */
	struct journal_place place;
	bool copies;       /* are they looked for? */
	size_t gone, left; /* not found yet: of those not there, and of all */
};

/* Is it looked for, and was it not found yet? */
static bool
journal_target_lacks(const struct journal_target *t, size_t i)
{
	const struct store_journal_message *v = &t->j->v[i];

	return !v->done && !store_journal_is_copied(v) &&
	    (t->copies || !t->there[i]);
}

/* Each row is only one message's, and first of one that is not elsewhere. */
static void
journal_target_match(struct mailbox *m, struct arena *a,
    struct journal_target *t, const struct row *row)
{
	unsigned char is[STORE_JOURNAL_DIGEST];
	struct store_journal_message *v = t->j->v;
	size_t at = t->j->n;
	struct mail mail;

	(void)judge_row(m, a, row, &mail);
	journal_message_digest(&mail, is);
	for (size_t i = 0; i < t->j->n; i++) {
		/* It was met before. */
		if (row->ref.uid != 0 && v[i].new_uid == row->ref.uid)
			return;
		if (journal_target_lacks(t, i) &&
		    memcmp(is, v[i].digest, sizeof(is)) == 0 &&
		    (at == t->j->n || (t->there[at] && !t->there[i])))
			at = i;
	}
	if (at == t->j->n)
		return;
	v[at].done = !t->there[at];
	v[at].new_uid = row->ref.uid;
	v[at].new_id = str_dup(m->arena, row->ref.id);
	t->gone -= v[at].done;
	t->left--;
}

static int
journal_target_newest(struct mailbox *m, struct journal_target *t,
    struct err *e)
{
	size_t pages = t->left / LIMIT_PAGE + JOURNAL_MORE_PAGES;

	for (; t->left > 0 && pages > 0 && t->place.top > 0; pages--) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct folder_state st = { 0 };
		struct rows rows = { 0 };

		if (journal_place_page(m, a, t->j->target, &t->place, &st,
			&rows, e) < 0)
			return -1;
		t->j->target_uidvalidity = st.uidvalidity;
		for (size_t i = 0; i < rows.n && t->left > 0; i++)
			journal_target_match(m, a, t, &rows.v[i]);
	}
	return 0;
}

/* One that has left its folder, and is not among the newest. */
static int
journal_target_ask(struct mailbox *m, struct journal_target *t, size_t i,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct query q = { .folder = t->j->target,
		.message_id = t->j->v[i].message_id };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };

	if (m->src->be->find(m->conn, a, &q, LIMIT_PAGE_DEFAULT, &st, &rows,
		e) < 0)
		return -1;
	judge_ahead(m, a, &rows);
	for (size_t k = 0; k < rows.n && t->left > 0; k++)
		journal_target_match(m, a, t, &rows.v[k]);
	return 0;
}

int
journal_target(struct mailbox *m, struct store_journal *row, const bool *there,
    struct err *e)
{
	struct journal_target t = { row, there, .place.top = UINT32_MAX,
		/* Where a message keeps its id, there are none of it. */
		.copies = (m->src->be->caps & CAP_UIDS) != 0 };
	size_t asked = 0;

	for (size_t i = 0; i < row->n; i++) {
		t.gone += !there[i] && journal_target_lacks(&t, i);
		t.left += journal_target_lacks(&t, i);
	}
	if (t.left == 0)
		return 0;
	if (uids_learn(m, row->target, &t.place.uids, e) < 0 ||
	    journal_target_newest(m, &t, e) < 0)
		return -1;
	if (!t.copies || t.place.top == 0)
		return 0;
	for (size_t i = 0; i < row->n && t.gone > 0 && asked < ASKED; i++) {
		if (there[i] || !journal_target_lacks(&t, i) ||
		    row->v[i].message_id.n == 0)
			continue;
		asked++;
		if (journal_target_ask(m, &t, i, e) < 0)
			return -1;
	}
	return 0;
}
