/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records an outgoing message together with the account's limits, in one
 * transaction, so that concurrent callers cannot exceed a limit.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "base/limits.h"
#include "store/freeze.h"
#include "store/internal.h"
#include "store/notice.h"
#include "store/outbox.h"
#include "store/outbox_row.h"

#define DAY_S 86400

/*
 * What an agent's last day counts: what was sent, may have been, or may still
 * be, by it or by another agent of its user.
 */
#define OWN " o.principal IN " STORE_KIN("?2")
#define COUNTED                                                                \
	" o.account_id = ?1 AND" OWN " AND o.created_s > ?3"                   \
	" AND o.state NOT IN ('denied', 'expired', 'rejected', 'failed')"      \
	" AND NOT EXISTS (SELECT 1 FROM outbox_change h"                       \
	" WHERE h.outbox_id = o.id)"

static int
store_outbox_add_count(struct store *s, const char *sql,
    const struct store_outbox *row, uint64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	*out = 0;
	if (stmt_ask(s, e, sql, &st, V(row->account), V(row->principal),
		V(row->created_s - DAY_S)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	*out = (uint64_t)stmt_column_int(st, 0);
	return 0;
}

static int
store_outbox_add_conflict(struct err *e)
{
	(void)err_set(e, ERR_USAGE,
	    "another message was sent with this idempotency key");
	e->reason = "idempotency_conflict";
	return -1;
}

/* Checks one limit; the row itself is already counted. */
static int
store_outbox_add_below(struct store *s, const char *sql,
    const struct store_outbox *row, uint64_t limit, const char *what,
    struct err *e)
{
	uint64_t n;

	if (limit == 0)
		return 0;
	if (store_outbox_add_count(s, sql, row, &n, e) < 0)
		return -1;
	if (n <= limit)
		return 0;
	(void)err_set(e, ERR_LIMIT,
	    "the account allows an agent %" PRIu64 " %s in 24 hours", limit,
	    what);
	e->reason = "rate_limited";
	return err_because(e, "this would be %" PRIu64, n);
}

/*
 * What may wait: the messages of one agent neither stop others nor fill the
 * disk.  Each sum has the row in it.
 */
#define HELD                                                                   \
	" FROM outbox o WHERE o.account_id = ?1 AND o.state = 'held'"          \
	" AND ?2 <> '' AND ?3 <> 0"

static const struct held {
	const char *sql;
	uint64_t most;
	bool own; /* of this agent; otherwise of the account */
} held[] = {
	{ "SELECT count(*)" HELD " AND" OWN, LIMIT_HELD, true },
	{ "SELECT sum(o.bytes)" HELD " AND" OWN, LIMIT_HELD_BYTES, true },
	{ "SELECT count(*)" HELD, LIMIT_HELD_ALL, false },
	{ "SELECT sum(o.bytes)" HELD, LIMIT_HELD_ALL_BYTES, false },
};

static int
store_outbox_add_may_wait(struct store *s, const struct store_outbox *row,
    struct err *e)
{
	uint64_t n;

	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		const bool many = held[i].most < LIMIT_HELD_BYTES;

		if (store_outbox_add_count(s, held[i].sql, row, &n, e) < 0)
			return -1;
		if (n <= held[i].most)
			continue;
		(void)err_set(e, ERR_LIMIT,
		    "%" PRIu64 " %s of this %s already wait for approval",
		    many ? held[i].most : held[i].most >> 20,
		    many ? "messages" : "MiB",
		    held[i].own ? "agent" : "account");
		e->reason = "rate_limited";
		return err_hint(e,
		    "wait until the operator has released or denied some");
	}
	return 0;
}

static int
store_outbox_add_within(struct store *s, const struct store_outbox *row,
    const struct store_outbox_limits *l, struct err *e)
{
	static const char messages[] =
	    "SELECT count(*) FROM outbox o WHERE" COUNTED;
	static const char bytes[] =
	    "SELECT coalesce(sum(o.bytes), 0) FROM outbox o WHERE" COUNTED;
	/*
	 * A recipient is new if it was not a correspondent when the message was
	 * recorded.
	 */
	static const char fresh[] =
	    "SELECT count(DISTINCT r.canonical) FROM outbox o"
	    " JOIN outbox_recipient r ON r.outbox_id = o.id"
	    " LEFT JOIN correspondent c ON c.account_id = o.account_id"
	    " AND c.address = r.canonical"
	    " WHERE" COUNTED
	    " AND (c.first_s IS NULL OR c.first_s >= o.created_s)";
	if (l->recipients > 0 && row->n > l->recipients)
		return err_set(e, ERR_LIMIT,
		    "the account allows %u recipients per message",
		    (unsigned)l->recipients);
	if (store_outbox_add_below(s, messages, row, l->messages, "messages",
		e) < 0 ||
	    store_outbox_add_below(s, bytes, row, l->bytes, "bytes", e) < 0 ||
	    store_outbox_add_below(s, fresh, row, l->new_recipients,
		"new recipients", e) < 0)
		return -1;
	return row->state == STORE_OUTBOX_HELD
	    ? store_outbox_add_may_wait(s, row, e)
	    : 0;
}

static int
store_outbox_add_put_recipients(struct store *s, const struct store_outbox *row,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO outbox_recipient (outbox_id, place, address,"
	    " canonical) VALUES (?1, ?2, ?3, ?4)";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(row->id)) < 0)
		return -1;
	for (size_t i = 0; i < row->n; i++) {
		stmt_int(st, 2, (int64_t)i);
		stmt_text(st, 3, row->rcpt[i].address);
		stmt_text(st, 4, row->rcpt[i].canonical);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

static int
store_outbox_add_put(struct store *s, struct arena *a, struct store_outbox *row,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO outbox (account_id, principal, idempotency_key,"
	    " request, message_id, sender, smtputf8, bytes, digest, policy,"
	    " state, reason, created_s, changed_s, expires_s, said, message)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?13, ?14, ?16, ?15) RETURNING id";

	if (stmt_add(s, e, sql, &row->id, V(row->account), V(row->principal),
		stmt_v_or_null(row->key), V(row->request), V(row->message_id),
		V(row->sender), V(row->smtputf8), V((int64_t)row->bytes),
		V(row->digest), V(row->policy),
		V(str_of(outbox_row_word(row->state))),
		stmt_v_or_null(row->reason), V(row->created_s),
		V(row->expires_s), stmt_v_blob(row->message),
		stmt_v_or_null(row->said)) < 0)
		return -1;
	if (row->state == STORE_OUTBOX_HELD &&
	    store_notice_add(s,
		&(struct store_notice_row){ STORE_NOTICE_HELD, row->account,
		    row->id, row->created_s },
		e) < 0)
		return -1;
	if (row->change != NULL && outbox_change_put(s, a, row, e) < 0)
		return -1;
	return store_outbox_add_put_recipients(s, row, e);
}

/* Nothing of it was sent: another attempt may use its key. */
static int
store_outbox_add_take_key(struct store *s, int64_t id, struct err *e)
{
	return stmt_do(s, e,
	    "UPDATE outbox SET idempotency_key = NULL WHERE id = ?1", V(id));
}

/* 1 if a row with that key answers for this one, 0 if the key is free. */
static int
store_outbox_add_met_before(struct store *s, struct arena *a,
    struct store_outbox *row, struct err *e)
{
	struct store_outbox there = { 0 };
	int r;

	if (row->key.n == 0)
		return 0;
	r = outbox_row_find(s, a, row->account, row->principal, row->key,
	    &there, e);
	if (r <= 0)
		return r;
	if (!str_eq(there.request, row->request))
		return store_outbox_add_conflict(e);
	if (there.state == STORE_OUTBOX_REJECTED ||
	    there.state == STORE_OUTBOX_FAILED)
		return store_outbox_add_take_key(s, there.id, e);
	*row = there;
	return 1;
}

/*
 * In the transaction, so that of two identical concurrent messages one is sent.
 */
static int
store_outbox_add_refuse_again(struct store *s, const struct store_outbox *row,
    uint32_t again_s, struct err *e)
{
	/* A message that certainly was not sent may be tried again. */
	static const char sql[] =
	    "SELECT max(created_s) FROM outbox WHERE account_id = ?1"
	    " AND principal = ?2 AND created_s > ?3 AND said = ?4"
	    " AND state NOT IN ('denied', 'expired', 'rejected', 'failed')";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t ago;

	if (again_s == 0 || row->said.n == 0)
		return 0;
	if (stmt_ask(s, e, sql, &st, V(row->account), V(row->principal),
		V(row->created_s - again_s), V(row->said)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	if (stmt_column_is_null(st, 0))
		return 0;
	ago = row->created_s - stmt_column_int(st, 0);
	(void)err_set(e, ERR_POLICY,
	    "refused by policy: unfinished: the same text was submitted to the "
	    "same people %lld seconds ago; give as_is to send it again",
	    (long long)(ago > 0 ? ago : 0));
	e->reason = "unfinished";
	return -1;
}

/* In the transaction. */
static int
store_outbox_add_checked(struct store *s, struct arena *a,
    struct store_outbox *row, const struct store_outbox_limits *l, bool *found,
    struct err *e)
{
	int r;

	*found = false;
	if (row->state != STORE_OUTBOX_HELD &&
	    row->state != STORE_OUTBOX_SENDING)
		err_bug("store: a message begins held or sending");
	/*
	 * The boundary: a freeze committed before this stops the message; after
	 * it, this call was first.
	 */
	if (!row->unfrozen &&
	    store_freeze_refuse(s, row->principal, row->account, e) < 0)
		return -1;
	r = store_outbox_add_met_before(s, a, row, e);
	if (r != 0) {
		*found = r > 0;
		return r < 0 ? -1 : 0;
	}
	row->created_s = row->changed_s = clock_now();
	if (store_outbox_add_refuse_again(s, row, l->again_s, e) < 0)
		return -1;
	return store_outbox_add_put(s, a, row, e) < 0
	    ? -1
	    : store_outbox_add_within(s, row, l, e);
}

int
store_outbox_add_try(struct store *s, struct arena *a,
    const struct store_outbox *row, const struct store_outbox_limits *l,
    bool *found, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct store_outbox would = *row;

	/* The row is undone, so its bytes need not be written. */
	would.message = S("");
	return outbox_row_refresh(s, e) < 0 || tx_begin(s, &t, e) < 0
	    ? -1
	    : store_outbox_add_checked(s, a, &would, l, found, e);
}

int
store_outbox_add(struct store *s, struct arena *a, struct store_outbox *row,
    const struct store_outbox_limits *l, bool *found, struct err *e)
{
	CLEANUP(outbox_lock_unready) struct store *locks = s;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_durable(s, e) < 0 || outbox_row_refresh(s, e) < 0 ||
	    (row->state == STORE_OUTBOX_SENDING &&
		outbox_lock_ready(locks, e) < 0) ||
	    tx_begin(s, &t, e) < 0 ||
	    store_outbox_add_checked(s, a, row, l, found, e) < 0)
		return -1;
	if (*found)
		return 0;
	/* Before any other process can see the row. */
	if (row->state == STORE_OUTBOX_SENDING &&
	    outbox_lock_take(s, row->id, e) < 0)
		return -1;
	if (tx_commit(&t, e) == 0)
		return 0;
	tx_done(&t);
	outbox_settle_unsent(s, row);
	outbox_lock_drop(s);
	return -1;
}
