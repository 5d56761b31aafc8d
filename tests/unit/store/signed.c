/* SPDX-License-Identifier: Apache-2.0 */
/* The signed copy: follows the operator's changes, and reveals others. */
#include <sys/wait.h>

#include "fixture.h"

#include "store/agent.h"
#include "store/claim.h"
#include "store/model.h"
#include "store/oauth.h"
#include "store/signed_rows.h"
#include "store/source.h"
#include "store/whole.h"

static struct store_signed
checked(struct fx *x)
{
	struct store_signed v;

	assert_ok(x, store_signed_check(x->s, x->a, &v, &x->e));
	return v;
}

static void
assert_clean(struct fx *x)
{
	struct store_signed v = checked(x);

	if (v.n > 0)
		fail_msg("%.*s: %.*s", STR_ARG(v.v[0].where),
		    STR_ARG(v.v[0].what));
	assert_true(v.ts.n > 0);
}

static void
assert_edit(struct fx *x, const char *where, const char *what)
{
	struct store_signed v = checked(x);

	for (size_t i = 0; i < v.n; i++)
		if (str_eq(v.v[i].where, str_of(where)) &&
		    str_eq(v.v[i].what, str_of(what)))
			return;
	for (size_t i = 0; i < v.n; i++)
		print_message("is: %.*s: %.*s\n", STR_ARG(v.v[i].where),
		    STR_ARG(v.v[i].what));
	fail_msg("not: %s: %s", where, what);
}

static struct strs
entries(struct fx *x, const char *one)
{
	struct strs l = { 0 };

	str_push(x->a, &l, str_of(one));
	return l;
}

static void
add_entry(struct fx *x, int64_t id, enum store_list which, const char *address)
{
	struct strs l = entries(x, address);

	assert_ok(x, store_list_add(x->s, id, which, &l, &x->e));
}

static int
be_primary(struct store_source *v, size_t n, void *ctx, struct err *e)
{
	(void)ctx;
	(void)e;
	for (size_t i = 0; i < n; i++)
		v[i].role = S("primary");
	return 0;
}

static int
be_rw(struct store_account *acct, void *ctx, struct err *e)
{
	(void)ctx;
	(void)e;
	acct->mode = MODE_RW;
	return 0;
}

static int
fails(struct store *s, void *ctx, struct err *e)
{
	struct strs l = { 0 };

	str_push(((struct fx *)ctx)->a, &l, S("late@x.example"));
	if (store_list_add(s, 1, STORE_LIST_OUT, &l, e) < 0)
		return -1;
	return err_set(e, ERR_USAGE, "no");
}

static void
all_that_changes_rows(void **state)
{
	struct fx *x = *state;
	const struct store_source_change source = { be_primary, NULL };
	const struct store_change change = { .change = be_rw,
		.password = x->other };
	const struct store_agent agent = { .name = S("scout") };
	struct strs l = entries(x, "a@x.example");
	int64_t id;

	assert_clean(x);
	id = fx_account(x, "work");
	assert_clean(x);
	for (int i = STORE_LIST_IN; i <= STORE_LIST_OUT; i++) {
		add_entry(x, id, (enum store_list)i, "a@x.example");
		assert_clean(x);
	}
	assert_ok(x, store_list_switch(x->s, id, STORE_LIST_OUT, true, &x->e));
	assert_clean(x);
	assert_ok(x, store_list_remove(x->s, id, STORE_LIST_IN, &l, &x->e));
	assert_clean(x);
	assert_ok(x,
	    store_account_change(x->s, x->a, S("work"), &change, &x->e));
	assert_clean(x);
	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, x->other, &x->e));
	assert_clean(x);
	assert_ok(x, store_source_set(x->s, x->a, &source, &x->e));
	assert_clean(x);
	assert_ok(x, store_agent_add(x->s, x->a, &agent, S("token"), &x->e));
	assert_clean(x);
	assert_ok(x, store_canary_add(x->s, S("quetzalcoatl"), &x->e));
	assert_clean(x);
	assert_ok(x,
	    store_setting_set(x->s, S("audit_retention_days"), S("7"), &x->e));
	assert_clean(x);
	assert_ok(x, store_account_remove(x->s, S("work"), &x->e));
	assert_ok(x, store_agent_remove(x->s, S("scout"), &x->e));
	assert_ok(x, store_canary_remove(x->s, S("quetzalcoatl"), &x->e));
	assert_clean(x);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM signed"), 1);
}

#define UNSIGNED "their signature is missing or was changed"

