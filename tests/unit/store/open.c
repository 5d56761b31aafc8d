/* SPDX-License-Identifier: Apache-2.0 */
/* Access to the store: keys, roles, the file and its modes. */
#include <fcntl.h>

#include "fixture.h"
#include "store/check.h"
#include "store/freeze.h"
#include "store/opening.h"

static void
refused(struct fx *x, enum store_role role, const struct secret *admin,
    const struct secret *agent, const char *say)
{
	struct store_keys k = { admin, agent };
	struct store *s = NULL;

	assert_err(x, store_open(x->path, role, &k, &s, &x->e), ERR_CONFIG);
	assert_string_equal(x->e.say, say);
	assert_null(s);
}

static const char need_admin[] =
    "this command requires EMCLI_ADMIN_KEY (admin privilege)";

static void
no_key(void **state)
{
	struct fx *x = *state;

	refused(x, STORE_AGENT, NULL, NULL, "EMCLI_KEY is not set");
	refused(x, STORE_ADMIN, NULL, NULL, need_admin);
}

static void
agent_is_no_admin(void **state)
{
	struct fx *x = *state;

	refused(x, STORE_ADMIN, NULL, x->agent, need_admin);
	/* The agent's key in the admin's place does not open that slot. */
	refused(x, STORE_ADMIN, x->agent, x->agent,
	    "EMCLI_ADMIN_KEY does not open this store");
}

static void
wrong_key(void **state)
{
	struct fx *x = *state;

	refused(x, STORE_AGENT, NULL, x->other,
	    "EMCLI_KEY does not open this store");
	refused(x, STORE_ADMIN, x->other, x->agent,
	    "EMCLI_ADMIN_KEY does not open this store");
	refused(x, STORE_AGENT, x->other, NULL,
	    "EMCLI_ADMIN_KEY does not open this store");
	/* A wrong agent key is no reason to try the admin's. */
	refused(x, STORE_AGENT, x->admin, x->other,
	    "EMCLI_KEY does not open this store");
	refused(x, STORE_AGENT, x->admin, x->admin,
	    "EMCLI_KEY does not open this store");
}

static void
malformed_key(void **state)
{
	static const char *const bad[] = { "x", "QUFB", ADMIN_KEY "\n",
		"QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE",
		"QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF=",
		"QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB",
		"QUFBQUFBQUFBQUFB UFBQUFBQUFBQUFBQUFBQUFBQUE=" };
	struct fx *x = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct secret *k = fx_secret(bad[i]);

		refused(x, STORE_AGENT, x->admin, k,
		    "EMCLI_KEY is not a base64-encoded 32-byte key");
		refused(x, STORE_AGENT, k, NULL,
		    "EMCLI_ADMIN_KEY is not a base64-encoded 32-byte key");
		refused(x, STORE_ADMIN, k, x->agent, need_admin);
		secret_close(&k);
	}
}

static void
right_key(void **state)
{
	struct fx *x = *state;
	struct store_keys agent = { NULL, x->agent };
	struct store_keys admin = { x->admin, NULL };
	struct store *s = NULL;

	assert_ok(x, store_open(x->path, STORE_AGENT, &agent, &s, &x->e));
	store_close(&s);
	assert_null(s);
	assert_ok(x, store_open(x->path, STORE_AGENT, &admin, &s, &x->e));
	store_close(&s);
	assert_ok(x, store_open(x->path, STORE_ADMIN, &admin, &s, &x->e));
	assert_ok(x, store_durable(s, &x->e));
	store_close(&s);
	store_close(&s);
}

static void
agents_half(void **state)
{
	struct fx *x = *state;
	struct store_account acct = { .name = S("new"), .backend = S("imap") };
	struct strs l = { &acct.name, 1 };
	int64_t id = fx_account(x, "work");
	struct store *s = fx_open(x, STORE_AGENT);

	assert_err(x, store_account_add(s, &acct, NULL, &x->e), ERR_CONFIG);
	assert_string_equal(x->e.say, need_admin);
	assert_err(x, store_account_remove(s, S("work"), &x->e), ERR_CONFIG);
	assert_err(x,
	    store_account_seal(s, id, STORE_PASSWORD, x->other, &x->e),
	    ERR_CONFIG);
	assert_err(x, store_list_add(s, id, STORE_LIST_IN, &l, &x->e),
	    ERR_CONFIG);
	assert_err(x, store_list_remove(s, id, STORE_LIST_IN, &l, &x->e),
	    ERR_CONFIG);
	assert_err(x, store_setting_set(s, S("a"), S("b"), &x->e), ERR_CONFIG);
	assert_ok(x,
	    store_account_seal(s, id, STORE_OAUTH_REFRESH_TOKEN, x->other,
		&x->e));
	store_close(&s);
}

