/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leases, which hold among all agents of a user.  Whether a message can be
 * claimed is checked under the lock, together with acks: another worker may
 * have claimed and acked a message since it was listed as new.
 */
#include "store/claim.h"

#include "base/limits.h"
#include "store/internal.h"
#include "store/seen_row.h"

/* Parameters 4 to 6: now, nonsense, and the numbering. */
#define HELD                                                                   \
	" account_id = ?1 AND folder = ?3 AND until_ms > ?4"                   \
	" AND until_ms <= ?5 AND uidvalidity = ?6"                             \
	" AND principal IN " STORE_KIN("?2")

/*
 * A lease longer than any that is granted was made before the clock was set
 * back.
 */
static int64_t
store_claim_nonsense(int64_t now_ms)
{
	return now_ms + LIMIT_CLAIM_S * 1000LL;
}

int
claim_end(struct store *s, const struct store_folder *f, const uint32_t *uids,
    size_t n, struct err *e)
{
	static const struct seen_list ended = SEEN_LIST_DELETE("claim");

	return seen_list_run(s, f, &ended, 0, uids, n, e);
}

/* Deletes expired leases, so that the table stays small. */
static int
store_claim_drop_old(struct store *s, const struct store_folder *f,
    int64_t now_ms, struct err *e)
{
	static const char sql[] =
	    "DELETE FROM claim WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3 AND (until_ms <= ?4 OR until_ms > ?5"
	    " OR uidvalidity <> ?6)";

	return stmt_do(s, e, sql, OF_FOLDER(f), V(now_ms),
	    V(store_claim_nonsense(now_ms)), V(f->uidvalidity));
}

int
store_claim_take(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, int64_t now_ms, int64_t until_ms, bool *won,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO claim"
	    " (account_id, principal, folder, uidvalidity, until_ms, uid)"
	    " SELECT ?1, ?2, ?3, ?6, ?7, ?8 WHERE NOT EXISTS"
	    " (SELECT 1 FROM acked WHERE account_id = ?1 AND principal = ?2"
	    "  AND folder = ?3 AND uid = ?8)"
	    " AND NOT EXISTS (SELECT 1 FROM claim WHERE" HELD " AND uid = ?8)";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t floor = 0;

	if (tx_begin(s, &t, e) < 0 || seen_state_same(s, f, &floor, e) < 0 ||
	    store_claim_drop_old(s, f, now_ms, e) < 0 ||
	    stmt_ask(s, e, sql, &st, OF_FOLDER(f), V(now_ms),
		V(store_claim_nonsense(now_ms)), V(f->uidvalidity),
		V(until_ms)) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		won[i] = false;
		if (uids[i] <= floor)
			continue;
		stmt_int(st, 8, uids[i]);
		if (stmt_run(s, st, e) < 0)
			return -1;
		won[i] = stmt_changes(s) == 1;
	}
	return tx_commit(&t, e);
}

int
store_claim_held(struct store *s, struct arena *a, const struct store_folder *f,
    int64_t now_ms, uint32_t **out, size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT DISTINCT uid FROM claim WHERE" HELD " ORDER BY uid";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	uint32_t *v = NULL;
	size_t have = 0;
	int r;

	if (stmt_ask(s, e, sql, &st, OF_FOLDER(f), V(now_ms),
		V(store_claim_nonsense(now_ms)), V(f->uidvalidity)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		v[have++] = stmt_column_u32(st, 0);
	}
	*out = v;
	*n = have;
	return r;
}
