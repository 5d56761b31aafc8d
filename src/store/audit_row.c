/* SPDX-License-Identifier: Apache-2.0 */
/* A row of the audit log is written, and linked into its chain. */
#include "store/audit_row.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "store/internal.h"

struct str
audit_row_clean(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;
	bool ok;

	if (utf8_valid(s))
		return s;
	buf_init(&b, a, 3 * s.n + 1);
	while (i < s.n)
		buf_utf8(&b, utf8_next(s, &i, &ok));
	return buf_view(&b);
}

int
audit_row_put(struct store *s, const struct store_audit *row, int64_t *id,
    int64_t *seq, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, s->driver->asked, &st, e) < 0)
		return -1;
	/* Under the lock, so that times ascend with ids. */
	stmt_text(st, 1, clock_rfc3339(a, clock_now()));
	stmt_text(st, 2, audit_row_clean(a, row->principal));
	stmt_text_or_null(st, 3, audit_row_clean(a, row->account));
	stmt_text(st, 4, audit_row_clean(a, row->action));
	stmt_text_or_null(st, 5, audit_row_clean(a, row->target));
	return stmt_insert(s, st, id, e) < 0 ? -1
					     : chain_add(s, *id, seq, NULL, e);
}

int
audit_row_mark(struct store *s, struct stmt *st, int64_t id, int64_t *seq,
    char hash[CHAIN_HEX], struct err *e)
{
	if (stmt_run(s, st, e) < 0)
		return -1;
	if (stmt_changes(s) != 1) {
		(void)err_set(e, ERR_DB, "the audit log cannot be written");
		return err_because(e, "no such row in that state");
	}
	return chain_add(s, id, seq, hash, e);
}

int
audit_row_put_done(struct store *s, const struct store_audit *row,
    struct err *e)
{
	static const char *const marks[] = {
		"UPDATE audit_log SET result = 'allowed', reason = NULL,"
		" state = 'judged' WHERE id = ?1",
		"UPDATE audit_log SET outcome = 'ok', state = 'done'"
		" WHERE id = ?1",
	};
	int64_t id = 0;

	if (audit_row_put(s, row, &id, NULL, e) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		CLEANUP(stmt_done) struct stmt *st = NULL;

		if (stmt_ask(s, e, marks[i], &st, V(id)) < 0 ||
		    audit_row_mark(s, st, id, NULL, NULL, e) < 0)
			return -1;
	}
	return 0;
}
