/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that add to the audit log at once, where they need not queue. */
#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/chain_anchor.h"

#define FX_SERVER()                                                            \
	do {                                                                   \
		if (fx_is_file())                                              \
			return;                                                \
	} while (0)

enum {
	PROCESSES = 16,
	CALLS = 25
};

static int
call(struct store *s, struct err *e)
{
	const struct store_audit row = { .principal = S("agent"),
		.action = S("list") };
	int64_t id = 0;

	return store_audit_asked(s, &row, &id, e) < 0 ||
		store_audit_judged(s, id, true, S(""), e) < 0
	    ? -1
	    : store_audit_done(s, id, S(""), S("ok"), S(""), e);
}

/* A process with a store of its own; it never returns here. */
static pid_t
calls(struct fx *x, const char *path, int n)
{
	pid_t pid = fork();
	struct store *s = NULL;
	struct err e = { 0 };

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	if (store_open(path, STORE_AGENT, &x->keys, &s, &e) < 0)
		_exit(2);
	for (int i = 0; n < 0 || i < n; i++)
		if (call(s, &e) < 0)
			_exit(1);
	_exit(0);
}

static void
whole(struct fx *x, int64_t rows)
{
	struct store_chain c;

	assert_ok(x, store_chain_verify(x->s, x->a, &c, &x->e));
	if (!c.whole)
		fail_msg("row %lld: %.*s", (long long)c.broken_id,
		    STR_ARG(c.why));
	if (rows > 0)
		assert_int_equal(c.rows, rows);
}

static int64_t
chains(struct fx *x)
{
	return fx_number(x,
	    "SELECT count(DISTINCT id / " CHAIN_RANGE_SQL ") FROM audit_log");
}

/* An operator signs in the middle of them. */
static void
many_at_once(struct fx *x, const char *path)
{
	pid_t pids[PROCESSES];

	for (int i = 0; i < PROCESSES; i++)
		pids[i] = calls(x, path, CALLS);
	for (int i = 0; i < 5; i++) {
		struct store_chain c;

		assert_ok(x, store_chain_sign(x->s, &c, &x->e));
		assert_true(c.whole);
		whole(x, 0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status = 0;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	whole(x, PROCESSES * CALLS);
	assert_true(chains(x) > 1);
}

static void
at_once(void **state)
{
	struct fx *x = *state;

	FX_SERVER();
	many_at_once(x, x->path);
}

static void
behind_a_pool(void **state)
{
	struct fx *x = *state;
	char path[256];

	FX_SERVER();
	(void)snprintf(path, sizeof(path), "%s&prepare=off", x->path);
	many_at_once(x, path);
}

/* One alone has one chain, and no anchors. */
static void
alone(void **state)
{
	struct fx *x = *state;

	FX_SERVER();
	for (int i = 0; i < 10; i++)
		assert_ok(x, call(x->s, &x->e));
	assert_int_equal(chains(x), 1);
	whole(x, 10);
}

static void
killed_between_marks(void **state)
{
	struct fx *x = *state;
	const struct timespec moment = { .tv_nsec = 150000000 };

	FX_SERVER();
	for (int round = 0; round < 6; round++) {
		pid_t pids[4];

		for (int i = 0; i < 4; i++)
			pids[i] = calls(x, x->path, -1);
		(void)nanosleep(&moment, NULL);
		for (int i = 0; i < 4; i++) {
			(void)kill(pids[i], SIGKILL);
			(void)waitpid(pids[i], NULL, 0);
		}
		whole(x, 0);
	}
	assert_ok(x, call(x->s, &x->e));
	whole(x, 0);
}

/* -- who waits for whom -----------------------------------------------------
 */

/* Fails at once where it would wait. */
static int
impatient(struct fx *x, struct store **out)
{
	struct err e = { 0 };

	*out = fx_open(x, STORE_AGENT);
	return stmt_exec(*out, "SET lock_timeout = 200", &e);
}

static void
no_append_waits_for_a_writer(void **state)
{
	struct fx *x = *state;
	struct store *writer, *other;
	CLEANUP(tx_done) struct tx t = { 0 };

	FX_SERVER();
	writer = fx_open(x, STORE_AGENT);
	assert_ok(x, impatient(x, &other));
	assert_ok(x, tx_begin(writer, &t, &x->e));
	assert_ok(x, call(writer, &x->e));
	assert_ok(x, call(other, &x->e));
	assert_ok(x, tx_commit(&t, &x->e));
	assert_int_equal(chains(x), 2);
	whole(x, 2);
	store_close(&writer);
	store_close(&other);
}

static void
it_waits_for_an_operator(void **state)
{
	struct fx *x = *state;
	struct store *other;
	CLEANUP(tx_done) struct tx t = { 0 };

	FX_SERVER();
	assert_ok(x, impatient(x, &other));
	assert_ok(x, tx_begin(x->s, &t, &x->e));
	assert_err(x, call(other, &x->e), ERR_DB);
	x->e = (struct err){ 0 };
	/* And the operator has as many chains as it wants. */
	assert_ok(x, call(x->s, &x->e));
	assert_ok(x, tx_commit(&t, &x->e));
	assert_ok(x, call(other, &x->e));
	whole(x, 2);
	store_close(&other);
}

/* What another chain has come to is named at the turn. */
static void
anchors_are_written(void **state)
{
	struct fx *x = *state;
	struct store *s;
	CLEANUP(tx_done) struct tx t = { 0 };

	FX_SERVER();
	s = fx_open(x, STORE_AGENT);
	assert_ok(x, tx_begin(s, &t, &x->e));
	assert_ok(x, call(s, &x->e));
	for (int i = 0; i < 334; i++)
		assert_ok(x, call(x->s, &x->e));
	assert_ok(x, tx_commit(&t, &x->e));
	/* Nothing had been committed that it could name. */
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM audit_log"
			     " WHERE action = 'audit.anchor'"),
	    0);
	for (int i = 0; i < 333; i++)
		assert_ok(x, call(s, &x->e));
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM audit_log"
			     " WHERE action = 'audit.anchor'"
			     " AND state = 'done' AND target LIKE"
			     " '1000000001002 %'"),
	    1);
	whole(x, 0);
	store_close(&s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("many at once use several chains", at_once),
		TEST("and behind a pool", behind_a_pool),
		TEST("one alone has one chain", alone),
		TEST("killed between marks", killed_between_marks),
		TEST("no append waits for a writer",
		    no_append_waits_for_a_writer),
		TEST("it waits for an operator", it_waits_for_an_operator),
		TEST("anchors are written", anchors_are_written),
	};

	return cmocka_run_group_tests_name("store/chain_locks", tests, NULL,
	    NULL);
}
