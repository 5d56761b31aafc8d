/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A notice is taken by one process, which then gives it.  Taking it writes down
 * when: so no other takes one of that kind for an hour, even if this process is
 * killed before it gives it.  Then what it was about still waits.
 */
#include "base/limits.h"
#include "store/internal.h"
#include "store/notice.h"
#include "store/notice_row.h"
#include "store/outbox_row.h"

/*
 * What is about nothing any more; and what a clock wrote that was set back.  A
 * kind that emcli does not have would be due forever, and before all others.
 */
static int
store_notice_take_stale(struct store *s, int64_t now_s, struct err *e)
{
	static const char ahead[] =
	    "UPDATE notice SET since_s = ?1, ready_s = min(ready_s, ?1)"
	    " WHERE since_s > ?1";
	static const char sql[] =
	    "DELETE FROM notice WHERE kind NOT IN ('held', 'token', 'account',"
	    " 'audit') OR (kind = 'held' AND item NOT IN"
	    " (SELECT id FROM outbox WHERE state = 'held'))"
	    " OR (account_id <> 0 AND account_id NOT IN"
	    " (SELECT id FROM accounts))";

	return stmt_do(s, e, ahead, V(now_s)) < 0 ? -1 : stmt_exec(s, sql, e);
}

static int
store_notice_take_kind(struct store *s, struct arena *a,
    struct store_notice *out, struct err *e)
{
	static const char sql[] =
	    "SELECT n.kind, count(DISTINCT n.account_id || ' ' || CASE n.kind"
	    " WHEN 'held' THEN n.item ELSE 0 END), min(n.since_s),"
	    " max(n.id) FROM notice n"
	    " LEFT JOIN notice_told t ON t.kind = n.kind"
	    " WHERE n.told = 0 AND n.ready_s <= ?1 AND (t.at_s IS NULL"
	    " OR t.at_s NOT BETWEEN ?1 - " STORE_NOTICE_WAIT(
		"?2") " + 1 AND ?1)"
		      " GROUP BY n.kind ORDER BY min(n.ready_s), n.kind LIMIT "
		      "1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str word;
	int r;

	if (stmt_ask(s, e, sql, &st, V(out->at_s), V((int64_t)LIMIT_NOTICE_S)) <
	    0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	word = stmt_column(st, 0, a);
	out->count = (uint64_t)stmt_column_int(st, 1);
	out->since_s = stmt_column_int(st, 2);
	out->upto = stmt_column_int(st, 3);
	for (int i = 0; i < STORE_NOTICES; i++) {
		out->kind = (enum store_notice_kind)i;
		if (str_eq(word, str_of(store_notice_word(out->kind))))
			return 1;
	}
	return 0;
}

#define OF_IT " n.kind = ?1 AND n.told = 0 AND n.ready_s <= ?2 AND n.id <= ?3"

static int
store_notice_take_names(struct store *s, struct arena *a,
    struct store_notice *n, struct err *e)
{
	/* Whoever has the file can write a name that emcli would refuse. */
	static const char sql[] =
	    "SELECT DISTINCT substr(CAST(a.name AS BLOB), 1, ?5) FROM notice n"
	    " JOIN accounts a ON a.id = n.account_id WHERE" OF_IT
	    " ORDER BY 1 LIMIT ?4";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(str_of(store_notice_word(n->kind))),
		V(n->at_s), V(n->upto), V((int64_t)LIMIT_NOTICE_SHOWN),
		V((int64_t)LIMIT_NOTICE_NAME)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		str_push(a, &n->accounts, stmt_column(st, 0, a));
	return r;
}

static int
store_notice_take_ids(struct store *s, struct arena *a, struct store_notice *n,
    struct err *e)
{
	static const char sql[] = "SELECT n.item FROM notice n WHERE" OF_IT
				  " ORDER BY n.item LIMIT ?4";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (n->kind != STORE_NOTICE_HELD)
		return 0;
	n->ids = arena_array(a, LIMIT_NOTICE_SHOWN, sizeof(*n->ids));
	if (stmt_ask(s, e, sql, &st, V(str_of(store_notice_word(n->kind))),
		V(n->at_s), V(n->upto), V((int64_t)LIMIT_NOTICE_SHOWN)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		n->ids[n->n++] = stmt_column_int(st, 0);
	return r;
}

static int
store_notice_take_write(struct store *s, const struct store_notice *n,
    struct str failed, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO notice_told (kind, at_s, failed) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (kind) DO UPDATE SET at_s = excluded.at_s,"
	    " failed = excluded.failed";

	return stmt_do(s, e, sql, V(str_of(store_notice_word(n->kind))),
	    V(n->at_s), stmt_v_or_null(failed));
}

int
store_notice_take(struct store *s, struct arena *a, int64_t now_s,
    struct store_notice *out, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	*out = (struct store_notice){ .at_s = now_s };
	if (outbox_row_refresh(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_notice_take_stale(s, now_s, e) < 0)
		return -1;
	r = store_notice_take_kind(s, a, out, e);
	if (r < 0 ||
	    (r > 0 &&
		(store_notice_take_names(s, a, out, e) < 0 ||
		    store_notice_take_ids(s, a, out, e) < 0 ||
		    store_notice_take_write(s, out, S(STORE_NOTICE_TAKEN), e) <
			0)))
		return -1;
	return tx_commit(&t, e) < 0 ? -1 : r;
}

/* What was held is told once; the rest goes on until it is mended. */
static int
store_notice_take_done_rows(struct store *s, const struct store_notice *n,
    struct err *e)
{
	static const char held[] =
	    "DELETE FROM notice WHERE kind = ?1 AND ready_s <= ?2"
	    " AND id <= ?3";
	static const char others[] =
	    "UPDATE notice SET told = 1 WHERE kind = ?1 AND ready_s <= ?2"
	    " AND id <= ?3";

	return stmt_do(s, e, n->kind == STORE_NOTICE_HELD ? held : others,
	    V(str_of(store_notice_word(n->kind))), V(n->at_s), V(n->upto));
}

int
store_notice_take_done(struct store *s, const struct store_notice *n,
    struct str failed, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 ||
	    store_notice_take_write(s, n, failed, e) < 0 ||
	    (failed.n == 0 && store_notice_take_done_rows(s, n, e) < 0))
		return -1;
	return tx_commit(&t, e);
}
