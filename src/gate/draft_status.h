/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_DRAFT_STATUS_H
#define GATE_DRAFT_STATUS_H

/*
 * What became of a draft.  emcli stores nothing about drafts: the answer comes
 * from what the account shows now, so a hidden draft answers like a missing
 * one.
 */
#include "gate/mailbox_thread.h"

struct draft_status {
	const char *status; /* "pending", "sent", "discarded", "unknown" */
	const char *why;    /* unknown: static; or NULL */
	/* The draft that waits, or the message that it became; or NULL. */
	const struct mailbox_thread_message *msg;
};

/*
 * By a draft's id or by its Message-ID; only the latter distinguishes a sent
 * draft from a deleted one.  ERR_USAGE, ERR_UNSUPPORTED if there are no drafts.
 */
int draft_status(struct mailbox *m, struct str id, struct draft_status *out,
    struct err *e);

#endif
