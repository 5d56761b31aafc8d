/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a store has after a restore: of its copy, and of the store that was
 * there.
 */
#include "restored.h"

/* -- what of it is the copy's ---------------------------------------------- */

#define CHANGE(id, account, state)                                             \
	"INSERT INTO journal (id, account_id, principal, audit_id, kind,"      \
	" folder, uidvalidity, target, flags_set, flags_clear, labels_add,"    \
	" labels_drop, state, messages, created_s, changed_s) VALUES (" id     \
	", " account                                                           \
	", 'agent', 0, 'mark', 'INBOX', 1, '', 1, 0, '', '', '" state          \
	"', 1, 4000000000, 4000000000)"
#define WAITS(id)                                                              \
	"INSERT INTO outbox_change (outbox_id, kind, folder, uidvalidity,"     \
	" target, flags_set, flags_clear, labels_add, labels_drop, messages)"  \
	" VALUES (" id ", 'mark', 'INBOX', 1, '', 1, 0, '', '', 1)"
#define SEEN(floor)                                                            \
	"INSERT OR REPLACE INTO folder_state (account_id, principal, folder,"  \
	" uidvalidity, floor_uid) VALUES (1, 'agent', 'INBOX', 7, " floor ")"
#define GONE(id) "PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = " id
#define ACCOUNT(id, name)                                                      \
	"INSERT INTO accounts (id, name, username) VALUES (" id ", '" name     \
	"', '" name "')"

