/* SPDX-License-Identifier: Apache-2.0 */
/* What a session of PostgreSQL has, after an error and after it was lost. */
#include "fixture.h"

#include "base/clock.h"
#include "store/postgres.h"

#define FX_SERVER()                                                            \
	do {                                                                   \
		if (fx_is_file())                                              \
			return;                                                \
	} while (0)

static int64_t
number(struct fx *x, struct store *s, const char *sql)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	assert_ok(x, stmt_prepare(s, sql, &st, &x->e));
	assert_ok(x, stmt_step(s, st, &x->e));
	return stmt_column_int(st, 0);
}

static int64_t
limit_ms(struct fx *x, struct store *s)
{
	return number(x, s,
	    "SELECT setting::bigint FROM pg_settings"
	    " WHERE name = 'statement_timeout'");
}

/* Ends the session of that store, which is at rest. */
static void
cut(struct fx *x, struct store *s)
{
	char sql[80];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT count(pg_terminate_backend(%d, 5000))",
	    (int)number(x, s, "SELECT pg_backend_pid()"));
	assert_int_equal(fx_number(x, sql), 1);
}

/* An operator's command may take long, an agent's not. */
static void
limits_after_a_loss(void **state)
{
	struct fx *x = *state;
	struct store *agent;

	FX_SERVER();
	agent = fx_open(x, STORE_AGENT);
	assert_int_equal(limit_ms(x, agent), POSTGRES_ANSWER_MS - 5000);
	assert_int_equal(limit_ms(x, x->s), 0);
	/* What was at rest is told nothing of it. */
	cut(x, agent);
	cut(x, x->s);
	assert_int_equal(limit_ms(x, agent), POSTGRES_ANSWER_MS - 5000);
	assert_int_equal(limit_ms(x, x->s), 0);
	store_close(&agent);
}

/* A transaction is gone with its session, whatever another one would do. */
static void
a_loss_within_a_transaction(void **state)
{
	struct fx *x = *state;
	struct tx t = { 0 };
	struct err lost = { 0 };

	FX_SERVER();
	assert_ok(x, tx_begin(x->s, &t, &x->e));
	cut(x, x->s);
	assert_int_equal(stmt_exec(x->s, "DELETE FROM given", &lost), -1);
	assert_int_equal(lost.kind, ERR_DB);
	assert_int_equal(tx_commit(&t, &lost), -1);
	tx_done(&t);
	assert_int_not_equal(number(x, x->s, "SELECT count(*) FROM given"), 0);
}

/* A transaction is gone also if what was being read in it fails. */
static void
a_rollback_while_a_read_fails(void **state)
{
	struct fx *x = *state;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct tx t = { 0 };

	FX_SERVER();
	assert_ok(x, tx_begin(x->s, &t, &x->e));
	assert_ok(x,
	    stmt_prepare(x->s,
		"SELECT 1 / (2 - n) FROM generate_series(1, 3) n", &st, &x->e));
	assert_int_equal(stmt_step(x->s, st, &x->e), 1);
	tx_done(&t);
	assert_int_equal(number(x, x->s, "SELECT 5"), 5);
	assert_ok(x, tx_begin(x->s, &t, &x->e));
	assert_ok(x, tx_commit(&t, &x->e));
}

/* All waits of a call share its time, and what must be recorded has a rest. */
static void
the_time_of_a_call(void **state)
{
	struct fx *x = *state;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	const int64_t begun = clock_mono_ms();
	struct store *agent;
	struct tx t = { 0 };
	struct err slow = { 0 };

	FX_SERVER();
	agent = fx_open(x, STORE_AGENT);
	store_until(agent, clock_mono_ms() + 4000);
	assert_ok(x, tx_begin(agent, &t, &x->e));
	assert_ok(x,
	    stmt_prepare(agent, "SELECT count(pg_sleep(30))", &st, &x->e));
	assert_int_equal(stmt_step(agent, st, &slow), -1);
	assert_int_equal(slow.kind, ERR_DB);
	/* The server has given up, too: it keeps no lock. */
	assert_string_equal(slow.say, "the store is busy");
	assert_in_range(clock_mono_ms() - begun, 1500, 3500);
	tx_done(&t);
	assert_int_equal(number(x, agent, "SELECT 5"), 5);
	/* Nothing is left of what it was. */
	agent->until.end_ms = agent->until.spare_ms = 0;
	stmt_done(&st);
	assert_ok(x,
	    stmt_prepare(agent, "SELECT 1 WHERE pg_sleep(1) IS NULL", &st,
		&x->e));
	assert_int_equal(stmt_step(agent, st, &slow), -1);
	assert_string_equal(slow.say, "the database server does not answer");
	/* The next call has its own. */
	store_until(agent, 0);
	stmt_done(&st);
	assert_int_equal(number(x, agent, "SELECT 6"), 6);
	store_close(&agent);
}

/* The lock that all writers take is waited for no longer than the call. */
static void
the_time_of_a_call_that_waits_for_a_lock(void **state)
{
	struct fx *x = *state;
	const int64_t begun = clock_mono_ms();
	struct store *agent;
	struct tx t = { 0 }, other = { 0 };
	struct err busy = { 0 };

	FX_SERVER();
	agent = fx_open(x, STORE_AGENT);
	assert_ok(x, tx_begin(x->s, &other, &x->e));
	store_until(agent, clock_mono_ms() + 3000);
	assert_int_equal(tx_begin(agent, &t, &busy), -1);
	assert_string_equal(busy.say, "the store is busy");
	assert_in_range(clock_mono_ms() - begun, 1000, 2900);
	tx_done(&other);
	assert_ok(x, tx_begin(agent, &t, &x->e));
	tx_done(&t);
	store_close(&agent);
}

