/* SPDX-License-Identifier: Apache-2.0 */
/* The store's schema in PostgreSQL, and what else is in it. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/chain.h"
#include "store/chain_range.h"
#include "store/postgres.h"

/*
 * What the tables need.  Numbers of rows are given out in the transaction: none
 * is left out, and none used again, as the audit's chain and what is sealed
 * require.  A sequence would do neither.  The chains of the audit log count by
 * themselves, as their numbers are (chain_range.h), so that none waits for
 * another; a row without a number is one of the chain that was taken.  The
 * least and the greatest of two are NULL if one of them is, as in SQLite.
 * Whoever may insert a row may not change the numbers: that does the schema's
 * owner for it.  A link says its own number, which must be the next: one with a
 * greater one would use up all that there are.  The time of a row of the log is
 * the server's, which all hosts share, and not whatever a process believes it
 * to be: by it rows are listed and purged.
 */
#define GIVEN_CHAIN(key)                                                       \
	" IF c IN (''audit_log'', ''audit_link'') THEN"                        \
	" k := least(greatest(coalesce(NEW." key " / " CHAIN_RANGE_SQL ","     \
	" nullif(current_setting(''emcli.chain'', true), '''')::bigint, 0),"   \
	" 0), 31); END IF;"                                                    \
	" IF k > 0 THEN c := c || ''.'' || k; END IF;"
#define GIVEN_ID                                                               \
	GIVEN_CHAIN("id")                                                      \
	" IF TG_TABLE_NAME = ''audit_log'' AND NEW.id IS NULL THEN NEW.ts ="   \
	" to_char(clock_timestamp() AT TIME ZONE ''UTC'',"                     \
	" ''YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"''); END IF;"
#define GIVEN_SEQ                                                              \
	GIVEN_CHAIN("seq")                                                     \
	" IF NEW.seq <> coalesce((SELECT l.seq FROM given AS l"                \
	" WHERE l.name = c), k * " CHAIN_RANGE_SQL ") + 1 THEN RAISE"          \
	" insufficient_privilege USING MESSAGE = $m$that is not the next"      \
	" number$m$; END IF;"
#define GIVEN_N ""
#define GIVEN(key, first)                                                      \
	"DECLARE num bigint; k bigint := 0; c text := TG_TABLE_NAME;"          \
	" BEGIN" first " INSERT INTO given AS g VALUES (c, coalesce(NEW." key  \
	", k * " CHAIN_RANGE_SQL                                               \
	" + 1)) ON CONFLICT (name) DO UPDATE SET seq ="                        \
	" CASE WHEN NEW." key " IS NULL THEN g.seq + 1"                        \
	" ELSE greatest(g.seq, NEW." key ") END RETURNING seq INTO num;"       \
	" NEW." key " := coalesce(NEW." key ", num); RETURN NEW; END"
#define GIVEN_FUNCTION(key, first)                                             \
	"CREATE FUNCTION given_" key "() RETURNS trigger LANGUAGE plpgsql"     \
	" SECURITY DEFINER SET search_path FROM CURRENT AS '" GIVEN(key,       \
	    first) "';"                                                        \
		   "REVOKE ALL ON FUNCTION given_" key "() FROM PUBLIC;"
#define GIVEN_OURS(key, first)                                                 \
	"(p.proname = 'given_" key "' AND p.prosrc = '" GIVEN(key, first) "')"
#define LEAST "SELECT least($1, $2)"
#define GREATEST "SELECT greatest($1, $2)"
#define OF_TWO(name, body)                                                     \
	"CREATE FUNCTION " name "(bigint, bigint) RETURNS bigint LANGUAGE sql" \
	" IMMUTABLE STRICT PARALLEL SAFE AS '" body "';"

