#ifndef GATE_MAILBOX_OURS_H
#define GATE_MAILBOX_OURS_H

#include "base/err.h"
#include "base/str.h"

struct mailbox;

/* Did a message of that Message-ID leave by this account's outbox?  1, 0, or
 * -1 with ERR_DB.  One that is empty did not. */
int mailbox_ours(struct mailbox *m, struct str message_id, struct err *e);

#endif
