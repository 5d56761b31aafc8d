/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_NOTIFIER_STREAM_H
#define DOOR_HTTP_NOTIFIER_STREAM_H

/*
 * What a mail server tells the notifier: a process of its own waits by
 * mail_wait and says so when something may have changed.  It ends with the
 * notifier.  Times are on clock_mono_ms().
 */
#include "door/child.h"

struct http_gateway;

/* What is to be done about it, or-ed. */
enum notifier_stream_seen {
	NOTIFIER_STREAM_OPEN = 1 << 0,    /* every later change is told: look */
	NOTIFIER_STREAM_CHANGED = 1 << 1, /* look, at best when it is open again
					   */
	NOTIFIER_STREAM_DOWN = 1 << 2,    /* no change is told any more */
};

/* How a wait ended. */
enum notifier_stream_end {
	NOTIFIER_STREAM_END_FAILED,
	NOTIFIER_STREAM_END_NONE, /* the server does not tell of changes */
	NOTIFIER_STREAM_END_CHANGE,
	NOTIFIER_STREAM_END_QUIET, /* its time was over */
};

struct notifier_stream {
	struct child child; /* no pid: there is none now */
	char binding[128];  /* the binding's version; empty: none is wanted */
	int64_t since;      /* when the last one was started */
	int64_t open;       /* when it began to listen; 0: it does not */
	int64_t again;      /* no other one is started before */
	unsigned failed;    /* so many in a row */
	unsigned quick;     /* so many in a row told of a change at once */
	enum notifier_stream_end end; /* what it said of its end */
};

/*
 * Starts one if it is time, for the binding of that version; ends one that is
 * for another.  An empty version: none is wanted.
 */
void notifier_stream_tend(struct notifier_stream *s, struct http_gateway *g,
    struct str version, int64_t now);
/* Its descriptor; -1: there is none. */
int notifier_stream_fd(const struct notifier_stream *s);
/* When notifier_stream_tend() has something to do; 0: not by itself. */
int64_t notifier_stream_due(const struct notifier_stream *s);
/* Reads what it says: enum notifier_stream_seen, or-ed. */
unsigned notifier_stream_hear(struct notifier_stream *s, int64_t now);
/* When the next one is started, after one that ended like that.  Pure. */
void notifier_stream_plan(struct notifier_stream *s,
    enum notifier_stream_end how, int64_t now);

#endif
