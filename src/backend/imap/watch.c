/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a change by IDLE, RFC 2177.  Servers end a connection that is
 * silent for 30 minutes, so IDLE is begun again before that.  What a server
 * says while it idles has a cap, like an answer to any other command.
 */
#include "backend/watch.h"

#include "backend/imap/internal.h"
#include "base/clock.h"
#include "base/limits.h"

struct idle {
	struct imap_session *s;
	const struct backend_watch *w;
	struct imap_cmd cmd;
	bool ready, over;
};

/* A change of flags, RFC 9051 section 7.5.2: the session ignores others'. */
static int
imap_watch_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	(void)ctx;
	(void)e;
	s->told = s->told || str_eq_case(r->name, S("FETCH"));
	return 0;
}

/* One response, which has begun to arrive. */
static int
imap_watch_hear(struct idle *t, struct err *e)
{
	int more;

	wire_deadline(t->s->wire, clock_mono_ms() + LIMIT_IDLE_MS);
	more = imap_command_hear(t->s, e);
	if (more > 0)
		return imap_read_nonsense(e, "asked for more while idle");
	return more;
}

/* Until a change, or that time. */
static int
imap_watch_listen(struct idle *t, int64_t until_ms, struct err *e)
{
	struct imap_session *s = t->s;
	int r = 1;

	for (int i = 0; r > 0 && !s->told && !t->cmd.done; i++) {
		if (i == LIMIT_IDLE_RESPONSES)
			return imap_read_nonsense(e, "too much while idle");
		r = wire_await(s->wire, until_ms, e);
		if (r > 0 && imap_watch_hear(t, e) < 0)
			return -1;
	}
	return r < 0 ? -1 : 0;
}

static int
imap_watch_end(struct idle *t, struct err *e)
{
	if (t->cmd.done)
		return err_set(e, ERR_NETWORK,
		    "the mail server does not wait any longer");
	wire_deadline(t->s->wire, clock_mono_ms() + LIMIT_IDLE_MS);
	if (imap_command_say(t->s, &t->cmd, S("DONE\r\n"), e) < 0)
		return -1;
	return imap_command_wait(t->s, &t->cmd, e);
}

/* Until the server listens. */
static int
imap_watch_begin(struct idle *t, struct err *e)
{
	int more;

	if (imap_command_begin(t->s, &t->cmd, "IDLE", e) < 0 ||
	    imap_command_end(t->s, &t->cmd, e) < 0)
		return -1;
	more = imap_command_next(t->s, &t->cmd, e);
	if (more < 0)
		return -1;
	if (more == 0 && t->cmd.status == IMAP_OK)
		return imap_read_nonsense(e, "idle without a +");
	if (more == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server tells of no changes");
	if (!t->ready && t->w->ready != NULL)
		t->over = t->w->ready(t->w->ctx) != 0;
	t->ready = true;
	return 0;
}

static int
imap_watch_once(struct idle *t, struct err *e)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_IDLE_S * 1000LL;

	if (until_ms > t->w->until_ms)
		until_ms = t->w->until_ms;
	t->s->data = imap_watch_take;
	if (imap_watch_begin(t, e) < 0 ||
	    (!t->over && imap_watch_listen(t, until_ms, e) < 0))
		return -1;
	return imap_watch_end(t, e);
}

int
imap_watch(struct imap_session *s, const struct backend_watch *w, bool *changed,
    struct err *e)
{
	struct idle t = { .s = s, .w = w };

	*changed = false;
	if (imap_session_select(s, w->folder, e) < 0 ||
	    imap_session_settle(s, e) < 0)
		return -1;
	/* It may have told of one during a read. */
	while (!s->told && !t.over && clock_mono_ms() < w->until_ms) {
		if (imap_session_caps(s, e) < 0)
			return -1;
		if ((s->caps & IMAP_CAP_IDLE) == 0)
			return err_set(e, ERR_UNSUPPORTED,
			    "the mail server tells of no changes");
		if (imap_watch_once(&t, e) < 0)
			return -1;
	}
	*changed = s->told;
	s->told = false;
	return 0;
}
