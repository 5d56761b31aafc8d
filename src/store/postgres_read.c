/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what a statement gives, row by row.  The connection is for one at a
 * time: when another is run, the rest of the first is taken in.
 */
#include <stdlib.h>

#include "store/chain.h"
#include "store/postgres.h"

void
postgres_read_put(struct postgres_stmt *of, PGresult *r)
{
	PGresult **more = of->results;

	if ((of->have & (of->have + 1)) == 0)
		more = realloc(of->results,
		    (2 * of->have + 2) * sizeof(PGresult *));
	if (more == NULL)
		err_bug("out of memory");
	of->results = more;
	of->results[of->have++] = r;
}

static void
postgres_read_count(struct store *s, const struct postgres_stmt *of,
    const PGresult *r)
{
	struct postgres *pg = s->db;
	uint64_t n = 0;

	if (!of->sql.writes)
		return;
	(void)str_to_u64(str_of(PQ.cmdTuples((PGresult *)(uintptr_t)r)),
	    INT64_MAX, &n);
	pg->changes = (int64_t)n;
	if (pg->operates && of->sql.table.n > 0)
		signed_copy_touched(s, of->sql.table.p);
}

int
postgres_read_more(struct store *s, struct postgres_stmt *of, struct err *e)
{
	struct postgres *pg = s->db;
	struct err other = { 0 };
	PGresult *r;

	if (of->ended)
		return 0;
	if (postgres_wait(s, &r, e) < 0)
		return -1;
	if (r == NULL) {
		of->ended = true;
		pg->reading = NULL;
		return 0;
	}
	if (PQ.resultStatus(r) == PGRES_SINGLE_TUPLE) {
		postgres_read_put(of, r);
		return 1;
	}
	if (PQ.resultStatus(r) == PGRES_COMMAND_OK ||
	    PQ.resultStatus(r) == PGRES_TUPLES_OK) {
		postgres_read_count(s, of, r);
		PQ.clear(r);
		return postgres_read_more(s, of, e);
	}
	(void)postgres_fail(s, r, e);
	PQ.clear(r);
	of->ended = true;
	/* The end of what failed. */
	if (pg->c != NULL)
		(void)postgres_wait_all(s, NULL, &other);
	pg->reading = NULL;
	return -1;
}

int
postgres_read_settle(struct store *s, struct err *e)
{
	struct postgres *pg = s->db;
	struct postgres_stmt *of = pg->reading;
	int r = 0;

	while (of != NULL && (r = postgres_read_more(s, of, e)) == 1)
		;
	return r;
}
