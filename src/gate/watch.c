/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits and looks in turn.  A wait ends with anything that a mail store tells
 * of; the look that follows is judged, and if it finds nothing visible, the
 * next wait begins.  Where a store tells of nothing, there is a look a minute.
 *
 * Whoever fills a folder with hidden mail cannot make this look all the time: a
 * call has a number of looks at once, and from then on one a second.
 */
#include "gate/watch.h"

#include <poll.h>

#include "backend/watch.h"
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/rules.h"
#include "store/freeze.h"

struct watch {
	struct mailbox *m;
	struct str folder;
	struct watch_news *out;
	int64_t began_ms, until_ms;
	int64_t timeout_ms; /* of one request */
	struct str print;   /* of the account that the connections are of */
	bool stale;         /* it is another one now */
	/* The connection that waits while the mailbox's reads, where one cannot
	 * do both, or is lent; or NULL. */
	struct conn *ear;
	bool near;       /* nothing came between its last look and its wait */
	bool polls;      /* the account tells of no changes */
	bool blind;      /* something may have been missed */
	unsigned looks;  /* so far */
	unsigned failed; /* waits and looks, one after the other */
	int looked;      /* the result of the look in `ready`, */
	struct err why;  /* and its error */
};

static void
watch_sleep(const struct watch *w, int64_t ms)
{
	int64_t until_ms = clock_mono_ms() + ms;
	int left;

	if (until_ms > w->until_ms)
		until_ms = w->until_ms;
	while ((left = clock_left_ms(until_ms)) > 0)
		(void)poll(NULL, 0, left);
}

/* -- looking --------------------------------------------------------------- */

/* Host, user and password may be others now: *w says so, too. */
static int
watch_compare(struct watch *w, struct arena *a, struct err *e)
{
	struct str print = { 0 };

	if (store_account_print(w->m->gate->store, a, w->m->src->acct.id,
		&print, e) < 0)
		return -1;
	w->stale = !str_eq(print, w->print);
	return w->stale
	    ? err_set(e, ERR_CONFIG, "the account was changed: call again")
	    : 0;
}

/*
 * The operator may have changed the account or stopped the agent since the call
 * began.  What is in *rules is in the arena.
 */
static int
watch_judge(struct watch *w, struct arena *a, struct policy_rules *rules,
    struct err *e)
{
	const struct store_account *acct = &w->m->src->acct;
	struct store *s = w->m->gate->store;
	struct policy_facts f = { .effect = EFFECT_READ };
	struct source now = { 0 };
	struct decision d;
	int r;

	if (source_resolve(s, a, acct->name, 0, &now, e) < 0)
		return -1;
	r = store_freeze_has(s, w->m->gate->principal, acct->id, e);
	if (r < 0 || rules_load(s, a, &now.acct, rules, e) < 0)
		return -1;
	f.frozen = r > 0;
	d = policy_decide(rules, &f);
	if (d.verdict == VERDICT_ALLOW && now.acct.id == acct->id)
		return watch_compare(w, a, e);
	if (now.acct.id != acct->id)
		return err_set(e, ERR_NOT_FOUND,
		    "the account is another one now: call again");
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
	e->reason = d.why;
	return -1;
}

/* What comes now has the time of a call. */
static void
watch_begin_time(const struct watch *w)
{
	w->m->src->view.deadline_ms = clock_mono_ms() + w->timeout_ms;
	store_until(w->m->gate->store, w->m->src->view.deadline_ms);
}

/* As watch_look_new(), by that connection or, NULL, the mailbox's. */
static int
watch_look(struct watch *w, struct conn *by, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(rules_close) struct policy_rules rules = { 0 };
	struct mailbox m;

	w->looks++;
	watch_begin_time(w);
	if ((by == NULL && mailbox_open(w->m, e) < 0) ||
	    watch_judge(w, a, &rules, e) < 0)
		return -1;
	m = *w->m;
	m.rules = &rules;
	if (by != NULL)
		m.conn = by;
	return watch_look_new(&m, w->folder, w->out, e);
}

static void
watch_deafen(struct watch *w)
{
	if (w->ear != NULL)
		w->m->src->be->close(w->ear);
	w->ear = NULL;
	w->near = false;
}

/*
 * Begins with new connections, and waits longer from failure to failure.
 * Whoever comes back has to look.
 */
static int
watch_lost(struct watch *w, struct err *e)
{
	int64_t ms = 1000LL << (w->failed < 6 ? w->failed : 6);

	watch_deafen(w);
	mailbox_close(w->m);
	w->failed++;
	w->blind = true;
	*e = (struct err){ 0 };
	watch_sleep(w, ms < LIMIT_WATCH_PAUSE_MS ? ms : LIMIT_WATCH_PAUSE_MS);
	return 0;
}

/*
 * Begins with new connections of the account as it is now.  Whatever came
 * meanwhile is found by a look.
 */
static int
watch_renew(struct watch *w, struct err *e)
{
	struct mailbox *m = w->m;
	struct source now = { 0 };

	watch_deafen(w);
	mailbox_close(m);
	w->stale = w->polls = false;
	w->blind = true;
	*e = (struct err){ 0 };
	/* The print first: a later change is found by the next look. */
	if (store_account_print(m->gate->store, m->arena, m->src->acct.id,
		&w->print, e) < 0 ||
	    source_resolve(m->gate->store, m->arena, m->src->acct.name, 0, &now,
		e) < 0)
		return -1;
	if (now.acct.id != m->src->acct.id ||
	    !str_eq(now.acct.backend, m->src->acct.backend))
		return err_set(e, ERR_NOT_FOUND,
		    "the account is another one now: call again");
	now.view.progress = m->src->view.progress;
	source_done(m->src);
	*m->src = now;
	source_wire(m->src, m->arena);
	return 0;
}