/* A change by somebody with the file and no key, and its name. */
static const struct {
	const char *sql, *where, *what;
} edits[] = {
	{ "UPDATE accounts SET mode = 'RO'", "account work",
	    "mode was RW and is RO" },
	{ "UPDATE accounts SET whitelist_out_enabled = 1", "account work",
	    "whitelist_out_enabled was 0 and is 1" },
	{ "UPDATE accounts SET imap_host = 'evil.example'", "account work",
	    "imap_host was empty and is evil.example" },
	{ "UPDATE accounts SET enc_password = x'00'", "account work",
	    "enc_password was changed" },
	{ "UPDATE accounts SET name = 'home'", "account work",
	    "name was work and is home" },
	{ "DELETE FROM accounts", "account work", "was removed" },
	{ "INSERT INTO accounts (name) VALUES ('other')", "account other",
	    "was added" },
	{ "INSERT INTO whitelist_out VALUES (1, 'eve@x.example')",
	    "whitelist out of work: eve@x.example", "was added" },
	{ "DELETE FROM whitelist_out", "whitelist out of work: bob@x.example",
	    "was removed" },
	{ "UPDATE whitelist_in SET auth = 'none'",
	    "whitelist in of work: ann@x.example",
	    "auth was dmarc and is none" },
	{ "UPDATE settings SET value = 'on' WHERE key = 'audit_syslog'",
	    "setting audit_syslog", "value was off and is on" },
	{ "INSERT INTO settings VALUES ('mcp_approve', 'client')",
	    "setting mcp_approve", "was added" },
	{ "UPDATE agent SET accounts = ' home '", "agent scout",
	    "accounts was empty and is  home " },
	{ "INSERT INTO account_op VALUES ('read_thread', 1)",
	    "source of read_thread", "was added" },
	{ "UPDATE model SET url = 'https://evil.example'", "model house",
	    "url was https://x.example and is https://evil.example" },
	{ "DELETE FROM canary", "canary quetzalcoatl", "was removed" },
	{ "DELETE FROM signed", "accounts, policy and settings", UNSIGNED },
	{ "UPDATE signed SET ts = '2026-01-01T00:00:00Z'",
	    "accounts, policy and settings", UNSIGNED },
	{ "UPDATE signed SET mac = 'x' || substr(mac, 2)",
	    "accounts, policy and settings", UNSIGNED },
	{ "UPDATE signed SET body = x''", "accounts, policy and settings",
	    UNSIGNED },
};

static void
make_rows(struct fx *x)
{
	const struct store_model model = { .name = S("house"),
		.url = S("https://x.example"),
		.id = S("m") };
	const struct store_agent agent = { .name = S("scout") };
	int64_t id = fx_account(x, "work");

	assert_ok(x, store_model_add(x->s, &model, &x->e));
	add_entry(x, id, STORE_LIST_IN_DMARC, "ann@x.example");
	add_entry(x, id, STORE_LIST_OUT, "bob@x.example");
	assert_ok(x, store_agent_add(x->s, x->a, &agent, S("token"), &x->e));
	assert_ok(x, store_canary_add(x->s, S("quetzalcoatl"), &x->e));
}

static void
every_edit_is_named(void **state)
{
	struct fx *x = *state;

	FX_FILE();
	make_rows(x);
	assert_clean(x);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		char keep[160];

		(void)snprintf(keep, sizeof(keep), "VACUUM INTO '%s/sub/link'",
		    x->dir);
		fx_sql(x, keep);
		fx_sql(x, edits[i].sql);
		assert_edit(x, edits[i].where, edits[i].what);
		store_close(&x->s);
		(void)snprintf(keep, sizeof(keep), "%s/sub/link", x->dir);
		assert_int_equal(rename(keep, x->path), 0);
		x->s = fx_open(x, STORE_ADMIN);
		assert_clean(x);
	}
}

static void
our_change_signs_no_other(void **state)
{
	struct fx *x = *state;
	struct store *s;

	make_rows(x);
	fx_sql(x, "UPDATE accounts SET scope = 'thread', imap_host = 'evil'");
	fx_sql(x, "INSERT INTO whitelist_out VALUES (1, 'eve@x.example')");
	/* The same account and list, with the store opened again. */
	assert_ok(x, store_list_switch(x->s, 1, STORE_LIST_OUT, true, &x->e));
	add_entry(x, 1, STORE_LIST_OUT, "new@x.example");
	s = fx_open(x, STORE_ADMIN);
	store_close(&s);
	assert_edit(x, "account work", "scope was any and is thread");
	assert_edit(x, "account work", "imap_host was empty and is evil");
	assert_edit(x, "whitelist out of work: eve@x.example", "was added");
	assert_int_equal(checked(x).n, 3);
	/* An edit that is reversed is no longer an edit. */
	fx_sql(x, "UPDATE accounts SET scope = 'any', imap_host = NULL");
	assert_int_equal(checked(x).n, 1);
	assert_ok(x, store_signed_accept(x->s, &x->e));
	assert_clean(x);
}

