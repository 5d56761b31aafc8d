/* SPDX-License-Identifier: Apache-2.0 */
/* Maintenance of the audit log, the outbox and the journal at every run. */
#include "base/clock.h"
#include "store/audit.h"
#include "store/journal.h"
#include "store/outbox.h"

int
store_tidy(struct store *s, struct err *e)
{
	int64_t now = clock_now();

	if (store_audit_purge(s, now, e) < 0)
		return -1;
	if (store_outbox_purge(s, now, e) < 0)
		return -1;
	return store_journal_purge(s, now, e);
}
