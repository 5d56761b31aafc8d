/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a COMMIT: whether it was written if the connection was lost at
 * it, and whether a replica has it where one must.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/postgres.h"

#define DURABLE                                                                \
	"SELECT pg_catalog.set_config('synchronous_commit', 'on', true)"       \
	" WHERE pg_catalog.current_setting('synchronous_commit') IN ('off',"   \
	" 'local');"

const char postgres_outcome_durable[] = DURABLE;

/* -- a connection that is lost at the end ---------------------------------- */

enum outcome {
	OUTCOME_UNKNOWN,
	OUTCOME_WRITTEN,
	OUTCOME_NOT,
	OUTCOME_OPEN, /* the server has not noticed yet */
};

/*
 * What became of that transaction.  After a failover another one may have its
 * number, if the replica had not heard of it, and after a crash, if nothing of
 * it was on the disk: then only that it is unknown there, or was rolled back,
 * says something.
 */
static enum outcome
postgres_outcome_read(struct store *s, PGconn *c, int64_t end_ms)
{
	const struct postgres *pg = s->db;
	enum outcome out = OUTCOME_UNKNOWN;
	char sql[400];
	PGresult *r;
	const char *is, *state;

	(void)snprintf(sql, sizeof(sql),
	    "SELECT coalesce(pg_catalog.pg_xact_status('%s'), "
	    "''), " POSTGRES_OUTCOME_HISTORY,
	    pg->xid);
	r = postgres_wait_ask(s, c, sql, end_ms);
	if (r == NULL)
		return OUTCOME_OPEN;
	state = PQ.resultErrorField(r, PG_DIAG_SQLSTATE);
	if (PQ.resultStatus(r) == PGRES_TUPLES_OK && PQ.ntuples(r) == 1) {
		const bool same =
		    strcmp(PQ.getvalue(r, 0, 1), pg->history) == 0;

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
postgres_outcome_find(struct store *s)
{
	const int64_t end_ms =
	    until_by(s, clock_mono_ms() + POSTGRES_CONNECT_MS);
	enum outcome out = OUTCOME_OPEN;

	while (out == OUTCOME_OPEN && clock_mono_ms() < end_ms) {
		struct err none = { 0 };
		PGconn *c = postgres_connect_more(s, &none);

		if (c != NULL) {
			out = postgres_outcome_read(s, c, end_ms);
			PQ.finish(c);
		}
		if (out == OUTCOME_OPEN)
			(void)usleep(100000);
	}
	return out;
}

/* Is it written all the same? */
static int
postgres_outcome_look(struct store *s, struct err *e)
{
	switch (postgres_outcome_find(s)) {
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

/* -- and the replica ------------------------------------------------------- */

static int
postgres_outcome_unconfirmed(bool lost, struct err *e)
{
	(void)err_set(e, ERR_DB,
	    lost ? "the database server was lost when it had written this, and "
		   "whether a replica has it, too, cannot be found out"
		 : "the database server wrote this, but its replica has not "
		   "said that it has it, too");
	return err_hint(e,
	    "when both answer again, look what was written before you try "
	    "again");
}

/*
 * A commit is on the server's own disk before it waits for a replica.  If that
 * wait was cut off, others see what no replica may have.  What is written later
 * is on the replica later: if it has that, it has both.
 */
static int
postgres_outcome_confirm(struct store *s, bool lost, struct err *e)
{
	static const char sql[] =
	    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;" DURABLE
	    "SELECT pg_catalog.pg_logical_emit_message(true, 'emcli', "
	    "'');" POSTGRES_COMMIT_NOTE;
	struct postgres *pg = s->db;
	struct err why = { 0 };
	PGresult *r = NULL;

	/* The end of the call's time was why it was cut off. */
	if (until_over(s))
		return postgres_outcome_unconfirmed(lost, e);
	if (postgres_exec(s, sql, &r, &why) == 0 && r != NULL) {
		postgres_commit_note(pg, r);
		if (postgres_commit(s, POSTGRES_CONNECT_MS, &why) == 0 &&
		    !pg->warned) {
			PQ.clear(r);
			return 0;
		}
	}
	PQ.clear(r);
	postgres_lost(s); /* it may be in that transaction still */
	(void)postgres_outcome_unconfirmed(lost, e);
	return err_because(e, "%s", why.detail);
}

int
postgres_outcome(struct store *s, int r, struct err *e)
{
	struct postgres *pg = s->db;

	if (r == 0 && !pg->warned)
		return 0;
	if (r < 0 && (pg->c != NULL || postgres_outcome_look(s, e) < 0))
		return -1;
	return postgres_outcome_confirm(s, r < 0, e);
}
