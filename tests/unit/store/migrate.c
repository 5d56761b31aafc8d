/* SPDX-License-Identifier: Apache-2.0 */
/* Migrations: in order, completely or not at all, never changed later. */
#include "fixture.h"
#include "store/opening.h"

#define ONE                                                                    \
	{                                                                      \
		1, "aa",                                                       \
		    "CREATE TABLE settings (key TEXT PRIMARY KEY, value "      \
		    "TEXT);"                                                   \
		    "CREATE TABLE one (x INTEGER)"                             \
	}
#define TWO                                                                    \
	{                                                                      \
		2, "bb", "ALTER TABLE one ADD COLUMN y INTEGER"                \
	}

static const struct migration one[] = { ONE, { 0 } };
static const struct migration two[] = { ONE, TWO, { 0 } };
static const struct migration changed[] = { { 1, "cc", "SELECT 1" }, TWO,
	{ 0 } };
static const struct migration broken[] = { ONE, TWO,
	{ 3, "dd", "CREATE TABLE three (z INTEGER); CREATE TABLE one (x)" },
	{ 0 } };

static int
setup(void **state)
{
	struct fx *x;

	if (fx_empty(state) < 0)
		return -1;
	x = *state;
	if (fx_is_file() && store_file_make(x->path, &x->e) < 0)
		return -1;
	return store_connect_open(x->path, &x->s, &x->e);
}

static int64_t
version(struct fx *x)
{
	return fx_number(x,
	    "SELECT value FROM settings WHERE key = 'schema_version'");
}

static void
fresh(void **state)
{
	struct fx *x = *state;

	assert_int_equal(migrate_known(x->s, &x->e), 0);
	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_int_equal(migrate_known(x->s, &x->e), 1);
	assert_int_equal(version(x), 2);
	assert_int_equal(fx_number(x, "SELECT count(y) FROM one"), 0);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM migration"
			     " WHERE checksum IN ('aa', 'bb')"),
	    2);
}

static void
from_one(void **state)
{
	struct fx *x = *state;

	assert_ok(x, migrate_run(x->s, one, &x->e));
	assert_int_equal(version(x), 1);
	fx_sql(x, "INSERT INTO one VALUES (42)");
	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_int_equal(version(x), 2);
	assert_int_equal(fx_number(x, "SELECT x FROM one"), 42);
}

/* The version of the copy of that number; -1: there is none. */
static int64_t
kept_version(const struct fx *x, const char *number)
{
	struct fx copy = *x;

	(void)snprintf(copy.path, sizeof(copy.path), "%.*s.before-%.3s", 80,
	    x->path, number);
	return access(copy.path, F_OK) < 0 ? -1 : version(&copy);
}

static const char account[] = "CREATE TABLE accounts (name TEXT);"
			      "INSERT INTO accounts VALUES ('work')";

static void
kept(void **state)
{
	static const struct migration three[] = { ONE, TWO,
		{ 3, "ee", "CREATE TABLE three (z INTEGER)" }, { 0 } };
	struct fx *x = *state;

	FX_FILE();
	assert_ok(x, migrate_run(x->s, one, &x->e));
	fx_sql(x, account);
	assert_int_equal(kept_version(x, "001"), -1);
	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_int_equal(kept_version(x, "001"), 1);
	assert_ok(x, migrate_run(x->s, three, &x->e));
	assert_int_equal(kept_version(x, "001"), -1);
	assert_int_equal(kept_version(x, "002"), 2);
}

/* Nothing in it could be missed. */
static void
without_accounts(void **state)
{
	struct fx *x = *state;

	assert_ok(x, migrate_run(x->s, one, &x->e));
	fx_sql(x, "CREATE TABLE accounts (name TEXT)");
	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_int_equal(version(x), 2);
	assert_int_equal(kept_version(x, "001"), -1);
}

