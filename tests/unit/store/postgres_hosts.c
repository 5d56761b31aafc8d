/* SPDX-License-Identifier: Apache-2.0 */
/* Several hosts in EMCLI_DB: which are tried, in which order. */
#include "../rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/postgres_hosts.h"
#include "store/postgres_library.h"

static struct row {
	const char *why, *db, *want; /* host/hostaddr:port of each */
} rows[] = {
	{ "one host", "postgresql://a.example/mail", "a.example/-:-" },
	{ "none", "postgresql:///mail", "-/-:-" },
	{ "two", "postgresql://a.example,b.example/mail",
	    "a.example/-:5432 b.example/-:5432" },
	{ "each with a port", "postgresql://a.example:1,b.example:2/mail",
	    "a.example/-:1 b.example/-:2" },
	{ "one with a port", "postgresql://a.example,b.example:2/mail",
	    "a.example/-:5432 b.example/-:2" },
	{ "one port for all", "postgresql:///mail?host=a.example,/run&port=7",
	    "a.example/-:7 /run/-:7" },
	{ "addresses of names",
	    "postgresql:///mail?host=a,b&hostaddr=192.0.2.1,192.0.2.2",
	    "a/192.0.2.1:5432 b/192.0.2.2:5432" },
	{ "addresses alone", "postgresql:///mail?hostaddr=192.0.2.1,192.0.2.2",
	    "-/192.0.2.1:5432 -/192.0.2.2:5432" },
	{ "a default between others", "postgresql:///mail?host=a.example,,/run",
	    "a.example/-:5432 -/-:5432 /run/-:5432" },
	{ "more ports than hosts: libpq says so",
	    "postgresql:///mail?host=a,b&port=1,2,3", "a,b/-:1,2,3" },
	{ "more addresses than hosts",
	    "postgresql:///mail?host=a&hostaddr=192.0.2.1,192.0.2.2",
	    "a/192.0.2.1,192.0.2.2:-" },
	{ "more than anybody has",
	    "postgresql:///mail?host=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
	    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17/-:-" },
	{ "of a service", "service=two", "a.example/-:1 /run/-:2" },
	{ "of a service, with one port", "service=two port=3",
	    "a.example/-:3 /run/-:3" },
	{ "of a service with one host", "service=one", "-/-:-" },
	{ "of a service with a default", "service=empty", "-/-:-" },
	{ "of no service", "service=nowhere", "-/-:-" },
};

static const char services[] = "[two]\nhost=a.example,/run\nport=1,2\n"
			       "[one]\nhost=a.example\n"
			       "[empty]\nhost=a.example,\n";

static char path[] = "/tmp/emcli-services-XXXXXX";

static const char *
word(const struct postgres_uri *u, const char *name)
{
	for (size_t i = 0; u->words[i] != NULL; i++)
		if (strcmp(u->words[i], name) == 0)
			return *u->values[i] != '\0' ? u->values[i] : "-";
	return "-";
}

static void
tried(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct postgres_uri u, one;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, a, 4096);
	assert_int_equal(postgres_library_load(&e), 0);
	assert_int_equal(postgres_uri_read(r->db, a, &u, &e), 0);
	postgres_hosts_read(&u, a);
	for (size_t i = 0; i < postgres_hosts_count(&u); i++) {
		postgres_hosts_one(&u, i, &one);
		buf_fmt(&b, "%s%s/%s:%s", i > 0 ? " " : "", word(&one, "host"),
		    word(&one, "hostaddr"), word(&one, "port"));
	}
	assert_string_equal(str_c(a, buf_view(&b)), r->want);
}

static int
made_services(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	if (fd < 0 || write(fd, services, strlen(services)) < 0 ||
	    close(fd) < 0)
		return -1;
	return setenv("PGSERVICEFILE", path, 1);
}

static int
removed_services(void **state)
{
	(void)state;
	return unlink(path);
}

int
main(void)
{
	ROWS(rows, tried);
	return cmocka_run_group_tests_name("postgres hosts", rows_tests,
	    made_services, removed_services);
}
