/* SPDX-License-Identifier: Apache-2.0 */
#include "store/postgres_lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "store/postgres.h"

struct postgres_lock {
	struct store *s; /* whose time it takes */
	PGconn *c;
};

/* Of this schema's locks of that kind. */
static int
postgres_lock_class(const struct postgres *pg, enum postgres_lock_kind kind)
{
	static const struct str names[] = { [POSTGRES_LOCK_ACCOUNT] =
						SI("account "),
		[POSTGRES_LOCK_OUTBOX] = SI("outbox "),
		[POSTGRES_LOCK_JOURNAL] = SI("journal ") };
	uint64_t h =
	    str_hash(str_hash(STR_HASH, names[kind]), str_of(pg->uri.schema));

	return (int)(int32_t)(uint32_t)(h ^ h >> 32);
}

/* Only the low half of an id: two that share it wait for each other. */
static int
postgres_lock_object(int64_t id)
{
	return (int)(int32_t)(uint32_t)(uint64_t)id;
}

/*
 * The transaction has no snapshot while it waits or is idle, so it holds up
 * nothing else; a host that is gone is noticed within a minute.
 */
static void
postgres_lock_text(const struct postgres *pg, enum postgres_lock_kind kind,
    int64_t id, int wait_ms, struct buf *b)
{
	const int class = postgres_lock_class(pg, kind);

	buf_fmt(b,
	    "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0;"
	    "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = %d;"
	    "SET LOCAL tcp_keepalives_idle = 30; SET LOCAL "
	    "tcp_keepalives_interval = 10;"
	    "SET LOCAL tcp_keepalives_count = 3;",
	    wait_ms);
	/* One account's lock shares the lock of all, which is 0. */
	if (kind == POSTGRES_LOCK_ACCOUNT)
		buf_fmt(b, "SELECT pg_advisory_xact_lock%s(%d, 0);",
		    id == 0 ? "" : "_shared", class);
	if (id != 0)
		buf_fmt(b, "SELECT pg_advisory_xact_lock(%d, %d)", class,
		    postgres_lock_object(id));
}

static int
postgres_lock_run(struct store *s, PGconn *c, const char *sql,
    int64_t deadline_ms, struct err *e)
{
	PGresult *r = NULL;
	int failed = 0;

	if (PQ.sendQuery(c, sql) != 1)
		return driver_fail(s, DRIVER_FAILED, e);
	for (;;) {
		if (postgres_wait_on(s, c, deadline_ms + 1000, &r) < 0)
			return driver_fail(s, DRIVER_BUSY, e);
		if (r == NULL)
			return failed;
		if (failed == 0 && PQ.resultStatus(r) != PGRES_COMMAND_OK &&
		    PQ.resultStatus(r) != PGRES_TUPLES_OK)
			failed = postgres_fail_other(s, r, e);
		PQ.clear(r);
	}
}

struct postgres_lock *
postgres_lock_open(struct store *s, struct err *e)
{
	PGconn *c = postgres_connect_more(s, e);
	struct postgres_lock *l;

	if (c == NULL)
		return NULL;
	l = calloc(1, sizeof(*l));
	if (l == NULL)
		err_bug("out of memory");
	l->s = s;
	l->c = c;
	return l;
}

int
postgres_lock_wait(struct store *s, struct postgres_lock *l,
    enum postgres_lock_kind kind, int64_t id, int64_t deadline_ms,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	int left = clock_left_ms(until_by(s, deadline_ms));
	struct buf b;

	buf_init(&b, a, 4096);
	/* 0 would be no limit. */
	postgres_lock_text(s->db, kind, id, left > 0 ? left : 1, &b);
	return postgres_lock_run(s, l->c, str_c(a, buf_view(&b)), deadline_ms,
	    e);
}

int
postgres_lock_take(struct store *s, enum postgres_lock_kind kind, int64_t id,
    int64_t deadline_ms, struct postgres_lock **out, struct err *e)
{
	struct postgres_lock *l = postgres_lock_open(s, e);

	if (l == NULL)
		return -1;
	if (postgres_lock_wait(s, l, kind, id, deadline_ms, e) < 0) {
		postgres_lock_drop(&l);
		return -1;
	}
	*out = l;
	return 0;
}

int
postgres_lock_still(struct store *s, struct postgres_lock *l, struct err *e)
{
	/* Fails if there is none: by a division. */
	static const char sql[] = "SELECT 1 / count(*) FROM pg_catalog.pg_locks"
				  " WHERE pid = pg_catalog.pg_backend_pid()"
				  " AND locktype = 'advisory' AND granted";

	if (PQ.transactionStatus(l->c) == PQTRANS_INTRANS &&
	    postgres_lock_run(s, l->c, sql, clock_mono_ms() + POSTGRES_LOCK_MS,
		e) == 0)
		return 0;
	(void)err_set(e, ERR_DB, "a lock of the store was lost");
	return err_hint(e,
	    "try again; emcli doctor says whether the server answers");
}

void
postgres_lock_drop(struct postgres_lock **l)
{
	struct postgres_lock *is = *l;
	PGresult *r = NULL;

	*l = NULL;
	if (is == NULL)
		return;
	if (is->c != NULL) {
		/* So that it is gone when this returns. */
		if (PQ.sendQuery(is->c, "ROLLBACK") == 1)
			while (
			    postgres_wait_on(is->s, is->c,
				clock_mono_ms() + POSTGRES_LOCK_MS, &r) == 0 &&
			    r != NULL)
				PQ.clear(r);
		PQ.finish(is->c);
	}
	free(is);
}

int
postgres_lock_held(struct store *s, enum postgres_lock_kind kind, int64_t id,
    struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
	    " WHERE l.locktype = 'advisory' AND l.granted"
	    " AND d.datname = current_database() AND l.objsubid = 2"
	    " AND l.classid::bigint = ?1"
	    " AND (?2 = 0 OR l.objid::bigint = ?2) LIMIT 1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	const int64_t class =
	    (int64_t)(uint32_t)postgres_lock_class(s->db, kind);

	if (stmt_ask(s, e, sql, &st, V(class),
		V((int64_t)(uint32_t)postgres_lock_object(id))) < 0)
		return -1;
	return stmt_step(s, st, e);
}