static const char base[] =
    "CREATE TABLE given ("
    " name text COLLATE \"C\" PRIMARY KEY, seq bigint NOT "
    "NULL);" GIVEN_FUNCTION("id", GIVEN_ID) GIVEN_FUNCTION("seq", GIVEN_SEQ)
	GIVEN_FUNCTION("n", GIVEN_N) OF_TWO("least_of", LEAST)
	    OF_TWO("greatest_of", GREATEST);

/* Is a function, p, one of these? */
#define OURS                                                                   \
	"(" GIVEN_OURS("id", GIVEN_ID) " OR " GIVEN_OURS("seq",                \
	    GIVEN_SEQ) " OR " GIVEN_OURS("n",                                  \
	    GIVEN_N) " OR (p.proname = 'least_of' AND p.prosrc = '" LEAST "')" \
		     " OR (p.proname = 'greatest_of' AND p.prosrc = "          \
		     "'" GREATEST "'))"

/* emcli's are far shorter, and fewer: what is cut is not emcli's. */
const char postgres_schema_parts[] =
    "SELECT substr(part, 1, 300), substr(body, 1, 65536) FROM ("
    /* Tables, with their columns in order. */
    "SELECT 'table ' || c.relname AS part,"
    " concat_ws(' ', c.relkind, c.relrowsecurity, (SELECT string_agg("
    "concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),"
    " l.collname, a.attnotnull, a.attgenerated, a.attidentity,"
    " pg_get_expr(d.adbin, d.adrelid, true)), ', ' ORDER BY a.attnum)"
    " FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid"
    " AND d.adnum = a.attnum LEFT JOIN pg_collation l ON"
    " l.oid = a.attcollation"
    " WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))"
    " AS body FROM pg_class c"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " AND c.relkind NOT IN ('i', 'I', 't')"
    " UNION ALL SELECT 'constraint ' || c.relname || '.' || k.conname,"
    " pg_get_constraintdef(k.oid, true) FROM pg_constraint k"
    " JOIN pg_class c ON c.oid = k.conrelid"
    " WHERE k.connamespace = to_regnamespace(current_schema())"
    " UNION ALL SELECT 'index ' || c.relname,"
    " pg_get_indexdef(c.oid, 0, true) FROM pg_class c"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " AND c.relkind = 'i'"
    " UNION ALL SELECT 'function ' || p.proname || '('"
    " || pg_get_function_identity_arguments(p.oid) || ')',"
    " concat_ws(' ', p.prosrc, p.prosecdef, p.provolatile, l.lanname,"
    " replace(replace(array_to_string(p.proconfig, ' '), ', ', ','),"
    " current_schema(), '.'))"
    " FROM pg_proc p"
    " JOIN pg_language l ON l.oid = p.prolang"
    " WHERE p.pronamespace = to_regnamespace(current_schema())"
    " UNION ALL SELECT 'trigger ' || c.relname || '.' || t.tgname,"
    " pg_get_triggerdef(t.oid, true) FROM pg_trigger t"
    " JOIN pg_class c ON c.oid = t.tgrelid"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " AND NOT t.tgisinternal"
    " UNION ALL SELECT 'rule ' || c.relname || '.' || r.rulename,"
    " pg_get_ruledef(r.oid, true) FROM pg_rewrite r"
    " JOIN pg_class c ON c.oid = r.ev_class"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " UNION ALL SELECT 'policy ' || c.relname || '.' || y.polname, ''"
    " FROM pg_policy y JOIN pg_class c ON c.oid = y.polrelid"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    ") x ORDER BY part COLLATE \"C\" LIMIT 1000";

/* Without the type that PostgreSQL adds to a text. */
const char postgres_schema_default[] =
    "SELECT regexp_replace(pg_get_expr(d.adbin, d.adrelid), '::text$', '')"
    " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
    " LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid"
    " AND d.adnum = a.attnum"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " AND c.relname = ?1 AND a.attname = ?2";

const char postgres_schema_size[] =
    "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)"
    " FROM pg_class c WHERE c.relkind = 'r'"
    " AND c.relnamespace = to_regnamespace(current_schema())";

