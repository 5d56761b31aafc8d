/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit log's rows.  A row begins as blocked ("interrupted"), so only a
 * judged row can read as allowed.  Each mark requires the previous one, and is
 * linked into the chain together with the row, or not made at all.
 */
#include "store/audit.h"
#include "base/clock.h"
#include "store/audit_row.h"
#include "store/chain.h"
#include "store/chain_anchor.h"
#include "store/internal.h"

#define AUDIT_ROW                                                              \
	"id, ts, principal, account, action, target, result, reason, outcome," \
	" detail"

int
store_audit_asked(struct store *s, const struct store_audit *row, int64_t *id,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t got = 0, seq = 0;
	int k;

	if (tx_begin_append(s, &t, -1, &k, e) < 0 ||
	    audit_row_put(s, row, &got, &seq, e) < 0 ||
	    chain_anchor(s, seq, e) < 0 || tx_commit(&t, e) < 0)
		return -1;
	*id = got;
	return 0;
}

int
store_audit_judged_for(struct store *s, int64_t id, struct str account,
    bool allowed, struct str reason, struct err *e)
{
	static const char sql[] =
	    "UPDATE audit_log SET result = ?2, reason = ?3, state = 'judged',"
	    " account = coalesce(account, ?4)"
	    " WHERE id = ?1 AND state = 'asked'";
	CLEANUP(arena_close) struct arena *a = arena_open(1UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t seq = 0;
	int k;

	if (tx_begin_append(s, &t, chain_range_of(id), &k, e) < 0 ||
	    stmt_ask(s, e, sql, &st, V(id),
		V(allowed ? S("allowed") : S("blocked")),
		stmt_v_or_null(allowed ? S("") : audit_row_clean(a, reason)),
		stmt_v_or_null(audit_row_clean(a, account))) < 0)
		return -1;
	if (audit_row_mark(s, st, id, &seq, NULL, e) < 0 ||
	    chain_anchor(s, seq, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_audit_judged(struct store *s, int64_t id, bool allowed, struct str reason,
    struct err *e)
{
	return store_audit_judged_for(s, id, S(""), allowed, reason, e);
}

static void
store_audit_read_row(struct stmt *st, struct arena *a, struct store_audit *row)
{
	row->id = stmt_column_int(st, 0);
	row->ts = stmt_column(st, 1, a);
	row->principal = stmt_column(st, 2, a);
	row->account = stmt_column(st, 3, a);
	row->action = stmt_column(st, 4, a);
	row->target = stmt_column(st, 5, a);
	row->result = stmt_column(st, 6, a);
	row->reason = stmt_column(st, 7, a);
	row->outcome = stmt_column(st, 8, a);
	row->detail = stmt_column(st, 9, a);
}

/* Sends the row to a copy of the log. */
static int
store_audit_tell(struct store *s, int64_t id, int64_t seq, struct str hash,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_audit row;

	if (stmt_ask(s, e, "SELECT " AUDIT_ROW " FROM audit_log WHERE id = ?1",
		&st, V(id)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	store_audit_read_row(st, a, &row);
	audit_syslog_say(&row, seq, hash);
	return 0;
}

int
audit_tell_again(struct store *s, int64_t id, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	bool copy;
	int r;

	if (audit_syslog_on(s, &copy, e) < 0)
		return -1;
	if (!copy)
		return 0;
	if (stmt_ask(s, e,
		"SELECT seq, hash FROM audit_link WHERE audit_id = ?1"
		" ORDER BY seq DESC LIMIT 1",
		&st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	return store_audit_tell(s, id, stmt_column_int(st, 0),
	    stmt_column(st, 1, a), e);
}

int
store_audit_done(struct store *s, int64_t id, struct str reason,
    struct str outcome, struct str detail, struct err *e)
{
	/* A call may end before it is judged: it stays blocked. */
	static const char sql[] =
	    "UPDATE audit_log SET outcome = ?2, detail = ?3, state = 'done',"
	    " result = CASE WHEN ?4 IS NULL THEN result ELSE 'blocked' END,"
	    " reason = coalesce(?4, reason)"
	    " WHERE id = ?1 AND state <> 'done'";
	CLEANUP(arena_close) struct arena *a = arena_open(1UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	char hash[CHAIN_HEX];
	int64_t seq = 0;
	bool copy;
	int k;

	if (tx_begin_append(s, &t, chain_range_of(id), &k, e) < 0 ||
	    stmt_ask(s, e, sql, &st, V(id),
		stmt_v_or_null(audit_row_clean(a, outcome)),
		stmt_v_or_null(audit_row_clean(a, detail)),
		stmt_v_or_null(audit_row_clean(a, reason))) < 0)
		return -1;
	if (audit_row_mark(s, st, id, &seq, hash, e) < 0 ||
	    chain_anchor(s, seq, e) < 0 || audit_syslog_on(s, &copy, e) < 0 ||
	    tx_commit(&t, e) < 0)
		return -1;
	/* What a draft says may never be so. */
	if (!copy || s->draft)
		return 0;
	return store_audit_tell(s, id, seq, (struct str){ hash, CHAIN_HEX }, e);
}

int
store_audit_list(struct store *s, struct arena *a,
    const struct store_audit_query *q, struct store_audit **out, size_t *n,
    struct err *e)
{
#define LIST                                                                   \
	"SELECT " AUDIT_ROW " FROM audit_log"                                  \
	" WHERE (?1 IS NULL OR account = ?1)"                                  \
	" AND (?2 IS NULL OR principal = ?2)"                                  \
	" AND (?3 IS NULL OR action = ?3)"                                     \
	" AND (?4 IS NULL OR result = ?4)"                                     \
	" AND (?5 IS NULL OR ts >= ?5) AND (?6 IS NULL OR ts < ?6)"
	static const char one[] = LIST " ORDER BY id DESC LIMIT ?7";
	static const char several[] =
	    LIST " ORDER BY ts DESC, id DESC LIMIT ?7";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_audit *v = NULL;
	size_t have = 0;
	bool many;
	int r;

	/* In one chain ids ascend, whatever a clock says. */
	if (chain_there_several(s, &many, e) < 0 ||
	    stmt_ask(s, e, many ? several : one, &st,
		stmt_v_or_null(q->account), stmt_v_or_null(q->principal),
		stmt_v_or_null(q->action), stmt_v_or_null(q->result),
		stmt_v_or_null(q->since), stmt_v_or_null(q->before),
		V(q->limit > INT32_MAX ? INT32_MAX : (int64_t)q->limit)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		store_audit_read_row(st, a, &v[have++]);
	}
	if (r < 0)
		return -1;
	*out = v;
	*n = have;
	return 0;
}
