#ifndef GATE_DRAFT_STATUS_H
#define GATE_DRAFT_STATUS_H

/*
 * What became of a draft.  Nothing is kept of drafts here: it is what the
 * account shows now, so that a hidden one answers as one that is not there.
 */
#include "gate/mailbox_thread.h"

struct draft_status {
	const char *status; /* "pending", "sent", "discarded", "unknown" */
	const char *why;    /* unknown: static; or NULL */
	/* The draft that waits, or the message it became; or NULL. */
	const struct mailbox_thread_message *msg;
};

/*
 * Of a draft's id, or of its Message-ID, which alone tells what was sent from
 * what was taken away.  ERR_USAGE, ERR_UNSUPPORTED where there are no drafts.
 */
int draft_status(struct mailbox *m, struct str id, struct draft_status *out,
    struct err *e);

#endif
