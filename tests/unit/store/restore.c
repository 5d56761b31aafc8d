/* SPDX-License-Identifier: Apache-2.0 */
/* Restores: the audit log, what is said, keys, another store and none. */
#include "restored.h"
#include "store/outbox_row.h"
#include "store/signed.h"

/* -- the log --------------------------------------------------------------- */

/* Rows since the copy stay, and the newest says what was restored. */
static void
log_goes_on(void **state)
{
	struct run r = { .x = *state };
	const struct store_audit row = { .principal = S("agent"),
		.action = S("list") };
	int64_t id;

	FX_FILE();
	work_and_copy(r.x);
	assert_ok(r.x, store_audit_asked(r.x->s, &row, &id, &r.x->e));
	assert_ok(r.x, restore(&r, r.x->s));
	assert_true(r.done.log_stays);
	assert_int_equal(fx_number(r.x, "SELECT count(*) FROM audit_log"), 3);
	assert_int_equal(
	    fx_number(r.x,
		"SELECT count(*) FROM audit_log WHERE action = 'store.restore'"
		" AND state = 'done' AND outcome = 'ok'"
		" AND detail LIKE 'the copy: sha256 %goes on after link %'"),
	    1);
	/* The one that was open goes on. */
	assert_ok(r.x, store_audit_judged(r.x->s, id, true, S(""), &r.x->e));
	assert_sound(r.x, "log");
	drop_before(&r);
}

/* It is not brought along; it stays in what is kept. */
static void
log_was_changed(void **state)
{
	struct run r = { .x = *state };
	const struct store_audit row = { .principal = S("agent"),
		.action = S("list") };
	struct store_chain c;
	int64_t id;

	FX_FILE();
	work_and_copy(r.x);
	for (int i = 0; i < 5; i++)
		assert_ok(r.x, store_audit_asked(r.x->s, &row, &id, &r.x->e));
	assert_ok(r.x, store_chain_sign(r.x->s, &c, &r.x->e));
	fx_sql(r.x, "UPDATE audit_log SET target = 'x' WHERE id = 3");
	assert_ok(r.x, restore(&r, r.x->s));
	assert_false(r.done.log_stays);
	assert_true(r.locked);
	assert_int_equal(fx_number(r.x,
			     "SELECT count(*) FROM audit_log WHERE outcome = "
			     "'ok' AND detail"
			     " LIKE '%the replaced one ended at link %'"),
	    1);
	/* No number is given twice. */
	assert_true(fx_number(r.x, "SELECT max(id) FROM audit_log") > id);
	assert_sound(r.x, "log");
	drop_before(&r);
}

/* How long rows were kept is signed, and was another time. */
static void
log_with_another_time(void **state)
{
	struct run r = { .x = *state };

	FX_FILE();
	work_and_copy(r.x);
	assert_ok(r.x,
	    store_setting_set(r.x->s, S("audit_retention_days"), S("30"),
		&r.x->e));
	assert_ok(r.x, restore(&r, r.x->s));
	assert_int_equal(fx_number(r.x,
			     "SELECT value FROM settings WHERE key = "
			     "'audit_retention_days'"),
	    90);
	assert_sound(r.x, "days");
	drop_before(&r);
}

/* -- what differs ---------------------------------------------------------- */

static int
be_read_only(struct store_account *acct, void *ctx, struct err *e)
{
	(void)ctx;
	(void)e;
	acct->mode = MODE_RO;
	return 0;
}

static void
what_differs(void **state)
{
	static const struct store_change read_only = { .change = be_read_only };
	static const char *const says[] = {
		"account work: mode was RO and is RW",
		"account new: was removed",
		"canary swordfish-2: was removed",
		"whitelist out of work: a@x.example: was added",
	};
	struct run r = { .x = *state };
	struct fx *x = r.x;
	const struct strs one = { &(struct str){ "a@x.example", 11 }, 1 };
	int64_t id = fx_account(x, "work");

	FX_FILE();
	assert_ok(x, store_list_add(x->s, id, STORE_LIST_OUT, &one, &x->e));
	assert_ok(x, store_canary_add(x->s, S("swordfish-1"), &x->e));
	copy(x);
	assert_ok(x, store_list_remove(x->s, id, STORE_LIST_OUT, &one, &x->e));
	assert_ok(x, store_canary_add(x->s, S("swordfish-2"), &x->e));
	(void)fx_account(x, "new");
	assert_ok(x,
	    store_account_change(x->s, x->a, S("work"), &read_only, &x->e));
	/* What others wrote there hides nothing, and adds nothing. */
	fx_sql(x,
	    "INSERT INTO whitelist_out (account_id, address)"
	    " VALUES (1, 'thief@x.example');"
	    "UPDATE accounts SET mode = 'RW' WHERE id = 1;");
	assert_ok(x, restore(&r, x->s));
	assert_true(r.done.was_edited && !r.done.was_unsigned);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM audit_log WHERE detail LIKE"
			     " '%had been changed without emcli; %'"),
	    1);
	assert_int_equal(r.done.differs.n, sizeof(says) / sizeof(says[0]));
	for (size_t i = 0; i < r.done.differs.n; i++)
		assert_str(str_fmt(x->a, "%.*s: %.*s",
			       STR_ARG(r.done.differs.v[i].where),
			       STR_ARG(r.done.differs.v[i].what)),
		    says[i]);
	assert_int_equal(r.done.keys.n, 0);
	assert_sound(x, "policy");
	drop_before(&r);
}

