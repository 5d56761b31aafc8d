/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The locks of those that add to the audit log.  All end with the transaction,
 * so that they hold behind a pool, too.
 *
 * There are three kinds, and everybody takes them in this order: the store's
 * one lock (postgres_tx.c), "log", and those of chains.  Nobody waits in a
 * circle:
 *
 * - A transaction that only adds to the log (begin_append) shares "log" and has
 *   one chain.  It takes that last, and waits for no lock after it.
 * - Any other transaction that writes has the store's lock.  So there is one
 *   at a time, and whoever waits for the store's lock holds nothing.
 * - That one may have "log" alone, which it takes before any chain
 *   (DRIVER_ALONE).  Then nobody else has a chain, and it waits for none.
 * - Or it shares "log" and has chains, perhaps several.  It is the only one
 *   that has more than one, and it does not ask for "log" alone then.  The
 *   chain that it waits for is that of an append, which ends by itself.
 *
 * So whoever has a chain never waits for "log" or for the store's lock, but for
 * the one above, which waits for chains of appends alone.
 */
#include <stdio.h>

#include "store/chain_range.h"
#include "store/postgres.h"

enum {
	LOG = 0x656d636d,
	CHAINS = 0x656d6380 /* and the chain's number */
};

const char postgres_log_asked[] =
    "INSERT INTO audit_log"
    " (ts, principal, account, action, target, result, reason, state)"
    " VALUES (?1, ?2, ?3, ?4, ?5, 'blocked', 'interrupted', 'asked')"
    " RETURNING id";

void
postgres_log_put_alone(const struct postgres *pg, struct buf *b)
{
	buf_fmt(b, "SELECT pg_advisory_xact_lock(%d, %d);", LOG,
	    postgres_uri_key(&pg->uri));
}

/* The trigger numbers the next row by the setting (postgres_schema.c). */
#define SET "SELECT set_config('" POSTGRES_LOG_SETTING "', "

void
postgres_log_put(const struct postgres *pg, int want, struct buf *b)
{
	const int key = postgres_uri_key(&pg->uri);

	buf_fmt(b, "SELECT pg_advisory_xact_lock_shared(%d, %d);", LOG, key);
	if (want < 0)
		/* The lowest that is free, or none. */
		buf_fmt(b,
		    SET "coalesce((SELECT k FROM generate_series(0, %d) k"
			" WHERE pg_try_advisory_xact_lock(%d + k, %d)"
			" LIMIT 1)::text, ''), true);",
		    CHAIN_RANGES - 1, CHAINS, key);
	else
		buf_fmt(b,
		    "SELECT pg_advisory_xact_lock(%d, %d);" SET "'%d', true);",
		    CHAINS + want, key, want);
}

bool
postgres_log_read(const PGresult *r, int column, int *out)
{
	uint32_t k;

	if (r == NULL || PQ.ntuples(r) != 1 ||
	    !str_to_u32(str_of(PQ.getvalue(r, 0, column)), CHAIN_RANGES - 1,
		&k))
		return false;
	*out = (int)k;
	return true;
}

/* 1: *out is its number; 0: none was free; -1. */
static int
postgres_log_take(struct store *s, int want, int *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	PGresult *r = NULL;
	struct buf b;
	bool has;

	buf_init(&b, a, 1024);
	postgres_log_put(s->db, want, &b);
	buf_text(&b, "SELECT " POSTGRES_LOG_CHAIN);
	if (postgres_exec(s, str_c(a, buf_view(&b)), &r, e) < 0)
		return -1;
	has = postgres_log_read(r, 0, out);
	PQ.clear(r);
	return has;
}

int
postgres_log_wait(struct store *s, int *out, struct err *e)
{
	const struct postgres *pg = s->db;
	uint64_t xid = 0;
	int r;

	/* By the transaction's number, so that not all wait for the same. */
	(void)str_to_u64(str_of(pg->xid), UINT64_MAX, &xid);
	r = postgres_log_take(s, (int)(xid % CHAIN_RANGES), out, e);

	return r == 0 ? driver_fail(s, DRIVER_FAILED, e) : r < 0 ? -1 : 0;
}

int
postgres_log_chain(struct store *s, int want, int *out, struct err *e)
{
	int r = postgres_log_take(s, want, out, e);

	return r < 0 ? -1 : r == 1 ? 0 : postgres_log_wait(s, out, e);
}
