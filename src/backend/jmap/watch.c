/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a change on an event stream, RFC 8620 section 7.3.  The server
 * ends the stream with the first change (closeafter=state).  A server may send
 * pings at another interval than it is asked for, and says which.
 */
#include "backend/watch.h"

#include "backend/jmap/event.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/url.h"
#include "base/clock.h"

#define PING_S 30

struct jmap_watch {
	const struct backend_watch *w;
	int64_t begin_ms; /* it begins by then */
	struct jmap_event event;
	bool begun;
	int64_t heard_ms;
	bool over;      /* until_ms has come */
	struct err why; /* it is not read on */
};

/* "text/event-stream", with any parameters. */
static bool
jmap_watch_is_type(struct str type)
{
	struct str name, rest;

	(void)str_cut(type, ';', &name, &rest);
	return str_eq_case(str_trim(name), S("text/event-stream"));
}

static int
jmap_watch_begun(int status, struct str type, void *ctx)
{
	struct jmap_watch *t = ctx;

	/* 204: judged when the answer is whole. */
	if (status != 200)
		return 0;
	if (!jmap_watch_is_type(type))
		return jmap_wire_nonsense(&t->why, "no stream of events");
	t->begun = true;
	t->heard_ms = clock_mono_ms();
	t->over = t->w->ready != NULL && t->w->ready(t->w->ctx) != 0;
	return t->over ? -1 : 0;
}

static int
jmap_watch_take(struct str part, void *ctx)
{
	struct jmap_watch *t = ctx;

	t->heard_ms = clock_mono_ms();
	if (t->begun && jmap_event_take(&t->event, part, &t->why) < 0)
		return -1;
	return t->event.changed ? -1 : 0;
}

static int64_t
jmap_watch_quiet_ms(const struct jmap_watch *t)
{
	int64_t s = 3 * t->event.ping_s;

	return (s > 0 ? s : LIMIT_EVENT_QUIET_S) * 1000;
}

static int
jmap_watch_tick(void *ctx)
{
	struct jmap_watch *t = ctx;
	int64_t now = clock_mono_ms();

	t->over = t->over || (t->begun && now >= t->w->until_ms);
	if (t->over)
		return -1;
	if (!t->begun && now >= t->begin_ms)
		return err_set(&t->why, ERR_NETWORK,
		    "the mail server did not answer in time");
	if (t->begun && now - t->heard_ms > jmap_watch_quiet_ms(t))
		return err_set(&t->why, ERR_NETWORK,
		    "the mail server's event stream is silent");
	return 0;
}

/* What it ended with, if not with a change. */
static int
jmap_watch_ended(struct jmap_watch *t, int r, const struct http_reply *got,
    struct err *e)
{
	static const int none[] = { 204, 404, 405, 406, 410, 501 };

	if (t->over || (t->begun && clock_mono_ms() >= t->w->until_ms)) {
		*e = (struct err){ 0 };
		return 0;
	}
	if (t->why.kind != ERR_NONE) {
		*e = t->why;
		return -1;
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (got->status == none[i] && r != JMAP_STALE)
			return err_set(e, ERR_UNSUPPORTED,
			    "the mail server offers no stream of events");
	if (r == 0)
		return err_set(e, ERR_NETWORK,
		    "the mail server ended its event stream");
	return r;
}

static int
jmap_watch_once(struct jmap *j, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct jmap_watch t = { .w = w, .begin_ms = j->conn.acct->deadline_ms };
	const struct jmap_url_var v[] = { { "types", S("Email,Mailbox") },
		{ "closeafter", S("state") },
		{ "ping", str_fmt(a, "%d", PING_S) } };
	const struct jmap_stream stream = { jmap_watch_begun, jmap_watch_take,
		jmap_watch_tick, &t, w->until_ms };
	struct jmap_request q = { .max = LIMIT_EVENT_STREAM,
		.stream = &stream };
	struct http_reply got = { 0 };
	int r;

	if (jmap_session_need(j, e) < 0)
		return -1;
	if (j->session.events.n == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server offers no stream of events");
	q.url = jmap_url_fill(a, j->session.events, v, 3);
	jmap_event_init(&t.event, a, j->session.account);
	r = jmap_wire_ask(j, &q, &got, e);
	*changed = t.event.changed;
	if (t.event.changed) {
		*e = (struct err){ 0 };
		return 0;
	}
	return jmap_watch_ended(&t, r, &got, e);
}

int
jmap_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	int r;

	do
		r = jmap_watch_once(j, a, w, changed, e);
	while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}
