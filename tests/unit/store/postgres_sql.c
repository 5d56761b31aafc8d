/* SPDX-License-Identifier: Apache-2.0 */
/* The store's SQL in PostgreSQL's words. */
#include "../rows.h"

#include "store/postgres_sql.h"

static struct row {
	const char *why;
	struct str is, want, table;
	bool writes, schema;
} rows[] = {
	{ "parameters", SI("SELECT a FROM t WHERE b = ?1 AND c = ?2"),
	    SI("SELECT a FROM t WHERE b = $1 AND c = $2"), SI(""), false,
	    false },
	{ "parameters without a number", SI("INSERT INTO t VALUES (?, ?, ?)"),
	    SI("INSERT INTO t VALUES ($1, $2, $3)"), SI("t"), true, false },
	{ "a parameter of no type", SI("SELECT 1 WHERE ?1 IS NULL OR a = ?1"),
	    SI("SELECT 1 WHERE $1::text IS NULL OR a = $1"), SI(""), false,
	    false },
	{ "nor of any that is not null", SI("SELECT ?2 IS NOT NULL"),
	    SI("SELECT $2::text IS NOT NULL"), SI(""), false, false },
	{ "texts stay", SI("SELECT 'a ?1 max(1, 2) it''s freeze', \"INTEGER\""),
	    SI("SELECT 'a ?1 max(1, 2) it''s freeze', \"INTEGER\""), SI(""),
	    false, false },
	{ "comments stay", SI("-- An INTEGER; ?1's\nSELECT 1"),
	    SI("-- An INTEGER; ?1's\nSELECT 1"), SI(""), false, false },
	{ "the greatest of a row", SI("UPDATE t SET a = max(a, ?1)"),
	    SI("UPDATE t SET a = greatest_of(a, $1)"), SI("t"), true, false },
	{ "the greatest of a column", SI("SELECT max(a) FROM t, u"),
	    SI("SELECT max(a) FROM t, u"), SI(""), false, false },
	{ "a list of numbers",
	    SI("DELETE FROM t WHERE a IN (SELECT value FROM json_each(?4))"),
	    SI("DELETE FROM t WHERE a IN (SELECT value FROM (SELECT"
	       " value::bigint AS value, (ordinality - 1)::int AS key FROM"
	       " json_array_elements_text($4::json) WITH ORDINALITY) AS each)"),
	    SI("t"), true, false },
	{ "one in the other", SI("SELECT min(max(a, (SELECT b(1, 2))))"),
	    SI("SELECT min(greatest_of(a, (SELECT b(1, 2))))"), SI(""), false,
	    false },
	{ "an upsert writes its table",
	    SI("INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b ="
	       " 2"),
	    SI("INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b ="
	       " 2"),
	    SI("t"), true, false },
	{ "a row's place",
	    SI("DELETE FROM t WHERE rowid IN (SELECT rowid FROM"
	       " t LIMIT -1 OFFSET 5)"),
	    SI("DELETE FROM t WHERE ctid IN (SELECT ctid FROM t LIMIT ALL"
	       " OFFSET 5)"),
	    SI("t"), true, false },
	{ "with a query before it",
	    SI("WITH RECURSIVE c (a) AS (SELECT 1) UPDATE t SET a = c.a FROM"
	       " c"),
	    SI("WITH RECURSIVE c (a) AS (SELECT 1) UPDATE t SET a = c.a FROM"
	       " c"),
	    SI("t"), true, false },
	{ "no index", SI("SELECT * FROM agent NOT INDEXED"),
	    SI("SELECT * FROM agent "), SI(""), false, false },
	{ "a table",
	    SI("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a"
	       " INTEGER NOT NULL, b BLOB, c TEXT)"),
	    SI("CREATE TABLE t (id bigint PRIMARY KEY,"
	       " a bigint NOT NULL, b bytea, c text COLLATE \"C\");"
	       " CREATE TRIGGER given_id BEFORE INSERT ON t FOR EACH ROW"
	       " EXECUTE FUNCTION given_id()"),
	    SI(""), true, true },
	{ "a table that may be there",
	    SI("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY"
	       " AUTOINCREMENT) WITHOUT ROWID"),
	    SI("CREATE TABLE IF NOT EXISTS t (n bigint PRIMARY KEY) ;"
	       " CREATE TRIGGER given_n BEFORE INSERT ON t FOR EACH ROW"
	       " EXECUTE FUNCTION given_n()"),
	    SI(""), true, true },
	{ "two statements",
	    SI("ALTER TABLE t ADD COLUMN a TEXT; SELECT CAST(1 AS TEXT)"),
	    SI("ALTER TABLE t ADD COLUMN a text COLLATE \"C\"; SELECT CAST(1"
	       " AS TEXT)"),
	    SI(""), true, true },
	{ "what deletes with another",
	    SI("CREATE TABLE t (a INTEGER REFERENCES u (id) ON DELETE"
	       " CASCADE)"),
	    SI("CREATE TABLE t (a bigint REFERENCES u (id) ON DELETE CASCADE)"),
	    SI(""), true, true },
	{ "bytes", SI("UPDATE t SET a = x'00ff', x = 'b'"),
	    SI("UPDATE t SET a = '\\x00ff'::bytea, x = 'b'"), SI("t"), true,
	    false },
	{ "which numbers were given", SI("SELECT seq FROM sqlite_sequence"),
	    SI("SELECT seq FROM given"), SI(""), false, false },
	{ "a word of PostgreSQL's", SI("DELETE FROM freeze WHERE agent = ?1"),
	    SI("DELETE FROM \"freeze\" WHERE lower(agent) = lower($1 COLLATE "
	       "\"C\")"),
	    SI("freeze"), true, false },
	{ "names without case",
	    SI("SELECT 1 FROM a WHERE name = ?1 COLLATE"
	       " NOCASE"),
	    SI("SELECT 1 FROM a WHERE lower(name) = lower($1 COLLATE \"C\")"),
	    SI(""), false, false },
};

static void
check(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct postgres_sql got;

	postgres_sql_of(r->is, a, &got);
	rows_same(got.text, r->want);
	rows_same(got.table, r->table);
	assert_int_equal(got.writes, r->writes);
	assert_int_equal(got.schema, r->schema);
	assert_int_equal(got.text.p[got.text.n], '\0');
}

ROWS_MAIN("postgres sql", rows, check)
