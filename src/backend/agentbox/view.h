#ifndef BACKEND_AGENTBOX_VIEW_H
#define BACKEND_AGENTBOX_VIEW_H

/* What one mailbox has, and what it has done with it. */
#include "backend/agentbox/root.h"

/* Asked of a flag: either, or only those with it, or without it. */
enum agentbox_flag {
	AGENTBOX_ANY, /* in a change: leave it */
	AGENTBOX_YES,
	AGENTBOX_NO,
};

struct agentbox_entry {
	struct str id, thread, created, subject;
	/* "inbox", "sent", "archive" or a box of the owner's making. */
	struct str box;
	bool read, answered, starred, archived, deleted;
	int64_t arrival; /* larger is later; stays while the row is there */
};

struct agentbox_entries {
	struct agentbox_entry *v;
	size_t n;
};

/* What to list; empty, 0 and AGENTBOX_ANY ask nothing. */
struct agentbox_want {
	struct str box; /* a copy to oneself is in "inbox" and in "sent" */
	struct str thread;
	const struct strs *ids; /* of these alone */
	enum agentbox_flag read, answered, starred, archived, deleted;
	struct str since; /* created then or later, RFC 3339 in UTC */
	/* Only what comes after this one in the order asked. */
	struct str after_created, after_id;
	int64_t after_arrival;
	bool by_arrival; /* oldest arrival first; else newest created first */
	size_t limit;    /* 0: all there are */
};

/*
 * Lists a mailbox by its registered address, and counts all that match,
 * whatever the limit, where `total` is not NULL.  ERR_NOT_FOUND: the address
 * has no active registration.
 */
int agentbox_view_list(struct agentbox_root *r, struct str address,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, size_t *total, struct err *e);
/* The boxes of a mailbox: inbox, sent, archive, drafts, and those in use. */
int agentbox_view_boxes(struct agentbox_root *r, struct str address,
    struct arena *a, struct strs *out, struct err *e);

/* A change of the same kind to each of some messages. */
struct agentbox_change {
	enum agentbox_flag read, answered, starred, archived, deleted;
	struct str box; /* where to move them; empty: nowhere */
};

/*
 * state.c: makes the change to every message or to none.  To archive is to move
 * into "archive", and to move out of it the other way round.  What was only
 * sent stays in "sent".  ERR_NOT_FOUND: one of them is not in the mailbox, or
 * the address is not registered; ERR_USAGE, reason "box".
 */
int agentbox_state_change(struct agentbox_root *r, struct str address,
    const struct strs *ids, const struct agentbox_change *c, struct err *e);

#endif