static void
a_missing_copy_is_no_new_one(void **state)
{
	struct fx *x = *state;

	make_rows(x);
	fx_sql(x, "DELETE FROM signed");
	add_entry(x, 1, STORE_LIST_OUT, "new@x.example");
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
	assert_int_equal(checked(x).n, 1);
	assert_int_equal(checked(x).ts.n, 0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM signed"), 0);
	assert_ok(x, store_signed_accept(x->s, &x->e));
	assert_clean(x);
}

static void
what_is_given_up_is_not_signed(void **state)
{
	struct fx *x = *state;

	(void)fx_account(x, "work");
	assert_err(x, store_whole_change(x->s, fails, x, &x->e), ERR_USAGE);
	assert_clean(x);
	add_entry(x, 1, STORE_LIST_OUT, "new@x.example");
	assert_clean(x);
}

/* Between the change and its commit, as after a kill. */
static void
what_is_killed_is_whole(void **state)
{
	struct fx *x = *state;
	pid_t child;
	int status;

	(void)fx_account(x, "work");
	store_close(&x->s);
	child = fork();
	if (child == 0) {
		struct store *s = NULL;
		struct tx t = { 0 };
		struct strs l = { 0 };

		str_push(x->a, &l, S("late@x.example"));
		if (store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e) < 0 ||
		    tx_begin(s, &t, &x->e) < 0 ||
		    store_list_add(s, 1, STORE_LIST_OUT, &l, &x->e) < 0 ||
		    signed_copy_renew(s, &x->e) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	x->s = fx_open(x, STORE_ADMIN);
	assert_clean(x);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM whitelist_out"), 0);
}

static void
agents_may_renew_tokens(void **state)
{
	struct fx *x = *state;
	struct store *s;

	make_rows(x);
	fx_sql(x, "UPDATE accounts SET enc_oauth_refresh_token = x'00'");
	s = fx_open(x, STORE_AGENT);
	assert_ok(x, store_oauth_refreshed(s, 1, x->other, &x->e));
	assert_err(x, store_signed_accept(s, &x->e), ERR_CONFIG);
	store_close(&s);
	assert_clean(x);
}

static void
keys_and_copies(void **state)
{
	struct fx *x = *state;
	struct store_keys k = { x->other, x->agent };
	size_t n;

	make_rows(x);
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	assert_clean(x);
	fx_sql(x, "UPDATE accounts SET mode = 'RO'");
	assert_ok(x,
	    store_key_rotate(x->s, STORE_SLOT_ADMIN, &x->keys, x->other, NULL,
		&x->e));
	assert_int_equal(checked(x).n, 1);
	store_close(&x->s);
	assert_ok(x, store_open(x->path, STORE_ADMIN, &k, &x->s, &x->e));
	assert_edit(x, "account work", "mode was RW and is RO");
	fx_sql(x, "UPDATE signed SET ts = '2026-01-01T00:00:00Z'");
	assert_ok(x,
	    store_key_rotate(x->s, STORE_SLOT_ADMIN, &k, x->admin, NULL,
		&x->e));
	assert_int_equal(checked(x).ts.n, 0);
}

/* Triggers in the file do nothing in the operator's name. */
static void
triggers_do_nothing(void **state)
{
	struct fx *x = *state;
	struct store_signed v;

	FX_FILE();
	make_rows(x);
	assert_ok(x, store_signed_verify(x->s, x->a, &v, &x->e));
	assert_int_equal(v.n, 0);
	fx_sql(x,
	    "CREATE TRIGGER own AFTER INSERT ON whitelist_out BEGIN"
	    " UPDATE accounts SET outbound = 'none'; END");
	add_entry(x, 1, STORE_LIST_OUT, "new@x.example");
	assert_clean(x);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM accounts"
			     " WHERE outbound = 'send'"),
	    1);
	assert_ok(x, store_signed_verify(x->s, x->a, &v, &x->e));
	assert_int_equal(v.n, 1);
	assert_str(v.v[0].where, "schema: trigger own");
	assert_str(v.v[0].what, "was added");
	/* Removing an account still removes everything of its own. */
	assert_ok(x, store_account_remove(x->s, S("work"), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM whitelist_out"), 0);
}

/* A store as an earlier emcli left it. */
static void
make_older(struct fx *x)
{
	CLEANUP(store_key_done) struct key k = { 0 };

	assert_ok(x, store_key_admin(&x->keys, &k, &x->e));
	x->s->older = true;
	assert_ok(x, store_key_renew(x->s, &k, x->s->dek, &x->e));
	fx_sql(x, "DELETE FROM signed");
	store_close(&x->s);
}

static void
older_stores_are_taken_over_once(void **state)
{
	static const char taken_rows[] =
	    "SELECT count(*) FROM audit_log WHERE result = 'allowed' AND detail"
	    " LIKE '%: 1 accounts, 2 whitelist entries and 1 agents were%'";
	struct fx *x = *state;
	struct store_taken t;

	make_rows(x);
	make_older(x);
	x->s = fx_open(x, STORE_AGENT);
	store_close(&x->s);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM signed"), 0);
	x->s = fx_open(x, STORE_ADMIN);
	assert_true(store_signed_taken(x->s, &t));
	assert_int_equal(t.accounts, 1);
	assert_int_equal(t.entries, 2);
	assert_int_equal(t.agents, 1);
	assert_clean(x);
	assert_int_equal(fx_number(x, taken_rows), 1);
	fx_sql(x, "DELETE FROM signed");
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
	assert_false(store_signed_taken(x->s, &t));
	assert_int_equal(checked(x).n, 1);
}

/* The operator has not run a command since an agent's process migrated. */
static void
what_a_migration_adds_is_no_edit(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	make_rows(x);
	fx_sql(x,
	    "ALTER TABLE accounts ADD COLUMN later TEXT NOT NULL DEFAULT 'on';"
	    "ALTER TABLE accounts ADD COLUMN number INTEGER DEFAULT 7;"
	    "ALTER TABLE accounts ADD COLUMN none TEXT;"
	    "INSERT INTO migration VALUES (999, 'x', 'x')");
	assert_clean(x);
	fx_sql(x, "UPDATE accounts SET later = 'off'");
	assert_edit(x, "account work", "later was (unsigned) and is off");
	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	assert_int_equal(checked(x).n, 1);
	fx_sql(x, "UPDATE accounts SET later = 'on'");
	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	assert_clean(x);
	/* Now it is signed like the others. */
	fx_sql(x, "UPDATE accounts SET none = 'x'");
	assert_edit(x, "account work", "none was empty and is x");
	assert_int_equal(checked(x).n, 1);
}

/* A migration's own settings are recognised by key and value. */
static void
what_comes_with_a_migration_is_named(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	fx_sql(x, "DELETE FROM settings WHERE key LIKE 'audit_%'");
	assert_ok(x, store_signed_accept(x->s, &x->e));
	fx_sql(x,
	    "INSERT INTO settings VALUES ('audit_syslog', 'off'),"
	    " ('audit_retention_days', '1'), ('mcp_approve', 'client');"
	    "INSERT INTO migration VALUES (999, 'x', 'x')");
	/* Before the operator's command signs the new rows, and after it. */
	for (int i = 0; i < 2; i++) {
		assert_edit(x, "setting audit_retention_days", "was added");
		assert_edit(x, "setting mcp_approve", "was added");
		assert_int_equal(checked(x).n, 2);
		assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	}
	fx_sql(x,
	    "UPDATE settings SET value = 'on' WHERE key = 'audit_syslog'");
	assert_edit(x, "setting audit_syslog", "value was off and is on");
	assert_int_equal(checked(x).n, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("all that changes rows renews the copy",
		    all_that_changes_rows),
		TEST("every edit is named", every_edit_is_named),
		TEST("our change signs no other", our_change_signs_no_other),
		TEST("a missing copy is no new one",
		    a_missing_copy_is_no_new_one),
		TEST("what is given up is not signed",
		    what_is_given_up_is_not_signed),
		TEST("what is killed is whole", what_is_killed_is_whole),
		TEST("agents may renew tokens", agents_may_renew_tokens),
		TEST("keys and copies", keys_and_copies),
		TEST("triggers do nothing", triggers_do_nothing),
		TEST("older stores are taken over once",
		    older_stores_are_taken_over_once),
		TEST("what a migration adds is no edit",
		    what_a_migration_adds_is_no_edit),
		TEST("what comes with a migration is named",
		    what_comes_with_a_migration_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
