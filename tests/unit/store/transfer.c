/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store row by row into another one.  With EMCLI_TEST_POSTGRES what is copied
 * from a file goes into the server and comes back, else into another file.
 */
#include "store/transferring.h"

#include "fixture.h"

#include "store/check.h"
#include "store/opening.h"

static const char *
file_of(struct fx *x, const char *name)
{
	return str_fmt(x->a, "%s/sub/%s", x->dir, name).p;
}

/* Another place: in the server if there is one. */
static const char *
place_of(struct fx *x)
{
	char path[112];

	if (fx_is_file())
		return file_of(x, "copy.db");
	made_postgres_path(path, sizeof(path));
	return str_c(x->a, str_of(path));
}

static void
drop(struct fx *x, const char *place)
{
	static const char *const parts[] = { "", "-wal", "-shm" };

	if (!store_about_is_file(place)) {
		made_postgres_drop(place);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		(void)unlink(str_fmt(x->a, "%s%s", place, parts[i]).p);
}

/* -- every column ---------------------------------------------------------- */

/* Not one is another's without case, as the names of agents are compared. */
static const struct str odd_text[] = { SI(""), SI("a"), SI("\0"), SI("b\0"),
	SI("\1"), SI("\1\1"), SI("\1\2"), SI("caf\351"), SI("\xf4\x8f\xbe\xa9"),
	SI("\xf4\x8f\xbe\x85z"), SI("\xed\xa0\x80"), SI("\xc3\xa9'\\\"\n") };
static const int64_t odd_number[] = { 1, 0, -1, INT64_MAX, INT64_MIN, 255,
	INT64_C(1) << 31, INT64_C(1) << 53, -256, 10000, 99999999, 42 };
static const struct str odd_blob[] = { SI(""), SI("\0"), SI("\377"), SI("a\0b"),
	SI("\\x00"), SI("\1"), SI("\200"), SI("e"), SI("f"), SI("g"), SI("h"),
	SI("i") };

enum {
	ODD = sizeof(odd_text) / sizeof(odd_text[0]),
	BIG = 3 << 20 /* more than the rows of one statement may have */
};

/* Columns that take some values alone; table NULL: in any. */
static const struct {
	const char *table, *column, *value;
} checked[] = {
	{ NULL, "mode", "RW" },
	{ NULL, "outbound", "draft" },
	{ NULL, "quirk_id", "on" },
	{ NULL, "oauth_login", "form" },
	{ NULL, "auth", "dmarc" },
	{ NULL, "whitelist_auth", "dmarc" },
	{ NULL, "scope", "thread" },
	{ NULL, "organise", "on" },
	{ NULL, "role", "optional" },
	{ NULL, "result", "blocked" },
	{ NULL, "copy", "saved" },
	{ "outbox", "state", "held" },
	{ NULL, "state", "done" },
	{ "notice", "kind", NULL },
	{ "notice_told", "kind", NULL },
	{ NULL, "kind", "mark" },
};

/* NULL: it takes any. */
static const char *
only_value(const char *table, const char *column)
{
	for (size_t i = 0; i < sizeof(checked) / sizeof(checked[0]); i++)
		if (strcmp(checked[i].column, column) == 0 &&
		    (checked[i].table == NULL ||
			strcmp(checked[i].table, table) == 0))
			return checked[i].value;
	return NULL;
}

static bool
is_reference(const char *column)
{
	return strcmp(column, "id") == 0 || str_ends(str_of(column), S("_id"));
}

/* A column of table_info: 1 its name, 2 its type, 3 is it NOT NULL, 5 a key. */
static void
bind_odd(sqlite3_stmt *to, sqlite3_stmt *info, const char *table, int i, int k)
{
	const char *name = (const char *)sqlite3_column_text(info, 1);
	const char *type = (const char *)sqlite3_column_text(info, 2);
	struct str s;
	int r;

	if (sqlite3_column_int(info, 3) == 0 &&
	    sqlite3_column_int(info, 5) == 0 && !is_reference(name) &&
	    (i + k) % 4 == 3) {
		r = sqlite3_bind_null(to, i);
	} else if (strcmp(type, "INTEGER") == 0) {
		r = sqlite3_bind_int64(to, i, odd_number[k]);
	} else if (strcmp(type, "BLOB") == 0) {
		s = odd_blob[k];
		r = sqlite3_bind_blob(to, i, s.p, (int)s.n, SQLITE_STATIC);
	} else {
		const char *only = only_value(table, name);

		s = only != NULL ? str_of(only) : odd_text[k];
		assert_string_equal(type, "TEXT");
		r = sqlite3_bind_text(to, i, s.p, (int)s.n, SQLITE_STATIC);
	}
	assert_int_equal(r, SQLITE_OK);
}

static void
fill_row(sqlite3 *db, const char *table, int columns, int k, struct arena *a)
{
	sqlite3_stmt *info = NULL, *to = NULL;
	struct buf b;
	int i = 0;

	buf_init(&b, a, 4096);
	/* A row that may not be is left out. */
	buf_fmt(&b, "INSERT OR IGNORE INTO %s VALUES (?", table);
	for (int n = 1; n < columns; n++)
		buf_text(&b, ",?");
	buf_text(&b, ")");
	assert_int_equal(sqlite3_prepare_v2(db, b.p, -1, &to, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
			     str_fmt(a, "SELECT * FROM pragma_table_info('%s')",
				 table)
				 .p,
			     -1, &info, NULL),
	    SQLITE_OK);
	while (sqlite3_step(info) == SQLITE_ROW)
		bind_odd(to, info, table, ++i, k);
	assert_int_equal(i, columns);
	if (sqlite3_step(to) != SQLITE_DONE)
		fail_msg("%s: %s", table, sqlite3_errmsg(db));
	(void)sqlite3_finalize(to);
	(void)sqlite3_finalize(info);
}

static int
number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = NULL;
	int n;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int(st, 0);
	(void)sqlite3_finalize(st);
	return n;
}

