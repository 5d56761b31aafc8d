/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operator takes back what agents did, newest first.  No rule for agents
 * stops him, neither a mode nor a freeze: he may see and change all of it.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/journal.h"
#include "gate/rules.h"
#include "gate/undo_plan.h"

/* An account whose connection is open: one at a time. */
struct undo_at {
	struct source src;
	struct policy_rules rules;
	struct mailbox mailbox;
	int64_t timeout;
};

static void
undo_operate_close(struct undo_at *at)
{
	mailbox_close(&at->mailbox);
	rules_close(&at->rules);
	source_done(&at->src);
	*at = (struct undo_at){ 0 };
}

static int
undo_operate_open(struct call *c, struct undo_at *at, int64_t account,
    struct err *e)
{
	struct store *s = c->gate->store;
	struct store_account acct;

	if (at->mailbox.conn != NULL && at->src.acct.id == account)
		return 0;
	undo_operate_close(at);
	if (store_account_of(s, c->arena, account, &acct, e) < 0 ||
	    store_setting_timeout(s, &at->timeout, e) < 0 ||
	    source_resolve(s, c->arena, acct.name,
		clock_mono_ms() + at->timeout, &at->src, e) < 0)
		return -1;
	source_wire(&at->src, c->arena);
	at->mailbox = (struct mailbox){
		.gate = c->gate,
		.call = c,
		.arena = c->arena,
		.src = &at->src,
		.rules = &at->rules,
	};
	if (rules_load(s, c->arena, &at->src.acct, &at->rules, e) < 0)
		return -1;
	return mailbox_open(&at->mailbox, e);
}

/* The reply outlives what the change was read into. */
static void
undo_operate_keep(struct arena *a, struct undone *u)
{
	struct undone from = *u;

	u->agent = str_dup(a, from.agent);
	u->folder = str_dup(a, from.folder);
	u->uid = arena_array(a, u->n, sizeof(*u->uid));
	u->now = arena_array(a, u->n, sizeof(*u->now));
	u->left = arena_array(a, u->lefts, sizeof(*u->left));
	for (size_t i = 0; i < u->n; i++) {
		u->uid[i] = from.uid[i];
		u->now[i] = from.now[i];
	}
	for (size_t i = 0; i < u->lefts; i++) {
		u->left[i] = from.left[i];
		u->left[i].message_id = str_dup(a, from.left[i].message_id);
	}
}

static int
undo_operate_one(struct call *c, struct undo_at *at, int64_t id,
    const struct undo_want *w, struct undone *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct store_journal of;
	struct mailbox m;
	int r;

	if (store_journal_get(c->gate->store, a, id, &of, e) < 0 ||
	    undo_operate_open(c, at, of.account, e) < 0)
		return -1;
	/* Each change has the time of a call. */
	at->src.view.deadline_ms = clock_mono_ms() + at->timeout;
	m = at->mailbox;
	m.arena = a;
	(void)journal_settle_left(&m, !w->dry, id);
	if (store_journal_get(c->gate->store, a, id, &of, e) < 0)
		return -1;
	r = undo_one(&m, &of, w->dry, out, e);
	at->mailbox.conn = m.conn;
	/* One that is not over keeps none of the others from it. */
	if (r < 0 && e->kind == ERR_LIMIT && w->id == 0 && out->change == 0) {
		undo_tell_begun(a, &of, out);
		*e = (struct err){ 0 };
		r = 0;
	}
	undo_operate_keep(c->arena, out);
	return r;
}

/* Newest first; of one that is named alone, only its number. */
static int
undo_operate_list(struct call *c, const struct undo_want *w,
    struct store_journal **v, size_t *n, struct err *e)
{
	const struct store_journal_query q = {
		.account = w->account,
		.principal = w->agent,
		.since_s = w->since_s,
		.limit = SIZE_MAX,
	};

	if (w->id == 0)
		return store_journal_list(c->gate->store, c->arena, &q, v, n,
		    e);
	*v = arena_new(c->arena, struct store_journal);
	(*v)->id = w->id;
	*n = 1;
	return 0;
}

static bool
undo_operate_is_undo(const struct store_journal *v, size_t n, size_t at)
{
	for (size_t i = at + 1; v[at].undoes != 0 && i < n; i++)
		if (v[i].id == v[at].undoes)
			return true;
	return false;
}

/*
 * Is every change undone already?  Then its undo stays, or it would be made
 * again.  Otherwise undos are undone in their turn: a change between the two
 * was made to what the undo had left.
 */
static bool
undo_operate_is_over(const struct store_journal *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].state != STORE_JOURNAL_UNDONE &&
		    v[i].state != STORE_JOURNAL_FAILED &&
		    !undo_operate_is_undo(v, n, i))
			return false;
	return true;
}

/* Leaves out the others of an account that cannot be reached. */
static void
undo_operate_leave(struct store_journal *v, size_t n, size_t at)
{
	for (size_t i = at + 1; v[at].account != 0 && i < n; i++)
		if (v[i].account == v[at].account)
			v[i].id = 0;
}

/* Of many, only those in effect; undoing one may put another into effect. */
static int
undo_operate_in_effect(struct call *c, int64_t id, struct err *e)
{
	const struct store_journal_query q = { .before = id + 1, .limit = 1 };
	struct store_journal *v = NULL;
	size_t n = 0;

	if (store_journal_list(c->gate->store, c->arena, &q, &v, &n, e) < 0)
		return -1;
	return n == 1 && v->id == id && v->state != STORE_JOURNAL_FAILED &&
	    v->state != STORE_JOURNAL_UNDONE;
}

static void
undo_operate_progress(struct call *c, size_t done, size_t all)
{
	if (c->gate->progress != NULL && all > 1)
		c->gate->progress(done, all);
}

/* Does this row have its turn?  1, 0, -1. */
static int
undo_operate_turn(struct call *c, const struct undo_want *w,
    const struct store_journal *row, struct err *e)
{
	if (w->id != 0)
		return 1;
	return row->id == 0 ? 0 : undo_operate_in_effect(c, row->id, e);
}

int
undo_operate(struct call *c, const struct undo_want *w, struct undone **out,
    size_t *n, struct err *e)
{
	struct store_journal *v = NULL;
	struct err first = { 0 };
	struct undo_at at = { 0 };
	size_t all = 0;

	*n = 0;
	if (undo_operate_list(c, w, &v, &all, e) < 0)
		return -1;
	if (w->id == 0 && undo_operate_is_over(v, all))
		all = 0;
	*out = arena_array(c->arena, all, sizeof(**out));
	for (size_t i = 0; i < all; i++) {
		struct undone *one = &(*out)[*n];
		int r;

		undo_operate_progress(c, i, all);
		r = undo_operate_turn(c, w, &v[i], e);
		if (r == 0)
			continue;
		if (r == 1)
			r = undo_operate_one(c, &at, v[i].id, w, one, e);
		*n += r == 0 || one->change != 0;
		if (r == 0)
			continue;
		if (first.kind == ERR_NONE)
			first = *e;
		*e = (struct err){ 0 };
		undo_operate_leave(v, all, i);
	}
	undo_operate_progress(c, all, all);
	undo_operate_close(&at);
	*e = first;
	return e->kind == ERR_NONE ? 0 : -1;
}
