/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deletes old rows, oldest first and without gaps, so that the rest of the
 * chain still verifies: links are deleted up to the first one of a remaining
 * row.
 */
#include "base/clock.h"
#include "store/audit.h"
#include "store/internal.h"

/*
 * Deletes links of deleted rows, but never the newest: the next link refers to
 * it.
 */
static int
purge_links(struct store *s, struct err *e)
{
	static const char sql[] =
	    "DELETE FROM audit_link WHERE seq < coalesce("
	    " (SELECT min(seq) FROM audit_link WHERE audit_id >="
	    "  (SELECT min(id) FROM audit_log)),"
	    " (SELECT max(seq) FROM audit_link))";

	return stmt_exec(s, sql, e);
}

int
store_audit_purge(struct store *s, int64_t now_s, struct err *e)
{
	/*
	 * An older row after a remaining one stays too: that happens only if
	 * the clock was set back.
	 */
	static const char sql[] =
	    "DELETE FROM audit_log WHERE id < coalesce("
	    " (SELECT min(id) FROM audit_log WHERE ts >= ?1),"
	    " 9223372036854775807)";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *find = NULL;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	struct str before;
	uint32_t days;
	int r;

	if (store_setting_days(s, &days, e) < 0)
		return -1;
	before = clock_rfc3339(a, now_s - (int64_t)days * 86400);
	if (days == 0 || before.n == 0)
		return 0;

	/* Checked first: most runs have nothing to do and take no lock. */
	if (stmt_ask(s, e, "SELECT ts < ?1 FROM audit_log ORDER BY id LIMIT 1",
		&find, V(before)) < 0)
		return -1;
	r = stmt_step(s, find, e);
	if (r <= 0 || stmt_column_int(find, 0) == 0)
		return r < 0 ? -1 : 0;
	stmt_done(&find);
	r = s->driver->owns(s, e);
	if (r <= 0)
		return r;

	if (tx_begin(s, &t, e) < 0 || stmt_ask(s, e, sql, &st, V(before)) < 0)
		return -1;
	if (stmt_run(s, st, e) < 0 || purge_links(s, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