/* Without its signature nobody knows what the operator wrote there. */
static void
what_is_unsigned(void **state)
{
	struct run r = { .x = *state };

	FX_FILE();
	work_and_copy(r.x);
	fx_sql(r.x, "UPDATE signed SET mac = 'x' || substr(mac, 2)");
	assert_ok(r.x, restore(&r, r.x->s));
	assert_true(r.done.was_unsigned);
	assert_int_equal(fx_number(r.x,
			     "SELECT count(*) FROM audit_log WHERE detail LIKE"
			     " '%was missing or changed; %'"),
	    1);
	assert_sound(r.x, "unsigned");
	drop_before(&r);
}

/* What is written until the store is locked is not lost. */
static void
others_write(void **state)
{
	struct run r = { .x = *state,
		.since = "INSERT INTO freeze VALUES ('bob', 0, 'late', "
			 "5);" MESSAGE("7", "1", "'k'", "sent") };

	FX_FILE();
	work_and_copy(r.x);
	assert_ok(r.x, restore(&r, r.x->s));
	assert_int_equal(r.done.freezes, 1);
	assert_int_equal(fx_number(r.x,
			     "SELECT count(*) FROM freeze JOIN outbox"
			     " WHERE why = 'late' AND state = 'sent'"),
	    1);
	drop_before(&r);
}

/* -- keys ------------------------------------------------------------------ */

static void
agents_key_stays(void **state)
{
	struct run r = { .x = *state };
	struct fx *x = r.x;
	const struct store_keys fresh = { x->admin, x->other };

	FX_FILE();
	work_and_copy(x);
	assert_ok(x,
	    store_key_rotate(x->s, STORE_SLOT_AGENT, &x->keys, x->other, NULL,
		&x->e));
	assert_ok(x, restore(&r, x->s));
	assert_int_equal(r.done.keys.n, 1);
	assert_ok(x, store_key_check(x->s, STORE_SLOT_AGENT, &fresh, &x->e));
	assert_err(x, store_key_check(x->s, STORE_SLOT_AGENT, &x->keys, &x->e),
	    ERR_CONFIG);
	assert_sound(x, "key");
	drop_before(&r);
}

/* A process that has the other data key in memory must not use it. */
static void
data_key_is_the_copys(void **state)
{
	struct run r = { .x = *state };
	struct fx *x = r.x;
	struct store *other;
	size_t n;

	FX_FILE();
	work_and_copy(x);
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	other = fx_open(x, STORE_AGENT);
	fx_sql(x,
	    "INSERT INTO freeze VALUES ('bob', 0, '', 5);" MESSAGE("7", "1",
		"'k'", "sent"));
	assert_ok(x, restore(&r, x->s));
	assert_int_equal(r.done.keys.n, 2);
	assert_int_equal(r.done.freezes, 1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM outbox"), 1);
	assert_err(x, store_key_current(other, &x->e), ERR_DB);
	store_close(&other);
	assert_sound(x, "rewrapped");
	drop_before(&r);
}

/* A number that somebody wrote there is not the end of the store. */
static void
count_of_data_keys(void **state)
{
	struct run r = { .x = *state };
	struct fx *x = r.x;
	size_t n;

	FX_FILE();
	work_and_copy(x);
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	fx_sql(x,
	    "UPDATE settings SET value = '9223372036854775807'"
	    " WHERE key = 'dek_count'");
	assert_ok(x, restore(&r, x->s));
	assert_sound(x, "count");
	drop_before(&r);
}

/* A token that a provider has replaced since would not work any more. */
static void
tokens(void **state)
{
	static const struct {
		const char *what, *since;
		int64_t is;
	} v[] = {
		{ "refreshed", "UPDATE accounts SET oauth_refresh_s = 9", 9 },
		{ "consented again",
		    "UPDATE accounts SET oauth_refresh_s = 9,"
		    " oauth_consent_s = 8",
		    0 },
	};

	FX_FILE();
	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		void *own = NULL;
		struct run r = { 0 };

		assert_int_equal(fx_setup(&own), 0);
		r.x = own;
		work_and_copy(r.x);
		fx_sql(r.x, v[i].since);
		assert_ok(r.x, restore(&r, r.x->s));
		if (fx_number(r.x, "SELECT oauth_refresh_s FROM accounts") !=
		    v[i].is)
			fail_msg("%s", v[i].what);
		assert_sound(r.x, v[i].what);
		drop_before(&r);
		(void)fx_teardown(&own);
	}
}