/* Something that cannot be replaced is in the copy's place. */
static void
not_kept(void **state)
{
	struct fx *x = *state;
	char name[128];

	FX_FILE();
	assert_ok(x, migrate_run(x->s, one, &x->e));
	fx_sql(x, account);
	(void)snprintf(name, sizeof(name), "%s.before-001", x->path);
	assert_int_equal(mkdir(name, 0700), 0);
	assert_err(x, migrate_run(x->s, two, &x->e), ERR_DB);
	assert_non_null(x->e.hint);
	assert_int_equal(version(x), 1);
	assert_int_equal(rmdir(name), 0);
	assert_ok(x, migrate_run(x->s, two, &x->e));
}

static void
again(void **state)
{
	struct fx *x = *state;

	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM migration"), 2);
}

static void
edited(void **state)
{
	struct fx *x = *state;

	assert_ok(x, migrate_run(x->s, one, &x->e));
	assert_err(x, migrate_run(x->s, changed, &x->e), ERR_CONFIG);
	assert_int_equal(version(x), 1);
}

static void
newer(void **state)
{
	struct fx *x = *state;

	assert_ok(x, migrate_run(x->s, two, &x->e));
	assert_err(x, migrate_run(x->s, one, &x->e), ERR_CONFIG);
}

static void
rolled_back(void **state)
{
	struct fx *x = *state;

	FX_FILE();
	assert_ok(x, migrate_run(x->s, one, &x->e));
	assert_err(x, migrate_run(x->s, broken, &x->e), ERR_DB);
	/* Nothing of the third stays, nor of the second: the emcli that knows
	 * one still opens it. */
	assert_int_equal(version(x), 1);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM sqlite_master WHERE"
			     " name = 'three' OR sql LIKE '%y INTEGER%'"),
	    0);
	assert_ok(x, migrate_run(x->s, one, &x->e));
	assert_ok(x, migrate_run(x->s, two, &x->e));
}

static void
real(void **state)
{
	struct fx *x = *state;
	int n = 0;

	assert_ok(x, migrate_run(x->s, migrations_all, &x->e));
	while (migrations_all[n].version != 0) {
		assert_int_equal(migrations_all[n].version, n + 1);
		assert_int_equal(strlen(migrations_all[n].checksum), 64);
		n++;
	}
	assert_int_equal(version(x), n);
}

/* An account of the first schema, after all later migrations. */
static void
from_first(void **state)
{
	struct fx *x = *state;
	struct migration first[2] = { migrations_all[0], { 0 } };
	struct store_account got;

	assert_ok(x, migrate_run(x->s, first, &x->e));
	fx_sql(x, "INSERT INTO accounts (name, backend) VALUES ('a', 'imap')");
	assert_ok(x, migrate_run(x->s, migrations_all, &x->e));
	assert_ok(x, store_account_get(x->s, x->a, S("a"), &got, &x->e));
	assert_int_equal(got.quirk_id, STORE_ID_AUTO);
	assert_false(got.quirk_no_sasl_ir);
	assert_false(got.no_sent_copy);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM accounts"
			     " WHERE role = 'none' AND mandatory = 0"),
	    1);
}

static void
opening(void **state)
{
	struct fx *x = *state;
	struct store *s = NULL;
	bool created;

	fx_sql(x, "UPDATE migration SET checksum = 'x' WHERE version = 1");
	assert_err(x, store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e),
	    ERR_CONFIG);
	assert_err(x, store_init(x->path, &x->keys, &created, &x->e),
	    ERR_CONFIG);
}

#define HERE(what, fn)                                                         \
	{                                                                      \
		(what), (fn), setup, fx_teardown, NULL                         \
	}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		HERE("an empty database gets all of them", fresh),
		HERE("an older one gets the rest and keeps its rows", from_one),
		HERE("the newest copy of before is kept", kept),
		HERE("of a store without accounts there is none",
		    without_accounts),
		HERE("without that copy nothing changes", not_kept),
		HERE("applied ones are not applied again", again),
		HERE("a changed one is refused", edited),
		HERE("a newer database is refused", newer),
		HERE("one that fails leaves nothing", rolled_back),
		HERE("ours are numbered without gaps", real),
		HERE("accounts of the first one are kept", from_first),
		TEST("a changed one keeps the store shut", opening),
	};

	return cmocka_run_group_tests_name("store/migrate", tests, NULL, NULL);
}