static mode_t
mode_of(struct fx *x, const char *tail)
{
	char path[128];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s%s", x->dir, tail);
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void
modes_under(struct fx *x, mode_t mask)
{
	mode_t was = umask(mask);
	bool created;

	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	assert_true(created);
	x->s = fx_open(x, STORE_ADMIN);
	(void)fx_account(x, "work");
	(void)umask(was);
	assert_int_equal(mode_of(x, "/sub"), 0700);
	assert_int_equal(mode_of(x, "/sub/emcli.db"), 0600);
	assert_int_equal(mode_of(x, "/sub/emcli.db-wal"), 0600);
	assert_int_equal(mode_of(x, "/sub/emcli.db-shm"), 0600);
}

static void
modes_open_umask(void **state)
{
	FX_FILE();
	modes_under(*state, 0);
}

static void
modes_shut_umask(void **state)
{
	FX_FILE();
	/*
	 * It removes the owner's rights too: the folder must be opened again.
	 */
	modes_under(*state, 0777);
}

/* SQLite gives it a special meaning: a key that vanishes at once. */
static void
odd_name(void **state)
{
	struct fx *x = *state;
	char was[4096];
	bool created = false;

	FX_FILE();
	assert_non_null(getcwd(was, sizeof(was)));
	(void)snprintf(x->path, sizeof(x->path), "%s/sub", x->dir);
	assert_int_equal(mkdir(x->path, 0700), 0);
	assert_int_equal(chdir(x->path), 0);
	(void)snprintf(x->path, sizeof(x->path), ":memory:");
	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	assert_true(created);
	x->s = fx_open(x, STORE_AGENT);
	store_close(&x->s);
	(void)unlink("./:memory:");
	(void)unlink("./:memory:-wal");
	(void)unlink("./:memory:-shm");
	assert_int_equal(chdir(was), 0);
}

static void
no_link(void **state)
{
	struct fx *x = *state;
	struct store *s = NULL;
	bool created;
	char link[128];

	(void)snprintf(link, sizeof(link), "%s/sub/link", x->dir);
	assert_int_equal(symlink(x->path, link), 0);
	assert_err(x, store_open(link, STORE_ADMIN, &x->keys, &s, &x->e),
	    ERR_CONFIG);
	assert_null(strstr(x->e.say, x->dir));
	assert_err(x, store_init(link, &x->keys, &created, &x->e), ERR_CONFIG);
}

static void
no_database(void **state)
{
	struct fx *x = *state;
	struct store *s = NULL;

	assert_err(x, store_open(x->path, STORE_AGENT, &x->keys, &s, &x->e),
	    ERR_CONFIG);
	assert_string_equal(x->e.say, "there is no database: run emcli init");
	assert_non_null(strstr(x->e.detail, x->path));
	assert_int_equal(access(x->path, F_OK), -1);
}

/* -- each way to open a file that is there --------------------------------- */

static int
as_operator(struct fx *x)
{
	struct store *s = NULL;

	return store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e);
}

static int
as_agent(struct fx *x)
{
	struct store *s = NULL;

	return store_open(x->path, STORE_AGENT, &x->keys, &s, &x->e);
}

static int
for_a_look(struct fx *x)
{
	return store_look(x->path, &x->e);
}

static int
for_a_freeze(struct fx *x)
{
	const struct store_freeze f = { 0 };

	return store_freeze_put(x->path, &x->keys, &f, &x->e);
}

static int
for_a_check(struct fx *x)
{
	struct store_checked v;

	return store_check_file(x->path, x->a, &v, &x->e) < 0 ? -1
							      : as_operator(x);
}

/* Nothing is written to what is no store, not even its mode. */
static void
stays(struct fx *x)
{
	static int (*const ways[])(struct fx *) = { as_operator, as_agent,
		for_a_look, for_a_freeze, for_a_check };
	unsigned char was[16384], is[sizeof(was)];
	FILE *f = fopen(x->path, "rb");
	size_t n = fread(was, 1, sizeof(was), f);
	struct stat st;

	(void)fclose(f);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		assert_err(x, ways[i](x), ERR_CONFIG);
		assert_non_null(strstr(x->e.say, "there is no database"));
		f = fopen(x->path, "rb");
		assert_int_equal(fread(is, 1, sizeof(is), f), n);
		assert_memory_equal(was, is, n);
		(void)fclose(f);
		assert_int_equal(stat(x->path, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0644);
		assert_int_equal(access(str_fmt(x->a, "%s-wal", x->path).p,
				     F_OK),
		    -1);
	}
}

static void
not_ours(void **state)
{
	struct fx *x = *state;
	bool created;
	char dir[128];

	FX_FILE();
	(void)snprintf(dir, sizeof(dir), "%s/sub", x->dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	fx_sql(x, "CREATE TABLE notes (t TEXT)");
	assert_int_equal(chmod(x->path, 0644), 0);
	stays(x);
	assert_err(x, store_init(x->path, &x->keys, &created, &x->e),
	    ERR_CONFIG);
	stays(x);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM sqlite_master"), 1);
}

static void
an_empty_file(void **state)
{
	struct fx *x = *state;
	bool created = false;

	FX_FILE();
	assert_ok(x, store_file_make(x->path, &x->e));
	assert_int_equal(chmod(x->path, 0644), 0);
	stays(x);
	/* It may become one. */
	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	assert_true(created);
	x->s = fx_open(x, STORE_ADMIN);
}

static void
no_sqlite(void **state)
{
	struct fx *x = *state;
	struct store *s = NULL;
	int fd;

	FX_FILE();
	store_close(&x->s);
	fd = open(x->path, O_WRONLY | O_TRUNC);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(write(fd, "no database", 11), 11);
	(void)close(fd);
	assert_err(x, store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e),
	    ERR_DB);
	assert_string_equal(x->e.say,
	    "the store's file is damaged or not a store");
	assert_null(s);
}

