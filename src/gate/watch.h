/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_WATCH_H
#define GATE_WATCH_H

/*
 * Waiting for new mail, as far as an agent may see it.  Every message is judged
 * before it ends a wait; one that is hidden changes neither the reply nor its
 * time.  Nothing is acked, marked or tainted: no word of a message is told.
 */
#include "base/limits.h"
#include "gate/mailbox.h"

/* Up to where a caller knows a folder: the highest visible uid it was told. */
struct watch_place {
	uint32_t uidvalidity, uid;
};

struct watch_query {
	struct str folder;
	struct str cursor; /* where to begin; empty: from now on */
	int64_t wait_ms;   /* at most */
};

struct watch_news {
	uint32_t uid[LIMIT_WATCH_EVENTS]; /* ascending; the oldest ones */
	size_t n;
	bool timed_out;
	bool renumbered; /* the cursor's numbers mean nothing any more */
	struct watch_place place;
	struct str cursor; /* behind the last that is told */
};

/*
 * watch.c. Returns as soon as something is new, or when the time is over.  A
 * folder that was renumbered ends it too, with the warning uidvalidity_changed.
 * ERR_USAGE: no cursor of this agent, account and folder.
 */
int watch_run(struct mailbox *m, const struct watch_query *q,
    struct watch_news *out, struct err *e);

/*
 * watch_look.c: one look.  1: there is news behind out->place, which is moved,
 * or the folder was renumbered; 0: there is none; or -1.
 */
int watch_look_new(struct mailbox *m, struct str folder, struct watch_news *out,
    struct err *e);
/* The place behind all that is visible now. */
int watch_look_newest(struct mailbox *m, struct str folder,
    struct watch_place *out, struct err *e);

/* watch_cursor.c: a place as text, and back; ERR_USAGE for any other text. */
int watch_cursor_put(struct mailbox *m, struct str folder,
    const struct watch_place *place, struct str *text, struct err *e);
int watch_cursor_read(struct mailbox *m, struct str folder, struct str text,
    struct watch_place *out, struct err *e);

#endif