/* Of a store with the accounts work (1) and home (2). */
static const struct carried {
	const char *what;
	const char *then;  /* before the copy; NULL: nothing */
	const char *since; /* after it */
	const char *ask;   /* of the restored store */
	int64_t is;
} carried[] = {
	{ "a message that was sent", NULL, MESSAGE("7", "1", "'k'", "sent"),
	    "SELECT count(*) FROM outbox WHERE id = 7 AND state = 'sent'"
	    " AND idempotency_key = 'k'",
	    1 },
	{ "its recipients", NULL,
	    MESSAGE("7", "1", "'k'",
		"sent") ";"
			"INSERT INTO outbox_recipient (outbox_id, place, "
			"address,"
			" canonical) VALUES (7, 0, 'b@x', 'b@x');"
			"INSERT INTO correspondent VALUES (1, 'b@x', 1)",
	    "SELECT (SELECT count(*) FROM outbox_recipient) * 10"
	    " + (SELECT count(*) FROM correspondent)",
	    11 },
	{ "one that waited and was released", MESSAGE("7", "1", "NULL", "held"),
	    "UPDATE outbox SET state = 'sent'",
	    "SELECT count(*) FROM outbox WHERE state = 'sent'", 1 },
	{ "one that waited and was denied", MESSAGE("7", "1", "NULL", "held"),
	    "UPDATE outbox SET state = 'denied', message = NULL",
	    "SELECT count(*) FROM outbox WHERE state = 'denied'", 1 },
	{ "one that still waits", MESSAGE("7", "1", "NULL", "held"), "",
	    "SELECT count(*) FROM outbox WHERE state = 'held'", 1 },
	{ "one that was being sent", MESSAGE("7", "1", "'k'", "sending"),
	    "UPDATE outbox SET state = 'sent'",
	    "SELECT count(*) FROM outbox WHERE state = 'sent'", 1 },
	{ "one that was purged", MESSAGE("7", "1", "'k'", "sent"),
	    "DELETE FROM outbox", "SELECT count(*) FROM outbox", 0 },
	{ "one whose key another has now", MESSAGE("7", "1", "'k'", "failed"),
	    "UPDATE outbox SET idempotency_key = NULL;" MESSAGE("8", "1", "'k'",
		"sent"),
	    "SELECT sum(id) FROM outbox WHERE idempotency_key = 'k'", 8 },
	{ "one that waited on an account that is gone",
	    MESSAGE("7", "1", "'k'", "held"), GONE("1"),
	    "SELECT count(*) FROM outbox WHERE state = 'unknown_outcome'", 1 },
	{ "one whose time was over before",
	    MESSAGE("7", "1", "'k'", "held") ";"
					     "UPDATE outbox SET expires_s = 5",
	    GONE("1"), "SELECT count(*) FROM outbox WHERE state = 'expired'",
	    1 },
	{ "a change that waited there",
	    MESSAGE("7", "1", "NULL", "held") ";" WAITS("7"), GONE("1"),
	    "SELECT count(*) FROM outbox WHERE state = 'expired'"
	    " AND message IS NULL",
	    1 },
	{ "what was sent there before", MESSAGE("7", "1", "'k'", "sent"),
	    GONE("1"), "SELECT count(*) FROM outbox WHERE state = 'sent'", 1 },
	{ "a message of an account that is no more", NULL,
	    ACCOUNT("3", "new") ";" MESSAGE("7", "3", "'k'", "sent"),
	    "SELECT count(*) FROM outbox", 0 },
	{ "the numbers of messages", NULL,
	    ACCOUNT("3", "new") ";" MESSAGE("70", "3", "'k'", "sent"),
	    "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'", 70 },
	{ "the numbers of accounts", NULL, ACCOUNT("9", "new") ";" GONE("9"),
	    "SELECT seq FROM sqlite_sequence WHERE name = 'accounts'", 9 },
	/* Near to the copy's: else what is restored could not be copied. */
	{ "the last number that there is", NULL,
	    MESSAGE("7", "1", "'k'",
		"sent") ";"
			"UPDATE sqlite_sequence SET seq = 9223372036854775807"
			" WHERE name = 'outbox'; INSERT INTO sqlite_sequence"
			" VALUES ('outbox', 'x'), ('uid_folder', "
			"9223372036854775807)",
	    "SELECT count(*) FROM sqlite_sequence WHERE"
	    " name IN ('outbox', 'uid_folder')"
	    " AND seq BETWEEN 4294967296 AND 4294967303",
	    2 },
	{ "a number below none", NULL,
	    "INSERT INTO sqlite_sequence VALUES ('outbox', -5)",
	    "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'", 0 },
	{ "a message that has it", NULL,
	    MESSAGE("9223372036854775807", "1", "'k'", "sent"),
	    "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'",
	    INT64_C(4294967296) },
	{ "and is not taken", NULL,
	    MESSAGE("9007199254740991", "1", "'k'", "sent"),
	    "SELECT count(*) FROM outbox", 0 },
	{ "a number that is another account's",
	    MESSAGE("7", "1", "'k'", "held"),
	    "UPDATE outbox SET state = 'sent';"
	    "UPDATE accounts SET name = 'x', username = 'y' WHERE id = 1",
	    "SELECT count(*) FROM outbox WHERE state = 'unknown_outcome'", 1 },
	{ "an account by another name", MESSAGE("7", "1", "'k'", "held"),
	    "UPDATE outbox SET state = 'sent';"
	    "UPDATE accounts SET name = 'x' WHERE id = 1",
	    "SELECT count(*) FROM outbox WHERE state = 'sent'", 1 },
	{ "accounts that swapped their names: each by what it is",
	    MESSAGE("7", "1", "'k'", "held") ";" MESSAGE("8", "2", "'l'",
		"held"),
	    "UPDATE outbox SET state = 'sent' WHERE account_id = 1;"
	    "INSERT INTO freeze (agent, account_id, why, at_s)"
	    " VALUES ('a', 1, 'w', 1);" SEEN(
		"9") ";"
		     "UPDATE accounts SET name = 'z' WHERE id = 1;"
		     "UPDATE accounts SET name = 'work' WHERE id = 2;"
		     "UPDATE accounts SET name = 'home' WHERE id = 1",
	    "SELECT (SELECT state = 'sent' FROM outbox WHERE id = 7"
	    " AND account_id = 1) + (SELECT state = 'held' FROM outbox"
	    " WHERE id = 8 AND account_id = 2) + (SELECT count(*)"
	    " FROM folder_state WHERE account_id = 1 AND floor_uid = 9)"
	    " + (SELECT count(*) FROM freeze WHERE agent = 'a'"
	    " AND account_id = 1)",
	    4 },
	{ "a change that waits", NULL,
	    MESSAGE("7", "1", "NULL", "held") ";" WAITS("7"),
	    "SELECT count(*) FROM outbox_change", 1 },
	{ "a change of mail", NULL,
	    CHANGE("5", "1", "done") ";"
				     "INSERT INTO journal_message (journal_id, "
				     "place, uid, ref, folder,"
				     " message_id, digest, flags, labels) "
				     "VALUES (5, 0, 1, '', '', '',"
				     " x'00', 0, '')",
	    "SELECT (SELECT count(*) FROM journal) * 10"
	    " + (SELECT count(*) FROM journal_message)",
	    11 },
	{ "a change that was undone", CHANGE("5", "1", "done"),
	    "UPDATE journal SET state = 'undone'",
	    "SELECT count(*) FROM journal WHERE state = 'undone'", 1 },
	{ "what was acked", SEEN("3"),
	    SEEN("9") ";"
		      "INSERT INTO acked VALUES (1, 'agent', 'INBOX', 7, 12);"
		      "INSERT INTO claim VALUES (1, 'agent', 'INBOX', 7, 13, "
		      "4e15);"
		      "INSERT INTO seen_message VALUES (1, 'agent', 'INBOX', "
		      "x'00', 9, 1)",
	    "SELECT (SELECT sum(floor_uid) FROM folder_state) * 1000"
	    " + (SELECT count(*) FROM acked) * 100"
	    " + (SELECT count(*) FROM claim) * 10"
	    " + (SELECT count(*) FROM seen_message)",
	    9111 },
	{ "numbers of a store without uids",
	    "INSERT INTO uid_folder (id, account_id, folder, uidvalidity,"
	    " uidnext) VALUES (4, 1, 'f', 1, 2);"
	    "INSERT INTO uid_map (folder_id, uid, message) VALUES (4, 1, 'a')",
	    "UPDATE uid_folder SET uidnext = 3;"
	    "INSERT INTO uid_map (folder_id, uid, message) VALUES (4, 2, 'b')",
	    "SELECT (SELECT uidnext FROM uid_folder) * 10"
	    " + (SELECT count(*) FROM uid_map)",
	    32 },
	{ "numbers of an account that is gone",
	    "INSERT INTO uid_folder (id, account_id, folder, uidvalidity,"
	    " uidnext) VALUES (4, 1, 'f', 7, 2)",
	    GONE("1"),
	    "SELECT count(*) FROM uid_folder WHERE uidvalidity = 7"
	    " AND uidnext > 1000000",
	    1 },
	{ "when doubtful mail was read", "INSERT INTO taint VALUES ('a', 5)",
	    "UPDATE taint SET read_s = 9; INSERT INTO taint VALUES ('b', 7)",
	    "SELECT sum(read_s) FROM taint", 16 },
	{ "when it was read last, in the copy",
	    "INSERT INTO taint VALUES ('a', 9)", "UPDATE taint SET read_s = 5",
	    "SELECT read_s FROM taint", 9 },
	{ "a freeze of an agent", NULL,
	    "INSERT INTO freeze VALUES ('bob', 0, 'w', 5)",
	    "SELECT count(*) FROM freeze WHERE agent = 'bob' AND why = 'w'",
	    1 },
	{ "a freeze of an account", NULL,
	    "INSERT INTO freeze VALUES ('', 2, 'w', 5)",
	    "SELECT account_id FROM freeze WHERE why = 'w'", 2 },
	{ "a freeze of one with another name", NULL,
	    "INSERT INTO freeze VALUES ('', 2, 'w', 5);"
	    "UPDATE accounts SET name = 'x' WHERE id = 2",
	    "SELECT account_id FROM freeze WHERE why = 'w'", 2 },
	{ "a freeze of one that was made again", NULL,
	    GONE("2") ";" ACCOUNT("3",
		"home") ";"
			"INSERT INTO freeze VALUES ('', 3, 'w', 5)",
	    "SELECT account_id FROM freeze WHERE why = 'w'", 2 },
	{ "a freeze that was lifted",
	    "INSERT INTO freeze VALUES ('bob', 0, 'w', 5)",
	    "DELETE FROM freeze",
	    "SELECT count(*) FROM freeze WHERE agent = 'bob'", 1 },
	{ "every agent", NULL, "",
	    "SELECT count(*) FROM freeze WHERE agent = '' AND account_id = 0",
	    1 },
	{ "what an agent has loaded",
	    "INSERT INTO skill_grant (hash, nonce, principal, conversation, "
	    "turn, "
	    "skill,"
	    " digest, accounts, ops, issued_ms, expires_ms, idle_ms, used_ms,"
	    " uses_left) VALUES ('h', x'00', 'a', 'c', '', 's', 'd', '', '', "
	    "1, 2, 3, "
	    "1,"
	    " -1)",
	    "", "SELECT count(*) FROM skill_grant", 0 },
	{ "what an identity provider said",
	    "INSERT INTO issuer_kept VALUES (1, 'i', 's', 1, 1, 'm')", "",
	    "SELECT count(*) FROM issuer_kept", 0 },
};

