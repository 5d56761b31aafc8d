/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seen-set: the messages that an agent has acked.  A message is new if its
 * uid is above the folder's floor and not among the acked; a run of acked uids
 * directly above the floor becomes the floor.  Magnitudes: tens of folders; few
 * acks above the floor, or thousands if the numbering has gaps.
 */
#include "store/internal.h"
#include "store/seen_row.h"

/* Deletes those up to a uid. */
static int
seen_acks_forget(struct store *s, const struct store_folder *f, uint32_t last,
    struct err *e)
{
	static const char sql[] =
	    "DELETE FROM acked WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3 AND uid <= ?4";

	return stmt_do(s, e, sql, OF_FOLDER(f), V(last));
}

int
seen_run(struct store *s, const struct store_folder *f, const char *sql,
    struct err *e)
{
	return stmt_do(s, e, sql, OF_FOLDER(f));
}

/* Claims refer to numbers that are no longer valid. */
static int
store_seen_forget_all(struct store *s, const struct store_folder *f,
    struct err *e)
{
	if (seen_acks_forget(s, f, UINT32_MAX, e) < 0)
		return -1;
	return seen_run(s, f,
	    "DELETE FROM claim WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3",
	    e);
}

/* Data read before the lock may be outdated: it is read again. */
static int
store_seen_meet_locked(struct store *s, const struct store_folder *f,
    uint32_t baseline, uint32_t *floor, bool *reset, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t uidvalidity = 0;
	uint32_t was = 0;
	int r;

	if (tx_begin(s, &t, e) < 0)
		return -1;
	r = store_seen_state(s, f, &uidvalidity, &was, e);
	if (r < 0)
		return -1;
	*reset = r == 1 && uidvalidity != f->uidvalidity;
	*floor = r == 1 && !*reset ? was : baseline;
	if (*reset && store_seen_forget_all(s, f, e) < 0)
		return -1;
	if ((r == 0 || *reset) && seen_state_put(s, f, baseline, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_seen_meet(struct store *s, const struct store_folder *f,
    uint32_t baseline, uint32_t *floor, bool *reset, struct err *e)
{
	uint32_t uidvalidity = 0;
	uint32_t was = 0;
	int r;

	/* A known folder needs no lock. */
	r = store_seen_state(s, f, &uidvalidity, &was, e);
	if (r < 0)
		return -1;
	if (r == 0 || uidvalidity != f->uidvalidity)
		return store_seen_meet_locked(s, f, baseline, floor, reset, e);
	*floor = was;
	*reset = false;
	return 0;
}

int
seen_acks_put(struct store *s, const struct store_folder *f, uint32_t floor,
    const uint32_t *uids, size_t n, struct err *e)
{
#define INTO                                                                   \
	"INSERT INTO acked (account_id, principal, folder, uidvalidity, uid)"
	static const struct seen_list acks = { INTO
		" VALUES (?1, ?2, ?3, ?5, ?4) ON CONFLICT DO NOTHING",
		INTO " SELECT ?1, ?2, ?3, ?5, value FROM json_each(?4)"
		     " WHERE true ON CONFLICT DO NOTHING",
		true };

	return seen_list_run(s, f, &acks, floor, uids, n, e);
}

/* The end of the run of acked uids directly above the floor. */
static int
store_seen_run_above(struct store *s, const struct store_folder *f,
    uint32_t floor, uint32_t *end, struct err *e)
{
	/* Mostly there is none: then no row comes, where all would be sent. */
	static const char sql[] =
	    "SELECT uid FROM acked WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3 AND uid > ?4 AND EXISTS (SELECT 1 FROM acked"
	    " WHERE account_id = ?1 AND principal = ?2 AND folder = ?3"
	    " AND uid = ?4 + 1) ORDER BY uid";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, OF_FOLDER(f), V(floor)) < 0)
		return -1;
	*end = floor;
	/* The order is ascending and above the floor: no wrap at 2^32 - 1. */
	while ((r = stmt_step(s, st, e)) == 1) {
		if (stmt_column_u32(st, 0) - *end != 1)
			return 0;
		(*end)++;
	}
	return r;
}

int
store_seen_ack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t floor = 0, end = 0;

	if (tx_begin(s, &t, e) < 0 || seen_state_same(s, f, &floor, e) < 0)
		return -1;
	if (claim_end(s, f, uids, n, e) < 0 ||
	    seen_acks_put(s, f, floor, uids, n, e) < 0 ||
	    store_seen_run_above(s, f, floor, &end, e) < 0)
		return -1;
	if (end > floor &&
	    (seen_state_put(s, f, end, e) < 0 ||
		seen_acks_forget(s, f, end, e) < 0))
		return -1;
	return tx_commit(&t, e);
}

int
store_seen_acked(struct store *s, struct arena *a, const struct store_folder *f,
    uint32_t *floor, uint32_t **out, size_t *n, struct err *e)
{
	/*
	 * One statement: acks that move into the floor between two statements
	 * would be neither above the old one nor below it.
	 */
	static const char sql[] =
	    "SELECT f.floor_uid, k.uid FROM folder_state f LEFT JOIN acked k"
	    " ON k.account_id = f.account_id AND k.principal = f.principal"
	    " AND k.folder = f.folder AND k.uidvalidity = f.uidvalidity"
	    " AND k.uid > f.floor_uid"
	    " WHERE f.account_id = ?1 AND f.principal = ?2 AND f.folder = ?3"
	    " AND f.uidvalidity = ?4 ORDER BY k.uid";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	uint32_t *v = NULL;
	size_t have = 0;
	bool met = false;
	int r;

	if (stmt_ask(s, e, sql, &st, OF_FOLDER(f), V(f->uidvalidity)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		met = true;
		*floor = stmt_column_u32(st, 0);
		if (stmt_column_is_null(st, 1))
			continue;
		v = arena_more(a, v, have, sizeof(*v));
		v[have++] = stmt_column_u32(st, 1);
	}
	if (r < 0)
		return -1;
	if (!met)
		return seen_state_renumbered(e);
	*out = v;
	*n = have;
	return 0;
}
