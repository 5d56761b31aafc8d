/* SPDX-License-Identifier: Apache-2.0 */
/* Maintenance of the audit log, the outbox and the journal at every run. */
#include "base/clock.h"
#include "store/audit.h"
#include "store/internal.h"
#include "store/journal.h"
#include "store/outbox.h"

/* Is anything older than the retention?  1, 0: the usual case; -1. */
static int
store_tidy_due(struct store *s, int64_t now_s, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 WHERE"
	    " (SELECT min(ts) FROM audit_log) < ?2"
	    " OR EXISTS (SELECT 1 FROM outbox WHERE" PURGE_OLD_OUTBOX ")"
	    " OR EXISTS (SELECT 1 FROM journal WHERE" PURGE_OLD_JOURNAL ")";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t before_s;
	uint32_t days;

	if (store_setting_days(s, &days, e) < 0)
		return -1;
	before_s = now_s - (int64_t)days * 86400;
	if (days == 0)
		return 0;
	if (stmt_ask(s, e, sql, &st, V(before_s),
		V(clock_rfc3339(a, before_s))) < 0)
		return -1;
	return stmt_step(s, st, e);
}

int
store_tidy(struct store *s, struct err *e)
{
	int64_t now = clock_now();
	int due = store_tidy_due(s, now, e);

	if (due <= 0)
		return due;
	if (store_audit_purge(s, now, e) < 0)
		return -1;
	if (store_outbox_purge(s, now, e) < 0)
		return -1;
	return store_journal_purge(s, now, e);
}
