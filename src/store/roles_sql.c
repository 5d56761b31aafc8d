/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SQL that makes the roles.  All of it is static text but for the names,
 * which it reads from two settings and quotes itself.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "store/roles.h"

enum {
	ROLES_BYTES = 64 << 10
};

/* -- the text -------------------------------------------------------------- */

static const char head[] =
    "-- The roles of a store of emcli, for a superuser, in its database:\n"
    "--   emcli store roles | psql -v ON_ERROR_STOP=1 DATABASE\n"
    "-- It may be run again at any time.  Nobody can log in as one of them:\n"
    "-- GRANT it to a role that can.\n"
    "--   ..._operator  owns the schema, for the operator's commands\n"
    "--   ..._gate      does the agents' work; it cannot change policy\n"
    "--   ..._audit     reads the audit log and nothing else\n"
    "BEGIN;\n"
    "SET LOCAL standard_conforming_strings = on;\n"
    "SET LOCAL client_encoding = 'UTF8';\n"
    "-- No function of others is taken for one of the server's.\n"
    "SET LOCAL search_path = pg_catalog, pg_temp;\n"
    "SET LOCAL lock_timeout = '10s';\n";

static const char make[] =
    "\n"
    "-- The roles and the schema.  Nobody else connects to this database.\n"
    "DO $emcli$\n"
    "DECLARE\n"
    "  place CONSTANT text := current_setting('emcli.schema');\n"
    "  prefix CONSTANT text := current_setting('emcli.roles');\n"
    "  owner CONSTANT text := prefix || '_operator';\n"
    "  role text;\n"
    "  thing record;\n"
    "BEGIN\n"
    "  -- One at a time.\n"
    "  PERFORM pg_advisory_xact_lock(hashtext('emcli roles'));\n"
    "  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC',\n"
    "    current_database());\n"
    "  FOREACH role IN ARRAY ARRAY[owner, prefix || '_gate',\n"
    "      prefix || '_audit'] LOOP\n"
    "    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN\n"
    "      EXECUTE format('CREATE ROLE %I NOLOGIN', role);\n"
    "    END IF;\n"
    "    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I',\n"
    "      current_database(), role);\n"
    "  END LOOP;\n"
    "  -- audit verify compares the schema with one that it drops again.\n"
    "  EXECUTE format('GRANT CREATE ON DATABASE %I TO %I',\n"
    "    current_database(), owner);\n"
    "  IF to_regnamespace(quote_ident(place)) IS NULL THEN\n"
    "    EXECUTE format('CREATE SCHEMA %I', place);\n"
    "  END IF;\n"
    "  EXECUTE format('ALTER SCHEMA %I OWNER TO %I', place, owner);\n"
    "  -- By this emcli knows whose rights to renew when it adds tables.\n"
    "  EXECUTE format('COMMENT ON SCHEMA %I IS %L', place,\n"
    "    '" ROLES_MARK "' || prefix);\n"
    "  FOR thing IN SELECT c.oid::regclass AS called FROM pg_class c\n"
    "      WHERE c.relnamespace = to_regnamespace(quote_ident(place))\n"
    "      AND c.relkind IN ('r', 'p') LOOP\n"
    "    EXECUTE format('ALTER TABLE %s OWNER TO %I', thing.called, owner);\n"
    "  END LOOP;\n"
    "  FOR thing IN SELECT p.oid::regprocedure AS called FROM pg_proc p\n"
    "      WHERE p.pronamespace = to_regnamespace(quote_ident(place)) LOOP\n"
    "    EXECUTE format('ALTER ROUTINE %s OWNER TO %I', thing.called, owner);\n"
    "  END LOOP;\n"
    "END $emcli$;\n";

static const char rights_begin[] =
    "DO $emcli$\n"
    "DECLARE\n"
    "  place CONSTANT text := current_setting('emcli.schema');\n"
    "  prefix CONSTANT text := current_setting('emcli.roles');\n"
    "  gate CONSTANT text := prefix || '_gate';\n"
    "  audit CONSTANT text := prefix || '_audit';\n"
    "  kind text;\n"
    "  t record;\n"
    "  c record;\n"
    "BEGIN\n"
    "  IF (SELECT count(*) FROM pg_roles WHERE rolname IN (gate, audit)) < 2\n"
    "  THEN\n"
    "    RETURN;\n"
    "  END IF;\n"
    "  EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC, %I, %I', place,\n"
    "    gate, audit);\n"
    "  FOREACH kind IN ARRAY ARRAY['TABLES', 'SEQUENCES', 'ROUTINES'] LOOP\n"
    "    EXECUTE format('REVOKE ALL ON ALL %s IN SCHEMA %I FROM PUBLIC, %I,'\n"
    "      ' %I', kind, place, gate, audit);\n"
    "  END LOOP;\n"
    "  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I, %I', place, gate,\n"
    "    audit);\n"
    "  FOR t IN SELECT p.oid::regprocedure AS called FROM pg_proc p\n"
    "      WHERE p.pronamespace = to_regnamespace(quote_ident(place))\n"
    "      AND p.proname IN ('least_of', 'greatest_of') LOOP\n"
    "    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', t.called,\n"
    "      gate);\n"
    "  END LOOP;\n"
    "  FOR t IN SELECT format('%I.%I', place, v.name) AS called, v.*\n"
    "    FROM (VALUES\n"
    "    -- the table; whether the gate reads it; the columns that it\n"
    "    -- inserts, where -x is all but x, and that it updates; whether it\n"
    "    -- deletes rows; whether the audit's reader reads it\n";

