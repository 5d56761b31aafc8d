/* SPDX-License-Identifier: Apache-2.0 */
/* Records the result of a send. */
#include <unistd.h>

#include "base/clock.h"
#include "store/internal.h"
#include "store/outbox.h"
#include "store/outbox_row.h"

enum {
	/* The first try has at least so many milliseconds, whatever is left of
	 * the call's time; a server that was lost is waited for so long. */
	SETTLE_FIRST_MS = 5000,
	SETTLE_MS = 10000,
	SETTLE_PAUSE_MS = 200,
	SETTLE_TRIES = 3 /* that reach one */
};

static int
store_outbox_settle_put_answers(struct store *s, const struct store_outbox *row,
    struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox_recipient SET code = ?3, status = ?4"
	    " WHERE outbox_id = ?1 AND place = ?2";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(row->id)) < 0)
		return -1;
	for (size_t i = 0; i < row->n; i++) {
		stmt_int(st, 2, (int64_t)i);
		stmt_int(st, 3, row->rcpt[i].code);
		stmt_text(st, 4, row->rcpt[i].status);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

/*
 * 1 if it is not being sent, with an error.
 *
 * Also from unknown_outcome: if the lock's file was removed, a reader may have
 * marked the row so, but the sender knows the result.  After the loss of a
 * database another message may have the number.
 */
static int
store_outbox_settle_put_state(struct store *s, const struct store_outbox *row,
    enum store_outbox_state to, struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox SET state = ?2, changed_s = ?3,"
	    " message = CASE WHEN ?2 IN ('rejected', 'failed')"
	    " OR (?4 <> 0 AND ?2 = 'sent') THEN NULL ELSE message END"
	    " WHERE id = ?1 AND message_id = ?5"
	    " AND state IN ('sending', 'unknown_outcome')";

	if (stmt_do(s, e, sql, V(row->id), V(str_of(outbox_row_word(to))),
		V(clock_now()), V((int64_t)row->no_copy),
		V(row->message_id)) < 0)
		return -1;
	if (stmt_changes(s) == 1)
		return 0;
	(void)err_set(e, ERR_DB, "the outbox cannot be written");
	(void)err_because(e, "row %lld is not being sent", (long long)row->id);
	return 1;
}

static int
store_outbox_settle_settle(struct store *s, const struct store_outbox *row,
    enum store_outbox_state to, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	if (tx_begin(s, &t, e) < 0)
		return -1;
	r = store_outbox_settle_put_state(s, row, to, e);
	if (r != 0)
		return r;
	if (store_outbox_settle_put_answers(s, row, e) < 0)
		return -1;
	if (to == STORE_OUTBOX_SENT &&
	    outbox_row_correspondents(s, row->id, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

/* Has it that state?  1, 0, -1. */
static int
store_outbox_settle_is(struct store *s, const struct store_outbox *row,
    enum store_outbox_state to, struct err *e)
{
	static const char sql[] = "SELECT 1 FROM outbox WHERE id = ?1"
				  " AND message_id = ?2 AND state = ?3";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(row->id), V(row->message_id),
		V(str_of(outbox_row_word(to)))) < 0)
		return -1;
	return stmt_step(s, st, e);
}

/*
 * A server that is lost may be there again soon, or another in its place.  The
 * result of a send is worth the wait, since nobody else knows it.
 */
static int
store_outbox_settle_again(struct store *s, const struct store_outbox *row,
    enum store_outbox_state to, struct err *e)
{
	const int64_t end_ms = clock_mono_ms() + SETTLE_MS;
	int reached = 0, r = -1;

	until_least(s, SETTLE_MS);
	while (r < 0 && reached < SETTLE_TRIES && clock_left_ms(end_ms) > 0) {
		struct err none = { 0 };
		int is;

		(void)usleep(SETTLE_PAUSE_MS * 1000);
		/* The last try may have been written. */
		is = store_outbox_settle_is(s, row, to, &none);
		if (is < 0)
			continue;
		reached++;
		*e = (struct err){ 0 };
		r = is == 1 ? 0 : store_outbox_settle_settle(s, row, to, e);
	}
	return r;
}

int
store_outbox_settle(struct store *s, const struct store_outbox *row,
    enum store_outbox_state to, struct err *e)
{
	int r;

	if (to != STORE_OUTBOX_SENT && to != STORE_OUTBOX_REJECTED &&
	    to != STORE_OUTBOX_FAILED && to != STORE_OUTBOX_UNKNOWN)
		err_bug("store: that is no end of a send");
	until_least(s, SETTLE_FIRST_MS);
	r = store_outbox_settle_settle(s, row, to, e);
	if (r < 0 && !s->driver->is_file)
		r = store_outbox_settle_again(s, row, to, e);
	/*
	 * After the commit: any process that sees the lock released also sees
	 * the state.
	 */
	outbox_lock_drop(s);
	return r == 0 ? 0 : -1;
}

void
outbox_settle_unsent(struct store *s, const struct store_outbox *row)
{
	struct err none = { 0 };

	if (row->state == STORE_OUTBOX_SENDING)
		(void)store_outbox_settle_settle(s, row, STORE_OUTBOX_FAILED,
		    &none);
}
