/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_VIEW_H
#define BACKEND_AGENTBOX_VIEW_H

/* The messages of one mailbox, and their state. */
#include "backend/agentbox/root.h"

/* A test of a flag: any, only set, or only not set. */
enum agentbox_flag {
	AGENTBOX_ANY, /* in a change: no change */
	AGENTBOX_YES,
	AGENTBOX_NO,
};

struct agentbox_entry {
	struct str id, thread, created, subject;
	/* "inbox", "sent", "archive" or a box made by the owner. */
	struct str box;
	bool read, answered, starred, archived, deleted;
	int64_t arrival; /* larger is later; constant while the row exists */
};

struct agentbox_entries {
	struct agentbox_entry *v;
	size_t n;
};

/* The filter of a list; empty, 0 and AGENTBOX_ANY match all. */
struct agentbox_want {
	struct str box; /* a copy to oneself is in "inbox" and in "sent" */
	struct str thread;
	const struct strs *ids; /* only these */
	enum agentbox_flag read, answered, starred, archived, deleted;
	struct str since; /* created then or later, RFC 3339 in UTC */
	/* Only messages after this one in the requested order. */
	struct str after_created, after_id;
	int64_t after_arrival;
	bool by_arrival; /* oldest arrival first; else newest created first */
	size_t limit;    /* 0: no limit */
};

/*
 * Lists a mailbox by its registered address.  If `total` is not NULL, it counts
 * all matches, regardless of the limit.  ERR_NOT_FOUND: the address has no
 * active registration.
 */
int agentbox_view_list(struct agentbox_root *r, struct str address,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, size_t *total, struct err *e);
/* The boxes of a mailbox: inbox, sent, archive, drafts, and those in use. */
int agentbox_view_boxes(struct agentbox_root *r, struct str address,
    struct arena *a, struct strs *out, struct err *e);

/* The same change for several messages. */
struct agentbox_change {
	enum agentbox_flag read, answered, starred, archived, deleted;
	struct str box; /* the box to move them to; empty: none */
};

/*
 * state.c: makes the change to every message or to none.  Archiving moves into
 * "archive", and moving out of it ends archiving.  Messages that were only sent
 * stay in "sent".  ERR_NOT_FOUND: one of them is not in the mailbox, or the
 * address is not registered; ERR_USAGE, reason "box".
 */
int agentbox_state_change(struct agentbox_root *r, struct str address,
    const struct strs *ids, const struct agentbox_change *c, struct err *e);

#endif
