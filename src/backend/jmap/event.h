/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_JMAP_EVENT_H
#define BACKEND_JMAP_EVENT_H

/*
 * A stream of events: text/event-stream of the HTML standard, section 9.2, with
 * the two events of RFC 8620 section 7.3.  No I/O.
 */
#include "base/buf.h"
#include "base/err.h"

struct jmap_event {
	struct str account; /* whose changes count */
	struct buf line;    /* not whole yet */
	struct buf data;    /* of the event that is not whole yet */
	bool has_data;
	enum {
		JMAP_EVENT_OTHER,
		JMAP_EVENT_STATE,
		JMAP_EVENT_PING,
	} name;
	bool begun; /* the first line was read */
	bool cr;    /* the last byte was a CR: a LF belongs to it */
	size_t n;   /* events */

	/* -- what was read --------------------------------------------- */
	bool changed;   /* Email or Mailbox; then the rest is not read */
	int64_t ping_s; /* how often pings come, by the last one; 0: unknown */
};

void jmap_event_init(struct jmap_event *s, struct arena *a, struct str account);
/*
 * Reads the next part, cut anywhere.  ERR_LIMIT: a line, an event or their
 * number is over its cap; ERR_NETWORK: an event is malformed.  After either the
 * stream is not to be read on.
 */
int jmap_event_take(struct jmap_event *s, struct str part, struct err *e);

#endif
