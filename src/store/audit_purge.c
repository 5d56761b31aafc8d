/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deletes old rows of each chain, oldest first and without gaps, so that the
 * rest of it still verifies: links are deleted up to the first one of a
 * remaining row.
 */
#include "base/clock.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/internal.h"

/*
 * Deletes links of deleted rows, but never the newest: the next link refers to
 * it.
 */
static int
purge_links(struct store *s, int k, struct err *e)
{
	static const char sql[] =
	    "DELETE FROM audit_link WHERE seq >= ?1 AND seq < coalesce("
	    " (SELECT min(seq) FROM audit_link WHERE audit_id >="
	    "  (SELECT min(id) FROM audit_log WHERE id BETWEEN ?1 AND ?2)"
	    "  AND seq BETWEEN ?1 AND ?2),"
	    " (SELECT max(seq) FROM audit_link WHERE seq BETWEEN ?1 AND ?2))";

	return stmt_do(s, e, sql, V(chain_range_least(k)),
	    V(chain_range_most(k)));
}

static int
purge_rows(struct store *s, int k, struct str before, struct err *e)
{
	/*
	 * An older row after a remaining one stays too: that happens only if
	 * the clock was set back.
	 */
	static const char sql[] =
	    "DELETE FROM audit_log WHERE id >= ?2 AND id <= ?3"
	    " AND id < coalesce((SELECT min(id) FROM audit_log"
	    " WHERE ts >= ?1 AND id BETWEEN ?2 AND ?3), 9223372036854775807)";

	return stmt_do(s, e, sql, V(before), V(chain_range_least(k)),
	    V(chain_range_most(k)));
}

/* Is the oldest row of a chain that old?  1, 0, -1. */
static int
purge_wanted(struct store *s, bool there[CHAIN_RANGES], struct str before,
    struct err *e)
{
	if (chain_there(s, there, e) < 0)
		return -1;
	for (int k = 0; k < CHAIN_RANGES; k++) {
		CLEANUP(stmt_done) struct stmt *st = NULL;
		int r;

		if (!there[k])
			continue;
		if (stmt_ask(s, e,
			"SELECT ts < ?1 FROM audit_log WHERE id BETWEEN ?2"
			" AND ?3 ORDER BY id LIMIT 1",
			&st, V(before), V(chain_range_least(k)),
			V(chain_range_most(k))) < 0)
			return -1;
		r = stmt_step(s, st, e);
		if (r < 0 || (r == 1 && stmt_column_int(st, 0) != 0))
			return r;
	}
	return 0;
}

int
store_audit_purge(struct store *s, int64_t now_s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(tx_done) struct tx t = { 0 };
	bool there[CHAIN_RANGES] = { 0 };
	struct str before;
	uint32_t days;
	int r;

	if (store_setting_days(s, &days, e) < 0)
		return -1;
	before = clock_rfc3339(a, now_s - (int64_t)days * 86400);
	if (days == 0 || before.n == 0)
		return 0;

	r = purge_wanted(s, there, before, e);
	if (r == 1)
		r = s->driver->owns(s, e);
	if (r <= 0)
		return r;

	if (tx_begin_alone(s, &t, e) < 0)
		return -1;
	for (int k = 0; k < CHAIN_RANGES; k++)
		if (there[k] &&
		    (purge_rows(s, k, before, e) < 0 ||
			purge_links(s, k, e) < 0))
			return -1;
	return tx_commit(&t, e);
}
