/* SPDX-License-Identifier: Apache-2.0 */
/* Detects returning mail: a loop, or a copy of sent mail. */
#include "gate/mailbox_ours.h"

#include "gate/internal.h"
#include "store/outbox.h"

int
mailbox_ours(struct mailbox *m, struct str message_id, struct err *e)
{
	if (message_id.n == 0)
		return 0;
	return store_outbox_ours(m->gate->store, m->src->acct.id, message_id,
	    e);
}
