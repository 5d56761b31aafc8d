/* SPDX-License-Identifier: Apache-2.0 */
/* Finds rows of the journal, and deletes old ones. */
#include "store/journal.h"

#include "base/limits.h"
#include "store/chain.h"
#include "store/journal_row.h"
#include "store/outbox_row.h"
#include "store/seal.h"

void
store_journal_digest(struct str message_id, struct str from, int64_t date_s,
    struct str subject, unsigned char out[STORE_JOURNAL_DIGEST])
{
	CLEANUP(arena_close) struct arena *a = arena_open(4UL * CHAIN_BYTES);
	unsigned char hash[SEAL_HASH];
	struct buf b;

	buf_init(&b, a, CHAIN_BYTES);
	/* Longer ones differ in their beginnings, or not at all. */
	chain_put(&b, str_first(message_id, LIMIT_SUBJECT));
	chain_put(&b, str_first(from, LIMIT_SUBJECT));
	chain_put_int(&b, date_s);
	chain_put(&b, str_first(subject, LIMIT_SUBJECT));
	seal_hash(buf_view(&b), hash);
	memcpy(out, hash, STORE_JOURNAL_DIGEST);
}

const char *
store_journal_word(enum store_journal_state state)
{
	return journal_row_word(state);
}

int
store_journal_get(struct store *s, struct arena *a, int64_t id,
    struct store_journal *out, struct err *e)
{
	static const char sql[] =
	    "SELECT " JOURNAL_ROW_COLUMNS " FROM journal j WHERE j.id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such change");
	journal_row_read(st, a, out);
	return journal_row_messages(s, a, out, e);
}

/* All rows of a statement. */
static int
store_journal_all(struct store *s, struct arena *a, struct stmt *st,
    struct store_journal **out, size_t *n, struct err *e)
{
	struct store_journal *v = NULL;
	size_t have = 0;
	int r;

	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		journal_row_read(st, a, &v[have++]);
	}
	*out = v;
	*n = have;
	return r;
}

int
store_journal_list(struct store *s, struct arena *a,
    const struct store_journal_query *q, struct store_journal **out, size_t *n,
    struct err *e)
{
	static const char sql[] =
	    "SELECT " JOURNAL_ROW_COLUMNS " FROM journal j"
	    " WHERE (?1 = 0 OR j.account_id = ?1)"
	    " AND (?2 IS NULL OR j.principal = ?2)"
	    " AND (?3 = 0 OR j.id < ?3) AND j.created_s >= ?5"
	    " ORDER BY j.id DESC LIMIT ?4";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(q->account),
		stmt_v_or_null(q->principal), V(q->before),
		V(q->limit > INT32_MAX ? INT32_MAX : (int64_t)q->limit),
		V(q->since_s)) < 0)
		return -1;
	return store_journal_all(s, a, st, out, n, e);
}

int
store_journal_begun(struct store *s, struct arena *a, int64_t account,
    int64_t first, int64_t **id, size_t *n, struct err *e)
{
	static const char sql[] = "SELECT id FROM journal"
				  " WHERE account_id = ?1 AND state = 'begun'"
				  " ORDER BY id = ?2 DESC, changed_s, id";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*id = NULL;
	*n = 0;
	if (stmt_ask(s, e, sql, &st, V(account), V(first)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		*id = arena_more(a, *id, *n, sizeof(**id));
		(*id)[(*n)++] = stmt_column_int(st, 0);
	}
	return r;
}

int
store_journal_lives(struct store *s, int64_t id, struct err *e)
{
	return outbox_lock_held(s, JOURNAL_LOCK + id, e);
}

int
store_journal_purge(struct store *s, int64_t now_s, struct err *e)
{
	return purge_old(s, now_s,
	    "SELECT 1 FROM journal WHERE" PURGE_OLD_JOURNAL " LIMIT 1",
	    "DELETE FROM journal WHERE" PURGE_OLD_JOURNAL, e);
}
