/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One call: the request, what is told meanwhile, the answer.  A connection on
 * which something went wrong is closed, so that no answer is taken for that of
 * another request.
 */
#include "backend/wired/internal.h"
#include "base/clock.h"
#include "base/path.h"

/* Whether it was done is not known. */
static int
wired_call_unknown(const struct wired_call *c, struct err *e)
{
	struct err why = *e;

	if (c->verb == WIRED_SUBMIT)
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the process that was sending the message was lost; the "
		    "message may have been sent");
	else if (c->verb == WIRED_DRAFT)
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the process that was saving the draft was lost: look for "
		    "it before you make another");
	else
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the process that was changing the mail was lost: look "
		    "what has changed before you call again");
	(void)err_because(e, "%s", why.say);
	if (why.detail[0] != '\0')
		(void)err_because(e, "%s", why.detail);
	return -1;
}

/* The connection is of no more use; *e says why. */
static int
wired_call_lost(struct wired *w, const struct wired_call *c, struct err *e)
{
	path_close(&w->fd);
	if (c->let_go)
		(void)wired_call_unknown(c, e);
	else if (c->refused.kind != ERR_NONE)
		*e = c->refused;
	return err_conn(e);
}

int
wired_call_misfit(struct wired *w, const struct wired_call *c, struct err *e)
{
	(void)wired_told_misfit(e);
	return wired_call_lost(w, c, e);
}

static int
wired_call_ended(struct err *e)
{
	(void)err_set(e, ERR_NETWORK,
	    "the process with the account's mail ended before "
	    "it answered");
	return err_conn(e);
}

/* Nothing is sent of what is too long. */
static int
wired_call_send(struct wired *w, const struct wired_call *c, struct err *e)
{
	const struct backend_account *acct = w->conn.acct;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };
	uint64_t left = (uint64_t)clock_left_ms(acct->deadline_ms);
	const struct wired_head head = {
		.left_ms =
		    left < LIMIT_WIRED_LEFT_MS ? left : LIMIT_WIRED_LEFT_MS,
		.trace = acct->trace,
		.progress = acct->progress != NULL,
		.signs = acct->mac != NULL && acct->fits != NULL,
	};

	wired_put_begin(&o, a);
	wired_put_number(&o, c->verb);
	wired_put(&o, &wired_shape_head, &head);
	wired_put(&o, &wired_method[c->verb].ask, &c->ask);
	return wired_carry_send(w->fd, WIRED_ASK, &o, e);
}

/* When an answer is late. */
static int64_t
wired_call_until(const struct wired *w, const struct wired_call *c)
{
	int64_t until = clock_mono_ms();

	if (w->conn.acct->deadline_ms > until)
		until = w->conn.acct->deadline_ms;
	if (c->watch != NULL && c->watch->until_ms > until)
		until = c->watch->until_ms;
	return until + LIMIT_WIRED_LATE_MS;
}

/* What was done without being let go has been done all the same. */
static int
wired_call_took(struct wired *w, struct wired_call *c, int r, struct err *e)
{
	if (c->refused.kind == ERR_NONE &&
	    (c->verb != WIRED_SUBMIT || c->let_go))
		return r;
	c->let_go = true;
	return wired_call_misfit(w, c, e);
}

/* The answer: 0 or 1; 2 and an error; then what it consists of. */
static int
wired_call_take(struct wired *w, struct wired_call *c,
    const struct wired_carried *f, struct err *e)
{
	const struct wired_method *m = &wired_method[c->verb];
	struct err told = { 0 };
	struct wired_take in;
	struct str bytes;
	uint64_t r;

	if (wired_carry_read(f, LIMIT_WIRED, c->a, &bytes, e) < 0)
		return wired_call_misfit(w, c, e);
	in = wired_take_begin(bytes, c->a);
	r = wired_take_number(&in, 2);
	if (r == 2)
		wired_fault_take(&in, &told);
	if (r < 2 || m->always)
		wired_take(&in, &m->answer, &c->answer);
	if (!wired_take_end(&in) || (r == 1 && c->verb != WIRED_CHANGES))
		return wired_call_misfit(w, c, e);
	if (r < 2)
		return wired_call_took(w, c, (int)r, e);
	*e = c->refused.kind != ERR_NONE ? c->refused : told;
	return -1;
}

/* Frames up to the answer, which *out is then. */
static int
wired_call_wait(struct wired *w, struct wired_call *c,
    struct wired_carried *out, struct arena **a, struct err *e)
{
	int64_t until_ms = wired_call_until(w, c);

	for (;;) {
		int r;

		backend_link_room(a);
		r = wired_carry_recv(w->fd, until_ms, *a, out, e);
		if (r == 0)
			return wired_call_ended(e);
		if (r < 0)
			return e->kind == ERR_USAGE ? wired_told_misfit(e) : -1;
		if (out->type == WIRED_ANSWER)
			return 0;
		r = wired_tell(w, c, out, *a, e);
		wired_carry_close(out);
		/* A talker, too, has to be done in time. */
		if (r == 0 && clock_left_ms(until_ms) == 0) {
			(void)err_set(e, ERR_NETWORK,
			    "the process with the account's mail did not "
			    "answer in time");
			r = -1;
		}
		if (r < 0)
			return -1;
	}
}

int
wired_call(struct wired *w, struct wired_call *c, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	CLEANUP(wired_carry_close) struct wired_carried f = { .fd = -1 };

	if (w->fd < 0)
		return wired_call_ended(e);
	if (wired_call_send(w, c, e) < 0)
		return e->kind == ERR_LIMIT ? -1 : wired_call_lost(w, c, e);
	/* A message is let go later: wired_tell(). */
	c->let_go = wired_method[c->verb].changes && c->verb != WIRED_SUBMIT;
	if (wired_call_wait(w, c, &f, &a, e) < 0)
		return wired_call_lost(w, c, e);
	return wired_call_take(w, c, &f, e);
}
