/* SPDX-License-Identifier: Apache-2.0 */
/* Fingerprints of messages, and a folder's state under a new numbering. */
#include "store/rematch.h"

#include "store/chain.h"
#include "store/internal.h"
#include "store/seal.h"
#include "store/seen_row.h"

bool
store_rematch_print(struct str message_id, struct str from, int64_t date_s,
    unsigned char out[STORE_PRINT])
{
	CLEANUP(arena_close) struct arena *a = NULL;
	unsigned char hash[SEAL_HASH];
	struct buf b;

	if (message_id.n == 0)
		return false;
	a = arena_open(4UL * CHAIN_BYTES);
	buf_init(&b, a, CHAIN_BYTES);
	chain_put(&b, message_id);
	chain_put(&b, from.n > 0 ? from : S(""));
	chain_put_int(&b, date_s);
	if (b.over)
		return false;
	seal_hash(buf_view(&b), hash);
	memcpy(out, hash, STORE_PRINT);
	return true;
}

/* Keeps only the newest; those not found at the last renumbering go first. */
static int
store_rematch_prune(struct store *s, const struct store_folder *f,
    struct err *e)
{
	static const char sql[] =
	    "DELETE FROM seen_message WHERE rowid IN"
	    " (SELECT rowid FROM seen_message WHERE account_id = ?1"
	    "  AND principal = ?2 AND folder = ?3"
	    "  ORDER BY uid DESC LIMIT -1 OFFSET 10000)";

	return seen_run(s, f, sql, e);
}

#define INTO                                                                   \
	"INSERT INTO seen_message"                                             \
	" (account_id, principal, folder, message, uid, acked)"
#define OR_AGAIN                                                               \
	" ON CONFLICT (account_id, principal, folder, message) DO UPDATE"      \
	" SET uid = excluded.uid,"                                             \
	" acked = max(seen_message.acked, excluded.acked)"

static int
store_rematch_remember_few(struct store *s, const struct store_folder *f,
    const struct store_mark *marks, size_t n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, INTO " VALUES (?1, ?2, ?3, ?4, ?5, ?6)" OR_AGAIN,
		&st, OF_FOLDER(f)) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		stmt_blob(st, 4,
		    (struct str){ (const char *)marks[i].print, STORE_PRINT });
		stmt_int(st, 5, marks[i].uid);
		stmt_int(st, 6, marks[i].acked);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

/*
 * In one statement, which may write a row only once: of several with one print
 * the last place counts, as if they came one after the other.
 */
static int
store_rematch_remember_all(struct store *s, const struct store_folder *f,
    const struct store_mark *marks, size_t n, struct err *e)
{
	/* ?4: of each its uid, doubled, and whether it was acked. */
	static const char sql[] =
	    INTO " SELECT ?1, ?2, ?3, m.message, max(m.place) % 4294967296,"
		 " max(m.acked) FROM (SELECT"
		 " substr(?5, 1 + 16 * key, 16) AS message,"
		 " key * 4294967296 + value / 2 AS place, value % 2 AS acked"
		 " FROM json_each(?4)) m GROUP BY m.message" OR_AGAIN;
	CLEANUP(arena_close) struct arena *a = arena_open(64UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t *v = arena_array(a, n, sizeof(*v));
	char *prints = arena_alloc(a, n * STORE_PRINT);

	for (size_t i = 0; i < n; i++) {
		v[i] = 2 * (int64_t)marks[i].uid + marks[i].acked;
		memcpy(prints + i * STORE_PRINT, marks[i].print, STORE_PRINT);
	}
	if (stmt_ask(s, e, sql, &st, OF_FOLDER(f), V(seen_list(a, v, n)),
		stmt_v_blob((struct str){ prints, n * STORE_PRINT })) < 0)
		return -1;
	return stmt_run(s, st, e);
}

static int
store_rematch_remember(struct store *s, const struct store_folder *f,
    const struct store_mark *marks, size_t n, struct err *e)
{
	const int r = n <= s->driver->few
	    ? store_rematch_remember_few(s, f, marks, n, e)
	    : store_rematch_remember_all(s, f, marks, n, e);

	return r < 0 ? -1 : store_rematch_prune(s, f, e);
}

int
store_rematch_ack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, const struct store_mark *marks,
    size_t marked, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 || store_seen_ack(s, f, uids, n, e) < 0 ||
	    store_rematch_remember(s, f, marks, marked, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_rematch_floor(struct store *s, const struct store_folder *f,
    const struct store_mark *marks, size_t n, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t floor;

	if (tx_begin(s, &t, e) < 0 || seen_state_same(s, f, &floor, e) < 0 ||
	    store_rematch_remember(s, f, marks, n, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

static int
store_rematch_count_nameless(struct store *s, const struct store_folder *f,
    size_t *out, struct err *e)
{
	static const char sql[] =
	    "SELECT count(*) FROM acked k WHERE account_id = ?1"
	    " AND principal = ?2 AND folder = ?3 AND NOT EXISTS"
	    " (SELECT 1 FROM seen_message m WHERE m.account_id = ?1"
	    "  AND m.principal = ?2 AND m.folder = ?3 AND m.uid = k.uid)";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, OF_FOLDER(f)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column_u32(st, 0);
	return 0;
}

int
store_rematch_known(struct store *s, struct arena *a,
    const struct store_folder *f, struct store_mark **out, size_t *n,
    size_t *acks, struct err *e)
{
	static const char sql[] =
	    "SELECT message, uid, acked FROM seen_message WHERE account_id = ?1"
	    " AND principal = ?2 AND folder = ?3"
	    " AND length(message) = 16 ORDER BY message";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_mark *v = NULL;
	size_t have = 0;
	int r;

	if (store_rematch_count_nameless(s, f, acks, e) < 0 ||
	    stmt_ask(s, e, sql, &st, OF_FOLDER(f)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		const struct str print = stmt_column_raw(st, 0);

		if (print.n != STORE_PRINT)
			continue;
		v = arena_more(a, v, have, sizeof(*v));
		memcpy(v[have].print, print.p, STORE_PRINT);
		v[have].uid = stmt_column_u32(st, 1);
		v[have++].acked = stmt_column_int(st, 2) != 0;
	}
	*out = v;
	*n = have;
	return r;
}

static int
store_rematch_put_found(struct store *s, const struct store_folder *f,
    const struct store_rematch *r, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64UL << 20);
	uint32_t *uids = arena_array(a, r->n, sizeof(*uids));

	for (size_t i = 0; i < r->n; i++)
		uids[i] = r->found[i].uid;
	if (seen_acks_put(s, f, r->floor, uids, r->n, e) < 0 ||
	    seen_run(s, f,
		"UPDATE seen_message SET uid = 0 WHERE account_id = ?1"
		" AND principal = ?2 AND folder = ?3",
		e) < 0)
		return -1;
	return store_rematch_remember(s, f, r->found, r->n, e);
}

int
store_rematch_apply(struct store *s, const struct store_folder *f,
    const struct store_rematch *r, bool *done, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t floor, uidvalidity = 0;
	bool reset;
	int got;

	*done = false;
	if (tx_begin(s, &t, e) < 0)
		return -1;
	got = store_seen_state(s, f, &uidvalidity, &floor, e);
	if (got < 0)
		return -1;
	if (got == 0 || uidvalidity != r->was)
		return 0;
	if (store_seen_meet(s, f, r->floor, &floor, &reset, e) < 0 ||
	    store_rematch_put_found(s, f, r, e) < 0)
		return -1;
	*done = true;
	return tx_commit(&t, e);
}
