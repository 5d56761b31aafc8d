/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream's part of a trace.  It shows complete lines that were put with
 * wire_say(), and only the number of bytes for other data.
 */
#include "base/trace.h"
#include "net/internal.h"

struct wire_told {
	char line[LIMIT_TRACE_LINE / 2];
	size_t n;
	size_t hidden; /* bytes after the line that are not shown */
	bool ended;    /* the last write ended a line */
	uint64_t seen; /* wire_taken() at the last report */
	char who[WIRE_HOST + 8];
};

static struct wire_told *
wire_trace_of(struct wire *w)
{
	if (w->told != NULL || !trace_on())
		return w->told;
	w->told = calloc(1, sizeof(*w->told));
	if (w->told == NULL)
		err_bug("out of memory");
	(void)snprintf(w->told->who, sizeof(w->told->who), "%s:%u",
	    w->host[0] != '\0' ? w->host : "stream", (unsigned)w->port);
	return w->told;
}

static void
wire_trace_add(struct wire_told *t, struct str s)
{
	size_t room = sizeof(t->line) - t->n;

	if (s.n > room)
		s.n = room;
	memcpy(t->line + t->n, s.p, s.n);
	t->n += s.n;
}

static void
wire_trace_hidden(struct wire_told *t)
{
	char text[32];
	int n;

	if (t->hidden == 0)
		return;
	n = snprintf(text, sizeof(text), "<%zu bytes>", t->hidden);
	wire_trace_add(t, (struct str){ text, (size_t)n });
	t->hidden = 0;
}

/* Data that was read but not reported. */
static void
wire_trace_rest(struct wire *w, struct wire_told *t)
{
	uint64_t taken = wire_taken(w);

	if (taken > t->seen)
		trace_line(t->who, '<', "<%llu bytes>",
		    (unsigned long long)(taken - t->seen));
	t->seen = taken;
}

static void
wire_trace_line(struct wire_told *t)
{
	wire_trace_hidden(t);
	if (t->n > 0)
		trace_line(t->who, '>', "%.*s", (int)t->n, t->line);
	t->n = 0;
	t->ended = false;
}

void
wire_trace_put(struct wire *w, struct str s, bool shown)
{
	struct wire_told *t = wire_trace_of(w);
	size_t n = s.n;

	if (t == NULL || n == 0)
		return;
	/* The lines of a message are reported as one number. */
	if (t->ended && (shown || t->n > 0))
		wire_trace_line(t);
	if (t->n == 0 && t->hidden == 0)
		wire_trace_rest(w, t);
	t->ended = s.p[n - 1] == '\n';
	if (!shown) {
		t->hidden += n;
		return;
	}
	wire_trace_hidden(t);
	while (n > 0 && (s.p[n - 1] == '\n' || s.p[n - 1] == '\r'))
		n--;
	wire_trace_add(t, (struct str){ s.p, n });
}

void
wire_trace_sent(struct wire *w)
{
	struct wire_told *t = wire_trace_of(w);

	if (t != NULL)
		wire_trace_line(t);
}

void
wire_trace_read(struct wire *w, struct str open, struct str rest, bool hide)
{
	struct wire_told *t = wire_trace_of(w);

	if (t == NULL)
		return;
	t->seen = wire_taken(w);
	if (!hide)
		trace_line(t->who, '<', "%.*s%.*s", STR_ARG(open),
		    STR_ARG(rest));
	else
		trace_line(t->who, '<', "%.*s<%zu bytes>", STR_ARG(open),
		    rest.n);
}

void
wire_trace_state(struct wire *w, const char *what)
{
	struct wire_peer peer;
	struct wire_told *t = wire_trace_of(w);

	if (t == NULL)
		return;
	wire_peer(w, &peer);
	trace_line(t->who, '=', "%s%s%s", what,
	    peer.version[0] != '\0' ? " " : "", peer.version);
}

void
wire_trace_close(struct wire *w)
{
	struct wire_told *t = w->told;

	if (t == NULL)
		return;
	wire_trace_line(t);
	wire_trace_rest(w, t);
	trace_line(t->who, '=', "closed");
	secret_wipe(t, sizeof(*t));
	free(t);
	w->told = NULL;
}
