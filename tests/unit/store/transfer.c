/* SPDX-License-Identifier: Apache-2.0 */
/* A store that is copied row by row: what is checked, what is refused. */
#include "store/transferring.h"

#include "transferred.h"

/* -- a store --------------------------------------------------------------- */

static int
transfer(struct fx *x, const char *to, int (*begun)(void *, struct err *),
    struct store_transferred *out)
{
	const struct store_transfer how = { .from = x->s,
		.to = to,
		.keys = &x->keys,
		.begun = begun,
		.ctx = x };

	return store_transfer(&how, x->a, out, &x->e);
}

/* Some rows of the log, and a sealed password. */
static void
work(struct fx *x)
{
	CLEANUP(secret_close)
	struct secret *password = fx_secret("open sesame");
	struct store_account acct = { .name = S("work"), .backend = S("imap") };
	const struct store_audit row = { .principal = S("agent"),
		.action = S("list") };
	struct store_chain c;
	int64_t id;

	assert_ok(x, store_account_add(x->s, &acct, password, &x->e));
	for (int i = 0; i < 30; i++) {
		assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
		assert_ok(x,
		    store_audit_done(x->s, id, S(""), S("ok"), S(""), &x->e));
	}
	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
}

/* By a handle of its own, as whoever asked for the copy. */
static int
write_a_row(void *ctx, struct err *e)
{
	const struct store_audit row = { .principal = S("operator"),
		.action = S("store.copy") };
	struct fx *x = ctx;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_ADMIN);
	int64_t id;

	return store_audit_asked(s, &row, &id, e);
}

static int64_t
rows_of(const struct store_transferred *v, const char *table)
{
	for (size_t i = 0; i < v->is.n; i++)
		if (strcmp(v->is.tables[i].name, table) == 0)
			return v->is.tables[i].rows;
	return -1;
}

static void
there_and_back(void **state)
{
	struct fx *x = *state;
	struct fx there = *x, back = *x;
	const char *to = fx_is_file() ? place_of(x) : file_of(x, "copy.db");
	const char *home = fx_is_file() ? file_of(x, "back.db") : place_of(x);
	struct store_transferred first, second;
	struct secret *password = NULL;

	work(x);
	assert_ok(x, transfer(x, to, write_a_row, &first));
	assert_int_equal(rows_of(&first, "audit_log"), 30);
	assert_int_equal(rows_of(&first, "accounts"), 1);
	assert_true(first.chain.whole);
	assert_int_equal(first.is.n_heads, 1);
	assert_int_equal(first.is.heads[0].hash.n, CHAIN_HEX);
	(void)snprintf(there.path, sizeof(there.path), "%s", to);
	there.s = fx_open(&there, STORE_ADMIN);
	assert_ok(&there,
	    store_account_secret(there.s, 1, STORE_PASSWORD, &password,
		&there.e));
	assert_secret(password, "open sesame");
	secret_close(&password);
	/* Where nothing was written since, it is the same again. */
	assert_ok(&there, transfer(&there, home, NULL, &second));
	assert_int_equal(second.is.rows, first.is.rows);
	assert_int_equal(second.is.n_heads, 1);
	assert_int_equal(second.is.heads[0].link, first.is.heads[0].link);
	assert_true(str_eq(second.is.heads[0].hash, first.is.heads[0].hash));
	store_close(&there.s);
	(void)snprintf(back.path, sizeof(back.path), "%s", home);
	assert_int_equal(fx_number(&back, "SELECT count(*) FROM audit_log"),
	    30);
	/* The next numbers are what they would have been. */
	back.s = fx_open(&back, STORE_ADMIN);
	assert_int_equal(write_a_row(&back, &x->e), 0);
	store_close(&back.s);
	assert_int_equal(fx_number(&back, "SELECT max(id) FROM audit_log"), 31);
	assert_int_equal(fx_number(x, "SELECT max(id) FROM audit_log"), 31);
	drop(x, to);
	drop(x, home);
}

static int
refuse(void *ctx, struct err *e)
{
	(void)ctx;
	return err_set(e, ERR_DB, "no");
}

/* What is refused, and what the message begins with. */
static const struct {
	const char *what;
	const char *before; /* SQL on the store */
	int (*begun)(void *ctx, struct err *e);
	enum err_kind kind;
	const char *says, *about;
} refusals[] = {
	{ "what cannot be recorded is not done", NULL, refuse, ERR_DB, "no",
	    "" },
	{ "a row that was changed", "UPDATE accounts SET mode = 'RW'", NULL,
	    ERR_DB, "the database is not as emcli wrote it", "account work" },
	{ "a row of the log that is missing",
	    "DELETE FROM audit_log WHERE id = 2", NULL, ERR_DB,
	    "the database is not as emcli wrote it", "audit log" },
	{ "a credential that does not open",
	    "UPDATE accounts SET enc_password = x'00'", NULL, ERR_DB,
	    "the database is not as emcli wrote it", "account work" },
};