/* What became of a look: a server may be away for a while. */
static int
watch_looked(struct watch *w, int r, struct err *e)
{
	if (r < 0 && w->stale)
		return watch_renew(w, e);
	if (r < 0 && e->kind == ERR_NETWORK && clock_mono_ms() < w->until_ms)
		return watch_lost(w, e);
	if (r >= 0)
		w->blind = false;
	return r;
}

/* -- waiting --------------------------------------------------------------- */

/*
 * A lent connection is another call's while this one waits: few are lent of an
 * account, and any number of calls may wait.
 */
static void
watch_give_back(const struct watch *w)
{
	if (source_wire_is_lent(w->m->src))
		mailbox_close(w->m);
}

/* Every later change ends the wait; an earlier one is found now. */
static int
watch_ready(void *ctx)
{
	struct watch *w = ctx;

	w->looked = watch_look(w, NULL, &w->why);
	watch_give_back(w);
	return w->looked != 0;
}

static int
watch_wait(struct watch *w, bool *changed, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct source *src = w->m->src;
	bool one = (src->be->caps & CAP_UIDS) != 0 && !source_wire_is_lent(src);
	struct backend_watch b = { .folder = w->folder,
		.until_ms = w->until_ms };

	if (!(src->be->caps & CAP_WATCH))
		return err_set(e, ERR_UNSUPPORTED, "it tells of no changes");
	watch_begin_time(w);
	if (one)
		return src->be->watch(w->m->conn, a, &b, changed, e);
	b.ready = w->near ? NULL : watch_ready;
	b.ctx = w;
	w->near = false;
	watch_give_back(w);
	if (w->ear == NULL &&
	    src->be->open(&src->view, w->m->arena, &w->ear, e) < 0)
		return -1;
	return src->be->watch(w->ear, a, &b, changed, e);
}

/* So many looks at once, and one a second. */
static void
watch_hold(const struct watch *w)
{
	int64_t next_ms =
	    w->began_ms + 1000LL * ((int64_t)w->looks - LIMIT_WATCH_LOOKS);
	int64_t now_ms = clock_mono_ms();

	if (next_ms > now_ms)
		watch_sleep(w, next_ms - now_ms);
}

/*
 * The connection that heard of it has the folder open, and is no other call's.
 * With CAP_UIDS its next wait begins where this look ends (backend/watch.h).
 */
static int
watch_changed(struct watch *w, struct err *e)
{
	struct conn *by = w->m->src->be->caps & CAP_UIDS ? w->ear : NULL;
	int r = watch_look(w, by, e);

	w->near = r == 0 && by != NULL;
	return watch_looked(w, r, e);
}

/* A wait, and a look if there is a reason: as watch_look_new(). */
static int
watch_turn(struct watch *w, struct err *e)
{
	bool changed = false;
	int r;

	watch_hold(w);
	/* A connection may know a folder as it was when it was opened. */
	if (w->polls) {
		mailbox_close(w->m);
		watch_sleep(w, LIMIT_WATCH_POLL_MS);
	}
	if (w->polls || w->blind)
		return watch_looked(w, watch_look(w, NULL, e), e);
	w->looked = 0;
	r = watch_wait(w, &changed, e);
	if (w->looked != 0) {
		*e = w->why;
		w->why = (struct err){ 0 };
		return watch_looked(w, w->looked, e);
	}
	/* All connections that may wait do; or the server allows no more. */
	if (r < 0 && (e->kind == ERR_UNSUPPORTED || e->kind == ERR_LIMIT)) {
		*e = (struct err){ 0 };
		w->polls = true;
		return 0;
	}
	if (r < 0)
		return watch_lost(w, e);
	w->failed = 0;
	return changed ? watch_changed(w, e) : 0;
}

static int
watch_turns(struct watch *w, const struct watch_query *q, struct err *e)
{
	int r = 0;

	if (q->cursor.n > 0)
		r = watch_look(w, NULL, e);
	while (r == 0 && clock_mono_ms() < w->until_ms)
		r = watch_turn(w, e);
	/* "Nothing is new" is said only after a look. */
	return r == 0 && w->blind ? watch_look(w, NULL, e) : r;
}

/* A model's program gives a call up. */
static int64_t
watch_most_ms(const struct mailbox *m, int64_t wait_ms)
{
	int64_t most_ms = LIMIT_WATCH_MODEL_S * 1000LL;

	return m->gate->caller.windows && wait_ms > most_ms ? most_ms : wait_ms;
}

int
watch_run(struct mailbox *m, const struct watch_query *q,
    struct watch_news *out, struct err *e)
{
	struct watch w = { .m = m, .folder = q->folder, .out = out };
	int r;

	*out = (struct watch_news){ 0 };
	w.began_ms = clock_mono_ms();
	w.until_ms = w.began_ms + watch_most_ms(m, q->wait_ms);
	if (store_setting_timeout(m->gate->store, &w.timeout_ms, e) < 0 ||
	    store_account_print(m->gate->store, m->arena, m->src->acct.id,
		&w.print, e) < 0 ||
	    mailbox_open(m, e) < 0)
		return -1;
	r = q->cursor.n > 0
	    ? watch_cursor_read(m, q->folder, q->cursor, &out->place, e)
	    : watch_look_newest(m, q->folder, &out->place, e);
	if (r == 0)
		r = watch_turns(&w, q, e);
	watch_deafen(&w);
	watch_begin_time(&w);
	if (r < 0)
		return -1;
	out->timed_out = r == 0;
	return watch_cursor_put(m, q->folder, &out->place, &out->cursor, e);
}
