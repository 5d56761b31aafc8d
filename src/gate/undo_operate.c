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
	    source_timeout(s, c->arena, &at->timeout, e) < 0 ||
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
undo_operate_one(struct call *c, struct undo_at *at, int64_t id, bool dry,
    struct undone *out, struct err *e)
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
	journal_settle_left(&m);
	if (store_journal_get(c->gate->store, a, id, &of, e) < 0)
		return -1;
	r = undo_one(&m, &of, dry, out, e);
	at->mailbox.conn = m.conn;
	undo_operate_keep(c->arena, out);
	return r;
}

/* Their numbers, newest first. */
static int
undo_operate_list(struct call *c, const struct undo_want *w, int64_t **id,
    size_t *n, struct err *e)
{
	const struct store_journal_query q = {
		.account = w->account,
		.principal = w->agent,
		.since_s = w->since_s,
		.limit = SIZE_MAX,
	};
	struct store_journal *v = NULL;

	*n = 1;
	if (w->id == 0 &&
	    store_journal_list(c->gate->store, c->arena, &q, &v, n, e) < 0)
		return -1;
	*id = arena_array(c->arena, *n, sizeof(**id));
	for (size_t i = 0; i < *n; i++)
		(*id)[i] = w->id != 0 ? w->id : v[i].id;
	return 0;
}

/* With many, only those that stand; taking one back may let another stand. */
static int
undo_operate_stands(struct call *c, int64_t id, struct err *e)
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

int
undo_operate(struct call *c, const struct undo_want *w, struct undone **out,
    size_t *n, struct err *e)
{
	struct undo_at at = { 0 };
	int64_t *id = NULL;
	size_t all = 0;
	int r;

	*n = 0;
	if (undo_operate_list(c, w, &id, &all, e) < 0)
		return -1;
	*out = arena_array(c->arena, all, sizeof(**out));
	for (size_t i = 0; i < all; i++) {
		undo_operate_progress(c, i, all);
		r = w->id != 0 ? 1 : undo_operate_stands(c, id[i], e);
		if (r == 1)
			r = undo_operate_one(c, &at, id[i], w->dry, &(*out)[*n],
			    e);
		else if (r == 0)
			continue;
		if (r == 0 || (*out)[*n].change != 0)
			(*n)++;
		if (r < 0)
			break;
	}
	undo_operate_progress(c, all, all);
	undo_operate_close(&at);
	return e->kind == ERR_NONE ? 0 : -1;
}