static void
run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

static bool
is_numbers(const char *table)
{
	return strcmp(table, "sqlite_sequence") == 0;
}

/* What emcli would never write is in it, too: it is only copied. */
static void
fill(struct fx *x, const char *path)
{
	sqlite3 *db = NULL;
	const char *t;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (size_t i = 0; (t = transfer_rows_table(i)) != NULL; i++) {
		int columns;

		if (is_numbers(t))
			continue;
		columns = number(db,
		    str_fmt(x->a,
			"SELECT count(*) FROM pragma_table_info('%s')", t)
			.p);
		for (int k = 0; k < ODD; k++)
			fill_row(db, t, columns, k, x->a);
		if (number(db, str_fmt(x->a, "SELECT count(*) FROM %s", t).p) ==
		    0)
			fail_msg("%s: no row fits", t);
	}
	assert_int_equal(number(db,
			     "SELECT count(*) FROM pragma_foreign_key_check"),
	    0);
	run(db,
	    str_fmt(x->a,
		"UPDATE outbox SET message = zeroblob(%d) WHERE id IN (0, 1);"
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n"
		" LIMIT 1000) INSERT INTO taint SELECT 'x' || i, i FROM n",
		BIG)
		.p);
	(void)sqlite3_close(db);
}

/* Without the checks at both ends. */
static void
move(struct fx *x, const char *from, const char *to)
{
	CLEANUP(transfer_target_drop) struct transfer_target t = { 0 };
	CLEANUP(store_close) struct store *s = NULL;
	CLEANUP(tx_done) struct tx moment = { 0 };
	struct store_transfer how = { .to = to };
	struct str place;

	assert_ok(x, store_connect_open(from, &s, &x->e));
	how.from = s;
	assert_ok(x, transfer_target_open(to, &t, &x->e));
	assert_ok(x, tx_begin_read(s, &moment, &x->e));
	assert_ok(x, transfer_target_begin(&t, &x->e));
	assert_ok(x, transfer_rows(&how, t.s, 0, &x->e));
	assert_ok(x, transfer_target_put(&t, x->a, &place, &x->e));
}

/* Row for row, by value and type. */
static void
compare(struct fx *x, const char *is, const char *was)
{
	sqlite3 *db = NULL;
	const char *t;

	assert_int_equal(sqlite3_open(is, &db), SQLITE_OK);
	run(db, str_fmt(x->a, "ATTACH '%s' AS was", was).p);
	for (size_t i = 0; (t = transfer_rows_table(i)) != NULL; i++)
		if (number(db,
			str_fmt(x->a,
			    "SELECT (SELECT count(*) FROM (SELECT * FROM"
			    " main.%s EXCEPT SELECT * FROM was.%s)) +"
			    " (SELECT count(*) FROM (SELECT * FROM was.%s"
			    " EXCEPT SELECT * FROM main.%s)) +"
			    " ((SELECT count(*) FROM main.%s) <>"
			    " (SELECT count(*) FROM was.%s))",
			    t, t, t, t, t, t)
			    .p) != 0)
			fail_msg("%s differs", t);
	(void)sqlite3_close(db);
}

static void
every_column(void **state)
{
	struct fx *x = *state;
	const char *was = file_of(x, "was.db"), *is = file_of(x, "is.db");
	const char *to = place_of(x);

	made_store(was, &x->keys);
	fill(x, was);
	move(x, was, to);
	move(x, to, is);
	compare(x, is, was);
	drop(x, was);
	drop(x, is);
	drop(x, to);
}

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
	assert_true(first.chain.whole && first.is.head.n == CHAIN_HEX);
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
	assert_int_equal(second.is.link, first.is.link);
	assert_true(str_eq(second.is.head, first.is.head));
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
		TEST("every column of every table, with odd values",
		    every_column),
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