static const char rights_end[] =
    "    ) AS v (name, reads, inserts, updates, deletes, audited)\n"
    "      WHERE to_regclass(format('%I.%I', place, v.name)) IS NOT NULL LOOP\n"
    "    IF t.reads THEN\n"
    "      EXECUTE format('GRANT SELECT ON %s TO %I', t.called, gate);\n"
    "    END IF;\n"
    "    IF t.deletes THEN\n"
    "      EXECUTE format('GRANT DELETE ON %s TO %I', t.called, gate);\n"
    "    END IF;\n"
    "    IF t.audited THEN\n"
    "      EXECUTE format('GRANT SELECT ON %s TO %I', t.called, audit);\n"
    "    END IF;\n"
    "    -- Of an older store only the columns that it has.\n"
    "    FOR c IN SELECT w.may, string_agg(quote_ident(a.attname), ', ')\n"
    "        AS columns FROM (VALUES ('INSERT', t.inserts),\n"
    "        ('UPDATE', t.updates)) AS w (may, which) JOIN pg_attribute a\n"
    "        ON w.which = '*' OR a.attname = ANY (string_to_array(w.which,\n"
    "        ', ')) OR w.which LIKE '-%' AND w.which <> '-' || a.attname\n"
    "        WHERE a.attrelid = t.called::regclass AND a.attnum > 0\n"
    "        AND NOT a.attisdropped GROUP BY w.may LOOP\n"
    "      EXECUTE format('GRANT %s (%s) ON %s TO %I', c.may, c.columns,\n"
    "        t.called, gate);\n"
    "    END LOOP;\n"
    "  END LOOP;\n"
    "END $emcli$;\n";

/* -- and what is put into it ----------------------------------------------- */

/* A text in quotes; standard_conforming_strings is on. */
static void
roles_sql_quote(struct buf *b, struct str s)
{
	buf_char(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_char(b, '\'');
		buf_char(b, s.p[i]);
	}
	buf_char(b, '\'');
}

static void
roles_sql_names(struct buf *b, struct str schema, struct str prefix)
{
	buf_text(b, "SET LOCAL emcli.schema = ");
	roles_sql_quote(b, schema);
	buf_text(b, ";\nSET LOCAL emcli.roles = ");
	roles_sql_quote(b, prefix);
	buf_text(b, ";\n");
}

static void
roles_sql_put_rights(struct buf *b)
{
	const struct roles_right *r;

	buf_text(b, rights_begin);
	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++)
		buf_fmt(b, "    %c('%s', %s, '%s', '%s', %s, %s)\n",
		    i == 0 ? ' ' : ',', r->table, r->reads ? "true" : "false",
		    r->inserts, r->updates, r->deletes ? "true" : "false",
		    r->audited ? "true" : "false");
	buf_text(b, rights_end);
}

static struct str
roles_sql_text(struct buf *b, struct arena *a)
{
	if (b->over)
		err_bug("store: the SQL of the roles is too long");
	return (struct str){ str_c(a, buf_view(b)), b->n };
}

struct str
roles_sql_rights(struct arena *a, struct str schema, struct str prefix)
{
	struct buf b;

	buf_init(&b, a, ROLES_BYTES);
	buf_text(&b, "SET LOCAL standard_conforming_strings = on;\n");
	roles_sql_names(&b, schema, prefix);
	roles_sql_put_rights(&b);
	return roles_sql_text(&b, a);
}

struct str
roles_sql(struct arena *a, struct str schema, struct str prefix)
{
	struct buf b;

	buf_init(&b, a, ROLES_BYTES);
	buf_text(&b, head);
	roles_sql_names(&b, schema, prefix);
	buf_text(&b, make);
	buf_text(&b, "\n-- What each may do.\n");
	roles_sql_put_rights(&b);
	buf_text(&b, "COMMIT;\n");
	return roles_sql_text(&b, a);
}

static bool
roles_sql_is_prefix(struct str s)
{
	bool ok = true;

	if (s.n == 0 || s.n > ROLES_PREFIX || str_starts(s, S("pg_")) ||
	    str_eq(s, S("pg")))
		return false;
	for (size_t i = 0; i < s.n;) {
		const uint32_t cp = utf8_next(s, &i, &ok);

		if (!ok || cp < 0x20 || cp == 0x7f)
			return false;
	}
	return true;
}

int
roles_sql_prefix(struct str prefix, struct err *e)
{
	if (roles_sql_is_prefix(prefix))
		return 0;
	return err_set(e, ERR_USAGE,
	    "the prefix of the roles must be a name of at most %d bytes that "
	    "does not begin with pg_",
	    ROLES_PREFIX);
}
