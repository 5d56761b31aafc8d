/* SPDX-License-Identifier: Apache-2.0 */
/* From held to sending: for one caller, once. */
#include "store/freeze.h"
#include "store/internal.h"
#include "store/outbox.h"
#include "store/outbox_row.h"

/* For any caller: a frozen message waits until it is thawed. */
static int
store_outbox_release_check_frozen(struct store *s, int64_t id, struct err *e)
{
	static const char sql[] =
	    "SELECT principal, account_id FROM outbox WHERE id = ?1";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	return store_freeze_refuse(s, stmt_column(st, 0, a),
	    stmt_column_int(st, 1), e);
}

static int
store_outbox_release_claim(struct store *s, int64_t id, struct str digest,
    int64_t now_s, struct err *e)
{
	static const char sql[] =
	    "UPDATE outbox SET state = 'sending', changed_s = ?3"
	    " WHERE id = ?1 AND state = 'held' AND digest = ?2"
	    " AND expires_s + frozen_s > ?3 AND message IS NOT NULL";

	if (stmt_do(s, e, sql, V(id), V(digest), V(now_s)) < 0)
		return -1;
	if (stmt_changes(s) != 1)
		return err_set(e, ERR_NOT_FOUND,
		    "no such message waits for approval");
	return 0;
}

/*
 * The operator may; an agent's handle may too if the operator gave this right
 * to the users of MCP clients.  That is read under the same lock as the
 * release.
 */
int
outbox_release_may(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str who;
	int r;

	if (store_key_need_admin(s, e) == 0)
		return 0;
	r = store_setting_get(s, a, S("mcp_approve"), &who, e);
	if (r == 1 && str_eq(who, S("client"))) {
		*e = (struct err){ 0 };
		return 0;
	}
	return -1;
}

/* Does it wait?  Also if a replica does not know of it yet. */
static bool
store_outbox_release_is_held(struct store *s, int64_t id)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct err none = { 0 };

	return stmt_ask(s, &none,
		   "SELECT 1 FROM outbox WHERE id = ?1 AND state = 'held'", &st,
		   V(id)) == 0 &&
	    stmt_step(s, st, &none) == 1;
}

/*
 * The commit failed, and nothing was sent.  If it is written all the same, the
 * message waits again.  Only the process that has its lock can be sending it;
 * any other takes the lock in a transaction.
 */
static void
store_outbox_release_back(struct store *s, int64_t id, struct str digest,
    int64_t now_s)
{
	static const char sql[] =
	    "UPDATE outbox SET state = 'held', changed_s = ?3"
	    " WHERE id = ?1 AND state = 'sending' AND digest = ?2"
	    " AND changed_s = ?3";
	CLEANUP(tx_done) struct tx t = { 0 };
	struct err none = { 0 };

	if (tx_begin(s, &t, &none) == 0 &&
	    store_outbox_lock_still(s, &none) == 0 &&
	    stmt_do(s, &none, sql, V(id), V(digest), V(now_s)) == 0)
		(void)tx_commit(&t, &none);
}

int
store_outbox_release(struct store *s, int64_t id, struct str digest,
    int64_t now_s, struct err *e)
{
	CLEANUP(outbox_lock_unready) struct store *locks = s;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_durable(s, e) < 0 || outbox_lock_ready(locks, e) < 0 ||
	    tx_begin(s, &t, e) < 0 || outbox_release_may(s, e) < 0 ||
	    store_outbox_release_check_frozen(s, id, e) < 0 ||
	    store_outbox_release_claim(s, id, digest, now_s, e) < 0 ||
	    outbox_lock_take(s, id, e) < 0)
		return -1;
	if (tx_commit(&t, e) == 0)
		return 0;
	tx_done(&t);
	store_outbox_release_back(s, id, digest, now_s);
	if (store_outbox_release_is_held(s, id))
		(void)err_hint(e,
		    "nothing was sent, and the message still waits: approve it "
		    "again");
	outbox_lock_drop(s);
	return -1;
}
