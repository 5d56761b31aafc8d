/* SPDX-License-Identifier: Apache-2.0 */
/* Runs fixed SQL, of any number of statements. */
#include "store/postgres.h"

static int
postgres_exec_send(struct store *s, const char *sql, struct err *e)
{
	struct postgres *pg = s->db;

	if (postgres_connect_again(s, e) < 0 || postgres_read_settle(s, e) < 0)
		return -1;
	return PQ.sendQuery(pg->c, sql) == 1 ? 0 : postgres_fail_lost(s, e);
}

int
postgres_exec(struct store *s, const char *sql, PGresult **rows, struct err *e)
{
	return postgres_exec_send(s, sql, e) < 0
	    ? -1
	    : postgres_wait_all(s, rows, e);
}
