/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that polls for the session.  It waits for the interval, for a
 * message in the inbox of a mailbox root, for what a mail server tells, for the
 * agent to be idle, and for other settings.  Each poll is a process of its own,
 * as a request is: between two of them no database is open.
 */
#include "door/http/gateway.h"

#include <fcntl.h>
#include <poll.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/http/notifier_stream.h"
#include "door/http/notifier_watch.h"
#include "runtime/activity.h"
#include "runtime/notifier.h"

enum {
	BLIND_MS = 2000,  /* without inotify: between two looks at settings */
	COMMIT_MS = 250,  /* for a message to be in its mailbox's database */
	SECOND_MS = 2000, /* until another look, where that was too early */
	LATE_MS = 20000,  /* from a message to the commit of its row */
	SPARE_MS = 1000,  /* between two polls */
	REOPEN_MS = 1000, /* for a server to listen again after a change */
	/* Between two polls where a server tells of changes. */
	TOLD_MS = (LIMIT_NOTIFIER_WATCH_S + 300) * 1000,
};

struct notifier_loop {
	struct http_gateway *gateway;
	struct notifier_watch watch;
	struct notifier_stream stream;
	struct notifier_settings settings;
	int64_t due, last; /* of a poll, on clock_mono_ms(); 0: none */
	int64_t arrived;   /* when a message came that is not found yet; 0 */
	bool second;       /* there was another look for it */
	enum notifier_outcome outcome; /* of the last poll */
};

/* -- one poll, in its own process ------------------------------------------ */

static int
http_notifier_list(struct http_mail *x, struct strs *refs, bool *more,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v;
	struct reply out;
	struct str s;

	if (http_mail_open(x, "mail_unread", e) < 0 ||
	    http_mail_ask(x, &out, e) < 0 ||
	    json_parse_open(json_text(out.data, x->a), SIZE_MAX, &d, e) < 0)
		return -1;
	v = json_parse_member(json_parse_root(d), "message_refs");
	for (size_t i = 0; i < json_parse_count(v); i++)
		if (json_parse_str(json_parse_item(v, i), &s))
			str_push(x->a, refs, str_dup(x->a, s));
	*more = false;
	(void)json_parse_bool(json_parse_member(json_parse_root(d), "more"),
	    more);
	return 0;
}

