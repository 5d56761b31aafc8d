/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects to the server.  libpq reads many variables of the environment, which
 * an agent may have set: it sees none of them but the file with passwords.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/opening.h"
#include "store/postgres.h"

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

static void
postgres_connect_quiet(void *ctx, const PGresult *r)
{
	(void)ctx;
	(void)r;
}

/* libpq tries several hosts, one after the other, within the time. */
static PGconn *
postgres_connect_start(const struct postgres_uri *u)
{
	const int64_t end_ms = clock_mono_ms() + POSTGRES_CONNECT_MS;
	PostgresPollingStatusType want = PGRES_POLLING_WRITING;
	PGconn *c = PQ.connectStartParams(u->words, u->values, 0);

	if (c == NULL || PQ.status(c) == CONNECTION_BAD)
		return c;
	(void)PQ.setNoticeReceiver(c, postgres_connect_quiet, NULL);
	while (want != PGRES_POLLING_OK && want != PGRES_POLLING_FAILED) {
		const bool reads = want == PGRES_POLLING_READING;

		if (postgres_wait_poll(c, reads, !reads, end_ms) < 0)
			break;
		want = PQ.connectPoll(c);
	}
	return c;
}

static PGconn *
postgres_connect_open(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	struct postgres *pg = s->db;
	char **was = environ;
	PGconn *c;

	environ = postgres_connect_environ(a);
	c = postgres_connect_start(&pg->uri);
	environ = was;
	if (c != NULL && PQ.status(c) == CONNECTION_OK) {
		(void)PQ.setnonblocking(c, 1);
		return c;
	}
	(void)postgres_fail_connect(s, c, e);
	PQ.finish(c);
	return NULL;
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
	struct postgres_uri *u = &pg->uri;
	size_t i = 0;

	if (pg->uri.pooled)
		return;
	while (u->words[i] != NULL)
		i++;
	if (i == POSTGRES_WORDS)
		err_bug("store: too many parameters");
	u->words[i] = "options";
	/* The server's own functions come first in any case. */
	u->values[i] = str_fmt(pg->a,
	    "-c search_path=%s,pg_temp -c lock_timeout=%d"
	    " -c statement_timeout=%d -c jit=off"
	    " -c idle_in_transaction_session_timeout=60000"
	    " -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10"
	    " -c tcp_keepalives_count=3",
	    u->schema, POSTGRES_LOCK_MS, POSTGRES_ANSWER_MS - 5000)
			   .p;
}

int
postgres_connect(struct store *s, const char *uri, struct err *e)
{
	struct arena *a = arena_open(4 << 20);
	struct postgres *pg = arena_new(a, struct postgres);

	pg->a = a;
	s->db = pg;
	if (postgres_library_load(e) < 0 ||
	    postgres_uri_read(uri, a, &pg->uri, e) < 0)
		return -1;
	postgres_connect_settings(pg);
	pg->c = postgres_connect_more(s, e);
	return pg->c != NULL ? 0 : -1;
}

int
postgres_connect_again(struct store *s, struct err *e)
{
	struct postgres *pg = s->db;

	if (*pg->said != '\0')
		return err_set(e, ERR_CONFIG, "%s", pg->said);
	if (pg->c != NULL && PQ.status(pg->c) == CONNECTION_OK)
		return 0;
	/* A transaction is gone with its connection. */
	if (pg->open)
		return postgres_fail_lost(s, e);
	postgres_lost(s);
	pg->c = postgres_connect_more(s, e);
	return pg->c != NULL ? 0 : -1;
}
