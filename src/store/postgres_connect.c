/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects to the server.  libpq reads many variables of the environment, which
 * an agent may have set: it sees none of them but the file with passwords.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "store/opening.h"
#include "store/postgres.h"
#include "store/postgres_address.h"
#include "store/postgres_hosts.h"

/* -- the environment ------------------------------------------------------- */

static bool
postgres_connect_hides(const char *variable)
{
	static const struct str shown = SI("PGPASSFILE=");
	const struct str v = str_of(variable);

	return str_starts(v, S("PG")) && !str_starts(v, shown);
}

/* Without what libpq would take from it. */
static char **
postgres_connect_environ(struct arena *a)
{
	size_t n = 0, out = 0;
	char **v;

	while (environ[n] != NULL)
		n++;
	v = arena_array(a, n + 1, sizeof(*v));
	for (size_t i = 0; i < n; i++)
		if (!postgres_connect_hides(environ[i]))
			v[out++] = environ[i];
	return v;
}

/* -- connecting ------------------------------------------------------------ */

/* A warning at a commit: postgres_outcome.c. */
static void
postgres_connect_heard(void *ctx, const PGresult *r)
{
	const char *state = PQ.resultErrorField(r, PG_DIAG_SQLSTATE);
	bool *warned = ctx;

	/* "01", a warning; "57P01", the server ends it. */
	if (warned != NULL && state != NULL &&
	    (strncmp(state, "01", 2) == 0 || strncmp(state, "57", 2) == 0))
		*warned = true;
}

/* What libpq tries of that host, within the time. */
static PGconn *
postgres_connect_start(struct store *s, const struct postgres_uri *u,
    int64_t end_ms)
{
	PostgresPollingStatusType want = PGRES_POLLING_WRITING;
	PGconn *c = PQ.connectStartParams(u->words, u->values, 0);

	if (c == NULL || PQ.status(c) == CONNECTION_BAD)
		return c;
	(void)PQ.setNoticeReceiver(c, postgres_connect_heard, NULL);
	while (want != PGRES_POLLING_OK && want != PGRES_POLLING_FAILED) {
		const bool reads = want == PGRES_POLLING_READING;

		if (postgres_wait_poll(s, c, reads, !reads, end_ms) < 0)
			break;
		want = PQ.connectPoll(c);
	}
	return c;
}

/* The end of one's share, if there are so many more to try. */
static int64_t
postgres_connect_share(int64_t end_ms, size_t more)
{
	return clock_mono_ms() + clock_left_ms(end_ms) / (int64_t)(more + 1);
}

/* A connection, or NULL with what it said. */
static PGconn *
postgres_connect_to(struct store *s, const struct postgres_uri *u,
    int64_t end_ms, struct buf *said)
{
	PGconn *c = postgres_connect_start(s, u, end_ms);

	if (c != NULL && PQ.status(c) == CONNECTION_OK)
		return c;
	buf_text(said, c != NULL ? PQ.errorMessage(c) : "no memory\n");
	PQ.finish(c);
	return NULL;
}

/* One address of a host after the other. */
static PGconn *
postgres_connect_host(struct store *s, struct postgres_uri *u, int64_t end_ms,
    struct buf *said)
{
	const int64_t since_ms = clock_mono_ms();
	struct postgres_addresses found;
	const char *why = postgres_address_find(u, end_ms, &found);
	PGconn *c = NULL;

	until_waited(s, since_ms);
	if (why != NULL) {
		buf_fmt(said, "the host's name is not found: %s\n", why);
		return NULL;
	}
	if (found.n == 0)
		return postgres_connect_to(s, u, end_ms, said);
	for (size_t i = 0; i < found.n && c == NULL; i++) {
		postgres_uri_put(u, "hostaddr", found.v[i]);
		c = postgres_connect_to(s, u,
		    postgres_connect_share(end_ms, found.n - 1 - i), said);
	}
	return c;
}

/*
 * One host after the other: each has its share of the time that is left, and of
 * that each of its addresses.  NULL with what each said.
 */
static PGconn *
postgres_connect_try(struct store *s, const struct postgres_uri *u,
    struct buf *said)
{
	const int64_t end_ms =
	    until_by(s, clock_mono_ms() + POSTGRES_CONNECT_MS);
	const size_t n = postgres_hosts_count(u);
	PGconn *c = NULL;

	for (size_t i = 0; i < n && c == NULL; i++) {
		struct postgres_uri one;

		postgres_hosts_one(u, i, &one);
		c = postgres_connect_host(s, &one,
		    postgres_connect_share(end_ms, n - 1 - i), said);
	}
	return c;
}

static PGconn *
postgres_connect_open(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct postgres *pg = s->db;
	struct postgres_uri to = pg->uri;
	CLEANUP(path_close) int passwords = -1;
	char **was = environ;
	struct buf said;
	PGconn *c;

	buf_init(&said, a, 64 << 10);
	if (postgres_password_open(&passwords, e) < 0)
		return NULL;
	if (passwords >= 0)
		postgres_uri_put(&to, "passfile",
		    str_fmt(a, "/proc/self/fd/%d", passwords).p);
	environ = postgres_connect_environ(a);
	c = postgres_connect_try(s, &to, &said);
	environ = was;
	if (c == NULL)
		(void)postgres_fail_connect(s, str_c(a, buf_view(&said)), e);
	else
		(void)PQ.setnonblocking(c, 1);
	return c;
}

