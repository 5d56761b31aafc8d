/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_HELD_H
#define GATE_HELD_H

/*
 * Changes of mail that wait for the operator, in the queue of messages that do
 * (store/outbox.h): the whole change is one item, bound to a digest.  When it
 * is released the messages are looked at again, as the agent sees them then:
 * all of them are changed, or none.
 */
#include "gate/changes.h"
#include "gate/journal.h"
#include "gate/outbox_post.h"

/* The messages that a held row names. */
struct held_messages {
	uint32_t *uid; /* ascending */
	struct str *digest;
	size_t n;
	struct strs subjects; /* the beginnings of the first ten */
};

/*
 * held.c.  Writes the item down: ERR_APPROVAL, with its id in the call's
 * detail, or why it cannot wait.  Of `what` it takes what is done.  Always -1.
 */
int held_put(struct mailbox *m, const struct mailbox_set *set,
    const struct store_journal *what, struct err *e);
/* The call's detail for that row. */
void held_tell(struct call *c, const struct store_outbox *row);
/* ERR_POLICY, "changed", if these are no bytes of ours. */
int held_read(struct arena *a, const struct store_outbox *row,
    struct held_messages *out, struct err *e);

/* mailbox_organise.c: judged again, and made. */
int mailbox_organise_release(struct mailbox *m, const struct mailbox_set *set,
    const struct store_journal *what, struct mailbox_change *out,
    struct err *e);
/* A row of the journal with its messages, as agents are told of it. */
void mailbox_organise_told(struct arena *a, const struct store_journal *row,
    struct mailbox_change *out);

#endif
