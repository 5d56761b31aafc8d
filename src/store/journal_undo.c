/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes that take back changes.  An undo may be taken back itself, and so on:
 * what one takes back is undone, and what that one had taken back is in effect
 * again.
 */
#include "base/clock.h"
#include "store/journal_row.h"

/*
 * The messages of settled undo ?1 along that chain: `undone` is 1 and 0 in
 * turn, and new_uid and new_ref are what those in effect again are called now.
 * A change is older than its undo.
 */
#define CHAIN                                                                  \
	"WITH RECURSIVE chain (id, place, undone, new_uid, new_ref) AS ("      \
	" SELECT j.undoes, m.origin, 1, m.new_uid, m.new_ref FROM journal j"   \
	" JOIN journal_message m ON m.journal_id = j.id"                       \
	" WHERE j.id = ?1 AND j.undoes BETWEEN 1 AND j.id - 1 AND m.done <> 0" \
	" UNION ALL"                                                           \
	" SELECT j.undoes, m.origin, 1 - c.undone, c.new_uid, c.new_ref"       \
	" FROM chain c JOIN journal j ON j.id = c.id"                          \
	" JOIN journal_message m ON m.journal_id = c.id AND m.place = c.place" \
	" WHERE j.undoes BETWEEN 1 AND j.id - 1) "

int
journal_undo_refuse(struct store *s, const struct store_journal *row,
    struct err *e)
{
	static const char sql[] =
	    "SELECT EXISTS (SELECT 1 FROM journal WHERE undoes = ?2"
	    " AND undoes <> 0 AND state = 'begun' AND id <> ?1)"
	    " OR EXISTS (SELECT 1 FROM journal_message u"
	    " JOIN journal_message m ON m.journal_id = ?2"
	    " AND m.place = u.origin"
	    " WHERE u.journal_id = ?1 AND (m.undone <> 0 OR m.done = 0))";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(row->id), V(row->undoes)) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	if (stmt_column_int(st, 0) == 0)
		return 0;
	(void)err_set(e, ERR_LIMIT,
	    "another call is taking this change back, or just has");
	return err_hint(e, "changes says what became of it");
}

int
store_journal_undo_copied(struct store *s, int64_t id, bool *copied, size_t n,
    struct err *e)
{
	static const char sql[] =
	    "SELECT m.origin FROM journal j"
	    " JOIN journal_message m ON m.journal_id = j.id"
	    " WHERE j.undoes = ?1 AND j.undoes <> 0 AND m.done = 0"
	    " AND (m.new_uid <> 0 OR m.new_ref <> '')";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(id)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		if (stmt_column_u32(st, 0) < n)
			copied[stmt_column_u32(st, 0)] = true;
	return r;
}

static int
journal_undo_mark_messages(struct store *s, int64_t id, struct err *e)
{
	static const char sql[] =
	    CHAIN "UPDATE journal_message SET undone = c.undone,"
		  " new_uid = CASE c.undone WHEN 0 THEN c.new_uid"
		  " ELSE journal_message.new_uid END,"
		  " new_ref = CASE c.undone WHEN 0 THEN c.new_ref"
		  " ELSE journal_message.new_ref END"
		  " FROM chain c WHERE journal_message.journal_id = c.id"
		  " AND journal_message.place = c.place";

	return stmt_do(s, e, sql, V(id));
}

static int
journal_undo_mark_rows(struct store *s, const struct store_journal *row,
    struct err *e)
{
	static const char sql[] =
	    CHAIN "UPDATE journal SET changed_s = ?3, state = CASE"
		  " WHEN NOT EXISTS (SELECT 1 FROM journal_message m WHERE"
		  " m.journal_id = journal.id AND m.done <> 0 AND m.undone = 0)"
		  " THEN 'undone'"
		  " WHEN EXISTS (SELECT 1 FROM journal_message m WHERE"
		  " m.journal_id = journal.id AND m.done = 0)"
		  " THEN 'partly' ELSE 'done' END,"
		  " target_uidvalidity = CASE c.undone WHEN 0 THEN ?2"
		  " ELSE target_uidvalidity END"
		  " FROM (SELECT DISTINCT id, undone FROM chain) c"
		  " WHERE journal.id = c.id AND state IN ('done', 'partly', "
		  "'undone')";

	return stmt_do(s, e, sql, V(row->id), V(row->target_uidvalidity),
	    V(clock_now()));
}

int
journal_undo_mark(struct store *s, const struct store_journal *row,
    struct err *e)
{
	if (journal_undo_mark_messages(s, row->id, e) < 0)
		return -1;
	return journal_undo_mark_rows(s, row, e);
}
