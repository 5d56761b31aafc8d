/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PostgreSQL's transactions.  Those that write take one lock first, so that any
 * number of hosts behave as the processes of one do on a file.  Those that only
 * add to the audit log have locks of their own (postgres_log.c).
 */
#include <stdio.h>
#include <string.h>

#include "store/postgres.h"

void
postgres_tx_settings(const struct postgres *pg, struct buf *b)
{
	if (!pg->uri.pooled && !pg->draft)
		return;
	buf_fmt(b,
	    "SET LOCAL search_path = %s, pg_temp;"
	    "SET LOCAL lock_timeout = %d; SET LOCAL statement_timeout = %d;"
	    "SET LOCAL idle_in_transaction_session_timeout = 60000;"
	    "SET LOCAL bytea_output = hex;"
	    "SET LOCAL client_min_messages = warning;",
	    pg->uri.schema, POSTGRES_LOCK_MS,
	    pg->operates ? 0 : POSTGRES_ANSWER_MS - 5000);
}

/*
 * If the call has less time, the server gives up as well: whoever is gone must
 * not keep the lock.
 */
static void
postgres_tx_limits(const struct store *s, struct buf *b)
{
	const struct postgres *pg = s->db;
	const int left = until_left(s, POSTGRES_ANSWER_MS) * 7 / 8 + 1;

	if (left < POSTGRES_LOCK_MS)
		buf_fmt(b, "SET LOCAL lock_timeout = %d;", left);
	if (!pg->operates && left < POSTGRES_ANSWER_MS - 15000)
		buf_fmt(b, "SET LOCAL statement_timeout = %d;", left);
}

static void
postgres_tx_lock(const struct postgres *pg, enum driver_begin how,
    struct buf *b)
{
	if (how != DRIVER_READ)
		buf_fmt(b, "SELECT pg_advisory_xact_lock(%d, %d);", 0x656d636c,
		    postgres_uri_key(&pg->uri));
	if (how == DRIVER_ALONE)
		postgres_log_put_alone(pg, b);
}

/*
 * A durable commit is on the disk, and with a replica where the server is set
 * so: what is stronger already stays.  By the row its outcome is found if the
 * connection is lost.
 */
static void
postgres_tx_marks(const struct postgres *pg, struct buf *b)
{
	if (pg->durable)
		buf_text(b, postgres_outcome_durable);
	buf_text(b, POSTGRES_COMMIT_NOTE ", " POSTGRES_LOG_CHAIN);
}

/* Begins by that SQL.  The row of one that writes is in *r. */
static int
postgres_tx_start(struct store *s, struct str sql, bool writes, PGresult **r,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct postgres *pg = s->db;

	if (postgres_exec(s, str_c(a, sql), r, e) < 0) {
		pg->open = pg->c != NULL;
		postgres_tx_rollback(s);
		return -1;
	}
	pg->open = true;
	pg->writes = writes;
	if (writes && *r != NULL)
		postgres_commit_note(pg, *r);
	return 0;
}

static void
postgres_tx_put_begin(const struct store *s, bool writes, struct buf *b)
{
	buf_text(b,
	    writes ? "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
		   : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;");
	postgres_tx_settings(s->db, b);
	if (writes)
		postgres_tx_limits(s, b);
}

int
postgres_tx_begin(struct store *s, enum driver_begin how, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const bool writes = how != DRIVER_READ;
	struct postgres *pg = s->db;
	PGresult *r = NULL;
	struct buf b;
	int status;

	buf_init(&b, a, 4096);
	postgres_tx_put_begin(s, writes, &b);
	postgres_tx_lock(pg, how, &b);
	if (writes)
		postgres_tx_marks(pg, &b);
	status = postgres_tx_start(s, buf_view(&b), writes, &r, e);
	PQ.clear(r);
	return status;
}

int
postgres_tx_begin_append(struct store *s, int want, int *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct postgres *pg = s->db;
	PGresult *r = NULL;
	struct buf b;
	bool has;

	buf_init(&b, a, 4096);
	postgres_tx_put_begin(s, true, &b);
	postgres_log_put(pg, want, &b);
	postgres_tx_marks(pg, &b);
	if (postgres_tx_start(s, buf_view(&b), true, &r, e) < 0)
		return -1;
	has = postgres_log_read(r, POSTGRES_COMMIT_NOTES, out);
	PQ.clear(r);
	if (has || postgres_log_wait(s, out, e) == 0)
		return 0;
	postgres_tx_rollback(s);
	return -1;
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
		r = writes ? postgres_commit(s,
				 pg->operates ? POSTGRES_COMMIT_MS
					      : POSTGRES_ANSWER_MS,
				 e)
			   : postgres_exec(s, "COMMIT", NULL, e);
		pg->open = pg->open && r < 0 && pg->c != NULL;
		if (writes)
			r = postgres_outcome(s, r, e);
	}
	if (r < 0)
		return -1;
	pg->open = pg->writes = false;
	return 0;
}