/* Made again with its name: other numbers, perhaps another mailbox. */
#define AGAIN GONE("1") ";" ACCOUNT("3", "work") ";"
#define TO(id)                                                                 \
	"INSERT INTO outbox_recipient (outbox_id, place, address, canonical)"  \
	" VALUES (" id ", 0, 'b@x', 'b@x')"

static const struct carried moved[] = {
	{ "a message that was sent", NULL,
	    AGAIN MESSAGE("7", "3", "'k'", "sent") ";" TO("7"),
	    "SELECT count(*) FROM outbox JOIN outbox_recipient ON"
	    " outbox_id = id WHERE account_id = 1 AND state = 'sent' AND"
	    " idempotency_key = 'k'",
	    1 },
	{ "the account's number is still another's", NULL,
	    "UPDATE accounts SET name = 'old' WHERE id = 1;" ACCOUNT("3",
		"work") ";" MESSAGE("6", "1", "'k'", "failed") ";" MESSAGE("7",
		"3", "'k'", "sent"),
	    "SELECT id FROM outbox WHERE account_id = 1"
	    " AND idempotency_key = 'k'",
	    7 },
	{ "whom it wrote to, and when first",
	    "INSERT INTO correspondent VALUES (1, 'b@x', 5)",
	    AGAIN "INSERT INTO correspondent VALUES (3, 'b@x', 9),"
		  " (3, 'c@x', 7)",
	    "SELECT sum(first_s) FROM correspondent WHERE account_id = 1", 12 },
	{ "a message that waits for approval", NULL,
	    AGAIN MESSAGE("7", "3", "'k'", "held"),
	    "SELECT count(*) FROM outbox WHERE account_id = 1 AND"
	    " state = 'expired' AND message IS NULL AND idempotency_key = 'k'",
	    1 },
	{ "a change that waits", NULL,
	    AGAIN MESSAGE("7", "3", "NULL", "held") ";" WAITS("7"),
	    "SELECT count(*) FROM outbox JOIN outbox_change ON outbox_id = id"
	    " WHERE state = 'expired'",
	    1 },
	{ "a change of mail", NULL, AGAIN CHANGE("5", "3", "done"),
	    "SELECT count(*) FROM journal WHERE account_id = 1", 1 },
	{ "a key that one of before has", MESSAGE("6", "1", "'k'", "sent"),
	    AGAIN MESSAGE("7", "3", "'k'", "sent"),
	    "SELECT id + count(*) FROM outbox WHERE idempotency_key = 'k'", 8 },
	{ "a key of one that may be sent again",
	    MESSAGE("6", "1", "'k'", "sent"),
	    AGAIN MESSAGE("7", "3", "'k'", "failed"),
	    "SELECT id + count(*) FROM outbox WHERE idempotency_key = 'k'", 7 },
	{ "a key of one that waited before", MESSAGE("6", "1", "'k'", "held"),
	    AGAIN MESSAGE("7", "3", "'k'", "rejected"),
	    "SELECT count(*) FROM outbox WHERE idempotency_key = 'k'"
	    " AND state = 'unknown_outcome'",
	    1 },
	{ "both could be sent again", MESSAGE("6", "1", "'k'", "failed"),
	    AGAIN MESSAGE("7", "3", "'k'", "failed"),
	    "SELECT id + count(*) FROM outbox WHERE idempotency_key = 'k'", 8 },
	{ "one of another agent's with the same key",
	    "INSERT INTO taint VALUES ('a', 5);" MESSAGE("6", "1", "'k'",
		"sent") ";"
			"UPDATE outbox SET principal = 'other'",
	    AGAIN MESSAGE("7", "3", "'k'", "sent"),
	    "SELECT count(*) FROM outbox WHERE idempotency_key = 'k'", 2 },
};

