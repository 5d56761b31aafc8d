/* SPDX-License-Identifier: Apache-2.0 */
/* What a check of a store finds. */
#include "store/check.h"

#include "base/limits.h"
#include "fixture.h"
#include "made_schema.h"
#include "store/opening.h"

static const struct fault {
	const char *sql;
	const char *says;
} faults[] = {
	{ "UPDATE accounts SET mode = 'RO'", "account work: mode" },
	{ "UPDATE sqlite_sequence SET seq = 9223372036854775807"
	  " WHERE name = 'outbox'; INSERT INTO sqlite_sequence"
	  " VALUES ('outbox', 'x')",
	    "sqlite_sequence: a number is not as emcli wrote it" },
	{ "INSERT INTO whitelist_out (account_id, address) VALUES (99, 'x')",
	    "a row of whitelist_out refers to one of accounts" },
	{ "INSERT INTO audit_log (ts, principal, action, result, state)"
	  " VALUES ('2026-01-01T00:00:00Z', 'agent', 'send', 'allowed', "
	  "'judged')",
	    "the audit log, row 1" },
	/* Nothing else is looked at from here on. */
	{ "CREATE TRIGGER t AFTER INSERT ON freeze BEGIN SELECT 1; END",
	    "schema: trigger t: was added" },
	{ "CREATE VIEW v AS SELECT 1", "schema: view v: was added" },
	{ "CREATE TABLE foreign_one (x)",
	    "schema: table foreign_one: was added" },
	{ "ALTER TABLE accounts ADD COLUMN extra TEXT",
	    "schema: table accounts: was changed" },
	{ "DROP TABLE canary", "schema: table canary: was removed" },
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

	FX_FILE();
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

	FX_FILE();
	(void)fx_account(x, "work");
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		fx_sql(x, faults[i].sql);
		assert_ok(x, both_halves(x, &v));
		if (!is_told(&v, faults[i].says))
			fail_msg("%s: not told", faults[i].sql);
	}
}

/* What a file says of itself may cost anything. */
static void
unevaluated(void **state)
{
	static const struct {
		const char *sql;
		size_t faults;
	} of[] = {
		{ "PRAGMA ignore_check_constraints = ON;"
		  "UPDATE accounts SET mode = 'XX'",
		    0 },
		/* It would end the check with an error. */
		{ "INSERT INTO canary VALUES ('swordfish-1');"
		  "CREATE INDEX own ON canary (word)"
		  " WHERE length(replace(hex(zeroblob(60000000)), '0', 'ab'))"
		  " > 0",
		    1 },
	};
	struct fx *x = *state;
	struct store_checked v;

	FX_FILE();
	(void)fx_account(x, "work");
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		fx_sql(x, of[i].sql);
		assert_ok(x, store_check_file(x->path, x->a, &v, &x->e));
		assert_int_equal(v.faults.n, of[i].faults);
		assert_int_equal(v.foreign, of[i].faults == 1);
	}
	assert_true(is_told(&v, "schema: index own: was added"));
}

static int
ran(struct fx *x, const char *sql)
{
	(void)sqlite3_exec(x->s->db, sql, NULL, NULL, NULL);
	return sqlite3_errcode(x->s->db) & 0xff;
}

static void
bounded(void **state)
{
	static const struct {
		const char *sql;
		int within;
	} v[] = {
		{ "SELECT hex(zeroblob(70000000))", SQLITE_TOOBIG },
		{ "SELECT 'a' GLOB '*a*a*b'", SQLITE_ERROR },
		{ "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
		  " SELECT i + 1 FROM n LIMIT 100000) SELECT max(i) FROM n",
		    SQLITE_INTERRUPT },
	};
	struct fx *x = *state;

	FX_FILE();
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		CLEANUP(check_bound_end) struct check_bound b = { 0 };

		assert_int_equal(ran(x, v[i].sql), SQLITE_OK);
		check_bound_begin(x->s, 0, &b);
		assert_int_equal(ran(x, v[i].sql), v[i].within);
		x->e = (struct err){ .kind = ERR_DB };
		assert_int_equal(check_bound_fail(&b, &x->e), -1);
		assert_int_equal(x->e.kind,
		    v[i].within == SQLITE_INTERRUPT ? ERR_LIMIT : ERR_DB);
		check_bound_end(&b);
		assert_int_equal(ran(x, v[i].sql), SQLITE_OK);
	}
}

/* Names as long as the file are not copied, nor more faults than are listed. */
static void
many(void **state)
{
	struct fx *x = *state;
	CLEANUP(arena_close) struct arena *little = arena_open(1 << 20);
	struct store_checked v;
	char *name;

	FX_FILE();
	name = malloc(1000001);
	assert_non_null(name);
	memset(name, 'n', 1000000);
	name[1000000] = '\0';
	fx_sql(x,
	    "PRAGMA foreign_keys = OFF; WITH RECURSIVE n(i) AS"
	    " (SELECT 999 UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
	    " INSERT INTO whitelist_out SELECT i, 'a' FROM n");
	assert_ok(x, store_check_file(x->path, little, &v, &x->e));
	assert_int_equal(v.faults.n, LIMIT_STORE_FAULTS);
	fx_sql(x, str_fmt(x->a, "CREATE TABLE %s (x)", name).p);
	free(name);
	assert_ok(x, store_check_file(x->path, little, &v, &x->e));
	assert_int_equal(v.faults.n, 1);
	assert_true(v.faults.v[0].n < 600);
}

/* The rest of it needs the operator's key. */
static void
agents(void **state)
{
	struct fx *x = *state;
	struct store_checked v;

	FX_FILE();
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
		TEST("the file's constraints are not evaluated", unevaluated),
		TEST("a check has bounds, and what follows has none", bounded),
		TEST("many faults with long names are cut off", many),
		TEST("an agent's key does not check", agents),
	};

	return cmocka_run_group_tests_name("store/check", tests, NULL, NULL);
}
