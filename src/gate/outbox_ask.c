/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the client's user about a held send.  The second call repeats the first:
 * it passes the gate with the same arguments, but runs the code here, so that
 * nothing is composed or recorded twice.  It needs no grant: the first call had
 * one, and people take longer to answer than grants last.
 */
#include "gate/outbox_ask.h"

#include "base/clock.h"
#include "base/limits.h"
#include "gate/grant_place.h"
#include "gate/held.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

enum {
	LOOK_US = 50000
};

/* The second call, while it runs. */
struct outbox_asking {
	const struct outbox_ask_answer *in;
	struct outbox_ask_state st;
	bool again; /* there is another question */
};

struct str
outbox_ask_request(struct arena *a, const struct op *op,
    const struct args *args)
{
	struct strs l = { 0 };

	str_push(a, &l, S("tools/call"));
	str_push(a, &l, str_of(op->name));
	for (size_t i = 0; i < args->n; i++) {
		const struct strs *v = &args->v[i].text;

		str_push(a, &l, str_of(args->v[i].spec->name));
		str_push(a, &l, str_fmt(a, "%zu", v->n));
		for (size_t k = 0; k < v->n; k++)
			str_push(a, &l, v->v[k]);
	}
	return store_digest(a, l.v, l.n);
}

/* If the setting cannot be read, clients decide nothing. */
static bool
outbox_ask_clients_decide(struct gate *g, struct arena *a)
{
	struct err unused = { 0 };
	struct str who;

	return store_setting_get(g->store, a, S("mcp_approve"), &who,
		   &unused) == 1 &&
	    str_eq(who, S("client"));
}

/* A canary may have been planted after it was held for another reason. */
static bool
outbox_ask_releases(struct gate *g, struct arena *a,
    const struct outbox_held *h)
{
	return outbox_ask_clients_decide(g, a) &&
	    !str_eq(h->reason, S("secret")) && h->carries == NULL;
}

static bool
outbox_ask_make_round(struct gate *g, struct arena *a, struct str request,
    uint32_t round, int64_t held, struct outbox_ask *out)
{
	struct outbox_ask_state st = { .id = held, .round = round };
	struct err e = { 0 };

	*out = (struct outbox_ask){ 0 };
	if (round > LIMIT_APPROVAL_ASKS ||
	    outbox_held(g->store, g->env, a, held, &out->held, &e) < 0 ||
	    out->held.why != NULL ||
	    !str_eq(out->held.principal, g->principal) ||
	    !str_eq(str_of(out->held.state), S("held")))
		return false;
	out->releases = outbox_ask_releases(g, a, &out->held);
	st.digest = out->held.digest;
	st.until_s = out->held.expires_s + LIMIT_HELD_LATE_S;
	return outbox_ask_state_put(g, a, request, &st, &out->state, &e) == 0;
}

bool
outbox_ask_make(struct gate *g, struct arena *a, struct str request,
    int64_t held, struct outbox_ask *out)
{
	return held > 0 && outbox_ask_make_round(g, a, request, 1, held, out);
}

/* The row, if it is this caller's and has not changed since it was shown. */
static int
outbox_ask_find(struct call *c, struct store_outbox *row, struct err *e)
{
	const struct outbox_ask_state *st = &c->gate->asking->st;
	struct gate *g = c->gate;

	*row = (struct store_outbox){ 0 };
	if (store_outbox_get(g->store, c->arena, st->id, row, e) < 0)
		return -1;
	if (row->account != c->mailbox->src->acct.id ||
	    (row->change != NULL) != (g->asking->in->op->put_change != NULL) ||
	    !str_eq(row->principal, g->principal))
		return err_set(e, ERR_NOT_FOUND, "there is no such message");
	if (!str_eq(row->digest, st->digest))
		return outbox_release_changed(e,
		    "it is not the message that was shown");
	return 0;
}