static void
refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct store_transferred none;
		void *own = NULL;
		const char *to;
		struct fx *x;

		assert_int_equal(fx_setup(&own), 0);
		x = own;
		work(x);
		if (refusals[i].before != NULL)
			fx_sql(x, refusals[i].before);
		to = place_of(x);
		if (transfer(x, to, refusals[i].begun, &none) == 0)
			fail_msg("%s", refusals[i].what);
		if (x->e.kind != refusals[i].kind ||
		    !str_starts(str_of(x->e.say), str_of(refusals[i].says)) ||
		    strstr(x->e.detail, refusals[i].about) == NULL)
			fail_msg("%s: %s (%s)", refusals[i].what, x->e.say,
			    x->e.detail);
		/* The place is as empty as before. */
		fx_sql(x, "DELETE FROM taint WHERE true");
		if (refusals[i].before == NULL)
			assert_ok(x, transfer(x, to, NULL, &none));
		drop(x, to);
		(void)fx_teardown(&own);
	}
}

/* Of a type that no column has. */
static void
a_foreign_value(void **state)
{
	struct fx *x = *state;
	struct store_transferred none;

	FX_FILE();
	fx_sql(x, "INSERT INTO taint VALUES ('a', 0.5)");
	assert_err(x, transfer(x, place_of(x), NULL, &none), ERR_DB);
	assert_string_equal(x->e.say,
	    "the database has a value that emcli never wrote");
	assert_non_null(strstr(x->e.detail, "table taint"));
	assert_int_equal(access(file_of(x, "copy.db"), F_OK), -1);
}

/* The same in the server, whose columns take no other. */
static void
a_value_of_another_type(void **state)
{
	struct fx *x = *state;
	struct fx file = *x;
	struct store_transferred none;
	const char *to;

	if (fx_is_file())
		return;
	(void)snprintf(file.path, sizeof(file.path), "%s/sub/copy.db", x->dir);
	assert_ok(x, transfer(x, file.path, NULL, &none));
	file.s = fx_open(&file, STORE_ADMIN);
	assert_ok(&file,
	    stmt_exec(file.s, "INSERT INTO taint VALUES ('a', 'b')", &file.e));
	to = place_of(x);
	assert_err(&file, transfer(&file, to, NULL, &none), ERR_DB);
	assert_true(str_starts(str_of(file.e.say), S("the target ")));
	assert_non_null(strstr(file.e.detail, "table taint"));
	store_close(&file.s);
}

static void
not_empty(void **state)
{
	struct fx *x = *state;
	struct store_transferred none;
	char other[112];

	/* Onto itself. */
	assert_err(x, transfer(x, x->path, NULL, &none), ERR_USAGE);
	if (fx_is_file())
		return;
	assert_non_null(strstr(x->e.say, "there is a store already"));
	made_postgres_path(other, sizeof(other));
	(void)made_postgres_number(other, "CREATE TABLE v (a INTEGER)", false);
	assert_err(x, transfer(x, other, NULL, &none), ERR_USAGE);
	assert_non_null(strstr(x->e.say, "its schema has something in it"));
	made_postgres_drop(other);
}

static void
only_the_operator(void **state)
{
	struct fx *x = *state;
	struct store_transferred none;

	store_close(&x->s);
	x->s = fx_open(x, STORE_AGENT);
	assert_err(x, transfer(x, place_of(x), NULL, &none), ERR_CONFIG);
}

static uint64_t told, of;

static void
tell(uint64_t done, uint64_t all)
{
	assert_true(done <= all);
	told++;
	of = all;
}

static void
progress(void **state)
{
	struct fx *x = *state;
	const char *to = place_of(x);
	struct store_transferred done;
	struct store_transfer how = { .from = x->s,
		.to = to,
		.keys = &x->keys,
		.progress = tell };

	assert_ok(x, store_transfer(&how, x->a, &done, &x->e));
	/* The end of it, whatever came of it. */
	assert_true(told >= 2);
	assert_int_equal(of, 1);
	drop(x, to);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a store there and back", there_and_back),
		TEST_EMPTY("what is refused leaves nothing", refused),
		TEST("a value that emcli never wrote", a_foreign_value),
		TEST("a value that the other database does not take",
		    a_value_of_another_type),
		TEST("a place that is not empty", not_empty),
		TEST("an agent's key copies nothing", only_the_operator),
		TEST("how far it is", progress),
	};

	return cmocka_run_group_tests_name("store/transfer", tests, NULL, NULL);
}
