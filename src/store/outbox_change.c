/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the outbox that are changes of mail. */
#include "base/clock.h"
#include "store/internal.h"
#include "store/journal.h"
#include "store/journal_row.h"
#include "store/outbox_row.h"

int
outbox_change_put(struct store *s, struct arena *a,
    const struct store_outbox *row, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO outbox_change (outbox_id, kind, folder, uidvalidity,"
	    " target, flags_set, flags_clear, labels_add, labels_drop,"
	    " messages) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
	const struct store_journal *c = row->change;

	return stmt_do(s, e, sql, V(row->id),
	    V(c->move ? S("move") : S("mark")), V(c->folder), V(c->uidvalidity),
	    V(c->target), V(c->set), V(c->clear),
	    V(journal_row_labels(a, &c->add)),
	    V(journal_row_labels(a, &c->drop)), V((int64_t)c->n));
}

int
outbox_change_read(struct store *s, struct arena *a, struct store_outbox *row,
    struct err *e)
{
	static const char sql[] =
	    "SELECT h.kind, h.folder, h.uidvalidity, h.target, h.flags_set,"
	    " h.flags_clear, h.labels_add, h.labels_drop, h.messages,"
	    " h.journal_id, j.state"
	    " FROM outbox_change h LEFT JOIN journal j ON j.id = h.journal_id"
	    " WHERE h.outbox_id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_journal *c;
	int r;

	row->change = NULL;
	if (stmt_ask(s, e, sql, &st, V(row->id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	c = arena_array(a, 1, sizeof(*c));
	*c = (struct store_journal){
		.id = stmt_column_int(st, 9),
		.account = row->account,
		.principal = row->principal,
		.move = str_eq(stmt_column(st, 0, a), S("move")),
		.folder = stmt_column(st, 1, a),
		.uidvalidity = stmt_column_u32(st, 2),
		.target = stmt_column(st, 3, a),
		.set = stmt_column_u32(st, 4),
		.clear = stmt_column_u32(st, 5),
		.n = stmt_column_u32(st, 8),
		.created_s = row->created_s,
		/* What was refused before it was begun has no row. */
		.state = stmt_column_is_null(st, 10)
		    ? STORE_JOURNAL_FAILED
		    : journal_row_state_of(stmt_column(st, 10, a)),
	};
	journal_row_labels_read(a, stmt_column(st, 6, a), &c->add);
	journal_row_labels_read(a, stmt_column(st, 7, a), &c->drop);
	row->change = c;
	return 0;
}

const char *
store_outbox_change_word(const struct store_outbox *row)
{
	return row->state == STORE_OUTBOX_SENT
	    ? store_journal_word(row->change->state)
	    : outbox_row_word(row->state);
}

int
store_outbox_change_list(struct store *s, struct arena *a, int64_t account,
    struct str principal, size_t limit, struct store_outbox **out, size_t *n,
    struct err *e)
{
	static const char sql[] =
	    "SELECT " OUTBOX_ROW_COLUMNS " FROM outbox o"
	    " JOIN outbox_change h ON h.outbox_id = o.id"
	    " WHERE o.account_id = ?1 AND o.principal = ?2"
	    " ORDER BY o.id DESC LIMIT ?3";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_outbox *v = NULL;
	size_t have = 0;
	int r;

	if (outbox_row_refresh(s, e) < 0 ||
	    stmt_ask(s, e, sql, &st, V(account), V(principal),
		V(limit > INT32_MAX ? INT32_MAX : (int64_t)limit)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		outbox_row_read(st, a, &v[have++]);
	}
	for (size_t i = 0; r == 0 && i < have; i++)
		r = outbox_change_read(s, a, &v[i], e);
	*out = v;
	*n = have;
	return r;
}

int
outbox_change_claim(struct store *s, const struct store_journal *made,
    struct err *e)
{
	static const char claim[] =
	    "UPDATE outbox SET state = 'sent', changed_s = ?3, message = NULL"
	    " WHERE id = ?1 AND state = 'held' AND digest = ?2"
	    " AND expires_s + frozen_s > ?3 AND message IS NOT NULL";
	static const char link[] =
	    "UPDATE outbox_change SET journal_id = ?2 WHERE outbox_id = ?1";

	if (outbox_release_may(s, e) < 0 ||
	    stmt_do(s, e, claim, V(made->approval), V(made->approved),
		V(clock_now())) < 0)
		return -1;
	if (stmt_changes(s) != 1)
		return err_set(e, ERR_NOT_FOUND,
		    "no such change waits for approval");
	return stmt_do(s, e, link, V(made->approval), V(made->id));
}

int
outbox_change_fail(struct store *s, int64_t journal, struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox SET state = 'failed', changed_s = ?2 WHERE id ="
	    " (SELECT outbox_id FROM outbox_change WHERE journal_id = ?1)";

	return stmt_do(s, e, sql, V(journal), V(clock_now()));
}
