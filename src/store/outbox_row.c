/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads rows of the outbox, and applies changes due to time: a sender died, an
 * approval expired.
 */
#include "store/outbox_row.h"
#include "base/clock.h"
#include "store/freeze.h"
#include "store/internal.h"
#include "store/outbox.h"

static const char *const words[STORE_OUTBOX_STATES] = {
	[STORE_OUTBOX_HELD] = "held",
	[STORE_OUTBOX_DENIED] = "denied",
	[STORE_OUTBOX_EXPIRED] = "expired",
	[STORE_OUTBOX_SENDING] = "sending",
	[STORE_OUTBOX_SENT] = "sent",
	[STORE_OUTBOX_REJECTED] = "rejected",
	[STORE_OUTBOX_FAILED] = "failed",
	[STORE_OUTBOX_UNKNOWN] = "unknown_outcome",
};

const char *
outbox_row_word(enum store_outbox_state state)
{
	return state < STORE_OUTBOX_STATES ? words[state] : "";
}

/* An unknown word counts as unknown_outcome: never as "may be sent again". */
static enum store_outbox_state
outbox_row_state_of(struct str word)
{
	for (int i = 0; i < STORE_OUTBOX_STATES; i++)
		if (str_eq(word, str_of(words[i])))
			return (enum store_outbox_state)i;
	return STORE_OUTBOX_UNKNOWN;
}

static enum store_outbox_copy
copy_of(struct str word)
{
	if (str_eq(word, S("saved")))
		return STORE_COPY_SAVED;
	return str_eq(word, S("failed")) ? STORE_COPY_FAILED : STORE_COPY_NONE;
}

void
outbox_row_read(struct stmt *st, struct arena *a, struct store_outbox *out)
{
	*out = (struct store_outbox){
		.id = stmt_column_int(st, 0),
		.account = stmt_column_int(st, 1),
		.principal = stmt_column(st, 2, a),
		.key = stmt_column(st, 3, a),
		.request = stmt_column(st, 4, a),
		.message_id = stmt_column(st, 5, a),
		.sender = stmt_column(st, 6, a),
		.smtputf8 = stmt_column_int(st, 7) != 0,
		.bytes = (uint64_t)stmt_column_int(st, 8),
		.digest = stmt_column(st, 9, a),
		.policy = stmt_column(st, 10, a),
		.state = outbox_row_state_of(stmt_column(st, 11, a)),
		.reason = stmt_column(st, 12, a),
		.copy = copy_of(stmt_column(st, 13, a)),
		.created_s = stmt_column_int(st, 14),
		.changed_s = stmt_column_int(st, 15),
		.expires_s = stmt_column_int(st, 16),
		.frozen_s = stmt_column_int(st, 17),
	};
}

int
outbox_row_recipients(struct store *s, struct arena *a,
    struct store_outbox *row, struct err *e)
{
	static const char sql[] =
	    "SELECT address, canonical, code, status FROM outbox_recipient"
	    " WHERE outbox_id = ?1 ORDER BY place";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(row->id)) < 0)
		return -1;
	row->rcpt = NULL;
	row->n = 0;
	while ((r = stmt_step(s, st, e)) == 1) {
		row->rcpt =
		    arena_more(a, row->rcpt, row->n, sizeof(*row->rcpt));
		row->rcpt[row->n++] = (struct store_outbox_rcpt){
			.address = stmt_column(st, 0, a),
			.canonical = stmt_column(st, 1, a),
			.code = (int)stmt_column_int(st, 2),
			.status = stmt_column(st, 3, a),
		};
	}
	return r;
}

int
outbox_row_correspondents(struct store *s, int64_t id, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO correspondent (account_id, address, first_s)"
	    " SELECT o.account_id, r.canonical, ?2"
	    " FROM outbox o JOIN outbox_recipient r ON r.outbox_id = o.id"
	    " WHERE o.id = ?1 AND o.principal <> 'operator'"
	    " ON CONFLICT DO NOTHING";

	return stmt_do(s, e, sql, V(id), V(clock_now()));
}

int
outbox_row_find(struct store *s, struct arena *a, int64_t account,
    struct str principal, struct str key, struct store_outbox *out,
    struct err *e)
{
	static const char sql[] =
	    "SELECT " OUTBOX_ROW_COLUMNS " FROM outbox o WHERE account_id = ?1"
	    " AND principal = ?2"
	    " AND idempotency_key = ?3";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(account), V(principal), V(key)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	outbox_row_read(st, a, out);
	return outbox_row_recipients(s, a, out, e) < 0 ? -1 : 1;
}

/* Compare and set: if another process was faster, its state stands. */
static int
outbox_row_turn(struct store *s, int64_t id, enum store_outbox_state from,
    enum store_outbox_state to, struct err *e)
{
	/* The bytes of a message that nobody will send are dropped. */
	static const char sql[] =
	    "UPDATE outbox SET state = ?3, changed_s = ?4,"
	    " message = CASE WHEN ?3 = 'expired' THEN NULL ELSE message END"
	    " WHERE id = ?1 AND state = ?2";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(id), V(str_of(words[from])),
		V(str_of(words[to])), V(clock_now())) < 0)
		return -1;
	return tx_commit(&t, e);
}

/* After its time it is expired; but while it is frozen no time passes. */
static int
outbox_row_look_held(struct store *s, const struct store_outbox *row,
    struct err *e)
{
	int frozen;

	if (row->expires_s + row->frozen_s > clock_now())
		return 0;
	frozen = store_freeze_has(s, row->principal, row->account, e);
	if (frozen != 0)
		return frozen < 0 ? -1 : 0;
	return outbox_row_turn(s, row->id, STORE_OUTBOX_HELD,
	    STORE_OUTBOX_EXPIRED, e);
}

/* Checks one open row: is its state still true? */
static int
outbox_row_look(struct store *s, const struct store_outbox *row, struct err *e)
{
	int held;

	if (row->state == STORE_OUTBOX_HELD)
		return outbox_row_look_held(s, row, e);
	/*
	 * It was read as `sending` before the lock is checked: a sender settles
	 * before it releases the lock, and then this changes nothing.
	 */
	held = outbox_lock_held(s, row->id, e);
	if (held < 0)
		return -1;
	return held ? 0
		    : outbox_row_turn(s, row->id, STORE_OUTBOX_SENDING,
			  STORE_OUTBOX_UNKNOWN, e);
}

int
outbox_row_refresh(struct store *s, struct err *e)
{
	static const char sql[] =
	    "SELECT id, state, expires_s, frozen_s, account_id, principal"
	    " FROM outbox"
	    " WHERE state IN ('held', 'sending') ORDER BY id";
	CLEANUP(arena_close) struct arena *a = arena_open(256UL << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_outbox *v = NULL;
	size_t n = 0;
	int r;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, n, sizeof(*v));
		v[n].id = stmt_column_int(st, 0);
		v[n].state = outbox_row_state_of(stmt_column(st, 1, a));
		v[n].expires_s = stmt_column_int(st, 2);
		v[n].frozen_s = stmt_column_int(st, 3);
		v[n].account = stmt_column_int(st, 4);
		v[n++].principal = stmt_column(st, 5, a);
	}
	if (r < 0)
		return -1;
	/* Reading is finished: what follows writes. */
	stmt_done(&st);
	for (size_t i = 0; i < n; i++)
		if (outbox_row_look(s, &v[i], e) < 0)
			return -1;
	return 0;
}
