/* SPDX-License-Identifier: Apache-2.0 */
/* The other end: one request after another, for the real backend. */
#include "backend/wired/internal.h"
#include "base/clock.h"

/* Nothing may be told about the connection by what is in here. */
static int
wired_serve_odd(struct err *e)
{
	return err_set(e, ERR_USAGE, "a request does not fit");
}

static int
wired_serve_take(struct wired_serving *s, struct str bytes, struct err *e)
{
	struct wired_take in = wired_take_begin(bytes, s->a);

	s->verb = (enum wired_verb)wired_take_number(&in, WIRED_VERBS - 1);
	if (in.bad || !wired_method_is_there(s->l->be, s->verb) ||
	    s->l->tests != wired_method[s->verb].tests)
		return wired_serve_odd(e);
	wired_take(&in, &wired_shape_head, &s->head);
	wired_take(&in, &wired_method[s->verb].ask, &s->ask);
	if (!wired_take_end(&in) || (s->verb == WIRED_FIND && s->ask.max == 0))
		return wired_serve_odd(e);
	return 0;
}

/* The next request: 1; 0: there will be none; -1. */
static int
wired_serve_next(struct wired_serving *s, struct err *e)
{
	CLEANUP(wired_carry_close) struct wired_carried f = { .fd = -1 };
	struct str bytes;
	int r = wired_carry_recv(s->l->fd, IPC_WAIT_EVER, s->a, &f, e);

	if (r <= 0)
		return r;
	if (f.type != WIRED_ASK)
		return wired_serve_odd(e);
	if (wired_carry_read(&f, LIMIT_WIRED, s->a, &bytes, e) < 0 ||
	    wired_serve_take(s, bytes, e) < 0)
		return -1;
	return 1;
}

static void
wired_serve_put(const struct wired_serving *s, int r, const struct err *why,
    struct wired_put *o)
{
	const struct wired_method *m = &wired_method[s->verb];

	wired_put_number(o, r < 0 ? 2 : (uint64_t)r);
	if (r < 0)
		wired_fault_put(o, why);
	if (r >= 0 || m->always)
		wired_put(o, &m->answer, &s->answer);
}

/* An answer that cannot travel: of what was changed, nobody knows then. */
static void
wired_serve_put_limit(struct wired_serving *s, int r, struct wired_put *o,
    struct arena *a)
{
	bool changed = r >= 0 && wired_method[s->verb].changes;
	struct err why = { 0 };

	wired_put_close(o);
	wired_put_begin(o, a);
	s->answer = (struct wired_answer){ 0 };
	(void)err_set(&why, changed ? ERR_UNKNOWN_OUTCOME : ERR_LIMIT,
	    "the answer is too much for another process");
	wired_serve_put(s, -1, &why, o);
}

/*
 * After an error the stream to the server may be within an answer; of these it
 * is not.
 */
static bool
wired_serve_is_fit(int r, const struct err *why)
{
	return r >= 0 ||
	    ((why->kind == ERR_NOT_FOUND || why->kind == ERR_UNSUPPORTED) &&
		why->scope != ERR_SCOPE_CONN);
}

/* The method's memory is free before a long answer is read. */
static int
wired_serve_answer(struct wired_serving *s, bool *fit, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };
	struct err why = { 0 };
	int r = wired_serve_run(s, &why);

	*fit = *fit && !s->refused && wired_serve_is_fit(r, &why);
	wired_put_begin(&o, a);
	wired_serve_put(s, r, &why, &o);
	if (o.bad)
		wired_serve_put_limit(s, r, &o, a);
	arena_close(&s->a);
	return wired_carry_send(s->l->fd, WIRED_ANSWER, &o, e);
}

int
wired_serve_one(const struct wired_lease *l, bool *fit, struct err *e)
{
	struct wired_serving s = { .l = l, .a = arena_open(LIMIT_ARENA) };
	int r = wired_serve_next(&s, e);

	if (r > 0 && wired_serve_answer(&s, fit, e) < 0)
		r = -1;
	arena_close(&s.a);
	return r;
}

int
wired_serve(const struct wired_lease *l, struct err *e)
{
	bool fit = true;
	int r;

	do {
		r = wired_serve_one(l, &fit, e);
	} while (r > 0);
	return r < 0 ? -1 : fit && *l->conn != NULL;
}
