/* SPDX-License-Identifier: Apache-2.0 */
#include "door/http/notifier_stream.h"

#include "door/http/gateway.h"

enum {
	SPARE_MS = 1000, /* between two starts */
	QUICK_MS = 2000, /* a change so soon may be no change */
	QUICK_MOST_MS = 60000,
	STEADY_MS = 60000, /* one that was open so long was no failure */
	FAILED_MOST_MS = 300000,
	NONE_MS = 3600000, /* until such a server is asked again */
	DOUBLINGS = 16
};

/* The lines of its process. */
enum {
	LISTENS = 'l',
	CHANGE = 'c',
	QUIET = 'q',
	NONE = 'u',
	FAILED = 'e'
};

/* -- in its own process ---------------------------------------------------- */

static void
notifier_stream_listens(void)
{
	child_line(LISTENS, S(""));
}

static int
notifier_stream_ask(struct http_mail *x, bool *changed, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct str most = str_fmt(x->a, "%d", LIMIT_NOTIFIER_WATCH_S);
	struct reply out;

	*changed = false;
	if (http_mail_open(x, "mail_wait", e) < 0 ||
	    args_add(&x->args, x->a, args_find(&x->args, S("timeout")), most,
		e) < 0 ||
	    http_mail_ask(x, &out, e) < 0 ||
	    json_parse_open(json_text(out.data, x->a), SIZE_MAX, &d, e) < 0)
		return -1;
	(void)json_parse_bool(json_parse_member(json_parse_root(d), "changed"),
	    changed);
	return 0;
}

static void
notifier_stream_run(void *arg)
{
	struct http_mail x = { .gateway = arg,
		.a = arena_open(LIMIT_ARENA),
		.watching = notifier_stream_listens };
	struct err e = { 0 };
	bool changed;

	child_may_end(true);
	if (notifier_stream_ask(&x, &changed, &e) == 0)
		child_line(changed ? CHANGE : QUIET, S(""));
	else
		child_line(e.kind == ERR_UNSUPPORTED ? NONE : FAILED,
		    str_of(e.say));
	_exit(0);
}

/* -- in the notifier ------------------------------------------------------- */

/* 1 s, 2 s, 4 s and so on. */
static int64_t
notifier_stream_pause(unsigned n, int64_t most_ms)
{
	int64_t ms = SPARE_MS << (n - 1 < DOUBLINGS ? n - 1 : DOUBLINGS);

	return ms < most_ms ? ms : most_ms;
}

/* Not all at once, and not a server that always tells of one. */
static void
notifier_stream_plan_change(struct notifier_stream *s, int64_t now)
{
	s->quick = now - s->open < QUICK_MS ? s->quick + 1 : 0;
	s->again = s->since +
	    notifier_stream_pause(s->quick > 1 ? s->quick : 1, QUICK_MOST_MS);
	if (s->again < now)
		s->again = now;
}

void
notifier_stream_plan(struct notifier_stream *s, enum notifier_stream_end how,
    int64_t now)
{
	bool steady = s->open != 0 && now - s->open >= STEADY_MS;

	switch (how) {
	case NOTIFIER_STREAM_END_FAILED:
		s->failed = steady ? 1 : s->failed + 1;
		s->again =
		    now + notifier_stream_pause(s->failed, FAILED_MOST_MS);
		break;
	case NOTIFIER_STREAM_END_NONE:
		s->failed = 0;
		s->again = now + NONE_MS;
		break;
	case NOTIFIER_STREAM_END_CHANGE:
		s->failed = 0;
		notifier_stream_plan_change(s, now);
		break;
	case NOTIFIER_STREAM_END_QUIET:
		s->failed = s->quick = 0;
		s->again = now;
		break;
	}
	s->open = 0;
}

int
notifier_stream_fd(const struct notifier_stream *s)
{
	return s->child.pid > 0 ? s->child.fd : -1;
}

int64_t
notifier_stream_due(const struct notifier_stream *s)
{
	return s->binding[0] != '\0' && s->child.pid == 0 ? s->again : 0;
}

/* What one read has told. */
struct hearing {
	struct notifier_stream *stream;
	unsigned seen;
	int64_t now;
};

static void
notifier_stream_hear_line(void *arg, char kind, struct str text)
{
	struct hearing *h = arg;

	if (kind == LISTENS) {
		h->seen |= NOTIFIER_STREAM_OPEN;
		h->stream->open = h->now;
	} else if (kind == CHANGE) {
		h->seen |= NOTIFIER_STREAM_CHANGED;
		h->stream->end = NOTIFIER_STREAM_END_CHANGE;
	} else if (kind == QUIET) {
		h->stream->end = NOTIFIER_STREAM_END_QUIET;
	} else if (kind == NONE || kind == FAILED) {
		if (kind == NONE)
			h->stream->end = NOTIFIER_STREAM_END_NONE;
		/* The first of several. */
		if (h->stream->failed == 0)
			(void)fprintf(stderr,
			    "emcli: notifier: it looks from time to time: "
			    "%.*s\n",
			    STR_ARG(text));
	}
}

unsigned
notifier_stream_hear(struct notifier_stream *s, int64_t now)
{
	struct hearing h = { .stream = s, .now = now };

	if (s->child.pid == 0)
		return 0;
	if (child_read(&s->child, notifier_stream_hear_line, &h)) {
		notifier_stream_plan(s, s->end, now);
		h.seen |= NOTIFIER_STREAM_DOWN;
	}
	return h.seen;
}

static void
notifier_stream_ignore(void *arg, char kind, struct str text)
{
	(void)arg;
	(void)kind;
	(void)text;
}

static void
notifier_stream_kill(struct notifier_stream *s)
{
	if (s->child.pid == 0)
		return;
	child_signal(&s->child, SIGKILL);
	while (!child_read(&s->child, notifier_stream_ignore, NULL))
		;
}

void
notifier_stream_tend(struct notifier_stream *s, struct http_gateway *g,
    struct str version, int64_t now)
{
	struct str v = str_first(version, sizeof(s->binding) - 1);

	if (!str_eq(v, str_of(s->binding))) {
		notifier_stream_kill(s);
		*s = (struct notifier_stream){ 0 };
		memcpy(s->binding, v.p != NULL ? v.p : "", v.n);
	}
	if (s->binding[0] == '\0' || s->child.pid != 0 || now < s->again)
		return;
	s->since = now;
	s->end = NOTIFIER_STREAM_END_FAILED;
	if (child_start(&s->child, g->env, notifier_stream_run, g) < 0) {
		s->child.pid = 0;
		notifier_stream_plan(s, NOTIFIER_STREAM_END_FAILED, now);
	}
}