static void
carry(const struct carried *v)
{
	void *own = NULL;
	struct run r = { 0 };
	int64_t is;

	assert_int_equal(fx_setup(&own), 0);
	r.x = own;
	assert_int_equal(fx_account(r.x, "work"), 1);
	assert_int_equal(fx_account(r.x, "home"), 2);
	if (v->then != NULL)
		fx_sql(r.x, v->then);
	copy(r.x);
	fx_sql(r.x, v->since);
	if (restore(&r, r.x->s) < 0)
		fail_msg("%s: %s (%s)", v->what, r.x->e.say, r.x->e.detail);
	is = fx_number(r.x, v->ask);
	if (is != v->is)
		fail_msg("%s: %lld", v->what, (long long)is);
	assert_true(r.done.log_stays);
	assert_sound(r.x, v->what);
	drop_before(&r);
	(void)fx_teardown(&own);
}

static void
what_is_carried(void **state)
{
	(void)state;
	FX_FILE();
	for (size_t i = 0; i < sizeof(carried) / sizeof(carried[0]); i++)
		carry(&carried[i]);
}

static void
what_is_carried_by_name(void **state)
{
	(void)state;
	FX_FILE();
	for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++)
		carry(&moved[i]);
}

/* What a test wrote is signed as if emcli had. */
static void
accepted(struct fx *x)
{
	assert_ok(x, store_signed_accept(x->s, &x->e));
}