#define HERE "to_regnamespace(current_schema())"
/* What came with the server has lower numbers. */
#define ADDED "d.refobjid >= 16384"

/* Code in the schema that emcli did not put there, or that it calls; and tables
 * whose rows would be read as the store's. */
static const char foreign[] =
    "WITH ours AS (SELECT p.oid FROM pg_proc p"
    " WHERE p.pronamespace = " HERE " AND " OURS ") SELECT x FROM ("
    "SELECT 'trigger ' || t.tgname AS x FROM pg_trigger t"
    " JOIN pg_class c ON c.oid = t.tgrelid"
    " WHERE c.relnamespace = " HERE " AND NOT t.tgisinternal"
    " AND NOT (t.tgtype = 7 AND t.tgfoid IN (SELECT oid FROM ours))"
    " UNION ALL SELECT 'rule ' || r.rulename FROM pg_rewrite r"
    " JOIN pg_class c ON c.oid = r.ev_class"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " UNION ALL SELECT 'policy ' || y.polname FROM pg_policy y"
    " JOIN pg_class c ON c.oid = y.polrelid"
    " WHERE c.relnamespace = to_regnamespace(current_schema())"
    " UNION ALL SELECT 'function ' || p.proname FROM pg_proc p"
    " WHERE p.pronamespace = " HERE
    " AND p.oid NOT IN (SELECT oid FROM ours) UNION ALL SELECT 'table ' || "
    "i.inhrelid::regclass::text"
    " FROM pg_inherits i JOIN pg_class c ON c.oid IN"
    " (i.inhrelid, i.inhparent) WHERE c.relnamespace = " HERE
    " UNION ALL SELECT pg_describe_object(d.refclassid, d.refobjid, 0)"
    " FROM pg_depend d WHERE " ADDED " AND d.refclassid IN"
    " ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass,"
    " 'pg_opclass'::regclass) AND NOT (d.refclassid = 'pg_proc'::regclass"
    " AND EXISTS (SELECT 1 FROM pg_proc p WHERE p.oid = d.refobjid"
    " AND p.pronamespace = " HERE "))"
    " AND (d.classid = 'pg_attrdef'::regclass AND EXISTS (SELECT 1"
    " FROM pg_attrdef f JOIN pg_class c ON c.oid = f.adrelid"
    " WHERE f.oid = d.objid AND c.relnamespace = " HERE ")"
    " OR d.classid = 'pg_constraint'::regclass AND EXISTS (SELECT 1"
    " FROM pg_constraint k WHERE k.oid = d.objid"
    " AND k.connamespace = " HERE ")"
    " OR d.classid = 'pg_class'::regclass AND EXISTS (SELECT 1"
    " FROM pg_class c WHERE c.oid = d.objid"
    " AND c.relnamespace = " HERE "))"
    ") y ORDER BY x LIMIT 1";

/* A number that changes when anybody has committed; never 0. */
int
postgres_schema_version(struct store *s, int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, "SELECT pg_current_snapshot()::text", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*out = (int64_t)(str_hash(STR_HASH, stmt_column_raw(st, 0)) >> 1) | 1;
	return 0;
}

int
postgres_schema_has_table(struct store *s, const char *table, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM pg_catalog.pg_class"
	    " WHERE relnamespace = to_regnamespace(current_schema())"
	    " AND relkind IN ('r', 'p') AND relname = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(str_of(table))) < 0)
		return -1;
	return stmt_step(s, st, e);
}

int
postgres_schema_given(struct store *s, const char *table, int chain,
    int64_t *out, struct err *e)
{
	char name[CHAIN_COUNTER];
	static const char sql[] = "SELECT seq FROM given WHERE name = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(chain_counter(table, chain, name))) < 0)
		return -1;
	r = stmt_step(s, st, e);
	*out = r == 1 ? stmt_column_int(st, 0) : 0;
	return r < 0 ? -1 : 0;
}

