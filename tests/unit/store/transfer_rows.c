/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every column of every table, from one database into the other and back.  With
 * EMCLI_TEST_POSTGRES the other one is in the server, else it is a file.
 */
#include "store/opening.h"
#include "store/transferring.h"

#include "transferred.h"

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

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("every column of every table, with odd values",
		    every_column),
	};

	return cmocka_run_group_tests_name("store/transfer_rows", tests, NULL,
	    NULL);
}
