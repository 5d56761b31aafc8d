/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PostgreSQL's transactions.  Those that write take one lock first, so that any
 * number of hosts behave as the processes of one do on a file.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/postgres.h"

/* What a session behind a pool does not have. */
static void
postgres_tx_settings(const struct postgres *pg, struct buf *b)
{
	if (!pg->uri.pooled && !pg->draft)
		return;
	buf_fmt(b,
	    "SET LOCAL search_path = %s, pg_temp;"
	    "SET LOCAL lock_timeout = %d; SET LOCAL statement_timeout = %d;",
	    pg->uri.schema, POSTGRES_LOCK_MS,
	    pg->operates ? 0 : POSTGRES_ANSWER_MS - 5000);
}

/*
 * The lock is one of the schema's.  A durable commit is on the disk, and with a
 * replica where the server is set so: what is stronger already stays.
 */
static void
postgres_tx_lock(const struct postgres *pg, struct buf *b)
{
	buf_fmt(b, "SELECT pg_advisory_xact_lock(%d, %d);", 0x656d636c,
	    (int)(int32_t)(uint32_t)str_hash(STR_HASH, str_of(pg->uri.schema)));
	if (pg->durable)
		buf_text(b,
		    "SELECT set_config('synchronous_commit', 'on', true)"
		    " WHERE current_setting('synchronous_commit') IN ('off',"
		    " 'local');");
	/* By these its outcome is found if the connection is lost. */
	buf_text(b,
	    "SELECT pg_current_xact_id()::text,"
	    " substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)");
}

int
postgres_tx_begin(struct store *s, enum driver_begin how, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct postgres *pg = s->db;
	PGresult *r = NULL;
	struct buf b;

	buf_init(&b, a, 4096);
	buf_text(&b,
	    how == DRIVER_WRITE
		? "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
		: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;");
	postgres_tx_settings(pg, &b);
	if (how == DRIVER_WRITE)
		postgres_tx_lock(pg, &b);
	if (postgres_exec(s, str_c(a, buf_view(&b)), &r, e) < 0) {
		pg->open = pg->c != NULL;
		postgres_tx_rollback(s);
		return -1;
	}
	pg->open = true;
	pg->writes = how == DRIVER_WRITE;
	if (pg->writes && r != NULL) {
		(void)snprintf(pg->xid, sizeof(pg->xid), "%s",
		    PQ.getvalue(r, 0, 0));
		(void)snprintf(pg->timeline, sizeof(pg->timeline), "%s",
		    PQ.getvalue(r, 0, 1));
	}
	PQ.clear(r);
	return 0;
}

void
postgres_tx_rollback(struct store *s)
{
	struct postgres *pg = s->db;
	struct err none = { 0 };
	const bool open = pg->open;

	/* What is still being read may end in an error, which changes nothing.
	 */
	if (open && pg->c != NULL)
		(void)postgres_read_settle(s, &none);
	if (open && pg->c != NULL &&
	    postgres_exec(s, "ROLLBACK", NULL, &none) < 0)
		postgres_lost(s);
	pg->open = pg->writes = false;
}

bool
postgres_tx_open(const struct store *s)
{
	const struct postgres *pg = s->db;

	return pg->open;
}

/* -- a connection that is lost at the end ---------------------------------- */

enum outcome {
	OUTCOME_UNKNOWN,
	OUTCOME_WRITTEN,
	OUTCOME_NOT,
	OUTCOME_OPEN, /* the server has not noticed yet */
};

static PGresult *
postgres_tx_ask(PGconn *c, const char *sql, int64_t end_ms)
{
	PGresult *r = NULL, *next = NULL;

	if (PQ.sendQuery(c, sql) != 1)
		return NULL;
	while (postgres_wait_on(c, end_ms, &next) == 0 && next != NULL) {
		PQ.clear(r);
		r = next;
	}
	return r;
}

/*
 * What became of that transaction.  After a failover another one may have its
 * number, if the replica had not heard of it: then only that it is unknown
 * there, or was rolled back, says something.
 */
static enum outcome
postgres_tx_outcome_of(PGconn *c, const struct postgres *pg, int64_t end_ms)
{
	enum outcome out = OUTCOME_UNKNOWN;
	char sql[200];
	PGresult *r;
	const char *is, *state;

	(void)snprintf(sql, sizeof(sql),
	    "SELECT coalesce(pg_xact_status('%s'), ''),"
	    " substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)",
	    pg->xid);
	r = postgres_tx_ask(c, sql, end_ms);
	if (r == NULL)
		return OUTCOME_OPEN;
	state = PQ.resultErrorField(r, PG_DIAG_SQLSTATE);
	if (PQ.resultStatus(r) == PGRES_TUPLES_OK && PQ.ntuples(r) == 1) {
		const bool same =
		    strcmp(PQ.getvalue(r, 0, 1), pg->timeline) == 0;

		is = PQ.getvalue(r, 0, 0);
		if (strcmp(is, "aborted") == 0)
			out = OUTCOME_NOT;
		else if (strcmp(is, "in progress") == 0)
			out = same ? OUTCOME_OPEN : OUTCOME_UNKNOWN;
		else if (strcmp(is, "committed") == 0 && same)
			out = OUTCOME_WRITTEN;
	} else if (state != NULL && strcmp(state, "22023") == 0) {
		out = OUTCOME_NOT; /* "in the future": of no transaction yet */
	}
	PQ.clear(r);
	return out;
}

static enum outcome
postgres_tx_outcome(struct store *s)
{
	const int64_t end_ms = clock_mono_ms() + POSTGRES_CONNECT_MS;
	enum outcome out = OUTCOME_OPEN;
	struct postgres *pg = s->db;

	while (out == OUTCOME_OPEN && clock_mono_ms() < end_ms) {
		struct err none = { 0 };
		PGconn *c = postgres_connect_more(s, &none);

		if (c != NULL) {
			out = postgres_tx_outcome_of(c, pg, end_ms);
			PQ.finish(c);
		}
		if (out == OUTCOME_OPEN)
			(void)usleep(100000);
	}
	return out;
}

/* Is it written all the same? */
static int
postgres_tx_look(struct store *s, struct err *e)
{
	switch (postgres_tx_outcome(s)) {
	case OUTCOME_WRITTEN:
		*e = (struct err){ 0 };
		return 0;
	case OUTCOME_NOT:
		return -1;
	case OUTCOME_OPEN:
	case OUTCOME_UNKNOWN:
		break;
	}
	(void)err_set(e, ERR_DB,
	    "the database server was lost at the last moment, and whether it "
	    "wrote this cannot be found out");
	return err_hint(e,
	    "when it answers again, look what was written before you try "
	    "again");
}

int
postgres_tx_commit(struct store *s, struct err *e)
{
	struct postgres *pg = s->db;
	const bool writes = pg->writes;
	int r;

	if (pg->c == NULL)
		r = postgres_fail_lost(s, e);
	else if (postgres_read_settle(s, e) < 0)
		r = -1;
	else if (PQ.transactionStatus(pg->c) == PQTRANS_INERROR)
		/* It would be rolled back, and say that it worked. */
		r = driver_fail(s, DRIVER_FAILED, e);
	else {
		r = postgres_exec(s, "COMMIT", NULL, e);
		pg->open = pg->open && r < 0 && pg->c != NULL;
		if (r < 0 && pg->c == NULL && writes)
			r = postgres_tx_look(s, e);
	}
	if (r < 0)
		return -1;
	pg->open = pg->writes = false;
	return 0;
}