static int
postgres_connect_read(const char *uri, struct postgres *pg, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	char **was = environ;

	if (postgres_library_load(e) < 0 ||
	    postgres_uri_read(uri, pg->a, &pg->uri, e) < 0)
		return -1;
	environ = postgres_connect_environ(a);
	postgres_hosts_read(&pg->uri, pg->a);
	environ = was;
	return 0;
}

/* -- is it a server that emcli can use? ------------------------------------ */

static int
postgres_connect_check(PGconn *c, struct err *e)
{
	const char *encoding = PQ.parameterStatus(c, "server_encoding");

	if (PQ.serverVersion(c) < POSTGRES_OLDEST) {
		(void)err_set(e, ERR_CONFIG,
		    "the database server is too old: emcli needs PostgreSQL "
		    "%d or newer",
		    POSTGRES_OLDEST / 10000);
		return err_because(e, "it has version %d", PQ.serverVersion(c));
	}
	if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the database's encoding is not UTF8");
		return err_hint(e,
		    "create it with: createdb -E UTF8 -T template0");
	}
	return 0;
}

PGconn *
postgres_connect_more(struct store *s, struct err *e)
{
	PGconn *c = postgres_connect_open(s, e);

	if (c != NULL && postgres_connect_check(c, e) < 0) {
		PQ.finish(c);
		return NULL;
	}
	return c;
}

/*
 * Settings of the session go along with the first packet.  Behind a pool each
 * transaction makes its own (postgres_tx.c).
 */
static void
postgres_connect_settings(struct postgres *pg)
{
	const int most = pg->operates ? 0 : POSTGRES_ANSWER_MS - 5000;

	if (pg->uri.pooled)
		return;
	/* The server's own functions come first in any case.  What a role may
	 * set for itself it may have set for others with the same login. */
	(void)snprintf(pg->options, sizeof(pg->options),
	    "-c search_path=%s,pg_temp -c lock_timeout=%d"
	    " -c statement_timeout=%d -c jit=off"
	    " -c bytea_output=hex -c client_min_messages=warning"
	    " -c idle_in_transaction_session_timeout=60000"
	    " -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10"
	    " -c tcp_keepalives_count=3",
	    pg->uri.schema, POSTGRES_LOCK_MS, most);
	postgres_uri_put(&pg->uri, "options", pg->options);
}

/*
 * A pool can be told to leave our settings out, and to track some of them: it
 * is seen by two of which it does not track both.
 */
static int
postgres_connect_check_pool(struct store *s, struct err *e)
{
	const struct postgres *pg = s->db;
	char sql[300];
	PGresult *r;
	bool ours;

	if (pg->uri.pooled)
		return 0;
	(void)snprintf(sql, sizeof(sql),
	    "SELECT pg_catalog.current_setting('search_path') = '%s,pg_temp'"
	    " AND pg_catalog.current_setting('lock_timeout')::interval"
	    " = '%d milliseconds'::interval",
	    pg->uri.schema, POSTGRES_LOCK_MS);
	r = postgres_wait_ask(s, pg->c, sql,
	    clock_mono_ms() + POSTGRES_CONNECT_MS);
	if (r == NULL)
		return postgres_fail_lost(s, e);
	ours = PQ.ntuples(r) == 1 && *PQ.getvalue(r, 0, 0) == 't';
	PQ.clear(r);
	return ours ? 0 : postgres_fail_pool(e);
}

/* The store's own connection. */
static int
postgres_connect_own(struct store *s, struct err *e)
{
	struct postgres *pg = s->db;

	postgres_connect_settings(pg);
	pg->c = postgres_connect_more(s, e);
	if (pg->c == NULL)
		return -1;
	(void)PQ.setNoticeReceiver(pg->c, postgres_connect_heard, &pg->warned);
	if (postgres_connect_check_pool(s, e) == 0)
		return 0;
	postgres_lost(s);
	return -1;
}

int
postgres_connect(struct store *s, const char *uri, struct err *e)
{
	struct arena *a = arena_open(4 << 20);
	struct postgres *pg = arena_new(a, struct postgres);

	pg->a = a;
	s->db = pg;
	return postgres_connect_read(uri, pg, e) < 0
	    ? -1
	    : postgres_connect_own(s, e);
}

/*
 * The server may have ended a session that was at rest: its last words and the
 * end are there to be read.
 */
static bool
postgres_connect_lives(const struct postgres *pg)
{
	PGconn *c = pg->c;

	if (c == NULL)
		return false;
	if (!pg->open && pg->reading == NULL)
		for (int i = 0; i < 3 && postgres_wait_ready(c); i++)
			if (PQ.consumeInput(c) == 0)
				break;
	return PQ.status(c) == CONNECTION_OK;
}

int
postgres_connect_again(struct store *s, struct err *e)
{
	struct postgres *pg = s->db;

	if (*pg->said != '\0')
		return err_set(e, ERR_CONFIG, "%s", pg->said);
	if (postgres_connect_lives(pg))
		return 0;
	/* A transaction is gone with its connection. */
	if (pg->open)
		return postgres_fail_lost(s, e);
	postgres_lost(s);
	return postgres_connect_own(s, e);
}
