/*
 * Somebody reached for the operator's half with a key that is not the
 * operator's.  Whoever holds no key that fits cannot write here at all, so the
 * row is written with the agents' key, when that one fits.
 */
#include "base/clock.h"
#include "store/internal.h"

/* One row a second, however often it is tried. */
static int
put(struct store *s, const struct err *why, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO audit_log"
	    " (ts, principal, action, result, reason, outcome, detail, state)"
	    " SELECT ?1, 'unknown', 'operator', 'blocked', ?2, ?2, ?3, 'done'"
	    " WHERE NOT EXISTS (SELECT 1 FROM audit_log"
	    " WHERE ts = ?1 AND action = 'operator')";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 || stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	stmt_text(st, 1, clock_rfc3339(a, clock_now()));
	stmt_text(st, 2, str_of(err_code(why->kind)));
	stmt_text(st, 3, str_of(why->say));
	if (stmt_run(s, st, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

void
store_refused_note(const char *path, const struct store_keys *k,
    const struct err *why)
{
	const struct store_keys agents = { NULL, k->agent };
	CLEANUP(store_close) struct store *s = NULL;
	struct err e = { 0 };

	if (k->admin == NULL || k->agent == NULL || why->kind != ERR_CONFIG)
		return;
	/* The call is refused already, whatever becomes of the row. */
	if (store_open(path, STORE_AGENT, &agents, &s, &e) == 0)
		(void)put(s, why, &e);
}