static void
did(struct fx *x, const char *action)
{
	const struct store_audit row = { .principal = S("operator"),
		.action = str_of(action) };
	int64_t id;

	assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
}

/* Restores, and then what the restore has replaced. */
static const struct undone {
	const char *what;
	const char *since; /* the copy */
	const char *then;  /* the operator's, after the first restore; NULL:
			    * nothing */
	const char *state; /* of message 7 in the end */
} undone[] = {
	{ "it waits in an account that was made again",
	    AGAIN MESSAGE("7", "3", "'k'", "held"), NULL, "held" },
	{ "it was sent there", AGAIN MESSAGE("7", "3", "'k'", "sent"), NULL,
	    "sent" },
	{ "it waits in an account that the copy does not have",
	    ACCOUNT("3", "new") ";" MESSAGE("7", "3", "'k'", "held"), NULL,
	    "held" },
	{ "the operator did something else in between",
	    ACCOUNT("3", "new") ";" MESSAGE("7", "3", "'k'", "held"),
	    "account.remove", "unknown_outcome" },
	/* The restore itself makes notices due. */
	{ "the operator was told of what waits",
	    ACCOUNT("3", "new") ";" MESSAGE("7", "3", "'k'", "held"), "notice",
	    "held" },
};

static void
what_an_undo_gives_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(undone) / sizeof(undone[0]); i++) {
		const struct undone *v = &undone[i];
		void *own = NULL;
		struct run r = { 0 };
		struct run back = { 0 };

		FX_FILE();
		assert_int_equal(fx_setup(&own), 0);
		back.x = r.x = own;
		work_and_copy(r.x);
		fx_sql(r.x, v->since);
		fx_sql(r.x,
		    "UPDATE outbox SET expires_s = 5000000000"
		    " WHERE state = 'held'");
		accepted(r.x);
		assert_ok(r.x, restore(&r, r.x->s));
		if (v->then != NULL)
			did(r.x, v->then);
		back.from = str_c(r.x->a, r.done.before);
		assert_ok(r.x, restore(&back, r.x->s));
		if (fx_number(r.x,
			str_fmt(r.x->a,
			    "SELECT count(*) FROM outbox JOIN accounts a"
			    " ON a.id = account_id WHERE a.id = 3 AND"
			    " outbox.id = 7 AND state = '%s'",
			    v->state)
			    .p) != 1)
			fail_msg("%s: not %s", v->what, v->state);
		assert_sound(r.x, v->what);
		drop_before(&back);
		drop_before(&r);
		(void)fx_teardown(&own);
	}
}

