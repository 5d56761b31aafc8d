/* SPDX-License-Identifier: Apache-2.0 */
/* The outbox's rows: finds them, moves them for the operator, deletes them. */
#include "store/outbox.h"
#include "base/clock.h"
#include "store/internal.h"
#include "store/outbox_row.h"

const char *
store_outbox_word(enum store_outbox_state state)
{
	return outbox_row_word(state);
}

int
store_outbox_get(struct store *s, struct arena *a, int64_t id,
    struct store_outbox *out, struct err *e)
{
	static const char sql[] = "SELECT " OUTBOX_ROW_COLUMNS ", o.message"
				  " FROM outbox o WHERE o.id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (outbox_row_refresh(s, e) < 0 || stmt_ask(s, e, sql, &st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such message");
	outbox_row_read(st, a, out);
	out->message = stmt_column(st, 18, a);
	return outbox_row_recipients(s, a, out, e) < 0
	    ? -1
	    : outbox_change_read(s, a, out, e);
}

int
store_outbox_find(struct store *s, struct arena *a, int64_t account,
    struct str principal, struct str key, struct store_outbox *out,
    struct err *e)
{
	if (outbox_row_refresh(s, e) < 0)
		return -1;
	return outbox_row_find(s, a, account, principal, key, out, e);
}

int
store_outbox_list(struct store *s, struct arena *a, int64_t account,
    enum store_outbox_state state, bool changes, size_t limit,
    struct store_outbox **out, size_t *n, struct err *e)
{
	static const char sql[] = "SELECT " OUTBOX_ROW_COLUMNS " FROM outbox o"
				  " WHERE (?1 = 0 OR o.account_id = ?1)"
				  " AND (?2 IS NULL OR o.state = ?2)"
				  " AND (?4 <> 0 OR NOT EXISTS (SELECT 1 FROM"
				  " outbox_change h WHERE h.outbox_id = o.id))"
				  " ORDER BY o.id DESC LIMIT ?3";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_outbox *v = NULL;
	size_t have = 0;
	int r;

	if (outbox_row_refresh(s, e) < 0 ||
	    stmt_ask(s, e, sql, &st, V(account),
		stmt_v_or_null(str_of(outbox_row_word(state))),
		V(limit > INT32_MAX ? INT32_MAX : (int64_t)limit),
		V((int64_t)changes)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		outbox_row_read(st, a, &v[have++]);
	}
	if (r < 0)
		return -1;
	for (size_t i = 0; i < have; i++)
		if (outbox_row_recipients(s, a, &v[i], e) < 0 ||
		    outbox_change_read(s, a, &v[i], e) < 0)
			return -1;
	*out = v;
	*n = have;
	return 0;
}

int
store_outbox_ours(struct store *s, int64_t account, struct str message_id,
    struct err *e)
{
	static const char sql[] = "SELECT 1 FROM outbox WHERE account_id = ?1"
				  " AND message_id = ?2 LIMIT 1";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(account), V(message_id)) < 0)
		return -1;
	return stmt_step(s, st, e);
}

static bool
store_outbox_may_move(enum store_outbox_state from, enum store_outbox_state to)
{
	if (from == STORE_OUTBOX_HELD)
		return to == STORE_OUTBOX_DENIED || to == STORE_OUTBOX_EXPIRED;
	return from == STORE_OUTBOX_UNKNOWN &&
	    (to == STORE_OUTBOX_SENT || to == STORE_OUTBOX_FAILED);
}

int
store_outbox_move(struct store *s, int64_t id, enum store_outbox_state from,
    enum store_outbox_state to, struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox SET state = ?3, changed_s = ?4, message = NULL"
	    " WHERE id = ?1 AND state = ?2";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (!store_outbox_may_move(from, to))
		err_bug("store: no way from this state to that");
	if (store_durable(s, e) < 0 || outbox_row_refresh(s, e) < 0 ||
	    tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(id), V(str_of(outbox_row_word(from))),
		V(str_of(outbox_row_word(to))), V(clock_now())) < 0)
		return -1;
	if (stmt_changes(s) != 1)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such message in that state");
	if (to == STORE_OUTBOX_SENT && outbox_row_correspondents(s, id, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_outbox_copied(struct store *s, int64_t id, enum store_outbox_copy copy,
    struct err *e)
{
	static const struct str words[] = {
		[STORE_COPY_NONE] = SI("none"),
		[STORE_COPY_SAVED] = SI("saved"),
		[STORE_COPY_FAILED] = SI("failed"),
	};
	static const char sql[] =
	    "UPDATE outbox SET copy = ?2, message = CASE WHEN ?2 = 'failed'"
	    " THEN message ELSE NULL END WHERE id = ?1 AND state = 'sent'";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(id), V(words[copy])) < 0)
		return -1;
	return tx_commit(&t, e);
}
