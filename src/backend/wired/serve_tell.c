/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a method says before it returns goes to the client at once; links go
 * some at a time.
 */
#include "backend/wired/internal.h"
#include "base/clock.h"

/* Whose progress it is: the contract's callback has no context. */
static struct wired_serving *serving;

/* It is a courtesy: whether it arrives changes nothing. */
static void
wired_serve_tell_progress(uint64_t done, uint64_t all)
{
	const struct wired_progress p = { done, all };
	int64_t now_ms = clock_mono_ms();
	CLEANUP(arena_close) struct arena *a = NULL;
	struct err unheard = { 0 };
	struct wired_put o;

	if (serving == NULL ||
	    now_ms - serving->told_ms < LIMIT_WIRED_TELL_MS || done > all)
		return;
	serving->told_ms = now_ms;
	a = arena_open(64 << 10);
	wired_put_begin(&o, a);
	wired_put(&o, &wired_shape_progress, &p);
	(void)wired_carry_send(serving->l->fd, WIRED_TELL_PROGRESS, &o,
	    &unheard);
}

void
wired_serve_tell_begin(struct wired_serving *s)
{
	serving = s->head.progress ? s : NULL;
	s->l->acct->progress =
	    s->head.progress ? wired_serve_tell_progress : NULL;
}

void
wired_serve_tell_end(struct wired_serving *s)
{
	serving = NULL;
	s->l->acct->progress = NULL;
}

int
wired_serve_tell_links(struct wired_serving *s, struct err *e)
{
	if (s->links.b.n == 0 && s->links.fd < 0)
		return 0;
	if (wired_carry_send(s->l->fd, WIRED_TELL_LINKS, &s->links, e) < 0)
		return -1;
	wired_put_close(&s->links);
	s->links.filed = 0;
	buf_reset(&s->links.b);
	return 0;
}

int
wired_serve_tell_link(void *ctx, const struct ref *ref, const struct strs *ids,
    struct err *e)
{
	const struct wired_linked one = { *ref, *ids };
	struct wired_serving *s = ctx;

	wired_put(&s->links, &wired_shape_linked, &one);
	if (s->links.b.n < LIMIT_FRAME_PART / 2 && s->links.fd < 0 &&
	    !s->links.bad)
		return 0;
	return wired_serve_tell_links(s, e);
}

void
wired_serve_tell_line(const struct probe *line, void *ctx)
{
	struct wired_serving *s = ctx;
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };
	struct err unheard = { 0 };

	/* Each backend calls it so. */
	s->refused =
	    s->refused || (!line->ok && str_ends(line->what, S(".login")));
	wired_put_begin(&o, s->a);
	wired_put(&o, &wired_shape_probe, line);
	(void)wired_carry_send(s->l->fd, WIRED_TELL_LINE, &o, &unheard);
}

int
wired_serve_tell_ready(void *ctx)
{
	const struct wired_serving *s = ctx;
	struct err unheard = { 0 };

	(void)wired_carry_say(s->l->fd, WIRED_TELL_READY, &unheard);
	return 0;
}

/* Whoever does not say that it may go on has said that it may not. */
static bool
wired_serve_tell_may(const struct wired_serving *s)
{
	CLEANUP(arena_close) struct arena *a = arena_open(2 * LIMIT_FRAME);
	CLEANUP(wired_carry_close) struct wired_carried f = { .fd = -1 };
	struct err unheard = { 0 };

	return wired_carry_recv(s->l->fd, s->l->acct->deadline_ms, a, &f,
		   &unheard) == 1 &&
	    f.type == WIRED_GO;
}

int
wired_serve_tell_look(const void *ctx, struct err *e)
{
	const struct wired_serving *s = ctx;

	if (wired_carry_say(s->l->fd, WIRED_LOOK, e) < 0)
		return -1;
	return wired_serve_tell_may(s)
	    ? 0
	    : err_set(e, ERR_POLICY, "the message was stopped");
}

/* The other end says what kept it from going on, if it is there. */
int
wired_serve_tell_copied(void *ctx, const struct refs *copies,
    uint32_t uidvalidity, struct err *e)
{
	const struct wired_copied told = { *copies, uidvalidity };
	const struct wired_serving *s = ctx;
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };

	wired_put_begin(&o, s->a);
	wired_put(&o, &wired_shape_copied, &told);
	if (wired_carry_send(s->l->fd, WIRED_COPIED, &o, e) == 0 &&
	    wired_serve_tell_may(s))
		return 0;
	*e = (struct err){ 0 };
	return err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the messages were copied, and no original was removed");
}
