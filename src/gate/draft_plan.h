/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_DRAFT_PLAN_H
#define GATE_DRAFT_PLAN_H

/* A draft in preparation; private to the room. */
#include "gate/draft.h"
#include "gate/outbox_post.h"
#include "gate/thread.h"

struct draft_plan {
	struct draft *d;
	const struct draft_ask *ask;
	bool threaded;
	struct mailbox_thread thread;
	struct outbox_parties p;
	struct strs bcc; /* in wire format */
	struct str subject, in_reply_to;
	struct strs references;
	struct str below; /* the quote: format=flowed; or empty */
	struct str
	    message_id; /* derived from thread and body: always the same */
	struct str message;
};

/* Subject, reply headers and recipients, from the thread or as given. */
int draft_plan_make(struct draft_plan *p, struct err *e);
/* Reads the message that is answered, if it is to be quoted.  ERR_NOT_FOUND. */
int draft_plan_quote(struct draft_plan *p, struct err *e);
/*
 * The Message-ID for this thread and this body, which is always the same: it
 * identifies a draft that was already made.
 */
int draft_plan_key(struct draft_plan *p, struct err *e);

/*
 * draft_put.c. Finds the folder for drafts and the draft with that Message-ID:
 * 1, 0.
 */
int draft_put_find(struct draft_plan *p, struct str folder, struct row *out,
    struct err *e);
/* Composes, looks for secrets, saves the draft and reads it back. */
int draft_put(struct draft_plan *p, struct str folder, struct draft_made *out,
    struct err *e);
/* A dry run: what draft_put() would save, and nothing is saved. */
int draft_put_try(struct draft_plan *p, struct str folder,
    struct draft_made *out, struct err *e);
/* Fills in the result for an existing draft. */
void draft_put_tell(const struct draft_plan *p, struct str folder,
    const struct row *row, struct draft_made *out);

#endif
