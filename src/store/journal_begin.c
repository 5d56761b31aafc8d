/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes down a change before it is made, with the limit of a day, in one
 * transaction, for a thousand messages too.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "base/limits.h"
#include "store/freeze.h"
#include "store/journal.h"
#include "store/journal_row.h"
#include "store/outbox_row.h"

#define DAY_S 86400

/* What certainly changed nothing does not count; the row itself does. */
static int
store_journal_begin_within(struct store *s, const struct store_journal *row,
    uint32_t most, struct err *e)
{
	static const char sql[] =
	    "SELECT coalesce(sum(messages), 0) FROM journal"
	    " WHERE account_id = ?1 AND created_s > ?3 AND state <> 'failed'"
	    " AND principal IN " STORE_KIN("?2");
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t n;

	if (most == 0)
		return 0;
	if (stmt_ask(s, e, sql, &st, V(row->account), V(row->principal),
		V(row->created_s - DAY_S)) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	n = stmt_column_int(st, 0);
	if (n <= (int64_t)most)
		return 0;
	(void)err_set(e, ERR_LIMIT,
	    "the account allows an agent to change %u messages in 24 hours",
	    (unsigned)most);
	e->reason = "rate_limited";
	return err_because(e, "this would be %" PRId64, n);
}

static int
store_journal_begin_put_messages(struct store *s, struct arena *a,
    const struct store_journal *row, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO journal_message (journal_id, place, uid, ref, folder,"
	    " message_id, digest, flags, labels, origin, kept_flags,"
	    " kept_labels, places)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(row->id)) < 0)
		return -1;
	for (size_t i = 0; i < row->n; i++) {
		const struct store_journal_message *m = &row->v[i];

		stmt_int(st, 2, (int64_t)i);
		stmt_int(st, 3, m->uid);
		stmt_text(st, 4, m->id);
		stmt_text(st, 5, m->folder);
		stmt_text(st, 6, m->message_id);
		stmt_blob(st, 7,
		    (struct str){ (const char *)m->digest,
			STORE_JOURNAL_DIGEST });
		stmt_int(st, 8, m->flags);
		stmt_text(st, 9, journal_row_labels(a, &m->labels));
		stmt_int(st, 10, m->origin);
		stmt_int(st, 11, m->kept);
		stmt_text(st, 12, journal_row_labels(a, &m->kept_labels));
		stmt_text(st, 13, journal_row_labels(a, &m->places));
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

static int
store_journal_begin_put(struct store *s, struct store_journal *row,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO journal (account_id, principal, audit_id, kind,"
	    " folder, uidvalidity, target, flags_set, flags_clear, labels_add,"
	    " labels_drop, state, messages, created_s, changed_s, undoes)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'begun',"
	    " ?12, ?13, ?13, ?14) RETURNING id";
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	if (stmt_add(s, e, sql, &row->id, V(row->account), V(row->principal),
		V(row->audit), V(row->move ? S("move") : S("mark")),
		V(row->folder), V(row->uidvalidity), V(row->target),
		V(row->set), V(row->clear), V(journal_row_labels(a, &row->add)),
		V(journal_row_labels(a, &row->drop)), V((int64_t)row->n),
		V(row->created_s), V(row->undoes)) < 0)
		return -1;
	return store_journal_begin_put_messages(s, a, row, e);
}

/* Its originals may have been flagged for removal, and are due for it. */
static int
store_journal_begin_unfinished(int64_t id, struct err *e)
{
	(void)err_set(e, ERR_LIMIT,
	    "an earlier move has copied some of these messages and is not "
	    "finished");
	(void)err_because(e, "change %" PRId64, id);
	return err_hint(e,
	    "the next change finishes it, unless its agent is frozen or may "
	    "not organise those folders; the operator does with undo");
}

/*
 * Does a process that lives change one of these messages?  Servers move a
 * message twice if two connections ask for it at the same time.  Or are they
 * originals or copies of a move that nobody has finished?
 */
static int
store_journal_begin_alone(struct store *s, struct store_journal *row,
    struct err *e)
{
	static const char sql[] =
	    "SELECT j.id, j.target_uidvalidity <> 0 AND j.kind = 'move'"
	    " FROM journal j"
	    " WHERE j.account_id = ?2 AND j.state = 'begun' AND j.id <> ?1"
	    " AND ((j.folder = ?3 AND ?4 IN (j.uidvalidity, 0)"
	    " AND EXISTS (SELECT 1 FROM journal_message m"
	    " WHERE m.journal_id = j.id AND (m.uid, m.ref) IN"
	    " (SELECT uid, ref FROM journal_message WHERE journal_id = ?1)))"
	    " OR (j.kind = 'move' AND j.target = ?3"
	    " AND j.target_uidvalidity <> 0 AND ?4 IN (j.target_uidvalidity, 0)"
	    " AND EXISTS (SELECT 1 FROM journal_message m"
	    " WHERE m.journal_id = j.id AND m.new_uid IN"
	    " (SELECT uid FROM journal_message WHERE journal_id = ?1"
	    " AND uid <> 0 AND ref = ''))))";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(row->id), V(row->account),
		V(row->folder), V(row->uidvalidity)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		int64_t id = stmt_column_int(st, 0);
		int held = outbox_lock_held(s, JOURNAL_LOCK + id, e);

		if (held < 0)
			return -1;
		if (held == 0 && stmt_column_int(st, 1) != 0)
			return store_journal_begin_unfinished(id, e);
		if (held == 0)
			continue;
		row->behind = id;
		return err_set(e, ERR_LIMIT,
		    "another call is changing some of these messages: try "
		    "again");
	}
	return r;
}

/* A freeze stops agents; what they did is taken back meanwhile. */
static int
store_journal_begin_refuse(struct store *s, const struct store_journal *row,
    struct err *e)
{
	if (str_eq(row->principal, S("operator")))
		return 0;
	return store_freeze_refuse(s, row->principal, row->account, e);
}

int
store_journal_begin(struct store *s, struct store_journal *row, uint32_t most,
    struct err *e)
{
	CLEANUP(outbox_lock_unready) struct store *locks = s;
	CLEANUP(tx_done) struct tx t = { 0 };

	row->state = STORE_JOURNAL_BEGUN;
	row->behind = 0;
	row->created_s = row->changed_s = clock_now();
	if (store_durable(s, e) < 0 || outbox_lock_ready(locks, e) < 0 ||
	    tx_begin(s, &t, e) < 0 ||
	    store_journal_begin_refuse(s, row, e) < 0 ||
	    store_journal_begin_put(s, row, e) < 0 ||
	    (row->undoes != 0 && journal_undo_refuse(s, row, e) < 0) ||
	    store_journal_begin_within(s, row, most, e) < 0 ||
	    (row->approval != 0 && outbox_change_claim(s, row, e) < 0) ||
	    store_journal_begin_alone(s, row, e) < 0 ||
	    /* Before any other process can see the row. */
	    outbox_lock_take(s, JOURNAL_LOCK + row->id, e) < 0)
		return -1;
	if (tx_commit(&t, e) == 0)
		return 0;
	outbox_lock_drop(s);
	return -1;
}
