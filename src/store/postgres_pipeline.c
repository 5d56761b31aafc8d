/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transaction that only reads, in one round trip: BEGIN, the settings, the
 * statement and COMMIT are sent before the first of them is answered.  Of one
 * that fails the server skips the rest.
 */
#include "store/postgres.h"

static int
postgres_pipeline_send(struct store *s, const char *sql, struct err *e)
{
	struct postgres *pg = s->db;

	return PQ.sendQueryParams(pg->c, sql, 0, NULL, NULL, NULL, NULL, 1) == 1
	    ? 0
	    : postgres_fail_lost(s, e);
}

int
postgres_pipeline_begin(struct store *s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct postgres *pg = s->db;
	struct str rest, one;
	struct buf b;

	buf_init(&b, a, 4096);
	buf_text(&b, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;");
	postgres_tx_settings(pg, &b);
	if (PQ.enterPipelineMode(pg->c) != 1)
		return postgres_fail_lost(s, e);
	for (rest = buf_view(&b); rest.n > 0;) {
		(void)str_cut(rest, ';', &one, &rest);
		if (postgres_pipeline_send(s, str_c(a, one), e) < 0)
			return -1;
	}
	return 0;
}

/* One result; 1: it was the last. */
static int
postgres_pipeline_take(struct store *s, struct postgres_stmt *of, PGresult *r,
    int *failed, struct err *e)
{
	const ExecStatusType is = PQ.resultStatus(r);
	const bool works = is == PGRES_COMMAND_OK || is == PGRES_TUPLES_OK;

	if (*failed == 0 && works && PQ.ntuples(r) > 0) {
		postgres_read_put(of, r);
		return 0;
	}
	if (*failed == 0 && !works && is != PGRES_PIPELINE_SYNC)
		*failed = postgres_fail(s, r, e);
	PQ.clear(r);
	return is == PGRES_PIPELINE_SYNC;
}

static int
postgres_pipeline_read(struct store *s, struct postgres_stmt *of, int *failed,
    struct err *e)
{
	const struct postgres *pg = s->db;
	bool ended = false;
	PGresult *r;

	for (;;) {
		if (postgres_wait(s, &r, e) < 0)
			return -1;
		/* The end of one of them; there is none after another. */
		if (r == NULL && ended)
			return postgres_fail_lost(s, e);
		ended = r == NULL;
		if (r != NULL &&
		    postgres_pipeline_take(s, of, r, failed, e) == 1)
			return 0;
		if (pg->c == NULL)
			return -1;
	}
}

int
postgres_pipeline_end(struct store *s, struct postgres_stmt *of, struct err *e)
{
	struct postgres *pg = s->db;
	int failed = 0;

	if (postgres_pipeline_send(s, "COMMIT", e) < 0)
		return -1;
	if (PQ.pipelineSync(pg->c) != 1)
		return postgres_fail_lost(s, e);
	if (postgres_pipeline_read(s, of, &failed, e) < 0)
		return -1;
	of->ended = true;
	pg->reading = NULL;
	if (PQ.exitPipelineMode(pg->c) != 1)
		return postgres_fail_lost(s, e);
	/* Its COMMIT was skipped. */
	pg->open = failed < 0;
	postgres_tx_rollback(s);
	return failed;
}
