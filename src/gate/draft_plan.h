#ifndef GATE_DRAFT_PLAN_H
#define GATE_DRAFT_PLAN_H

/* A draft on its way; the room's own. */
#include "gate/draft.h"
#include "gate/thread.h"

struct draft_plan {
	struct draft *d;
	const struct draft_ask *ask;
	bool threaded;
	struct mailbox_thread thread;
	struct outbox_parties p;
	struct strs bcc; /* as the wire has them */
	struct str subject, in_reply_to;
	struct strs references;
	struct str message_id; /* from thread and body: the same each time */
	struct str message;
};

/* Subject, reply headers and people, by the thread or as they were given. */
int draft_plan_make(struct draft_plan *p, struct err *e);
/*
 * The Message-ID that this thread and this body come to, whenever they are
 * asked for: a draft that was made is known by it.
 */
int draft_plan_key(struct draft_plan *p, struct err *e);

/* draft_put.c.  Where drafts are, the one of that Message-ID, or none: 1, 0. */
int draft_put_find(struct draft_plan *p, struct str folder, struct row *out,
    struct err *e);
/* Composes, looks for secrets, puts it there and reads it back. */
int draft_put(struct draft_plan *p, struct str folder, struct draft_made *out,
    struct err *e);
/* What is to be said of one that is there. */
void draft_put_tell(const struct draft_plan *p, struct str folder,
    const struct row *row, struct draft_made *out);

#endif
