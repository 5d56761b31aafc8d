/* SPDX-License-Identifier: Apache-2.0 */
/* What calls come upon, and whether a notice is due. */
#include "gate/notice.h"

#include "base/clock.h"
#include "gate/way.h"
#include "store/keeper.h"

static void (*notice_begin)(const struct env *env);

void
notice_by(void (*begin)(const struct env *env))
{
	notice_begin = begin;
}

/* Faults of the server's, or of the credential's: not of the agent's. */
static bool
notice_is_fault(const struct err *e)
{
	return e->kind == ERR_AUTH || e->kind == ERR_NETWORK;
}

/*
 * With these the account works if its server was reached: what was asked is at
 * fault.
 */
static const bool answered[ERR_KINDS] = {
	[ERR_NONE] = true,
	[ERR_USAGE] = true,
	[ERR_NOT_FOUND] = true,
	[ERR_POLICY] = true,
	[ERR_APPROVAL] = true,
	[ERR_LIMIT] = true,
	[ERR_REJECTED] = true,
};

static bool
notice_is_dead_token(const struct err *e)
{
	return e->kind == ERR_AUTH && e->reason != NULL &&
	    str_eq(str_of(e->reason), S("consent"));
}

/* A reply and a forward read first. */
static enum store_notice_part
notice_part_that_failed(const struct way *w)
{
	const bool sends = (w->op->needs & NEED_SUBMIT) &&
	    (w->outbox.tried || !w->mailbox.tried);

	return sends ? STORE_NOTICE_SENDS : STORE_NOTICE_READS;
}

/* True: it is new. */
static bool
notice_add_fault(const struct way *w, const struct err *e)
{
	const struct store_notice_row row = {
		.kind = notice_is_dead_token(e) ? STORE_NOTICE_TOKEN
						: STORE_NOTICE_ACCOUNT,
		.account = w->src.acct.id,
		.item = (int64_t)notice_part_that_failed(w),
		.since_s = clock_now(),
	};
	struct err unused = { 0 };

	return store_notice_add(w->g->store, &row, &unused) > 0;
}

static void
notice_end_fault(const struct way *w)
{
	struct err unused = { 0 };

	if (w->mailbox.reached)
		(void)store_notice_works(w->g->store, w->src.acct.id,
		    STORE_NOTICE_READS, &unused);
	if (w->outbox.reached)
		(void)store_notice_works(w->g->store, w->src.acct.id,
		    STORE_NOTICE_SENDS, &unused);
}

/* A notice is beside the call: if it cannot be written, the call goes on. */
void
notice_of_call(struct way *w, const struct err *e)
{
	struct store *s = w->g->store;
	struct store_notice_look look;
	struct err unused = { 0 };
	bool fresh = e->kind == ERR_APPROVAL;

	if (s == NULL)
		return;
	if (w->src.acct.id != 0 && notice_is_fault(e))
		fresh = notice_add_fault(w, e) || fresh;
	if (store_notice_look(s, w->src.acct.id, clock_now(), &look, &unused) <
	    0)
		return;
	if (look.fails && answered[e->kind])
		notice_end_fault(w);
	w->g->notice = w->g->notice || look.due;
	/* The keeper then looks when the next is due. */
	if ((fresh || look.due) && store_open_is_served(s))
		store_keeper_ask_notice(s);
}

void
notice_audit(struct store *s, bool whole, bool all)
{
	const struct store_notice_row row = { .kind = STORE_NOTICE_AUDIT,
		.since_s = clock_now() };
	struct err unused = { 0 };

	if (!whole)
		(void)store_notice_add(s, &row, &unused);
	else if (all)
		(void)store_notice_whole(s, &unused);
}

void
notice_due(const struct env *env, bool due)
{
	static bool waits;

	waits = waits || due;
	if (!waits || store_opened_any())
		return;
	waits = false;
	if (notice_begin != NULL && env->keeper == NULL)
		notice_begin(env);
}
