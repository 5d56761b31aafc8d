/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_MAILBOX_OURS_H
#define GATE_MAILBOX_OURS_H

#include "base/err.h"
#include "base/str.h"

struct mailbox;

/*
 * Did this account's outbox send a message with that Message-ID?  1, 0, or -1
 * with ERR_DB.  0 for an empty one.
 */
int mailbox_ours(struct mailbox *m, struct str message_id, struct err *e);

#endif