/* What a restore puts itself is none that was put since. */
static void
own_freeze(void **state)
{
	struct run r = { .x = *state };

	FX_FILE();
	work_and_copy(r.x);
	fx_sql(r.x,
	    "INSERT INTO freeze VALUES ('', 0, '" RESTORE_FREEZE
	    "', 5), ('bob', 0, 'w', 5)");
	assert_ok(r.x, restore(&r, r.x->s));
	assert_int_equal(r.done.freezes, 1);
	assert_int_equal(fx_number(r.x, "SELECT count(*) FROM freeze"), 2);
	drop_before(&r);
}

/* -- another store, and none ----------------------------------------------- */

/* The same keys opened both: numbers in them mean nothing to each other. */
static void
another_store(void **state)
{
	struct run r = { .x = *state };
	struct fx *x = r.x;
	bool created;

	FX_FILE();
	(void)fx_account(x, "work");
	fx_sql(x, MESSAGE("7", "1", "'k'", "held"));
	copy(x);
	store_close(&x->s);
	assert_int_equal(unlink(x->path), 0);
	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	x->s = fx_open(x, STORE_ADMIN);
	(void)fx_account(x, "work");
	fx_sql(x,
	    MESSAGE("9", "1", "'k'",
		"sent") ";"
			"INSERT INTO freeze VALUES ('', 1, 'w', 5)");
	assert_ok(x, restore(&r, x->s));
	assert_false(r.done.log_stays);
	assert_int_equal(r.done.unknown, 1);
	assert_int_equal(fx_number(x, "SELECT max(id) FROM outbox"), 7);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM freeze WHERE why = 'w'"),
	    1);
	assert_sound(x, "another");
	drop_before(&r);
}

static void
no_store(void **state)
{
	struct run r = { .x = *state };
	struct fx *x = r.x;

	FX_FILE();
	(void)fx_account(x, "work");
	fx_sql(x, MESSAGE("7", "1", "'k'", "held"));
	copy(x);
	store_close(&x->s);
	assert_int_equal(rename(x->path, path_of(x, "away")), 0);
	/* A log without its database may be all that is left of one. */
	assert_int_equal(symlink("none", path_of(x, "emcli.db-wal")), 0);
	assert_err(x, restore(&r, NULL), ERR_CONFIG);
	assert_int_equal(unlink(path_of(x, "emcli.db-wal")), 0);
	assert_ok(x, restore(&r, NULL));
	assert_int_equal(r.done.before.n, 0);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM outbox WHERE state = "
			     "'unknown_outcome'"),
	    1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"), 1);
	/* Numbers that may have been given since are not given again. */
	assert_int_equal(
	    fx_number(x,
		"SELECT count(*) FROM sqlite_sequence WHERE seq > 9999 AND"
		" name IN ('accounts', 'audit_log', 'outbox', 'journal')"),
	    4);
	assert_sound(x, "none");
	assert_int_equal(unlink(path_of(x, "away")), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("the log goes on", log_goes_on),
		TEST("a log that was changed stays aside", log_was_changed),
		TEST("a log with another retention", log_with_another_time),
		TEST("what differs is named", what_differs),
		TEST("a replaced policy without its signature",
		    what_is_unsigned),
		TEST("what others write until the lock stays", others_write),
		TEST("a replaced key of the agents stays", agents_key_stays),
		TEST("a data key of the copy's", data_key_is_the_copys),
		TEST("a count of data keys that is the last",
		    count_of_data_keys),
		TEST_EMPTY("tokens", tokens),
		TEST("the freeze of another restore", own_freeze),
		TEST("a copy of another store", another_store),
		TEST("where there is no store", no_store),
	};

	return cmocka_run_group_tests_name("store/restore", tests, NULL, NULL);
}