static void
what_is_left(void **state)
{
	struct run r = { .x = *state };

	FX_FILE();
	work_and_copy(r.x);
	fx_sql(r.x,
	    ACCOUNT("3", "new") ";" MESSAGE("7", "3", "'k'",
		"sent") ";" MESSAGE("8", "1", "'k'", "sent"));
	assert_ok(r.x, restore(&r, r.x->s));
	assert_int_equal(r.done.left, 1);
	drop_before(&r);
}

/* What waits in the copy, and what came since: each once, as new. */
static void
what_is_held_is_told_of_again(void **state)
{
	struct fx *x = *state;
	struct run r = { .x = x };

	FX_FILE();
	assert_int_equal(fx_account(x, "work"), 1);
	assert_ok(x,
	    store_setting_set(x->s, S("notify"), S("/bin/true"), &x->e));
	fx_sql(x, MESSAGE("7", "1", "NULL", "held"));
	copy(x);
	fx_sql(x,
	    MESSAGE("8", "1", "NULL",
		"held") ";"
			"INSERT INTO notice (kind, account_id, item, since_s, "
			"ready_s,"
			" told) VALUES ('held', 1, 8, 1, 1, 1)");
	assert_int_equal(restore(&r, x->s), 0);
	assert_int_equal(fx_number(x,
			     "SELECT sum(item) * 10 + count(*) FROM notice"
			     " WHERE kind = 'held' AND told = 0"),
	    152);
	drop_before(&r);
}

/* -- all tables ------------------------------------------------------------ */

static void
each_table(void **state)
{
	struct fx *x = *state;
	CLEANUP(stmt_done) struct stmt *st = NULL;

	assert_ok(x,
	    stmt_prepare(x->s,
		"SELECT name FROM sqlite_master WHERE type = 'table'"
		" AND name NOT LIKE 'sqlite_%'",
		&st, &x->e));
	while (stmt_step(x->s, st, &x->e) == 1) {
		const char *name = str_c(x->a, stmt_column(st, 0, x->a));

		if (restore_rows_how(name) == NULL)
			fail_msg("%s: see src/store/restore_rows.c", name);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST_EMPTY("what happened since the copy stays",
		    what_is_carried),
		TEST_EMPTY("what was done in an account that was made again",
		    what_is_carried_by_name),
		TEST_EMPTY("what an undo gives back", what_an_undo_gives_back),
		TEST("what is left of accounts that are no more", what_is_left),
		TEST("what is held is told of again",
		    what_is_held_is_told_of_again),
		TEST("what a restore means for each table is known",
		    each_table),
	};

	return cmocka_run_group_tests_name("store/restore_rows", tests, NULL,
	    NULL);
}
