/* SPDX-License-Identifier: Apache-2.0 */
/* The rights of roles: every table has some, and names are quoted. */
#include "fixture.h"

#include "store/restoring.h"
#include "store/roles.h"
#include "store/signed_rows.h"

/* NULL: that table is not known. */
static const struct roles_right *
right_of(const char *table)
{
	const struct roles_right *r;

	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++)
		if (strcmp(r->table, table) == 0)
			return r;
	return NULL;
}

static bool
is_table(struct fx *x, const char *table)
{
	return x->s->driver->has_table(x->s, table, &x->e) == 1;
}

static void
each_table_has_rights(void **state)
{
	struct fx *x = *state;
	struct stmt *st = NULL;

	FX_FILE();
	assert_ok(x,
	    stmt_prepare(x->s,
		"SELECT name FROM sqlite_master WHERE type = 'table'"
		" AND name NOT LIKE 'sqlite_%'",
		&st, &x->e));
	while (stmt_step(x->s, st, &x->e) == 1) {
		const char *name = str_c(x->a, stmt_column(st, 0, x->a));

		if (right_of(name) == NULL)
			fail_msg("%s: see src/store/roles.c", name);
	}
	stmt_done(&st);
}

static void
no_other_table_has(void **state)
{
	struct fx *x = *state;
	const struct roles_right *r;

	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++)
		/* PostgreSQL's own of these. */
		if (strcmp(r->table, "given") != 0 && !is_table(x, r->table))
			fail_msg("%s: there is no such table", r->table);
}

/* A list of columns, "*", or "-" and a column. */
static void
check_columns(struct fx *x, const char *table, struct str list)
{
	struct str one = { 0 };
	bool more = list.n > 0 && !str_eq(list, S("*"));

	list = str_from(list, str_starts(list, S("-")) ? 1 : 0);
	while (more) {
		struct stmt *st = NULL;

		more = str_cut(list, ',', &one, &list);
		assert_ok(x,
		    stmt_ask(x->s, &x->e,
			"SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2",
			&st, V(str_of(table)), V(str_trim(one))));
		if (stmt_step(x->s, st, &x->e) != 1)
			fail_msg("%s has no column %.*s", table, STR_ARG(one));
		stmt_done(&st);
	}
}

static void
each_column_is_there(void **state)
{
	struct fx *x = *state;
	const struct roles_right *r;

	FX_FILE();
	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++) {
		check_columns(x, r->table, str_of(r->inserts));
		check_columns(x, r->table, str_of(r->updates));
	}
}

/* What is signed the gate only reads, but for what is left out there. */
static void
what_is_signed_is_read(void **state)
{
	const struct roles_right *r;

	(void)state;
	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++) {
		if (!signed_rows_cover(r->table))
			continue;
		if (*r->inserts != '\0' || r->deletes ||
		    (*r->updates != '\0' &&
			(strcmp(r->table, "accounts") != 0 ||
			    strcmp(r->updates,
				"enc_oauth_refresh_token, oauth_refresh_s") !=
				0)))
			fail_msg("%s is the operator's", r->table);
	}
}

static void
the_log_is_never_shortened(void **state)
{
	const struct roles_right *r;

	(void)state;
	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++) {
		const bool of_log = str_starts(str_of(r->table), S("audit_"));

		assert_int_equal(r->audited, of_log);
		if (of_log)
			assert_false(r->deletes);
	}
	assert_string_equal(right_of("audit_link")->updates, "");
}

static const struct name {
	const char *is, *written; /* written NULL: refused */
} prefixes[] = {
	{ "emcli", "'emcli';" },
	{ "a'b", "'a''b';" },
	{ "'; DROP ROLE x; --", "'''; DROP ROLE x; --';" },
	{ "$emcli$", "'$emcli$';" },
	{ "a\\b", "'a\\b';" },
	{ "p\xc3\xa9", "'p\xc3\xa9';" },
	{ "01234567890123456789012345678901234567890123456789",
	    "'01234567890123456789012345678901234567890123456789';" },
	{ "012345678901234567890123456789012345678901234567890", NULL },
	{ "", NULL },
	{ "pg", NULL },
	{ "pg_x", NULL },
	{ "a\nb", NULL },
	{ "a\x7f", NULL },
	{ "p\xe9", NULL },
};

static void
names_are_quoted(void **state)
{
	struct fx *x = *state;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		const struct name *p = &prefixes[i];
		struct str is = str_of(p->is), sql;

		assert_int_equal(roles_sql_prefix(is, &x->e),
		    p->written != NULL ? 0 : -1);
		if (p->written == NULL)
			continue;
		/* A schema is quoted in the same way. */
		sql = roles_sql(x->a, is, is);
		assert_true(str_find(sql,
				str_fmt(x->a, "SET LOCAL emcli.schema = %s\n",
				    p->written)) >= 0);
		assert_true(str_find(sql,
				str_fmt(x->a, "SET LOCAL emcli.roles = %s\n",
				    p->written)) >= 0);
	}
}

static const struct place {
	const char *db, *schema; /* NULL: refused */
} places[] = {
	{ "/home/me/emcli.db", "'emcli'" },
	{ "postgresql://emcli@db.example/mail", "'emcli'" },
	{ "postgresql://emcli@db.example/mail?schema=work", "'work'" },
	{ "service=mail schema=other", "'other'" },
	{ "postgresql:///mail?schema=Work", NULL },
	{ "postgresql:///mail?schema=a'b", NULL },
};

static void
the_schema_is_that_of_the_store(void **state)
{
	struct fx *x = *state;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct str sql;
		int r =
		    roles_print(places[i].db, S("emcli"), x->a, &sql, &x->e);

		assert_int_equal(r, places[i].schema != NULL ? 0 : -1);
		if (r == 0)
			assert_true(
			    str_find(sql,
				str_fmt(x->a, "SET LOCAL emcli.schema = %s;\n",
				    places[i].schema)) >= 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("each table has rights", each_table_has_rights),
		TEST("no other table has", no_other_table_has),
		TEST("each column is there", each_column_is_there),
		TEST("what is signed is read", what_is_signed_is_read),
		TEST("the log is never shortened", the_log_is_never_shortened),
		TEST("names are quoted", names_are_quoted),
		TEST("the schema is that of the store",
		    the_schema_is_that_of_the_store),
	};

	return cmocka_run_group_tests_name("store/roles", tests, NULL, NULL);
}
