/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts that were removed since the copy, and made again with their names:
 * their numbers differ, but what was sent through them was sent.
 */
#include "base/clock.h"
#include "store/restoring.h"

#define WAS "(SELECT was FROM temp.moved)"

static const char fill[] =
    "INSERT INTO temp.moved SELECT p.id, a.id FROM present.accounts p"
    " JOIN main.accounts a ON a.name = p.name"
    " WHERE p.id NOT IN (SELECT id FROM temp.kin)";

/*
 * What this restore's own kind took from approval, before its time: nobody can
 * have released it since, so it waits again in the account that it was in.
 */
static const char keep[] =
    "INSERT INTO temp.kept SELECT c.id FROM main.outbox c"
    " JOIN present.outbox p ON p.id = c.id"
    " JOIN temp.moved m ON m.was = p.account_id AND m.id = c.account_id"
    " WHERE c.state = 'held' AND p.state = 'expired'"
    " AND p.message_id = c.message_id AND p.created_s = c.created_s"
    " AND p.changed_s < p.expires_s + p.frozen_s";

/* Nobody approved them for the mailbox that they would leave through now. */
static const char take[] =
    "CREATE TEMP TABLE moved_outbox AS SELECT * FROM present.outbox"
    " WHERE account_id IN " WAS " AND id <= " RESTORE_MOST(
	"'outbox'") " AND id NOT IN (SELECT id FROM temp.kept);"
		    "UPDATE temp.moved_outbox SET account_id ="
		    " (SELECT id FROM temp.moved WHERE was = account_id);"
		    "CREATE TEMP TABLE moved_journal AS SELECT * FROM "
		    "present.journal"
		    " WHERE account_id IN " WAS " AND id <= " RESTORE_MOST(
			"'journal'") ";"
				     "UPDATE temp.moved_journal SET account_id "
				     "="
				     " (SELECT id FROM temp.moved WHERE was = "
				     "account_id)";
static const char expire[] =
    "UPDATE temp.moved_outbox SET state = 'expired', changed_s = ?1,"
    " message = NULL WHERE state = 'held'";

/*
 * Of two messages with one key the newer one keeps it, unless that one may be
 * sent again (outbox_add.c) and the other one not.
 */
#define AGAIN "('rejected', 'failed')"
static const char keys[] =
    "UPDATE temp.moved_outbox SET idempotency_key = NULL"
    " WHERE state IN " AGAIN " AND EXISTS (SELECT 1 FROM main.outbox c"
    " WHERE c.account_id = moved_outbox.account_id"
    " AND c.principal = moved_outbox.principal"
    " AND c.idempotency_key = moved_outbox.idempotency_key"
    " AND c.state NOT IN " AGAIN ");"
    "UPDATE main.outbox SET idempotency_key = NULL"
    " WHERE EXISTS (SELECT 1 FROM temp.moved_outbox m"
    " WHERE m.account_id = outbox.account_id"
    " AND m.principal = outbox.principal"
    " AND m.idempotency_key = outbox.idempotency_key)";

static const char put[] =
    "INSERT INTO main.outbox SELECT * FROM temp.moved_outbox;"
    "INSERT INTO main.outbox_recipient SELECT * FROM present.outbox_recipient"
    " WHERE outbox_id IN (SELECT id FROM temp.moved_outbox);"
    "INSERT INTO main.outbox_change SELECT * FROM present.outbox_change"
    " WHERE outbox_id IN (SELECT id FROM temp.moved_outbox);"
    "INSERT INTO main.journal SELECT * FROM temp.moved_journal;"
    "INSERT INTO main.journal_message SELECT * FROM present.journal_message"
    " WHERE journal_id IN (SELECT id FROM temp.moved_journal);"
    "INSERT INTO main.correspondent (account_id, address, first_s)"
    " SELECT m.id, c.address, c.first_s FROM present.correspondent c"
    " JOIN temp.moved m ON m.was = c.account_id WHERE true"
    " ON CONFLICT (account_id, address) DO UPDATE"
    " SET first_s = min(first_s, excluded.first_s)";

static const char replaced[] =
    "DELETE FROM main.outbox WHERE id IN (SELECT id FROM temp.moved_outbox);"
    "DELETE FROM main.journal WHERE id IN (SELECT id FROM temp.moved_journal)";

/* Of accounts that the copy does not have. */
static int
restore_moved_count_left(struct store *copy, struct store_restored *done,
    struct err *e)
{
	static const char sql[] =
	    "SELECT count(*) FROM present.outbox WHERE account_id NOT IN"
	    " (SELECT id FROM temp.kin UNION SELECT was FROM temp.moved)";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(copy, sql, &st, e) < 0 || stmt_step(copy, st, e) < 0)
		return -1;
	done->left = stmt_column_int(st, 0);
	return 0;
}

int
restore_moved(struct store *copy, const struct restore_kind *k,
    struct store_restored *done, struct err *e)
{
	if ((k->related && stmt_exec(copy, fill, e) < 0) ||
	    stmt_exec(copy, keep, e) < 0 || stmt_exec(copy, take, e) < 0 ||
	    stmt_do(copy, e, expire, V(clock_now())) < 0 ||
	    stmt_exec(copy, replaced, e) < 0 || stmt_exec(copy, keys, e) < 0 ||
	    stmt_exec(copy, put, e) < 0)
		return -1;
	return restore_moved_count_left(copy, done, e);
}
