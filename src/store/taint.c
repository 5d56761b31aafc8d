/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that have recently read mail of an unauthenticated sender. */
#include "store/internal.h"
#include "store/outbox.h"

/*
 * A mark says "recently": one per minute is enough, and most reads write none.
 */
#define MARK_S 60

static int
store_taint_read(struct store *s, const char *sql, struct str principal,
    int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*out = 0;
	if (stmt_ask(s, e, sql, &st, V(principal)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		*out = stmt_column_int(st, 0);
	return r < 0 ? -1 : 0;
}

/* Agents of one user can tell each other what they read. */
int
store_taint_at(struct store *s, struct str principal, int64_t *out,
    struct err *e)
{
	return store_taint_read(s,
	    "SELECT max(read_s) FROM taint WHERE principal IN " STORE_KIN("?1"),
	    principal, out, e);
}

int
store_taint_mark(struct store *s, struct str principal, int64_t now_s,
    struct err *e)
{
	/* A clock that was set back must not remove a mark. */
	static const char sql[] =
	    "INSERT INTO taint (principal, read_s) VALUES (?1, ?2)"
	    " ON CONFLICT (principal) DO UPDATE"
	    " SET read_s = max(taint.read_s, excluded.read_s)";
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t at;

	if (store_taint_read(s, "SELECT read_s FROM taint WHERE principal = ?1",
		principal, &at, e) < 0)
		return -1;
	if (at > now_s - MARK_S && at <= now_s)
		return 0;
	if (tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(principal), V(now_s)) < 0)
		return -1;
	return tx_commit(&t, e);
}