static int
http_notifier_cycle(const struct http_gateway *g, struct arena *a,
    struct notifier_cycle *c, struct err *e)
{
	struct http_mail x = { .gateway = g, .a = a };
	struct strs refs = { 0 };
	struct err why = { 0 };
	bool more = false;
	int r = notifier_cycle_begin(c, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	r = http_notifier_list(&x, &refs, &more, &why);
	return notifier_cycle_end(c, &refs, more, r < 0 ? &why : NULL, e);
}

static void
http_notifier_poll(void *arg)
{
	const struct http_gateway *g = arg;
	struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int session = path_dir_open(AT_FDCWD, g->session);
	struct notifier_cycle c = { .session = session,
		.path = str_of(g->session),
		.a = a };
	struct err e = { 0 };

	child_may_end(true);
	if (session < 0 || http_notifier_cycle(g, a, &c, &e) < 0)
		(void)fprintf(stderr, "emcli: notifier: %s\n",
		    session < 0 ? "the session cannot be opened" : e.say);
	else
		child_line(CHILD_NOTE, str_fmt(a, "%d", (int)c.row.outcome));
	_exit(0);
}

/* -- the loop -------------------------------------------------------------- */

static void
http_notifier_hear(void *arg, char kind, struct str text)
{
	enum notifier_outcome *out = arg;
	uint32_t n;

	if (kind == CHILD_NOTE && str_to_u32(text, NOTIFIER_POLL_ERROR, &n))
		*out = (enum notifier_outcome)n;
}

/* Runs one; one that takes too long is ended. */
static enum notifier_outcome
http_notifier_run(struct http_gateway *g)
{
	enum notifier_outcome out = NOTIFIER_POLL_ERROR;
	int64_t end = clock_mono_ms() + LIMIT_NOTIFIER_CYCLE_MS;
	struct child c;
	bool over = false;

	if (child_start(&c, g->env, http_notifier_poll, g) < 0)
		return out;
	while (!over) {
		struct pollfd p = { .fd = c.fd, .events = POLLIN };

		if (poll(&p, 1, clock_left_ms(end)) == 0)
			child_signal(&c, SIGKILL);
		over = child_read(&c, http_notifier_hear, &out);
	}
	return out;
}

static void
http_notifier_sooner(struct notifier_loop *l, int64_t at)
{
	if (l->last != 0 && at < l->last + SPARE_MS)
		at = l->last + SPARE_MS;
	if (l->due != 0 && at < l->due)
		l->due = at;
}

/* The end of a snooze is not waited for any longer than that. */
static void
http_notifier_snooze(struct notifier_loop *l)
{
	int64_t left = l->settings.snooze_until - clock_now();

	if (left > 0)
		http_notifier_sooner(l, clock_mono_ms() + left * 1000);
}

/* The settings as they are now, and where its mail is. */
static void
http_notifier_learn(struct notifier_loop *l, int session, struct arena *a)
{
	struct notifier_settings was = l->settings, *now = &l->settings;
	struct manifest m = { 0 };
	struct err e = { 0 };

	if (notifier_read(session, a, now, &e) < 0) {
		(void)fprintf(stderr, "emcli: notifier: %s\n", e.say);
		*now = (struct notifier_settings){ 0 };
	}
	if (!now->enabled) {
		l->due = 0;
	} else if (l->due == 0 || now->interval_s != was.interval_s ||
	    now->snooze_until != was.snooze_until ||
	    now->renotify_s != was.renotify_s) {
		l->due = clock_mono_ms() + now->interval_s * 1000;
		http_notifier_snooze(l);
	}
	if (now->enabled)
		(void)manifest_read(session, a, &m, &e);
	notifier_watch_mail(&l->watch, notifier_watch_inbox(&m.mailbox, a), a);
	notifier_stream_tend(&l->stream, l->gateway,
	    m.mailbox.transport == TRANSPORT_STALWART
		? m.mailbox.bindings_version
		: S(""),
	    clock_mono_ms());
	l->watch.beside = notifier_stream_fd(&l->stream);
}

/* After a poll: the next one. */
static void
http_notifier_plan(struct notifier_loop *l, const struct notifier_state *st)
{
	int64_t now = clock_mono_ms();
	int64_t again = st->notified_s + l->settings.renotify_s - clock_now();

	l->last = now;
	l->due = now + l->settings.interval_s * 1000;
	if (l->stream.open != 0 && l->due < now + TOLD_MS)
		l->due = now + TOLD_MS;
	http_notifier_snooze(l);
	if (l->outcome == NOTIFIER_BUSY_SKIP)
		http_notifier_sooner(l, now + LIMIT_NOTIFIER_BUSY_MS);
	if (l->settings.renotify_s > 0 && again > 0 && st->known.n > 0)
		http_notifier_sooner(l, now + again * 1000);
	if (l->outcome != NOTIFIER_EMPTY && l->outcome != NOTIFIER_DEDUP_SKIP)
		l->arrived = 0;
	if (l->arrived != 0 && !l->second)
		http_notifier_sooner(l, now + SECOND_MS);
	l->second = true;
}

static bool
http_notifier_is_idle(int session, struct arena *a)
{
	struct activity v;

	return activity_read(session, a, &v) && v.idle;
}

/* What a mail server tells.  While it listens again, little is missed. */
static void
http_notifier_hear_server(struct notifier_loop *l, int64_t now)
{
	unsigned seen = notifier_stream_hear(&l->stream, now);

	if (seen & NOTIFIER_STREAM_OPEN)
		http_notifier_sooner(l, now);
	if (seen & NOTIFIER_STREAM_CHANGED)
		http_notifier_sooner(l, now + REOPEN_MS);
	if (seen & NOTIFIER_STREAM_DOWN)
		http_notifier_sooner(l, now + l->settings.interval_s * 1000);
}

/* Milliseconds until there is something to do; -1: nothing, by itself. */
static int
http_notifier_left_ms(const struct notifier_loop *l)
{
	int64_t at = l->due, next = notifier_stream_due(&l->stream);

	if (at == 0)
		return -1;
	return clock_left_ms(next != 0 && next < at ? next : at);
}

/* Waits for the next poll; what happens meanwhile brings it nearer. */
static void
http_notifier_wait(struct notifier_loop *l, int session, struct arena *a)
{
	unsigned seen =
	    notifier_watch_wait(&l->watch, http_notifier_left_ms(l), BLIND_MS);
	int64_t now = clock_mono_ms();

	if (l->due == 0)
		return;
	if (seen & NOTIFIER_WATCH_BESIDE)
		http_notifier_hear_server(l, now);
	if (seen & NOTIFIER_WATCH_MAIL) {
		l->arrived = now;
		l->second = false;
		http_notifier_sooner(l, now + COMMIT_MS);
	}
	if ((seen & NOTIFIER_WATCH_COMMIT) && l->arrived != 0 &&
	    now - l->arrived < LATE_MS)
		http_notifier_sooner(l, now);
	if ((seen & NOTIFIER_WATCH_ACTIVITY) &&
	    l->outcome == NOTIFIER_BUSY_SKIP &&
	    http_notifier_is_idle(session, a))
		http_notifier_sooner(l, now);
}

_Noreturn void
http_notifier(void *ctx)
{
	struct notifier_loop l = { .gateway = ctx };
	const char *path = l.gateway->session;

	notifier_watch_open(&l.watch);
	for (;;) {
		CLEANUP(arena_close) struct arena *a = arena_open(1 << 22);
		CLEANUP(path_close) int session = path_dir_open(AT_FDCWD, path);
		struct notifier_state st = { 0 };

		notifier_watch_session(&l.watch, str_of(path), a);
		http_notifier_learn(&l, session, a);
		http_notifier_wait(&l, session, a);
		if (l.due == 0 || clock_left_ms(l.due) > 0)
			continue;
		l.outcome = http_notifier_run(l.gateway);
		(void)notifier_state_read(session, a, &st, &(struct err){ 0 });
		http_notifier_plan(&l, &st);
	}
}
