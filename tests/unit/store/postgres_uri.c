/* SPDX-License-Identifier: Apache-2.0 */
/* What may be in EMCLI_DB of a store in PostgreSQL. */
#include "../rows.h"

#include "store/postgres_library.h"
#include "store/postgres_open.h"
#include "store/postgres_uri.h"

static struct good {
	const char *why, *db, *word, *value, *schema;
	bool pooled;
} goods[] = {
	{ "a host", "postgresql://emcli@db.example.org/mail", "host",
	    "db.example.org", "emcli", false },
	{ "the other name", "postgres://db.example.org/mail", "dbname", "mail",
	    "emcli", false },
	{ "several hosts", "postgresql://a.example,b.example:6432/mail", "host",
	    "a.example,b.example", "emcli", false },
	{ "the server that takes writes is looked for",
	    "postgresql://a.example,b.example/mail", "target_session_attrs",
	    "read-write", "emcli", false },
	{ "or what the operator says",
	    "postgresql://a.example/mail?target_session_attrs=primary",
	    "target_session_attrs", "primary", "emcli", false },
	{ "TLS is verified", "postgresql://a.example/mail", "sslmode",
	    "verify-full", "emcli", false },
	{ "and may be said to be",
	    "postgresql://a.example/mail?sslmode=verify-full", "sslmode",
	    "verify-full", "emcli", false },
	{ "an authority", "postgresql://a.example/m?sslrootcert=/etc/ca.pem",
	    "sslrootcert", "/etc/ca.pem", "emcli", false },
	{ "a socket", "postgresql:///mail?host=/run/postgresql", "host",
	    "/run/postgresql", "emcli", false },
	{ "a socket in place of a host",
	    "postgresql://%2Frun%2Fpostgresql/mail", "host", "/run/postgresql",
	    "emcli", false },
	{ "a pool", "postgresql:///mail?prepare=off", "dbname", "mail", "emcli",
	    true },
	{ "a pool, between others",
	    "postgresql:///mail?host=/run&prepare=off&user=ann", "user", "ann",
	    "emcli", true },
	{ "no pool", "postgresql:///mail?prepare=on", "dbname", "mail", "emcli",
	    false },
	{ "a schema", "postgresql:///mail?schema=team_2", "dbname", "mail",
	    "team_2", false },
	{ "a service", "service=mail", "service", "mail", "emcli", false },
	{ "a service's pool", "service=mail prepare=off schema=a", "service",
	    "mail", "a", true },
	{ "the name is ours", "postgresql:///mail", "application_name", "emcli",
	    "emcli", false },
};

static struct bad {
	const char *why, *db, *say;
} bads[] = {
	{ "a password", "postgresql://ann:secret1@a.example/mail",
	    "there is a password in EMCLI_DB, where others can see it" },
	{ "a password as a parameter",
	    "postgresql://a.example/mail?password=secret1",
	    "there is a password in EMCLI_DB, where others can see it" },
	{ "a password, escaped",
	    "postgresql://a.example/mail?pass%77ord=secret1",
	    "there is a password in EMCLI_DB, where others can see it" },
	{ "a key's password", "postgresql://a/m?sslpassword=secret1",
	    "there is a password in EMCLI_DB, where others can see it" },
	{ "a password of a service", "service=mail password=secret1",
	    "there is a password in EMCLI_DB, where others can see it" },
	{ "another file with passwords", "postgresql://a/m?passfile=/tmp/x",
	    "EMCLI_DB may not have the parameter passfile" },
	{ "a key, which can be an engine's",
	    "postgresql://a/m?sslkey=engine:key",
	    "EMCLI_DB may not have the parameter sslkey" },
	{ "a certificate", "postgresql://a/m?sslcert=/tmp/x",
	    "EMCLI_DB may not have the parameter sslcert" },
	{ "settings of the server's",
	    "postgresql://a/m?options=-csearch_path%3Dx",
	    "EMCLI_DB may not have the parameter options" },
	{ "another name", "postgresql://a/m?application_name=psql",
	    "EMCLI_DB may not have the parameter application_name" },
	{ "TLS that trusts anybody", "postgresql://a/m?sslmode=require",
	    "sslmode in EMCLI_DB must be verify-full" },
	{ "no TLS", "postgresql://a/m?ssl=false&sslmode=disable",
	    "EMCLI_DB is no valid URI of PostgreSQL" },
	{ "no TLS", "postgresql://a/m?sslmode=disable",
	    "sslmode in EMCLI_DB must be verify-full" },
	{ "Kerberos", "postgresql://a/m?krbsrvname=x",
	    "EMCLI_DB may not have the parameter krbsrvname" },
	{ "replication", "postgresql://a/m?replication=true",
	    "EMCLI_DB may not have the parameter replication" },
	{ "an unknown one", "postgresql://a/m?secret1=x",
	    "EMCLI_DB is no valid URI of PostgreSQL" },
	{ "no URI", "postgresql://ann:secret1@[::1/mail",
	    "EMCLI_DB is no valid URI of PostgreSQL" },
	{ "an unknown word for a pool", "postgresql:///m?prepare=secret1",
	    "prepare in EMCLI_DB is on or off" },
	{ "a schema with quotes", "postgresql:///m?schema=a\"b",
	    "the schema in EMCLI_DB must be a short name of small letters, "
	    "digits and _" },
	{ "the server's own schema", "postgresql:///m?schema=pg_catalog",
	    "the schema in EMCLI_DB must be a short name of small letters, "
	    "digits and _" },
};

static void
good(void **state)
{
	const struct good *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct postgres_uri u;
	struct err e = { 0 };
	bool found = false;

	assert_true(postgres_open_is(r->db));
	assert_int_equal(postgres_library_load(&e), 0);
	if (postgres_uri_read(r->db, a, &u, &e) < 0)
		fail_msg("%s", e.say);
	for (size_t i = 0; u.words[i] != NULL; i++)
		if (strcmp(u.words[i], r->word) == 0) {
			assert_false(found);
			found = true;
			assert_string_equal(u.values[i], r->value);
		}
	assert_true(found);
	assert_string_equal(u.schema, r->schema);
	assert_int_equal(u.pooled, r->pooled);
}

static void
bad(void **state)
{
	const struct bad *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct postgres_uri u;
	struct err e = { 0 };

	assert_int_equal(postgres_library_load(&e), 0);
	assert_int_equal(postgres_uri_read(r->db, a, &u, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_string_equal(e.say, r->say);
	/* The secret is nowhere. */
	assert_null(strstr(e.say, "secret1"));
	assert_null(strstr(e.detail, "secret1"));
}

static void
path(void **state)
{
	(void)state;
	assert_false(postgres_open_is("/home/ann/.config/emcli/emcli.db"));
	assert_false(postgres_open_is("postgresql"));
	assert_false(postgres_open_is("./postgresql://a/b"));
	assert_false(postgres_open_is("mysql://a/b"));
	assert_false(postgres_open_is(""));
}

int
main(void)
{
	ROWS(goods, good);
	ROWS(bads, bad);
	rows_add("a path is no URI", path, NULL);
	return cmocka_run_group_tests_name("postgres uri", rows_tests, NULL,
	    NULL);
}
