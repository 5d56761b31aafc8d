/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_DRAFT_H
#define GATE_DRAFT_H

/*
 * Drafts: a person may send one, emcli never does.  Nothing below this header
 * leads to anything that submits.  The order is: read the thread, look for a
 * draft that already waits, plan the draft, judge its recipients, compose, look
 * for secrets, save it, read it back.
 */
#include "gate/mailbox_thread.h"

struct draft;

struct draft_ask {
	struct str thread;                /* as the caller gave it, or empty */
	const struct strs *to, *cc, *bcc; /* as the caller gave them */
	struct str subject;               /* only without a thread */
	struct str body;
	struct str another; /* the reason for another draft although one waits;
			       or empty */
	bool all;           /* answer everybody of the thread's last message */
	bool quote;         /* with the text of that message */
	bool dry;           /* it is planned and checked, and not made */
};

struct draft_made {
	struct mailbox_thread_name
	    thread; /* the thread's name in the store now */
	struct str id, message_id, folder;
	struct str subject;
	struct strs to, cc;
	bool attached;
	const char *method;  /* "thread", "reply-header", "subject-fallback" */
	const char *why;     /* why it has no thread: static, or NULL */
	bool again;          /* an earlier call made it */
	struct str url;      /* of the thread, or empty */
	struct strs waiting; /* with the reason draft_pending: their ids */
	/* Of a dry run, unless `again`: */
	uint64_t bytes;
	struct str digest; /* SHA-256, as sha256sum(1) has it */
};

/*
 * ERR_POLICY with the reason draft_pending, draft_sent, whitelist_out,
 * scope_thread or secret; ERR_UNKNOWN_OUTCOME if it cannot be read back.
 */
int draft_create(struct draft *d, const struct draft_ask *ask,
    struct draft_made *out, struct err *e);

#endif
