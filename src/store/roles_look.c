/* SPDX-License-Identifier: Apache-2.0 */
/* What the role of this connection may do, beside what the gate's role may. */
#include "store/internal.h"
#include "store/roles.h"

enum {
	LOOK_BYTES = 64 << 10
};

static void
roles_look_values(struct buf *b)
{
	const struct roles_right *r;

	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++)
		buf_fmt(b, "%s ('%s', %d, '%s', ', %s,', %d)",
		    i == 0 ? "" : ",", r->table, r->reads, r->inserts,
		    r->updates, r->deletes);
}

/*
 * A right by its name, of a table t and a column c; what the gate's role has of
 * it is `has`.  Of the numbered column that it does not insert, nothing is
 * said.
 */
static const char begin[] =
    "WITH v (name, reads, inserts, updates, deletes) AS (VALUES";
static const char found[] =
    "), t AS (SELECT v.*, c.oid FROM v JOIN pg_class c ON c.relname = v.name"
    " WHERE c.relnamespace = to_regnamespace(current_schema())),"
    " x AS (SELECT t.name, r.has, has_table_privilege(t.oid, r.kind) AS may"
    " FROM t, LATERAL (VALUES ('SELECT', t.reads), ('DELETE', t.deletes),"
    " ('TRUNCATE', 0), ('TRIGGER', 0)) AS r (kind, has)"
    " UNION ALL SELECT t.name, CASE WHEN t.inserts = '' THEN 0 ELSE 1 END,"
    " has_any_column_privilege(t.oid, 'INSERT') FROM t"
    " UNION ALL SELECT t.name, CASE WHEN strpos(t.updates,"
    " ' ' || a.attname || ',') > 0 THEN 1 ELSE 0 END,"
    " has_column_privilege(t.oid, a.attnum, 'UPDATE') FROM t"
    " JOIN pg_attribute a ON a.attrelid = t.oid"
    " WHERE a.attnum > 0 AND NOT a.attisdropped)"
    " SELECT current_user::text, CASE WHEN (SELECT pg_has_role(current_user,"
    " nspowner, 'USAGE') FROM pg_namespace WHERE oid ="
    " to_regnamespace(current_schema())) THEN 1 ELSE 0 END,"
    " concat_ws(', ', (SELECT string_agg(DISTINCT name, ', ') FROM x"
    " WHERE may AND has = 0), (SELECT CASE WHEN has_schema_privilege(oid,"
    " 'CREATE') OR pg_has_role(current_user, nspowner, 'MEMBER')"
    " THEN 'the schema' END FROM pg_namespace"
    " WHERE oid = to_regnamespace(current_schema()))),"
    " (SELECT string_agg(DISTINCT name, ', ') FROM x"
    " WHERE NOT may AND has = 1)";

int
store_roles_look(struct store *s, struct arena *a, struct store_roles *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct buf b;

	*out = (struct store_roles){ 0 };
	if (s->driver->is_file)
		return 0;
	buf_init(&b, a, LOOK_BYTES);
	buf_text(&b, begin);
	roles_look_values(&b);
	buf_text(&b, found);
	if (stmt_prepare(s, str_c(a, buf_view(&b)), &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	out->role = stmt_column(st, 0, a);
	out->owns = stmt_column_int(st, 1) != 0;
	out->more = stmt_column(st, 2, a);
	out->less = stmt_column(st, 3, a);
	return 1;
}
