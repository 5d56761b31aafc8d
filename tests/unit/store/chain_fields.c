/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever changes a field of a row, a link or a signature, or takes one out,
 * has broken the chain, and it is said where.  Every field, each in every way.
 */
#include "fixture.h"

#include "store/audit.h"

/* Another connection, which keeps what was there. */
struct meddler {
	struct fx *x;
	sqlite3 *db;
	size_t tried;
};

#define RESTORED(table)                                                        \
	"DELETE FROM main." table ";INSERT INTO main." table                   \
	" SELECT * FROM temp.was_" table ";"
#define KEPT(table)                                                            \
	"CREATE TEMP TABLE was_" table " AS SELECT * FROM main." table ";"
#define ALL(what)                                                              \
	what("audit_log") what("audit_link") what("audit_checkpoint")          \
	    what("sqlite_sequence")

static void
meddler_run(struct meddler *m, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(m->db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

static void
meddler_open(struct meddler *m, struct fx *x)
{
	*m = (struct meddler){ .x = x };
	assert_int_equal(sqlite3_open(x->path, &m->db), SQLITE_OK);
	(void)sqlite3_busy_timeout(m->db, 10000);
	meddler_run(m, "PRAGMA synchronous = OFF;" ALL(KEPT));
}

static void
meddler_restore(struct meddler *m)
{
	meddler_run(m, "BEGIN IMMEDIATE;" ALL(RESTORED) "COMMIT");
}

static struct store_chain
meddler_verified(struct meddler *m)
{
	struct store_chain c;

	assert_ok(m->x, store_chain_verify(m->x->s, m->x->a, &c, &m->x->e));
	return c;
}

/* Runs it.  Is the table another then?  What it refuses changes nothing. */
static bool
meddler_changes(struct meddler *m, const char *sql, const char *table)
{
	sqlite3_stmt *st = NULL;
	const char *differs = str_fmt(m->x->a,
	    "SELECT (SELECT count(*) FROM temp.was_%s) <> count(*) OR EXISTS"
	    " (SELECT * FROM main.%s EXCEPT SELECT * FROM temp.was_%s)"
	    " FROM main.%s",
	    table, table, table, table)
				  .p;
	int r = sqlite3_exec(m->db, sql, NULL, NULL, NULL);
	bool changed;

	if (r != SQLITE_OK && r != SQLITE_CONSTRAINT && r != SQLITE_MISMATCH)
		fail_msg("%s: %s", sql, sqlite3_errmsg(m->db));
	assert_int_equal(sqlite3_prepare_v2(m->db, differs, -1, &st, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	changed = sqlite3_column_int(st, 0) != 0;
	(void)sqlite3_finalize(st);
	return changed;
}

/* An agent's row: allowed or blocked, and as far as it came. */
static void
row_made(struct fx *x, const char *account, bool allowed, bool done)
{
	struct store_audit row = { .principal = S("Agent"),
		.account = str_of(account),
		.action = S("list"),
		.target = S("INBOX") };
	struct str reason = allowed ? S("") : S("limit");
	int64_t id = 0;

	assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
	if (!done)
		return;
	assert_ok(x, store_audit_judged(x->s, id, allowed, reason, &x->e));
	assert_ok(x,
	    store_audit_done(x->s, id, S(""), allowed ? S("ok") : S("limit"),
		S("said"), &x->e));
}

/* Signed rows, then some that are not yet. */
static void
log_made(struct fx *x)
{
	struct store_chain c;

	for (int i = 0; i < 2; i++) {
		row_made(x, "work", true, true);
		row_made(x, "", i > 0, true);
		row_made(x, "home", true, i == 0);
		if (i == 1)
			continue;
		assert_ok(x, store_chain_sign(x->s, &c, &x->e));
		assert_true(c.whole);
	}
}

/* What a field becomes; each is tried of every row. */
static const char *const ways[] = { "%s || 'x'",
	"substr(%s, 1, length(%s) - 1)", "NULL", "''", "'x'",
	"CAST(%s AS BLOB)", "upper(%s)", "lower(%s)", "%s + 1", "%s + 1000",
	"%s - 5", "0", "CAST(CAST(%s AS TEXT) AS BLOB)" };
/* And a result or a state, which is one of these. */
static const char *const words[] = { "'allowed'", "'blocked'", "'asked'",
	"'judged'", "'done'" };

struct field {
	const char *table, *key, *row, *column;
	/* Is it known which row it is?  Else that something is wrong. */
	bool named;
};

#define LOG(column)                                                            \
	{                                                                      \
		"audit_log", "id", "id", column, true                          \
	}
#define LINK(column, named)                                                    \
	{                                                                      \
		"audit_link", "seq", "audit_id", column, named                 \
	}
#define POINT(column)                                                          \
	{                                                                      \
		"audit_checkpoint", "n", "audit_id", column, false             \
	}

static const struct field fields[] = { LOG("ts"), LOG("principal"),
	LOG("account"), LOG("action"), LOG("target"), LOG("result"),
	LOG("reason"), LOG("outcome"), LOG("detail"), LOG("state"),
	{ "audit_log", "id", "id", "id", false }, LINK("seq", false),
	LINK("audit_id", false), LINK("mark", true), LINK("row", true),
	LINK("prev", true), LINK("hash", true), POINT("n"), POINT("seq"),
	POINT("hash"), POINT("audit_id"), POINT("ts"), POINT("days"),
	POINT("taken"), POINT("mac") };

/* Every %s is the column. */
static const char *
way_of(struct arena *a, const char *way, const char *column)
{
	struct str rest = str_of(way), head, out = S("");

	while (str_find(rest, S("%s")) >= 0) {
		head = str_first(rest, (size_t)str_find(rest, S("%s")));
		out = str_fmt(a, "%.*s%.*s%s", STR_ARG(out), STR_ARG(head),
		    column);
		rest = str_from(rest, head.n + 2);
	}
	return str_fmt(a, "%.*s%.*s", STR_ARG(out), STR_ARG(rest)).p;
}

static void
field_becomes(struct meddler *m, const struct field *f, int64_t key,
    int64_t row, const char *way)
{
	const char *sql = str_fmt(m->x->a,
	    "UPDATE %s SET %s = %s WHERE %s = %lld", f->table, f->column,
	    way_of(m->x->a, way, f->column), f->key, (long long)key)
			      .p;
	struct store_chain c;

	if (!meddler_changes(m, sql, f->table))
		return;
	c = meddler_verified(m);
	if (c.whole || (f->named && c.broken_id != row))
		fail_msg("%s: whole %d, row %lld", sql, c.whole,
		    (long long)c.broken_id);
	m->tried++;
	meddler_restore(m);
}

static void
field_tried(struct meddler *m, const struct field *f, int64_t key, int64_t row)
{
	struct str column = str_of(f->column);

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		field_becomes(m, f, key, row, ways[i]);
	if (!str_eq(column, S("result")) && !str_eq(column, S("state")))
		return;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		field_becomes(m, f, key, row, words[i]);
}

/* Calls back with the key of each of them and the number of its row. */
static void
each_row(struct meddler *m, const struct field *f,
    void (*fn)(struct meddler *m, const struct field *f, int64_t key,
	int64_t row))
{
	sqlite3_stmt *st = NULL;
	const char *sql = str_fmt(m->x->a, "SELECT %s, %s FROM temp.was_%s",
	    f->key, f->row, f->table)
			      .p;

	assert_int_equal(sqlite3_prepare_v2(m->db, sql, -1, &st, NULL),
	    SQLITE_OK);
	while (sqlite3_step(st) == SQLITE_ROW)
		fn(m, f, sqlite3_column_int64(st, 0),
		    sqlite3_column_int64(st, 1));
	(void)sqlite3_finalize(st);
}

static void
every_field(void **state)
{
	struct meddler m;

	FX_FILE();
	log_made(*state);
	meddler_open(&m, *state);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		m.tried = 0;
		each_row(&m, &fields[i], field_tried);
		if (m.tried < 6)
			fail_msg("%s: tried %zu", fields[i].column, m.tried);
	}
	assert_true(meddler_verified(&m).whole);
	(void)sqlite3_close(m.db);
}

static void
taken_out(struct meddler *m, const struct field *f, int64_t key, int64_t row)
{
	const char *sql = str_fmt(m->x->a, "DELETE FROM %s WHERE %s = %lld",
	    f->table, f->key, (long long)key)
			      .p;
	struct store_chain c;

	assert_true(meddler_changes(m, sql, f->table));
	c = meddler_verified(m);
	/* Without a link, the row's own or that of the next does not fit. */
	if (c.whole ||
	    (f->named && c.broken_id != row &&
		(f->key[0] == 'i' || c.broken_id != row + 1)))
		fail_msg("%s: whole %d, row %lld", sql, c.whole,
		    (long long)c.broken_id);
	m->tried++;
	meddler_restore(m);
}

static void
each_taken_out(void **state)
{
	static const struct field tables[] = { LOG("id"), LINK("seq", true),
		POINT("n") };
	struct meddler m;

	FX_FILE();
	log_made(*state);
	meddler_open(&m, *state);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		each_row(&m, &tables[i], taken_out);
	assert_true(m.tried > 20 && meddler_verified(&m).whole);
	(void)sqlite3_close(m.db);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("every field, in every way", every_field),
		TEST("every row, link and signature taken out", each_taken_out),
	};

	return cmocka_run_group_tests_name("store/chain_fields", tests, NULL,
	    NULL);
}
