/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PostgreSQL's transactions.  Those that write take one lock first, so that any
 * number of hosts behave as the processes of one do on a file.
 */
#include <stdio.h>
#include <string.h>

#include "store/postgres.h"

/* What a session behind a pool does not have. */
static void
postgres_tx_settings(const struct postgres *pg, struct buf *b)
{
	if (!pg->uri.pooled && !pg->draft)
		return;
	buf_fmt(b,
	    "SET LOCAL search_path = %s, pg_temp;"
	    "SET LOCAL lock_timeout = %d; SET LOCAL statement_timeout = %d;"
	    "SET LOCAL idle_in_transaction_session_timeout = 60000;"
	    "SET LOCAL bytea_output = hex;",
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
		buf_text(b, postgres_outcome_durable);
	/* By these its outcome is found if the connection is lost. */
	buf_text(b,
	    "SELECT pg_current_xact_id()::text, " POSTGRES_OUTCOME_HISTORY);
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
		(void)snprintf(pg->history, sizeof(pg->history), "%s",
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
		pg->warned = false;
		r = postgres_exec(s, "COMMIT", NULL, e);
		pg->open = pg->open && r < 0 && pg->c != NULL;
		if (writes)
			r = postgres_outcome(s, r, e);
	}
	if (r < 0)
		return -1;
	pg->open = pg->writes = false;
	return 0;
}