static void
init_again(void **state)
{
	struct fx *x = *state;
	struct secret *got = NULL;
	int64_t id = fx_account(x, "work");
	bool created = true;

	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, x->other, &x->e));
	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	assert_false(created);
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
	assert_ok(x,
	    store_account_secret(x->s, id, STORE_PASSWORD, &got, &x->e));
	assert_true(secret_eq(got, x->other));
	secret_close(&got);
}

static void
init_keys(void **state)
{
	struct fx *x = *state;
	struct store_keys admin = { x->admin, NULL };
	struct store_keys agent = { NULL, x->agent };
	struct store_keys same = { x->admin, x->admin };
	bool created;

	assert_err(x, store_init(x->path, &admin, &created, &x->e), ERR_CONFIG);
	assert_string_equal(x->e.say, "EMCLI_KEY is not set");
	assert_err(x, store_init(x->path, &agent, &created, &x->e), ERR_CONFIG);
	assert_string_equal(x->e.say, need_admin);
	assert_err(x, store_init(x->path, &same, &created, &x->e), ERR_CONFIG);
	assert_int_equal(access(x->path, F_OK), -1);
}

static void
init_other_keys(void **state)
{
	struct fx *x = *state;
	struct store_keys k = { x->other, x->agent };
	bool created;

	assert_err(x, store_init(x->path, &k, &created, &x->e), ERR_CONFIG);
	k = (struct store_keys){ x->admin, x->other };
	assert_err(x, store_init(x->path, &k, &created, &x->e), ERR_CONFIG);
	/* The attempts damaged nothing. */
	store_close(&x->s);
	x->s = fx_open(x, STORE_AGENT);
}

static void
half_pair(void **state)
{
	struct fx *x = *state;
	bool created;

	fx_sql(x, "DELETE FROM settings WHERE key = 'dek_wrap_admin'");
	assert_err(x, store_init(x->path, &x->keys, &created, &x->e),
	    ERR_CONFIG);
}

/* A broker's store has no slot for agents; init makes it when asked. */
static void
no_agent_slot(void **state)
{
	struct fx *x = *state;
	bool created = true;

	fx_sql(x, "DELETE FROM settings WHERE key = 'dek_wrap_agent'");
	refused(x, STORE_AGENT, x->admin, x->agent,
	    "EMCLI_KEY does not open this store");
	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	assert_false(created);
	store_close(&x->s);
	x->s = fx_open(x, STORE_AGENT);
}

/* A wrapped DEK opens in its own slot only. */
static void
swapped_slots(void **state)
{
	struct fx *x = *state;

	fx_sql(x,
	    "UPDATE settings SET value = (SELECT value FROM settings WHERE"
	    " key = 'dek_wrap_agent') WHERE key = 'dek_wrap_admin'");
	refused(x, STORE_ADMIN, x->agent, x->agent,
	    "EMCLI_ADMIN_KEY does not open this store");
}

static void
not_in_clear(void **state)
{
	struct fx *x = *state;
	struct str v = { 0 };

	assert_int_equal(store_setting_get(x->s, x->a, S("dek_wrap_admin"), &v,
			     &x->e),
	    1);
	assert_int_equal(v.n, 80);
	assert_int_equal(secret_size(x->s->dek), 32);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("without a key nothing opens", no_key),
		TEST("the agent's key is no admin's", agent_is_no_admin),
		TEST("a wrong key fails closed", wrong_key),
		TEST("a malformed key fails closed", malformed_key),
		TEST("each key opens its role", right_key),
		TEST("the operator's half is the operator's", agents_half),
		TEST_EMPTY("files are 0600 under an open umask",
		    modes_open_umask),
		TEST_EMPTY("files are 0600 under a shut umask",
		    modes_shut_umask),
		TEST_EMPTY("a file is a file, whatever its name", odd_name),
		TEST("a link is no database", no_link),
		TEST_EMPTY("no database: none is made", no_database),
		TEST_EMPTY("an empty file stays empty", an_empty_file),
		TEST_EMPTY("another's database is left alone", not_ours),
		TEST("a file that is no database is an error", no_sqlite),
		TEST("init again keeps the DEK", init_again),
		TEST_EMPTY("init needs both keys, and two of them", init_keys),
		TEST("init again refuses other keys", init_other_keys),
		TEST("init does not orphan what is sealed", half_pair),
		TEST("a missing agent slot is made by init", no_agent_slot),
		TEST("a wrapped DEK cannot change slots", swapped_slots),
		TEST("the DEK is wrapped, never clear", not_in_clear),
	};

	return cmocka_run_group_tests_name("store/open", tests, NULL, NULL);
}
