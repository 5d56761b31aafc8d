#ifndef GATE_CHANGES_H
#define GATE_CHANGES_H

/* Changes of mail, as agents and the operator are told of them. */
#include "gate/mailbox.h"
#include "store/journal.h"

struct store_outbox;

/* changes.c: all but the result of each message. */
void changes_tell(const struct store_journal *row, struct mailbox_change *out);

#endif
