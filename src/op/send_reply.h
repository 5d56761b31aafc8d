/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_SEND_REPLY_H
#define OP_SEND_REPLY_H

/* The message that a send answers: thread, subject, people. */
#include "op/send_out.h"

/*
 * Reads it as `reply_to` names it, and completes *m; nothing without
 * `reply_to`.  With `reply_all` the person whom the caller asks is asked here.
 * ERR_NOT_FOUND for hidden and missing messages alike.
 */
send_out_fill send_reply;
/*
 * RFC 5322 section 3.6.4: References is that of the other message, or else its
 * In-Reply-To if that names one message, followed by its Message-ID.
 */
void send_reply_refer(struct call *c, const struct mime_envelope *v,
    struct outgoing *m);
/* The canonical ones of the addresses, added to *out. */
void send_reply_add_known(struct arena *a, const struct addresses *l,
    struct strs *out);
/* The person who is asked sees the message as it would be sent. */
int send_reply_ask(struct call *c, const struct outgoing *m, struct err *e);

#endif
