#ifndef GATE_DRAFT_H
#define GATE_DRAFT_H

/*
 * Drafts: what a person may send, and nobody here ever does.  Nothing below
 * this header leads to anything that submits.  The order is: read the thread,
 * look for a draft that waits already, say what it will be, judge whom it goes
 * to, compose, look for secrets, put it there, read it back.
 */
#include "gate/mailbox_thread.h"

struct draft;

struct draft_ask {
	struct str thread;                /* as a caller writes it, or empty */
	const struct strs *to, *cc, *bcc; /* as the caller gave them */
	struct str subject;               /* without a thread alone */
	struct str body;
	struct str another; /* why, though one waits; or empty */
};

struct draft_made {
	struct mailbox_thread_name thread; /* as the store has it now */
	struct str id, message_id, folder;
	struct str subject;
	struct strs to, cc;
	bool attached;
	const char *method;  /* "thread", "reply-header", "subject-fallback" */
	const char *why;     /* it is not attached: static, or NULL */
	bool again;          /* an earlier call had made it */
	struct str url;      /* of the thread, or empty */
	struct strs waiting; /* with the reason draft_pending: their ids */
};

/*
 * ERR_POLICY with the reason draft_pending, draft_sent, whitelist_out,
 * scope_thread or secret; ERR_UNKNOWN_OUTCOME when it cannot be read back.
 */
int draft_create(struct draft *d, const struct draft_ask *ask,
    struct draft_made *out, struct err *e);

#endif
