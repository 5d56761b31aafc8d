/* SPDX-License-Identifier: Apache-2.0 */
/* Reads grants, uses them up and ends them. */
#include "store/grant.h"
#include "store/internal.h"
#include "store/outbox.h"

#define DAY_MS 86400000LL
/* Tolerated clock difference; anything larger means the clock was set back. */
#define SKEW_MS 60000LL

#define COLUMNS                                                                \
	"id, principal, conversation, turn, skill, digest, accounts, ops,"     \
	" issued_ms, expires_ms, idle_ms, used_ms, uses_left, ended"

/* The grants that store_grant_over() calls live, in SQL; ?1 is now. */
#define LIVE                                                                   \
	" ended IS NULL AND expires_ms > ?1 AND used_ms + idle_ms > ?1"        \
	" AND issued_ms <= ?1 + 60000 AND used_ms <= ?1 + 60000"               \
	" AND uses_left <> 0"

bool
store_grant_member(struct str set, struct str word)
{
	struct str one;
	bool more = true;

	while (more) {
		more = str_cut(set, ' ', &one, &set);
		if (one.n > 0 && str_eq(one, word))
			return true;
	}
	return false;
}

const char *
store_grant_over(const struct store_grant *g, int64_t now_ms)
{
	if (g->ended.n > 0)
		return g->ended.p;
	if (g->expires_ms <= now_ms || g->issued_ms > now_ms + SKEW_MS ||
	    g->used_ms > now_ms + SKEW_MS)
		return "expired";
	if (g->used_ms + g->idle_ms <= now_ms)
		return "idle";
	return g->uses_left == 0 ? "spent" : NULL;
}

static void
store_grant_read_row(struct stmt *st, struct arena *a, struct store_grant *out)
{
	*out = (struct store_grant){
		.id = stmt_column_int(st, 0),
		.principal = stmt_column(st, 1, a),
		.conversation = stmt_column(st, 2, a),
		.turn = stmt_column(st, 3, a),
		.skill = stmt_column(st, 4, a),
		.digest = stmt_column(st, 5, a),
		.accounts = stmt_column(st, 6, a),
		.ops = stmt_column(st, 7, a),
		.issued_ms = stmt_column_int(st, 8),
		.expires_ms = stmt_column_int(st, 9),
		.idle_ms = stmt_column_int(st, 10),
		.used_ms = stmt_column_int(st, 11),
		.uses_left = stmt_column_int(st, 12),
		.ended = stmt_column(st, 13, a),
	};
	/* The reason is returned as a C string. */
	out->ended = str_of(str_c(a, out->ended));
}

static int
store_grant_read_rows(struct store *s, struct stmt *st, struct arena *a,
    struct store_grant **out, size_t *n, struct err *e)
{
	struct store_grant *v = NULL;
	size_t have = 0;
	int r;

	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		store_grant_read_row(st, a, &v[have++]);
	}
	*out = v;
	*n = have;
	return r;
}

int
store_grant_by_lease(struct store *s, struct arena *a, struct str lease,
    struct store_grant *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e,
		"SELECT " COLUMNS " FROM skill_grant WHERE hash = ?1", &st,
		V(store_digest_file(a, lease))) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		store_grant_read_row(st, a, out);
	return r;
}

int
store_grant_list(struct store *s, struct arena *a, struct str principal,
    struct str conversation, struct str turn, struct store_grant **out,
    size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT " COLUMNS " FROM skill_grant WHERE ended IS NULL"
	    " AND principal = ?1 AND conversation = ?2 AND turn = ?3"
	    " ORDER BY id";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(principal), V(conversation), V(turn)) <
	    0)
		return -1;
	return store_grant_read_rows(s, st, a, out, n, e);
}

/*
 * In one statement: of many concurrent calls, no more succeed than uses are
 * left.
 */
int
store_grant_use(struct store *s, int64_t id, int64_t now_ms, struct err *e)
{
	static const char sql[] =
	    "UPDATE skill_grant SET used_ms = max(used_ms, ?1),"
	    " uses_left = CASE WHEN uses_left > 0 THEN uses_left - 1"
	    " ELSE uses_left END WHERE id = ?2 AND" LIVE;

	if (stmt_do(s, e, sql, V(now_ms), V(id)) < 0)
		return -1;
	return stmt_changes(s) == 1;
}

int
store_grant_end(struct store *s, int64_t id, const char *why, int64_t now_ms,
    struct err *e)
{
	static const char sql[] =
	    "UPDATE skill_grant SET ended = ?2, ended_ms = ?3"
	    " WHERE id = ?1 AND ended IS NULL";

	if (stmt_do(s, e, sql, V(id), V(str_of(why)), V(now_ms)) < 0)
		return -1;
	return stmt_changes(s) == 1;
}

static int
store_grant_forget_old(struct store *s, int64_t now_ms, struct err *e)
{
	return stmt_do(s, e,
	    "DELETE FROM skill_grant WHERE ended IS NOT NULL"
	    " AND ended_ms < ?1",
	    V(now_ms - DAY_MS));
}

static int
store_grant_over_now(struct store *s, struct arena *a, struct str principal,
    int64_t now_ms, struct store_grant **out, size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT " COLUMNS " FROM skill_grant WHERE principal = ?2"
	    " AND ended IS NULL AND NOT (" LIVE ") ORDER BY id";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(now_ms), V(principal)) < 0)
		return -1;
	return store_grant_read_rows(s, st, a, out, n, e);
}

int
store_grant_lapse(struct store *s, struct arena *a, struct str principal,
    int64_t now_ms, struct store_grant **out, size_t *n, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	/* The usual case takes no lock. */
	if (store_grant_over_now(s, a, principal, now_ms, out, n, e) < 0)
		return -1;
	if (*n == 0)
		return 0;
	if (tx_begin(s, &t, e) < 0 ||
	    store_grant_over_now(s, a, principal, now_ms, out, n, e) < 0)
		return -1;
	for (size_t i = 0; i < *n; i++) {
		struct store_grant *g = &(*out)[i];
		const char *why = store_grant_over(g, now_ms);

		if (store_grant_end(s, g->id, why, now_ms, e) < 0)
			return -1;
		g->ended = str_of(why);
	}
	if (store_grant_forget_old(s, now_ms, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
