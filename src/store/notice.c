/* SPDX-License-Identifier: Apache-2.0 */
/* What waits to be told: rows come and go with what they are about. */
#include "store/notice.h"

#include "base/limits.h"
#include "store/internal.h"
#include "store/notice_row.h"

/*
 * A clock that was set back does not keep a kind silent: the last notice is
 * then in the future, and does not count.  A row of the future is of now.
 */
#define DUE                                                                    \
	"(n.told = 0 AND (n.ready_s <= ?1 OR n.since_s > ?1) AND (t.at_s IS"   \
	" NULL OR t.at_s NOT BETWEEN ?1 - " STORE_NOTICE_WAIT(                 \
	    "?3") " + 1 AND ?1))"
#define WAITS " FROM notice n LEFT JOIN notice_told t ON t.kind = n.kind"

_Static_assert(LIMIT_NOTICES_S == 300, "see STORE_NOTICE_WAIT");

static const struct {
	const char *word;
	int64_t after_s; /* it is told when it happens again so long after */
} kinds[STORE_NOTICES] = {
	[STORE_NOTICE_HELD] = { "held", 0 },
	[STORE_NOTICE_TOKEN] = { "token", 0 },
	[STORE_NOTICE_ACCOUNT] = { "account", LIMIT_NOTICE_FAILS_S },
	[STORE_NOTICE_AUDIT] = { "audit", 0 },
};

const char *
store_notice_word(enum store_notice_kind kind)
{
	return kinds[kind].word;
}

int
store_notice_add(struct store *s, const struct store_notice_row *row,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO notice (kind, account_id, item, since_s, ready_s)"
	    " SELECT ?1, ?2, ?3, ?4, CASE ?5 WHEN 0 THEN ?4 END"
	    " WHERE EXISTS (SELECT 1 FROM settings WHERE key"
	    " = '" STORE_NOTICE_WAY "' AND value <> '" STORE_NOTICE_OFF "')"
	    " ON CONFLICT (kind, account_id, item)"
	    " DO UPDATE SET ready_s = excluded.since_s"
	    " WHERE notice.ready_s IS NULL"
	    " AND excluded.since_s >= notice.since_s + ?5";

	if (stmt_do(s, e, sql, V(str_of(kinds[row->kind].word)),
		V(row->account), V(row->item), V(row->since_s),
		V(kinds[row->kind].after_s)) < 0)
		return -1;
	return stmt_changes(s) > 0;
}

int
store_notice_works(struct store *s, int64_t account,
    enum store_notice_part part, struct err *e)
{
	static const char sql[] =
	    "DELETE FROM notice WHERE account_id = ?1"
	    " AND kind IN ('token', 'account') AND item = ?2";

	return stmt_do(s, e, sql, V(account), V((int64_t)part));
}

int
store_notice_whole(struct store *s, struct err *e)
{
	return stmt_exec(s, "DELETE FROM notice WHERE kind = 'audit'", e);
}

int
store_notice_look(struct store *s, int64_t account, int64_t now_s,
    struct store_notice_look *out, struct err *e)
{
	static const char sql[] =
	    "SELECT max(CASE WHEN " DUE " THEN 1 ELSE 0 END),"
	    " max(CASE WHEN n.account_id = ?2"
	    " AND n.kind IN ('token', 'account') THEN 1 ELSE 0 END)" WAITS;
	CLEANUP(stmt_done) struct stmt *st = NULL;

	*out = (struct store_notice_look){ 0 };
	if (stmt_ask(s, e, sql, &st, V(now_s), V(account),
		V((int64_t)LIMIT_NOTICE_S)) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	out->due = stmt_column_int(st, 0) != 0;
	out->fails = account != 0 && stmt_column_int(st, 1) != 0;
	return 0;
}

int
store_notice_next(struct store *s, int64_t now_s, int64_t *at_s, struct err *e)
{
	static const char sql[] =
	    "SELECT min(max(CASE WHEN n.since_s > ?2 THEN 0 ELSE n.ready_s END,"
	    " CASE WHEN t.at_s <= ?2 THEN t.at_s + " STORE_NOTICE_WAIT(
		"?1") " ELSE 0 END))" WAITS " WHERE n.told = 0";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V((int64_t)LIMIT_NOTICE_S), V(now_s)) <
		0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*at_s = stmt_column_int(st, 0);
	return !stmt_column_is_null(st, 0);
}

int
store_notice_fails(struct store *s, int64_t account, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM notice WHERE account_id = ?1 AND (kind = 'token'"
	    " OR (kind = 'account' AND item = 1))";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	return stmt_ask(s, e, sql, &st, V(account)) < 0 ? -1
							: stmt_step(s, st, e);
}

int
store_notice_last(struct store *s, struct arena *a,
    struct store_notice_last out[STORE_NOTICES], struct err *e)
{
	static const char sql[] =
	    "SELECT at_s, failed FROM notice_told WHERE kind = ?1";

	for (int i = 0; i < STORE_NOTICES; i++) {
		const char *word = store_notice_word((enum store_notice_kind)i);
		CLEANUP(stmt_done) struct stmt *st = NULL;
		int r;

		out[i] = (struct store_notice_last){ 0 };
		if (stmt_ask(s, e, sql, &st, V(str_of(word))) < 0)
			return -1;
		r = stmt_step(s, st, e);
		if (r < 0)
			return -1;
		if (r > 0)
			out[i] =
			    (struct store_notice_last){ stmt_column_int(st, 0),
				    stmt_column(st, 1, a) };
	}
	return 0;
}