/* Settings and statements of the session, outside of any transaction. */
static int
left(struct fx *x, struct store *s)
{
	static const char sql[] =
	    "SELECT (SELECT count(*) FROM pg_settings WHERE source = 'session')"
	    " + (SELECT count(*) FROM pg_prepared_statements)";
	PGresult *r = NULL;
	int n;

	assert_ok(x, postgres_exec(s, sql, &r, &x->e));
	n = (int)strtol(PQ.getvalue(r, 0, 0), NULL, 10);
	PQ.clear(r);
	return n;
}

/* To prepare costs a round trip, which few runs do not give back. */
static void
a_fifth_run_is_prepared(void **state)
{
	struct fx *x = *state;
	int before;

	FX_SERVER();
	before = left(x, x->s);
	for (int run = 1; run <= 7; run++) {
		assert_int_equal(number(x, x->s, "SELECT 7"), 7);
		assert_int_equal(left(x, x->s) - before, run >= 5);
	}
}

/* As if it were behind a pool. */
static struct store *
open_pooled(struct fx *x, enum store_role role)
{
	const size_t at = strlen(x->path);
	struct store *s;

	assert_true(at + 12 < sizeof(x->path));
	(void)snprintf(x->path + at, sizeof(x->path) - at, "&prepare=off");
	s = fx_open(x, role);
	x->path[at] = '\0';
	return s;
}

/* Is it at rest, with settings of its own? */
static void
rests(struct store *s)
{
	const struct postgres *pg = s->db;

	assert_false(tx_open(s));
	assert_null(pg->reading);
	assert_int_equal(PQ.transactionStatus(pg->c), PQTRANS_IDLE);
}

/* A read alone, all of which is sent at once. */
static void
a_read_behind_a_pool(void **state)
{
	struct fx *x = *state;
	CLEANUP(stmt_done) struct stmt *st = NULL, *other = NULL;
	struct store *s;
	struct tx t = { 0 };

	FX_SERVER();
	s = open_pooled(x, STORE_AGENT);
	assert_ok(x,
	    stmt_ask(s, &x->e,
		"SELECT n, repeat('x', 5) FROM generate_series(1, ?1) n", &st,
		V(3000)));
	for (int run = 0; run < 2; run++) {
		for (int i = 1; i <= 3000; i++) {
			assert_int_equal(stmt_step(s, st, &x->e), 1);
			assert_int_equal(stmt_column_int(st, 0), i);
			assert_str(stmt_column_raw(st, 1), "xxxxx");
			/* Another one meanwhile. */
			if (i == 1000)
				assert_int_equal(number(x, s, "SELECT 8"), 8);
		}
		assert_int_equal(stmt_step(s, st, &x->e), 0);
		stmt_reset(st);
		rests(s);
	}
	assert_int_equal(limit_ms(x, s), POSTGRES_ANSWER_MS - 5000);
	assert_int_equal(number(x, s, "SELECT 1 WHERE false"), 0);
	/* One that fails after some rows gives none. */
	assert_ok(x,
	    stmt_prepare(s,
		"SELECT 1 / (2000 - n) FROM"
		" generate_series(1, 3000) n",
		&other, &x->e));
	for (int run = 0; run < 2; run++) {
		assert_err(x, stmt_step(s, other, &x->e), ERR_DB);
		stmt_reset(other);
		rests(s);
	}
	assert_int_equal(number(x, s, "SELECT 9"), 9);
	assert_ok(x, tx_begin(s, &t, &x->e));
	assert_ok(x, tx_commit(&t, &x->e));
	/* And one whose session has ended. */
	cut(x, s);
	assert_int_equal(number(x, s, "SELECT 10"), 10);
	stmt_done(&st);
	stmt_done(&other);
	store_close(&s);
}

/* Others have the session next. */
static void
nothing_is_left_behind_a_pool(void **state)
{
	static const enum store_role roles[] = { STORE_ADMIN, STORE_AGENT };
	struct fx *x = *state;

	FX_SERVER();
	for (size_t i = 0; i < 2; i++) {
		struct store *s = open_pooled(x, roles[i]);
		struct tx t = { 0 };

		assert_ok(x, store_durable(s, &x->e));
		assert_ok(x, tx_begin(s, &t, &x->e));
		assert_ok(x, tx_commit(&t, &x->e));
		for (int again = 0; again < 3; again++)
			(void)number(x, s, "SELECT count(*) FROM given");
		assert_int_equal(left(x, s), 0);
		store_close(&s);
	}
	/* This is how it is seen. */
	assert_int_not_equal(left(x, x->s), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("after a loss the limits are as before",
		    limits_after_a_loss),
		TEST("a loss within a transaction",
		    a_loss_within_a_transaction),
		TEST("a rollback while a read fails",
		    a_rollback_while_a_read_fails),
		TEST("the time of a call", the_time_of_a_call),
		TEST("the time of a call that waits for a lock",
		    the_time_of_a_call_that_waits_for_a_lock),
		TEST("a fifth run is prepared", a_fifth_run_is_prepared),
		TEST("a read behind a pool", a_read_behind_a_pool),
		TEST("nothing is left behind a pool",
		    nothing_is_left_behind_a_pool),
	};

	return cmocka_run_group_tests_name("store/postgres_session", tests,
	    NULL, NULL);
}
