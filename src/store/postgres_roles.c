/* SPDX-License-Identifier: Apache-2.0 */
/* The schema's owner in PostgreSQL, and the rights of the other roles. */
#include "store/postgres.h"
#include "store/roles.h"

#define HERE "to_regnamespace(current_schema())"

int
postgres_roles_owns(struct store *s, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM pg_namespace WHERE oid = " HERE
	    " AND pg_has_role(current_user, nspowner, 'USAGE')";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	return stmt_step(s, st, e);
}

int
postgres_roles_be_owner(struct store *s, struct err *e)
{
	static const char sql[] =
	    "SELECT format('SET LOCAL ROLE %I', r.rolname) FROM pg_namespace n"
	    " JOIN pg_roles r ON r.oid = n.nspowner"
	    " WHERE n.oid = " HERE " AND r.rolname <> current_user"
	    " AND pg_has_role(current_user, r.oid, 'MEMBER')";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str be;
	int r;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	be = stmt_column(st, 0, a);
	stmt_done(&st);
	return postgres_exec(s, str_c(a, be), NULL, e);
}

/* The names of the roles begin so, as `store roles` has left it; 1, 0, -1. */
static int
postgres_roles_prefix(struct store *s, struct arena *a, struct str *out,
    struct err *e)
{
	static const char sql[] =
	    "SELECT obj_description(" HERE ", 'pg_namespace')";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct err none = { 0 };
	struct str said;

	if (stmt_prepare(s, sql, &st, e) < 0 || stmt_step(s, st, e) < 0)
		return -1;
	said = stmt_column(st, 0, a);
	if (!str_starts(said, S(ROLES_MARK)))
		return 0;
	*out = str_from(said, sizeof(ROLES_MARK) - 1);
	return roles_sql_prefix(*out, &none) == 0;
}

int
postgres_roles_renew(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct postgres *pg = s->db;
	struct str prefix;
	int r = postgres_roles_prefix(s, a, &prefix, e);

	if (r <= 0)
		return r;
	return postgres_exec(s,
	    roles_sql_rights(a, str_of(pg->uri.schema), prefix).p, NULL, e);
}
