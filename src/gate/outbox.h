#ifndef GATE_OUTBOX_H
#define GATE_OUTBOX_H

/*
 * The only way anything leaves.  The recipients that were judged are the ones
 * that are used; the bytes are composed here and from nothing else.
 */
#include "backend/backend.h"
#include "base/err.h"

struct outbox;

struct outgoing {
	const struct strs *to, *cc, *bcc; /* as the caller gave them */
	struct str subject;
	struct str body;
	const struct strs *attach; /* paths below the account's attach_dir */
	struct str in_reply_to;    /* "<...>" or empty */
	struct strs references;
};

struct sent {
	struct str message_id;
	const struct recipient *to;
	size_t n;
};

/*
 * Composes and submits to all recipients or to none.  On ERR_REJECTED *out
 * still says what became of each recipient.
 */
int outbox_send(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e);

#endif
