/* SPDX-License-Identifier: Apache-2.0 */
/* What a check of a store finds. */
#include "store/check.h"
#include "fixture.h"

static const struct fault {
	const char *sql;
	const char *says;
} faults[] = {
	{ "CREATE TRIGGER t AFTER INSERT ON freeze BEGIN SELECT 1; END",
	    "schema: trigger t: was added" },
	{ "CREATE VIEW v AS SELECT 1", "schema: view v: was added" },
	{ "CREATE TABLE foreign_one (x)",
	    "schema: table foreign_one: was added" },
	{ "ALTER TABLE accounts ADD COLUMN extra TEXT",
	    "schema: table accounts: was changed" },
	{ "DROP TABLE canary", "schema: table canary: was removed" },
	{ "UPDATE accounts SET mode = 'RO'", "account work: mode" },
	{ "INSERT INTO whitelist_out (account_id, address) VALUES (99, 'x')",
	    "a row of whitelist_out refers to one of accounts" },
	{ "INSERT INTO audit_log (ts, principal, action, result, state)"
	  " VALUES ('2026-01-01T00:00:00Z', 'agent', 'send', 'allowed', "
	  "'judged')",
	    "the audit log, row 1" },
};

static int
both_halves(struct fx *x, struct store_checked *out)
{
	if (store_check_file(x->path, x->a, out, &x->e) < 0)
		return -1;
	return store_check_rows(x->s, x->a, out, &x->e);
}

static bool
is_told(const struct store_checked *v, const char *says)
{
	for (size_t i = 0; i < v->faults.n; i++)
		if (strstr(v->faults.v[i].p, says) != NULL)
			return true;
	return false;
}

static void
sound(void **state)
{
	struct fx *x = *state;
	struct store_checked v;

	(void)fx_account(x, "work");
	assert_ok(x, both_halves(x, &v));
	assert_int_equal(v.faults.n, 0);
	assert_true(v.chain.whole);
	assert_int_equal(v.version,
	    fx_number(x, "SELECT max(version) FROM migration"));
}

/* One after the other: each is told beside those before it. */
static void
told(void **state)
{
	struct fx *x = *state;
	struct store_checked v;

	(void)fx_account(x, "work");
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		fx_sql(x, faults[i].sql);
		assert_ok(x, both_halves(x, &v));
		if (!is_told(&v, faults[i].says))
			fail_msg("%s: not told", faults[i].sql);
	}
}

/* The rest of it needs the operator's key. */
static void
agents(void **state)
{
	struct fx *x = *state;
	struct store_checked v;

	store_close(&x->s);
	x->s = fx_open(x, STORE_AGENT);
	assert_err(x, both_halves(x, &v), ERR_CONFIG);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a store as emcli wrote it is sound", sound),
		TEST("each fault is told", told),
		TEST("an agent's key does not check", agents),
	};

	return cmocka_run_group_tests_name("store/check", tests, NULL, NULL);
}
