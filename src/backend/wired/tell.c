/* SPDX-License-Identifier: Apache-2.0 */
/* What the other process says before it answers, for the callbacks. */
#include "backend/wired/internal.h"

static int
wired_tell_progress(const struct backend_account *acct,
    const struct wired_carried *f, struct arena *a, struct err *e)
{
	struct wired_progress p = { 0 };

	if (acct->progress == NULL ||
	    wired_told_take(f, a, &wired_shape_progress, &p, e) < 0 ||
	    p.done > p.all)
		return wired_told_misfit(e);
	acct->progress(p.done, p.all);
	return 0;
}

static int
wired_tell_links(const struct link_sink *to, const struct wired_carried *f,
    struct arena *a, struct err *e)
{
	struct wired_take in;
	struct str bytes;

	if (to == NULL ||
	    wired_carry_read(f, LIMIT_WIRED_TOLD, a, &bytes, e) < 0)
		return wired_told_misfit(e);
	in = wired_take_begin(bytes, a);
	while (in.n > 0) {
		struct wired_linked one = { 0 };

		wired_take(&in, &wired_shape_linked, &one);
		if (in.bad)
			return wired_told_misfit(e);
		if (to->add(to->ctx, &one.ref, &one.ids, e) < 0)
			return -1;
	}
	return 0;
}

static int
wired_tell_line(struct wired_call *c, const struct wired_carried *f,
    struct err *e)
{
	struct probes *p = c->probes;
	struct probe line = { 0 };
	size_t size = sizeof(*p->v);

	if (p == NULL || p->n >= LIMIT_WIRED_LINES ||
	    wired_told_take(f, c->a, &wired_shape_probe, &line, e) < 0)
		return wired_told_misfit(e);
	p->v = arena_grow(c->a, p->v, p->n * size, (p->n + 1) * size);
	p->v[p->n++] = line;
	if (p->tell != NULL)
		p->tell(&line, p->ctx);
	return 0;
}

static int
wired_tell_ready(struct wired_call *c, struct err *e)
{
	if (c->watch == NULL || c->ready)
		return wired_told_misfit(e);
	c->ready = true;
	c->over =
	    c->watch->ready != NULL && c->watch->ready(c->watch->ctx) != 0;
	return c->over ? err_set(e, ERR_NETWORK, "the wait was ended") : 0;
}

/* Once.  From the word that lets it go, the message may have been sent. */
static int
wired_tell_look(struct wired *w, struct wired_call *c, struct err *e)
{
	struct err why = { 0 };

	if (c->verb != WIRED_SUBMIT || c->let_go || c->refused.kind != ERR_NONE)
		return wired_told_misfit(e);
	if (backend_submit_look(&c->ask.submission, &why) < 0) {
		c->refused = why;
		return wired_carry_say(w->fd, WIRED_NO, e);
	}
	c->let_go = true;
	return wired_carry_say(w->fd, WIRED_GO, e);
}

/* Once.  After a no, the originals stay. */
static int
wired_tell_copied(struct wired *w, struct wired_call *c,
    const struct wired_carried *f, struct arena *a, struct err *e)
{
	const struct copying *by = c->ask.copying;
	struct wired_copied told = { 0 };

	if (c->verb != WIRED_MOVE || c->copied || by == NULL ||
	    by->copies != NULL)
		return wired_told_misfit(e);
	if (wired_told_take(f, a, &wired_shape_copied, &told, e) < 0)
		return -1;
	if (told.copies.n != c->ask.refs.n)
		return wired_told_misfit(e);
	c->copied = true;
	if (by->copied(by->ctx, &told.copies, told.uidvalidity, &c->refused) <
	    0)
		return wired_carry_say(w->fd, WIRED_NO, e);
	return wired_carry_say(w->fd, WIRED_GO, e);
}

int
wired_tell(struct wired *w, struct wired_call *c, const struct wired_carried *f,
    struct arena *a, struct err *e)
{
	switch (f->type) {
	case WIRED_TELL_PROGRESS:
		return wired_tell_progress(w->conn.acct, f, a, e);
	case WIRED_TELL_LINKS:
		return wired_tell_links(c->links, f, a, e);
	case WIRED_TELL_LINE:
		return wired_tell_line(c, f, e);
	case WIRED_TELL_READY:
		return wired_tell_ready(c, e);
	case WIRED_LOOK:
		return wired_tell_look(w, c, e);
	case WIRED_COPIED:
		return wired_tell_copied(w, c, f, a, e);
	case WIRED_SIGN:
		return wired_tell_sign(w, c, f, a, e);
	case WIRED_ASK:
	case WIRED_ANSWER:
	case WIRED_GO:
	case WIRED_NO:
	case WIRED_SAID:
		break;
	}
	return wired_told_misfit(e);
}
