/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_CHANGES_H
#define GATE_CHANGES_H

/* Changes of mail, as agents and the operator are told of them. */
#include "gate/mailbox.h"
#include "store/journal.h"

struct store_outbox;

/* changes.c: all but the result of each message. */
void changes_tell(const struct store_journal *row, struct mailbox_change *out);

/* mailbox_organise.c: names the change in the detail of an error; returns r. */
int mailbox_organise_name(struct mailbox *m, const struct store_journal *row,
    int r);

#endif
