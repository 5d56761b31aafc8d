/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commits, and gives up the wait for a replica before the time is over.  No
 * timeout of the server's covers that wait, and while it lasts the transaction
 * has its locks, and whether it was written cannot be asked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/postgres.h"

enum {
	/* Of the time of a commit: for another connection, which ends the wait,
	 * and for the answer. */
	COMMIT_END_MS = 2000
};

/* Is there an answer before that time, or nothing to wait for any more? */
static bool
postgres_commit_answered(struct store *s, int64_t end_ms)
{
	const struct postgres *pg = s->db;
	int more;

	while ((more = PQ.flush(pg->c)) > 0 || PQ.isBusy(pg->c)) {
		if (more < 0)
			return true;
		if (postgres_wait_poll(s, pg->c, true, more > 0, end_ms) < 0)
			return false;
		if (PQ.consumeInput(pg->c) == 0)
			return true;
	}
	return true;
}

/*
 * The transaction is on the disk by then, and the server says that it may not
 * be on a replica.  If it does something else, it is let alone: behind a pool
 * that may be another's.
 */
static void
postgres_commit_cut(struct store *s)
{
	const struct postgres *pg = s->db;
	struct err none = { 0 };
	PGconn *c = postgres_connect_more(s, &none);
	char sql[300];

	if (c == NULL)
		return;
	(void)snprintf(sql, sizeof(sql),
	    "SELECT pg_catalog.pg_cancel_backend(pid)"
	    " FROM pg_catalog.pg_stat_activity WHERE pid = %d"
	    " AND wait_event = 'SyncRep'"
	    " AND backend_xid = ('%s'::pg_catalog.xid8)::pg_catalog.xid",
	    pg->pid, pg->xid);
	PQ.clear(postgres_wait_ask(s, c, sql,
	    clock_mono_ms() + POSTGRES_CONNECT_MS));
	PQ.finish(c);
}

int
postgres_commit(struct store *s, int64_t most_ms, struct err *e)
{
	struct postgres *pg = s->db;
	const int left = until_left(s, most_ms);
	const int rest = left / 3 < COMMIT_END_MS ? left / 3 : COMMIT_END_MS;
	const int64_t cut_ms = clock_mono_ms() + left - rest;
	bool cut;
	int r;

	pg->warned = false;
	if (PQ.sendQuery(pg->c, "COMMIT") != 1)
		return postgres_fail_lost(s, e);
	cut = !postgres_commit_answered(s, cut_ms);
	if (cut)
		postgres_commit_cut(s);
	r = postgres_wait_all(s, NULL, e);
	/* A role may be set so that no warning comes. */
	pg->warned = pg->warned || cut;
	return r;
}

void
postgres_commit_note(struct postgres *pg, const PGresult *r)
{
	(void)snprintf(pg->xid, sizeof(pg->xid), "%s", PQ.getvalue(r, 0, 0));
	(void)snprintf(pg->history, sizeof(pg->history), "%s",
	    PQ.getvalue(r, 0, 1));
	pg->pid = (int)strtol(PQ.getvalue(r, 0, 2), NULL, 10);
}
