#ifndef GATE_OUTBOX_ASK_H
#define GATE_OUTBOX_ASK_H

/*
 * A send that is held, brought before whoever sits at the agent's client.  Who
 * says yes there is known to nobody but the client, so what it says releases
 * nothing, unless the operator set mcp_approve to "client"; and never what
 * seems to carry a secret, for only the operator knows which.  Else it is told
 * how the message stands.
 *
 * What was asked is brought back with the answer, in a text that holds for one
 * principal, one call and one message.  The call itself never runs again.
 */
#include "gate/gate.h"
#include "gate/outbox.h"

struct outbox_ask {
	struct outbox_held held; /* what would leave */
	bool releases;           /* a yes lets it go */
	struct str state;        /* to be brought back unchanged */
};

enum outbox_ask_word {
	OUTBOX_ASK_NOTHING, /* no answer was brought */
	OUTBOX_ASK_DONE,    /* go on: it is neither allowed nor declined */
	OUTBOX_ASK_YES,     /* let it go */
	OUTBOX_ASK_NO,
};

struct outbox_ask_answer {
	const struct op *op; /* of the call that was made once more ... */
	struct args *args;   /* ... and its arguments, as they were given */
	struct str request;  /* outbox_ask_request() of both */
	struct str state;    /* as it was brought */
	enum outbox_ask_word word;
};

/* What the same call with the same arguments gives again; taken before the
 * call, which may put a file's text in the place of its name. */
struct str outbox_ask_request(struct arena *a, const struct op *op,
    const struct args *args);
/* Of a reply that says which row waits: is there something to be asked? */
bool outbox_ask_make(struct gate *g, struct arena *a, struct str request,
    int64_t held, struct outbox_ask *out);
/*
 * 0: *out is how the call ended; 1: it is that, and `again` is to be asked
 * first; -1: the state is none for this call, and *out says so.  Each leaves
 * its row in the audit log.
 */
int outbox_ask_answer(struct gate *g, const struct outbox_ask_answer *in,
    struct arena *a, struct reply *out, struct outbox_ask *again);

#endif
