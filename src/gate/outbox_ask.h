/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_OUTBOX_ASK_H
#define GATE_OUTBOX_ASK_H

/*
 * Asks the person at the agent's client about a held send.  Only the client
 * knows who answers there, so a yes releases nothing unless the operator set
 * mcp_approve to "client", and never a message that seems to contain a secret,
 * because only the operator knows which.  In all other cases the client is told
 * the message's state.
 *
 * The client returns the answer together with a state text, valid for one
 * principal, one call and one message.  The call itself never runs again.
 */
#include "gate/gate.h"
#include "gate/outbox.h"

struct outbox_ask {
	struct outbox_held held; /* what would be sent */
	bool releases;           /* a yes releases it */
	struct str state;        /* to be returned unchanged */
};

enum outbox_ask_word {
	OUTBOX_ASK_NOTHING, /* no answer was given */
	OUTBOX_ASK_DONE,    /* continue: neither allowed nor declined */
	OUTBOX_ASK_YES,     /* release it */
	OUTBOX_ASK_NO,
};

struct outbox_ask_answer {
	const struct op *op; /* of the repeated call ... */
	struct args *args;   /* ... and its arguments, as given */
	struct str request;  /* outbox_ask_request() of both */
	struct str state;    /* as it was returned */
	enum outbox_ask_word word;
};

/*
 * The same for every repetition of a call with the same arguments; computed
 * before the call, which may replace a file's name by its text.
 */
struct str outbox_ask_request(struct arena *a, const struct op *op,
    const struct args *args);
/* For a reply that names a waiting row: is there a question to ask? */
bool outbox_ask_make(struct gate *g, struct arena *a, struct str request,
    int64_t held, struct outbox_ask *out);
/*
 * 0: *out is the call's final reply; 1: the same, and `again` is to be asked
 * first; -1: the state is not valid for this call, as *out says.  Each writes
 * its row to the audit log.
 */
int outbox_ask_answer(struct gate *g, const struct outbox_ask_answer *in,
    struct arena *a, struct reply *out, struct outbox_ask *again);

#endif
