/* SPDX-License-Identifier: Apache-2.0 */
/* Deletes rows older than the audit log's retention; open ones stay. */
#include "store/internal.h"
#include "store/outbox.h"

int
store_outbox_purge(struct store *s, int64_t now_s, struct err *e)
{
	return purge_old(s, now_s,
	    "SELECT 1 FROM outbox WHERE" PURGE_OLD_OUTBOX " LIMIT 1",
	    "DELETE FROM outbox WHERE" PURGE_OLD_OUTBOX, e);
}