/*
 * The triggers that count, of all tables.  Each row of a table would change the
 * same row of `given`, which the server keeps all versions of until the end.
 */
#define EACH_TRIGGER(what)                                                     \
	"DO 'DECLARE t name; BEGIN FOR t IN SELECT c.relname"                  \
	" FROM pg_catalog.pg_class c WHERE c.relkind = ''r''"                  \
	" AND c.relnamespace = to_regnamespace(current_schema())"              \
	" LOOP EXECUTE format(''ALTER TABLE %I " what                          \
	" TRIGGER USER'', t); END LOOP; END'"

int
postgres_schema_load(struct store *s, bool on, struct err *e)
{
	return postgres_exec(s,
	    on ? EACH_TRIGGER("DISABLE") : EACH_TRIGGER("ENABLE"), NULL, e);
}

/* Is there that schema?  1, 0, -1. */
static int
postgres_schema_is_there(struct store *s, struct err *e)
{
	const struct postgres *pg = s->db;
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e, "SELECT 1 FROM pg_namespace WHERE nspname = ?1", &st,
		V(str_of(pg->uri.schema))) < 0)
		return -1;
	return stmt_step(s, st, e);
}

static int
postgres_schema_create(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const struct postgres *pg = s->db;
	struct str sql = str_fmt(a, "CREATE SCHEMA %s", pg->uri.schema);

	if (postgres_exec(s, sql.p, NULL, e) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "the schema of the store cannot be created in the database");
	return err_hint(e,
	    "let this role create it (GRANT CREATE ON DATABASE), or create it "
	    "for it: CREATE SCHEMA emcli AUTHORIZATION role");
}

int
postgres_schema_base(struct store *s, struct err *e)
{
	int r = postgres_schema_is_there(s, e);

	if (r == 0)
		r = postgres_schema_create(s, e);
	else if (r == 1)
		r = postgres_roles_be_owner(s, e);
	if (r >= 0)
		r = postgres_schema_has_table(s, "given", e);
	return r != 0 ? r < 0 ? -1 : 0 : postgres_exec(s, base, NULL, e);
}

/* It is made in a transaction that is never committed. */
int
postgres_schema_empty(struct store *s, struct store *out, struct err *e)
{
	const struct postgres *pg = s->db;
	struct arena *a = arena_open(4 << 20);
	struct postgres *x = arena_new(a, struct postgres);

	*x = (struct postgres){ .a = a, .uri = pg->uri, .draft = true };
	x->uri.schema =
	    str_fmt(a, "emcli_empty_%d_%" PRId64, (int)getpid(), clock_now_ms())
		.p;
	out->driver = s->driver;
	out->db = x;
	x->c = postgres_connect_more(s, e);
	if (x->c == NULL || postgres_tx_begin(out, DRIVER_WRITE, e) < 0)
		return -1;
	return postgres_schema_base(out, e);
}

static int
postgres_schema_foreign(struct store *s, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct postgres *pg = s->db;
	struct str what;
	int r;

	if (stmt_prepare(s, foreign, &st, e) < 0 ||
	    (r = stmt_step(s, st, e)) < 0)
		return -1;
	if (r == 0)
		return 0;
	what = stmt_column_raw(st, 0);
	(void)snprintf(pg->said, sizeof(pg->said),
	    "the database has code that emcli did not put there: %.*s",
	    (int)(what.n > 80 ? 80 : what.n), what.p);
	return 0;
}

void
postgres_schema_be_operator(struct store *s)
{
	struct postgres *pg = s->db;
	struct err why = { 0 };

	pg->operates = true;
	/* Behind a pool others have the connection next: postgres_tx.c. */
	if ((!pg->uri.pooled &&
		postgres_exec(s, "SET statement_timeout = 0", NULL, &why) <
		    0) ||
	    postgres_schema_foreign(s, &why) < 0)
		(void)snprintf(pg->said, sizeof(pg->said), "%s", why.say);
}
