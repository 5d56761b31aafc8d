/* SPDX-License-Identifier: Apache-2.0 */
/* Several hosts in EMCLI_DB: which are tried, in which order. */
#include "../rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "base/clock.h"
#include "store/postgres_address.h"
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
			       "[near]\nhost=localhost\n"
			       "[known]\nhost=localhost\nhostaddr=127.0.0.1\n"
			       "[empty]\nhost=a.example,\n";

/* Is the one host a name that is looked up here? */
static struct looked {
	const char *why, *db;
	bool found;
} looked[] = {
	{ "a name", "postgresql://localhost/mail", true },
	{ "of a service", "service=near", true },
	{ "no name", "postgresql:///mail", false },
	{ "a socket", "postgresql:///mail?host=/run", false },
	{ "an abstract socket", "postgresql:///mail?host=@run", false },
	{ "an address", "postgresql://127.0.0.1/mail", false },
	{ "an address of IPv6", "postgresql://[::1]/mail", false },
	{ "a name with its address",
	    "postgresql://localhost/mail?hostaddr=127.0.0.1", false },
	{ "a service with the address", "service=known", false },
	{ "a list that is malformed",
	    "postgresql:///mail?host=localhost,localhost&port=1,2,3", false },
};

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

static void
addresses(void **state)
{
	const struct looked *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct postgres_addresses out;
	unsigned char raw[16];
	struct postgres_uri u;
	struct err e = { 0 };

	assert_int_equal(postgres_library_load(&e), 0);
	assert_int_equal(postgres_uri_read(r->db, a, &u, &e), 0);
	postgres_hosts_read(&u, a);
	assert_null(postgres_address_find(&u, clock_mono_ms() + 5000, &out));
	assert_int_equal(out.n > 0, r->found);
	for (size_t i = 0; i < out.n; i++)
		assert_true(inet_pton(AF_INET, out.v[i], raw) == 1 ||
		    inet_pton(AF_INET6, out.v[i], raw) == 1);
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
	ROWS(looked, addresses);
	return cmocka_run_group_tests_name("postgres hosts", rows_tests,
	    made_services, removed_services);
}