/* Another process is sending it: that result is the answer. */
static int
outbox_ask_await(struct call *c, struct store_outbox *row, struct err *e)
{
	while (row->state == STORE_OUTBOX_SENDING &&
	    clock_left_ms(c->mailbox->src->view.deadline_ms) > 0) {
		(void)usleep(LOOK_US);
		if (outbox_ask_find(c, row, e) < 0)
			return -1;
	}
	return 0;
}

/* 1: it was released here, or that failed; 0: it no longer waits. */
static int
outbox_ask_release(struct call *c, const struct store_outbox *row,
    struct sent *sent, struct err *e)
{
	c->note = str_fmt(c->arena,
	    "message %lld: the MCP client's user approved %.*s, digest %.*s",
	    (long long)row->id, STR_ARG(row->message_id), STR_ARG(row->digest));
	if (outbox_release(c->gate->store, c->arena, row->id, row->digest, sent,
		e) == 0) {
		if (str_eq(str_of(sent->copy), S("failed")))
			gate_warn(c, WARN_COPY_FAILED, 1);
		return 1;
	}
	if (e->kind != ERR_NOT_FOUND || sent->id != 0)
		return 1;
	*e = (struct err){ 0 };
	return 0;
}

/* 1: the user agreed, and may: release it. */
static int
outbox_ask_agreed(struct call *c, const struct store_outbox *row, struct err *e)
{
	struct gate *g = c->gate;
	struct outbox_held h;

	if (row->state != STORE_OUTBOX_HELD ||
	    g->asking->in->word != OUTBOX_ASK_YES)
		return 0;
	if (outbox_held(g->store, g->env, c->arena, row->id, &h, e) < 0)
		return -1;
	return outbox_ask_releases(g, c->arena, &h);
}

/* Finds the row.  1: its release is due; 0, -1. */
static int
outbox_ask_look(struct call *c, struct store_outbox *row, struct err *e)
{
	return outbox_ask_find(c, row, e) < 0 ? -1
					      : outbox_ask_agreed(c, row, e);
}

/* Does it wait still?  Then the user may be asked again, unless he declined. */
static void
outbox_ask_keep(struct call *c, const struct store_outbox *row)
{
	if (row->state != STORE_OUTBOX_HELD)
		return;
	c->held = row->id;
	c->gate->asking->again = c->gate->asking->in->word != OUTBOX_ASK_NO;
}

/* The message's state, now or after the user agreed. */
static int
outbox_ask_settle(struct call *c, struct sent *sent, struct err *e)
{
	enum outbox_ask_word word = c->gate->asking->in->word;
	struct store_outbox row;
	int yes = outbox_ask_look(c, &row, e);

	if (yes < 0)
		return -1;
	c->note = str_fmt(c->arena, "message %lld%s", (long long)row.id,
	    word == OUTBOX_ASK_NO ? ": the MCP client's user declined" : "");
	if (yes > 0) {
		if (outbox_ask_release(c, &row, sent, e) == 1)
			return e->kind == ERR_NONE ? 0 : -1;
		if (outbox_ask_find(c, &row, e) < 0)
			return -1;
	}
	if (outbox_ask_await(c, &row, e) < 0)
		return -1;
	outbox_state_tell(c->arena, &row, sent);
	sent->again = true;
	outbox_ask_keep(c, &row);
	return outbox_state_error(&row, e);
}

/* Was it released elsewhere meanwhile?  Then that is the answer. */
static int
outbox_ask_made(struct call *c, const struct store_outbox *row,
    struct mailbox_change *made, struct err *e)
{
	struct store_journal done;

	if (row->state == STORE_OUTBOX_SENT &&
	    row->change->state != STORE_JOURNAL_BEGUN &&
	    store_journal_get(c->gate->store, c->arena, row->change->id, &done,
		e) == 0) {
		mailbox_organise_told(c->arena, &done, made);
		return 0;
	}
	held_tell(c, row);
	if (row->state != STORE_OUTBOX_SENT)
		return outbox_state_error(row, e);
	*e = (struct err){ 0 };
	return err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the change was released; changes says what became of it");
}

