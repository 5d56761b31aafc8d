/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers that ask the keeper for names: one that was taken over gets its part,
 * and others theirs.
 */
#include "keeper_scene.h"

/* A wire for names gets no account.  A worker has so many, whatever it does. */
static void
a_worker_asks_names(void **state)
{
	static char raw[LIMIT_WIRE_ACCOUNT];
	struct serve_ask q = { .type = SERVE_ASK_LEND,
		.purpose = SERVE_ASKS_NAMES,
		.number = 5,
		.deadline_ms = clock_mono_ms() + WAIT_MS };
	int worker = join(), wire = -1, end, got = 0;
	struct ipc_passed none = { 0 };
	struct serve_account acct;
	struct serve_ask a = { 0 };
	ssize_t n;

	(void)state;
	do {
		assert_true(serve_ask_send(worker, &q, -1));
		if (wire < 0) {
			wire = hears(t.monitor, "f", &a);
			n = ipc_pass_recv(wire, raw, sizeof(raw), &none);
			assert_true(
			    serve_account_take((struct str){ raw, (size_t)n },
				&acct));
			rows_same(acct.backend, S("dns"));
			rows_same(acct.view.name, S(""));
		}
		end = hears(worker, "a", &a);
		if (end < 0)
			break;
		(void)close(end);
		(void)close(hears(wire, "L", &a));
		assert_int_equal(a.purpose, SERVE_ASKS_NAMES);
	} while (++got < 2 * LIMIT_NAMES_AT_ONCE);
	assert_int_equal(a.outcome, SERVE_LATE);
	/* Some time has passed. */
	assert_in_range(got, LIMIT_NAMES_AT_ONCE,
	    LIMIT_NAMES_AT_ONCE + WAIT_MS / LIMIT_NAMES_EACH_MS);
	/* Mail is another matter. */
	asks(worker, 99, SERVE_READS_MAIL);
	assert_int_equal(hears(worker, "a", &a), -1);
	assert_int_equal(a.outcome, SERVE_ABSENT);
	path_close(&wire);
	path_close(&worker);
}

/* A question for names, and the wire that the monitor is to start for it. */
static int
asks_names(int worker)
{
	struct serve_ask q = { 0 };

	asks(worker, 0, SERVE_ASKS_NAMES);
	return hears(t.monitor, "f", &q);
}

/* It has its part of the wires for names, and another worker is served. */
static void
a_worker_leaves_names_to_others(void **state)
{
	int w[LIMIT_NAMES_WIRES_OF + 2], wire[LIMIT_NAMES_WIRES_OF + 2];
	size_t last = LIMIT_NAMES_WIRES_OF + 1;
	struct serve_ask q = { 0 };

	(void)state;
	for (size_t i = 0; i <= last; i++)
		w[i] = join_as(i < last ? 1 : 2);
	for (size_t i = 0; i < LIMIT_NAMES_WIRES_OF; i++) {
		wire[i] = asks_names(w[i]);
		(void)close(hears(w[i], "a", &q));
		assert_int_equal(q.outcome, SERVE_GOOD);
	}
	/* It asked before the other, and waits. */
	asks(w[last - 1], 0, SERVE_ASKS_NAMES);
	wire[last - 1] = -1;
	wire[last] = asks_names(w[last]);
	(void)close(hears(w[last], "a", &q));
	assert_int_equal(q.outcome, SERVE_GOOD);
	assert_int_equal(ipc_wait(w[last - 1], POLLIN, clock_mono_ms()), 0);
	for (size_t i = 0; i <= last; i++) {
		path_close(&w[i]);
		path_close(&wire[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_worker_asks_names, open_scene,
		    close_scene),
		cmocka_unit_test_setup_teardown(a_worker_leaves_names_to_others,
		    open_scene, close_scene),
	};

	return cmocka_run_group_tests_name("keeper_names", tests, NULL, NULL);
}
