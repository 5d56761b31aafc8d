/* SPDX-License-Identifier: Apache-2.0 */
/* Sends to the server and waits for what it answers, but not forever. */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "store/postgres.h"

int
postgres_wait_poll(struct store *s, PGconn *c, bool reads, bool writes,
    int64_t end_ms)
{
	const int64_t since_ms = clock_mono_ms();
	struct pollfd p = { .fd = PQ.socket(c),
		.events =
		    (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)) };
	int r;

	do {
		int left = clock_left_ms(end_ms);

		if (left == 0 || p.fd < 0)
			return -1;
		r = poll(&p, 1, left);
	} while (r < 0 && errno == EINTR);
	until_waited(s, since_ms);
	return r > 0 ? 0 : -1;
}

bool
postgres_wait_ready(PGconn *c)
{
	struct pollfd p = { .fd = PQ.socket(c), .events = POLLIN };

	return p.fd >= 0 && poll(&p, 1, 0) > 0;
}

int
postgres_wait_on(struct store *s, PGconn *c, int64_t end_ms, PGresult **out)
{
	end_ms = until_by(s, end_ms);
	for (;;) {
		int more = PQ.flush(c);

		if (more < 0)
			return -1;
		if (more == 0 && !PQ.isBusy(c))
			break;
		if (postgres_wait_poll(s, c, true, more == 1, end_ms) < 0 ||
		    PQ.consumeInput(c) == 0)
			return -1;
	}
	*out = PQ.getResult(c);
	return 0;
}

PGresult *
postgres_wait_ask(struct store *s, PGconn *c, const char *sql, int64_t end_ms)
{
	PGresult *r = NULL, *next = NULL;

	if (PQ.sendQuery(c, sql) != 1)
		return NULL;
	while (postgres_wait_on(s, c, end_ms, &next) == 0 && next != NULL) {
		PQ.clear(r);
		r = next;
	}
	return r;
}

int
postgres_wait(struct store *s, PGresult **out, struct err *e)
{
	struct postgres *pg = s->db;
	const int64_t most =
	    pg->operates ? POSTGRES_OPERATOR_MS : POSTGRES_ANSWER_MS;

	if (pg->c == NULL ||
	    postgres_wait_on(s, pg->c, clock_mono_ms() + most, out) < 0 ||
	    (*out == NULL && PQ.status(pg->c) != CONNECTION_OK))
		return postgres_fail_lost(s, e);
	return 0;
}

/* Is that a result of something that worked? */
static bool
postgres_wait_worked(const PGresult *r)
{
	ExecStatusType t = PQ.resultStatus(r);

	return t == PGRES_COMMAND_OK || t == PGRES_TUPLES_OK ||
	    t == PGRES_SINGLE_TUPLE || t == PGRES_EMPTY_QUERY;
}

/* How many rows it changed, if it is of a statement that changes some. */
static void
postgres_wait_count(struct postgres *pg, PGresult *r)
{
	uint64_t n;

	if (PQ.resultStatus(r) == PGRES_COMMAND_OK &&
	    str_to_u64(str_of(PQ.cmdTuples(r)), INT64_MAX, &n))
		pg->changes = (int64_t)n;
}

int
postgres_wait_all(struct store *s, PGresult **rows, struct err *e)
{
	PGresult *r = NULL, *kept = NULL;
	int failed = 0;

	for (;;) {
		if (postgres_wait(s, &r, e) < 0) {
			failed = -1;
			break;
		}
		if (r == NULL)
			break;
		if (failed == 0 && !postgres_wait_worked(r))
			failed = postgres_fail(s, r, e);
		postgres_wait_count(s->db, r);
		if (failed == 0 && rows != NULL && PQ.nfields(r) > 0) {
			PQ.clear(kept);
			kept = r;
		} else {
			PQ.clear(r);
		}
	}
	if (failed < 0) {
		PQ.clear(kept);
		kept = NULL;
	}
	if (rows != NULL)
		*rows = kept;
	return failed;
}