/* The same of a change. */
static int
outbox_ask_settle_change(struct call *c, struct mailbox_change *made,
    struct err *e)
{
	enum outbox_ask_word word = c->gate->asking->in->word;
	struct gate *g = c->gate;
	struct store_outbox row;
	int yes = outbox_ask_look(c, &row, e);

	if (yes < 0)
		return -1;
	c->note = str_fmt(c->arena, "change %lld%s", (long long)row.id,
	    yes > 0                     ? ": the MCP client's user approved"
		: word == OUTBOX_ASK_NO ? ": the MCP client's user declined"
					: "");
	if (yes > 0 &&
	    held_release(c, g->store, g->env, row.id, row.digest, made, e) == 0)
		return 0;
	if (yes > 0 && e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	if (yes > 0 && outbox_ask_find(c, &row, e) < 0)
		return -1;
	outbox_ask_keep(c, &row);
	return outbox_ask_made(c, &row, made, e);
}

/* The caller's rights may have been reduced since. */
static int
outbox_ask_permit(struct call *c, const struct op *op, struct err *e)
{
	const struct skill *skill =
	    op->skill != NULL ? skill_find(str_of(op->skill)) : NULL;
	const char *why = NULL;

	if (!gate_caller_may(c->gate, str_of(op->name)))
		why = "op_not_permitted";
	else if (op->skill != NULL &&
	    (skill == NULL || !gate_grant_allowed(c->gate, skill)))
		why = "skill_not_permitted";
	if (why == NULL)
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", why);
	e->reason = why;
	return -1;
}

static int
outbox_ask_run(struct call *c, struct json *out, struct err *e)
{
	const struct op *op = c->gate->asking->in->op;
	struct mailbox_change made = { 0 };
	struct sent sent = { 0 };

	if (outbox_ask_permit(c, op, e) < 0)
		return -1;
	if (op->put_change != NULL) {
		if (outbox_ask_settle_change(c, &made, e) < 0)
			return -1;
		op->put_change(c, out, &made);
		return 0;
	}
	if (outbox_ask_settle(c, &sent, e) == 0) {
		op->put_sent(c, out, &sent);
		return 0;
	}
	if (sent.id != 0) {
		c->detail = json_new(c->arena);
		json_open_object(c->detail, NULL);
		op->put_sent(c, c->detail, &sent);
		json_close_object(c->detail);
	}
	return -1;
}

int
outbox_ask_answer(struct gate *g, const struct outbox_ask_answer *in,
    struct arena *a, struct reply *out, struct outbox_ask *again)
{
	struct outbox_asking x = { .in = in };
	bool lets_go =
	    in->word == OUTBOX_ASK_YES && outbox_ask_clients_decide(g, a);
	const struct op op = {
		.name = lets_go ? "approve.release" : "approve.look",
		.effect = EFFECT_READ, /* outbox_release() judges the send */
		.needs = NEED_ACCOUNT |
		    (in->op->put_change != NULL ? NEED_READ : NEED_SUBMIT),
		.args = in->op->args,
		.run = outbox_ask_run,
	};
	struct err e = { 0 };

	if (in->op->put_sent == NULL && in->op->put_change == NULL)
		(void)err_set(&e, ERR_USAGE, "this call has no question");
	else
		(void)outbox_ask_state_read(g, a, in->request, in->state,
		    clock_now(), &x.st, &e);
	if (e.kind != ERR_NONE) {
		gate_refuse(g, in->op->name, &e, a, out);
		return e.kind == ERR_USAGE ? -1 : 0;
	}
	g->asking = &x;
	gate_call(g, &op, in->args, a, out);
	g->asking = NULL;
	return x.again && out->held > 0 &&
	    outbox_ask_make_round(g, a, in->request, x.st.round + 1, x.st.id,
		again);
}
