/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that a caller tried an operator's function with a wrong key.  A
 * caller without any valid key cannot write here, so the row is written with
 * the agents' key if that one is valid.
 */
#include "base/clock.h"
#include "store/audit.h"
#include "store/internal.h"
#include "store/opening.h"

/* Is there already a row of this second?  Limits repeated attempts. */
static int
store_refused_noted(struct store *s, struct err *e)
{
	static const char sql[] = "SELECT 1 FROM audit_log"
				  " WHERE ts = ?1 AND action = 'operator'";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(clock_rfc3339(a, clock_now()))) < 0)
		return -1;
	return stmt_step(s, st, e);
}

/* A row like any other, so that it is linked into the chain. */
static int
store_refused_put(struct store *s, const struct err *why, struct err *e)
{
	const struct store_audit row = {
		.principal = S("unknown"),
		.action = S("operator"),
	};
	struct str code = str_of(err_code(why->kind));
	int64_t id;

	if (store_refused_noted(s, e) != 0 ||
	    store_audit_asked(s, &row, &id, e) < 0)
		return -1;
	return store_audit_done(s, id, code, code, str_of(why->say), e);
}

void
store_refused_note(const char *path, const struct store_keys *k,
    const struct err *why)
{
	const struct store_keys agents = { NULL, k->agent };
	CLEANUP(store_close) struct store *s = NULL;
	struct err e = { 0 };

	/* One that no program printed was not tried. */
	if (k->admin == NULL || k->agent == NULL || why->kind != ERR_CONFIG ||
	    secret_size(k->admin) == 0)
		return;
	/*
	 * The call is refused in any case, whether the row is written or not.
	 */
	if (store_open(path, STORE_AGENT, &agents, &s, &e) == 0)
		(void)store_refused_put(s, why, &e);
}
