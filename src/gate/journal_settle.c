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
	MOST = 16,      /* rows that one call settles, */
	LOST = 2,       /* and that the server did not answer for */
	PART = 4,       /* of the time that the call has left */
	TRIED_S = 86400 /* so long what is no answer is asked for again */
};

enum settled {
	SKIPPED, /* the server was not asked */
	OVER,
	LATER, /* it did not answer, or not for good */
};

/* Policy is asked again.  What the operator agreed to was agreed to. */
static bool
journal_settle_may(struct mailbox *m, const struct store_journal *row,
    int64_t named)
{
	struct policy_facts f = { .effect = EFFECT_ORGANISE };
	enum verdict verdict;
	struct err none = { 0 };

	/* His own are his to finish, in whatever account. */
	if (m->gate->operates != NULL &&
	    (row->id == named || str_eq(row->principal, S("operator"))))
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

/* With half of the time: a server that stalls leaves enough to give up. */
static int
journal_settle_try(struct mailbox *m, struct store_journal *row, struct err *e)
{
	const int64_t deadline_ms = m->src->view.deadline_ms;
	int r;

	m->src->view.deadline_ms =
	    clock_mono_ms() + clock_left_ms(deadline_ms) / 2;
	r = journal_move_rest(m, row, e);
	m->src->view.deadline_ms = deadline_ms;
	return r;
}

/*
 * Is the move given up?  No original is to be left with the mark of one that is
 * to be removed: a folder that is gone has none.  `his`: the operator also ends
 * what the server refuses, and a day later what it does not answer for.
 */
static bool
journal_settle_given_up(struct mailbox *m, struct store_journal *row, bool late,
    bool his)
{
	struct err e = { 0 };

	if (journal_move_give_up(m, row, &e) == 0)
		return true;
	if (e.kind == ERR_NOT_FOUND)
		return late || his;
	return his && (late || journal_is_answer(&e));
}

/* Is it over? */
static bool
journal_settle_rest(struct mailbox *m, struct store_journal *row, bool his)
{
	const int64_t now = clock_now();
	/* A row of tomorrow is of a clock that was wrong. */
	const bool late =
	    now < row->created_s || now >= row->created_s + TRIED_S;
	struct err e = { 0 }, look = { 0 };
	int r = journal_settle_try(m, row, &e);

	if (r < 0 &&
	    ((!journal_is_answer(&e) && !late) ||
		!journal_settle_given_up(m, row, late, his)))
		return false;
	if (journal_look(m, row, &look) == 0)
		return true;
	journal_settle_all(row, r == 0);
	return journal_is_answer(&look) || (late && his);
}

/* Of a row whose copies are known. */
static enum settled
journal_settle_copied(struct mailbox *m, struct store_journal *row, bool his)
{
	struct err e = { 0 };
	bool over = true;

	if (store_journal_settle_take(m->gate->store, row, &e) != 1)
		return SKIPPED;
	if (m->src->be->caps & CAP_UIDS)
		over = journal_settle_rest(m, row, his);
	else
		journal_settle_all(row, false);
	if (over)
		journal_settle_put(m, row, true);
	else
		store_journal_settle_later(m->gate->store, row);
	return over ? OVER : LATER;
}

static enum settled
journal_settle_one(struct mailbox *m, struct store_journal *row, bool finishes,
    int64_t named)
{
	struct err e = { 0 };
	const bool his = m->gate->operates != NULL && row->id == named;

	if (!store_journal_has_copies(row)) {
		if (journal_look(m, row, &e) < 0) {
			store_journal_settle_later(m->gate->store, row);
			return LATER;
		}
		journal_settle_put(m, row, false);
		return OVER;
	}
	/* An account that has another backend since may get its own again;
	 * until then only the operator ends it. */
	if (!finishes || !journal_settle_may(m, row, named) ||
	    (!(m->src->be->caps & CAP_UIDS) && !his))
		return SKIPPED;
	return journal_settle_copied(m, row, his);
}

static enum settled
journal_settle_of(struct mailbox *m, int64_t id, bool finishes, int64_t named)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct store *s = m->gate->store;
	struct store_journal row;
	struct err none = { 0 };
	struct mailbox one = *m;
	enum settled r;

	if (store_journal_lives(s, id, &none) != 0 ||
	    store_journal_get(s, a, id, &row, &none) < 0 ||
	    row.state != STORE_JOURNAL_BEGUN)
		return SKIPPED;
	one.arena = a;
	r = journal_settle_one(&one, &row, finishes, named);
	m->conn = one.conn;
	return r;
}

bool
journal_settle_left(struct mailbox *m, bool finishes, int64_t named)
{
	const int64_t deadline_ms = m->src->view.deadline_ms;
	const int64_t until_ms =
	    clock_mono_ms() + clock_left_ms(deadline_ms) / PART;
	int did[] = { [SKIPPED] = 0, [OVER] = 0, [LATER] = 0 };
	struct err none = { 0 };
	int64_t *id = NULL;
	size_t n = 0;

	/* Without the server they stay as they are. */
	if (!(m->src->be->caps & (CAP_MARK | CAP_MOVE)) ||
	    store_journal_begun(m->gate->store, m->arena, m->src->acct.id,
		named, &id, &n, &none) < 0 ||
	    n == 0 || mailbox_open(m, &none) < 0)
		return false;
	m->src->view.deadline_ms = until_ms;
	for (size_t i = 0; i < n && did[OVER] < MOST && did[LATER] < LOST &&
	     clock_mono_ms() < until_ms;
	     i++)
		did[journal_settle_of(m, id[i], finishes, named)]++;
	m->src->view.deadline_ms = deadline_ms;
	return did[OVER] + did[LATER] > 0;
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
