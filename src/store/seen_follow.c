/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of messages follows them into another folder. */
#include "store/journal.h"
#include "store/seen_row.h"

int
store_seen_follow_due(struct store *s, int64_t account, struct str from,
    struct err *e)
{
	static const char sql[] = "SELECT 1 FROM folder_state WHERE"
				  " account_id = ?1 AND folder = ?2 LIMIT 1";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(account), V(from)) < 0)
		return -1;
	return stmt_step(s, st, e);
}

/* The agents that know the folder in this numbering, and their floors. */
struct follow_agent {
	struct str principal;
	uint32_t floor;
};

static int
store_seen_follow_agents(struct store *s, struct arena *a,
    const struct store_seen_follow *f, struct follow_agent **out, size_t *n,
    struct err *e)
{
	static const char sql[] =
	    "SELECT principal, floor_uid FROM folder_state"
	    " WHERE account_id = ?1 AND folder = ?2 AND uidvalidity = ?3";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct follow_agent *v = NULL;
	size_t have = 0;
	int r;

	if (stmt_ask(s, e, sql, &st, V(f->account), V(f->from),
		V(f->from_uidvalidity)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		v[have].principal = stmt_column(st, 0, a);
		v[have++].floor = stmt_column_u32(st, 1);
	}
	*out = v;
	*n = have;
	return r;
}

/* The new uids of those that it acked. */
static int
store_seen_follow_acked(struct store *s, const struct store_seen_follow *f,
    const struct follow_agent *g, uint32_t *uids, size_t *n, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM acked WHERE account_id = ?1 AND principal = ?2"
	    " AND folder = ?3 AND uid = ?4";
	const struct store_folder from = { f->account, g->principal, f->from,
		f->from_uidvalidity };
	CLEANUP(stmt_done) struct stmt *st = NULL;

	*n = 0;
	if (stmt_ask(s, e, sql, &st, OF_FOLDER(&from)) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		int r = f->was[i] <= g->floor;

		if (r == 0) {
			stmt_int(st, 4, f->was[i]);
			r = stmt_step(s, st, e);
			if (r < 0)
				return -1;
			stmt_reset(st);
		}
		if (r == 1)
			uids[(*n)++] = f->is[i];
	}
	return 0;
}

/* Has the agent met the target in this numbering?  1, 0, -1. */
static int
store_seen_follow_meets(struct store *s, const struct store_seen_follow *f,
    const struct store_folder *to, struct err *e)
{
	uint32_t uidvalidity = 0, floor;
	int r = store_seen_state(s, to, &uidvalidity, &floor, e);

	if (r == 0 && f->backlog)
		return seen_state_put(s, to, 0, e) < 0 ? -1 : 1;
	return r == 1 ? uidvalidity == to->uidvalidity : r;
}

static int
store_seen_follow_agent(struct store *s, const struct store_seen_follow *f,
    const struct follow_agent *g, uint32_t *uids, struct err *e)
{
	const struct store_folder to = { f->account, g->principal, f->to,
		f->to_uidvalidity };
	size_t n;
	int r;

	if (store_seen_follow_acked(s, f, g, uids, &n, e) < 0)
		return -1;
	if (n == 0)
		return 0;
	r = store_seen_follow_meets(s, f, &to, e);
	if (r <= 0)
		return r;
	return store_seen_ack(s, &to, uids, n, e);
}

static int
store_seen_follow_ask(struct store *s, const struct store_seen_follow *f,
    const char *sql, struct stmt **out, struct err *e)
{
	return stmt_ask(s, e, sql, out, V(f->account), V(f->from), V(f->to),
	    V(f->from_uidvalidity), V(f->to_uidvalidity));
}

/* Claims and prints of all agents, message by message. */
static int
store_seen_follow_rows(struct store *s, const struct store_seen_follow *f,
    const char *there, const char *sql, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *drop = NULL;
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (store_seen_follow_ask(s, f, there, &drop, e) < 0 ||
	    store_seen_follow_ask(s, f, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		stmt_int(drop, 6, f->was[i]);
		stmt_int(drop, 7, f->is[i]);
		stmt_int(st, 6, f->was[i]);
		stmt_int(st, 7, f->is[i]);
		if (stmt_run(s, drop, e) < 0 || stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

#define MEETS                                                                  \
	" AND principal IN (SELECT g.principal FROM folder_state g JOIN"       \
	" folder_state h USING (account_id, principal)"                        \
	" WHERE g.account_id = ?1 AND g.folder = ?2 AND g.uidvalidity = ?4"    \
	" AND h.folder = ?3 AND h.uidvalidity = ?5)"

int
store_seen_follow(struct store *s, const struct store_seen_follow *f,
    struct err *e)
{
	/*
	 * What is at the new place goes; one that stays in its place stays.
	 * All have the parameters up to ?7.
	 */
	static const char claims_there[] =
	    "DELETE FROM claim WHERE account_id = ?1 AND folder = ?3"
	    " AND uid = ?7 AND NOT (?2 = ?3 AND ?6 = ?7) AND principal IN"
	    " (SELECT principal FROM claim WHERE account_id = ?1"
	    " AND folder = ?2 AND uid = ?6 AND uidvalidity = ?4)";
	static const char claims[] =
	    "UPDATE claim SET folder = ?3, uidvalidity = ?5, uid = ?7"
	    " WHERE account_id = ?1 AND folder = ?2 AND uid = ?6"
	    " AND uidvalidity = ?4";
	/* Only agents that have a state of the target can use a print there. */
	static const char prints_there[] =
	    "DELETE FROM seen_message WHERE account_id = ?1 AND folder = ?3"
	    " AND ?2 <> ?3 AND ?7 <> 0 AND (principal, message) IN"
	    " (SELECT principal, message FROM seen_message"
	    " WHERE account_id = ?1 AND folder = ?2 AND uid = ?6" MEETS ")";
	static const char prints[] =
	    "UPDATE seen_message SET folder = ?3, uid = ?7, acked = 1"
	    " WHERE account_id = ?1 AND folder = ?2 AND uid = ?6" MEETS;
	CLEANUP(arena_close) struct arena *a = arena_open(16UL << 20);
	CLEANUP(tx_done) struct tx t = { 0 };
	struct follow_agent *v = NULL;
	uint32_t *uids = arena_array(a, f->n, sizeof(*uids));
	size_t n = 0;

	if (tx_begin(s, &t, e) < 0 ||
	    store_seen_follow_agents(s, a, f, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (store_seen_follow_agent(s, f, &v[i], uids, e) < 0)
			return -1;
	if (store_seen_follow_rows(s, f, claims_there, claims, e) < 0 ||
	    store_seen_follow_rows(s, f, prints_there, prints, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
