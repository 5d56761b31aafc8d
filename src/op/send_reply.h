#ifndef OP_SEND_REPLY_H
#define OP_SEND_REPLY_H

/* The message that a send answers: thread, subject, people. */
#include "op/fields.h"

/*
 * Reads it as `reply_to` names it, and completes *m; nothing without
 * `reply_to`.  With `reply_all` the person whom the caller asks is asked here.
 * ERR_NOT_FOUND for hidden and missing messages alike.
 */
int send_reply(struct call *c, struct outgoing *m, struct err *e);

#endif
