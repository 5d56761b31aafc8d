/*
 * Leases.  Whether a message can be claimed is checked under the lock, together
 * with acks: another worker may have claimed and acked a message since it was
 * listed as new.
 */
#include "store/claim.h"

#include "base/limits.h"
#include "store/internal.h"
#include "store/seen_row.h"

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
	static const char sql[] =
	    "DELETE FROM claim WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3 AND uid = ?4";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	seen_state_bind(st, f);
	for (size_t i = 0; i < n; i++) {
		stmt_int(st, 4, uids[i]);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
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
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	seen_state_bind(st, f);
	stmt_int(st, 4, now_ms);
	stmt_int(st, 5, store_claim_nonsense(now_ms));
	stmt_int(st, 6, f->uidvalidity);
	return stmt_run(s, st, e);
}

int
store_claim_take(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, int64_t now_ms, int64_t until_ms, bool *won,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO claim"
	    " (account_id, principal, folder, uidvalidity, uid, until_ms)"
	    " SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS"
	    " (SELECT 1 FROM acked WHERE account_id = ?1 AND principal = ?2"
	    "  AND folder = ?3 AND uid = ?5)"
	    " ON CONFLICT DO NOTHING";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t floor = 0;

	if (tx_begin(s, &t, e) < 0 || seen_state_same(s, f, &floor, e) < 0 ||
	    store_claim_drop_old(s, f, now_ms, e) < 0 ||
	    stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	seen_state_bind(st, f);
	stmt_int(st, 4, f->uidvalidity);
	stmt_int(st, 6, until_ms);
	for (size_t i = 0; i < n; i++) {
		won[i] = false;
		if (uids[i] <= floor)
			continue;
		stmt_int(st, 5, uids[i]);
		if (stmt_run(s, st, e) < 0)
			return -1;
		won[i] = sqlite3_changes(s->db) == 1;
	}
	return tx_commit(&t, e);
}

int
store_claim_held(struct store *s, struct arena *a, const struct store_folder *f,
    int64_t now_ms, uint32_t **out, size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT uid FROM claim WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3 AND until_ms > ?4 AND until_ms <= ?5"
	    " AND uidvalidity = ?6 ORDER BY uid";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	uint32_t *v = NULL;
	size_t have = 0, room = 0;
	int r;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	seen_state_bind(st, f);
	stmt_int(st, 4, now_ms);
	stmt_int(st, 5, store_claim_nonsense(now_ms));
	stmt_int(st, 6, f->uidvalidity);
	while ((r = stmt_step(s, st, e)) == 1) {
		if (have == room) {
			size_t more = room == 0 ? 64 : 2 * room;

			v = arena_grow(a, v, room * sizeof(*v),
			    more * sizeof(*v));
			room = more;
		}
		v[have++] = stmt_column_u32(st, 0);
	}
	*out = v;
	*n = have;
	return r;
}
