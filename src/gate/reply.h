/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_REPLY_H
#define GATE_REPLY_H

/* An answer: to everybody of a message, and with its text. */
#include "base/err.h"
#include "mime/message.h"

struct outbox;

/* As the caller gave them; the people of the message are added. */
struct reply_people {
	struct strs to, cc;
	struct strs added; /* canonical */
};

/*
 * For the account of that outbox.  Adds those whom the message asks to answer
 * (Reply-To, or else From) to `to`, and the others of its To and Cc to `cc`:
 * each once, without those that are there already, and without the account's
 * own addresses.  The answer to a message of one's own goes to whom that went.
 * A mailing list is not added by what its fields say.  Policy is asked about
 * the result.  ERR_USAGE: somebody whose address cannot be written to, or
 * nobody is left; ERR_LIMIT.
 */
int reply_people_of(struct outbox *o, const struct mime_envelope *v,
    struct reply_people *out, struct err *e);
/*
 * Its text, quoted below a line that says when and by whom it was written:
 * format=flowed (mime/quote.h).  It is what `get` shows, so that nothing goes
 * out that a reader of the message does not see.  reply_quote.c
 */
struct str reply_quote(struct arena *a, const struct mime_envelope *v,
    struct str raw);

#endif
