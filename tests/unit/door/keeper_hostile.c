/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper and a wire as they are, each in a process of its own, and at the
 * other ends of their sockets whoever took a worker, a wire or the monitor
 * over: the liar loses its socket, the others are served, and nobody gets more
 * than its part.
 */
#include "keeper_scene.h"

struct wire {
	int fd, lease, worker; /* its socket; both ends of the lease */
	uint32_t number;
};

/* What the monitor would start for the worker's call, and its lease. */
static struct wire
lent(int worker, enum serve_purpose purpose)
{
	static char raw[LIMIT_WIRE_ACCOUNT];
	struct ipc_passed none = { 0 };
	struct serve_ask q = { 0 };
	struct serve_account acct;
	struct wire w;
	ssize_t n;

	asks(worker, ACCOUNT, purpose);
	w.fd = hears(t.monitor, "fk", &q);
	assert_int_equal(q.type, SERVE_ASK_FORK);
	w.number = q.number;
	assert_int_equal(ipc_wait(w.fd, POLLIN, clock_mono_ms() + WAIT_MS), 1);
	n = ipc_pass_recv(w.fd, raw, sizeof(raw), &none);
	assert_true(n > 0);
	assert_true(serve_account_take((struct str){ raw, (size_t)n }, &acct));
	assert_true(str_find((struct str){ raw, (size_t)n }, S("tr0ub4")) < 0);
	w.lease = hears(w.fd, "L", &q);
	w.worker = hears(worker, "a", &q);
	assert_int_equal(q.outcome, SERVE_GOOD);
	return w;
}

static void
done(struct wire *w)
{
	path_close(&w->fd);
	path_close(&w->lease);
	path_close(&w->worker);
}

/* -- a worker that was taken over ------------------------------------------ */

static const struct lie {
	const char *why;
	struct serve_ask says;
	size_t n; /* bytes of it; 0: all */
	bool passes;
} worker_lies[] = {
	{ "noise", { .type = 0xff, .zero = 7 }, 0, false },
	{ "one byte", { .type = 'l' }, 1, false },
	{ "a wire's request for a password", { .type = 's' }, 0, false },
	{ "a password of an account that it names",
	    { .type = 's', .account = ACCOUNT }, 0, false },
	{ "the end of a wire that it has not", { .type = 'k', .number = 1 }, 0,
	    false },
	{ "a process of its own", { .type = 'f', .number = 1 }, 0, true },
	{ "a lease of its own", { .type = 'L', .deadline_ms = 1 }, 0, true },
	{ "a wire, and passes a descriptor",
	    { .type = 'l', .number = 1, .account = ACCOUNT, .deadline_ms = 1 },
	    0, true },
	{ "an unknown purpose",
	    { .type = 'l',
		.number = 1,
		.account = ACCOUNT,
		.deadline_ms = 1,
		.purpose = 9 },
	    0, false },
	{ "no account", { .type = 'l', .number = 1, .deadline_ms = 1 }, 0,
	    false },
};

static void
tells(int to, const struct lie *lie)
{
	char raw[sizeof(lie->says)];
	size_t n = lie->n > 0 ? lie->n : sizeof(raw);
	int null = STDIN_FILENO;

	memcpy(raw, &lie->says, sizeof(raw));
	assert_int_equal(ipc_pass_send(to, (struct str){ raw, n }, &null,
			     lie->passes),
	    n);
}

static void
a_worker_lies(void **state)
{
	int liar, other;
	struct wire w;

	(void)open_scene(NULL);
	liar = join();
	other = join();
	tells(liar, *state);
	is_closed(liar);
	w = lent(other, SERVE_READS_MAIL);
	done(&w);
	path_close(&liar);
	path_close(&other);
	(void)close_scene(NULL);
}

/* It has a wire: that ends with it. */
static void
a_worker_lies_with_a_wire(void **state)
{
	int liar = join(), other = join();
	struct serve_ask q = { 0 };
	struct wire w = lent(liar, SERVE_READS_MAIL), again;

	(void)state;
	tells(liar, &worker_lies[0]);
	is_closed(liar);
	assert_int_equal(hears(t.monitor, "k", &q), -1);
	assert_int_equal(q.number, w.number);
	is_closed(w.fd);
	again = lent(other, SERVE_READS_MAIL);
	done(&w);
	done(&again);
	path_close(&liar);
	path_close(&other);
}

static void
a_worker_asks_for_what_is_not_there(void **state)
{
	int worker = join();
	struct serve_ask q = { 0 };

	(void)state;
	asks(worker, 99, SERVE_READS_MAIL);
	assert_int_equal(hears(worker, "a", &q), -1);
	assert_int_equal(q.outcome, SERVE_ABSENT);
	path_close(&worker);
}

/* All connections that may wait do: the next watch is told so at once. */
static void
a_watch_does_not_wait_for_another(void **state)
{
	struct wire w[LIMIT_WIRES_OF];
	int worker = join();
	struct serve_ask a = { 0 };

	(void)state;
	for (size_t i = 0; i < LIMIT_WIRES_OF; i++)
		w[i] = lent(join(), SERVE_AWAITS_MAIL);
	asks(worker, ACCOUNT, SERVE_AWAITS_MAIL);
	assert_int_equal(hears(worker, "a", &a), -1);
	assert_int_equal(a.outcome, SERVE_LATE);
	for (size_t i = 0; i < LIMIT_WIRES_OF; i++)
		done(&w[i]);
	path_close(&worker);
}

/* A lost call's wire is about to be free, and never a test's. */
static void
a_test_waits_for_no_lost_call(void **state)
{
	int lost = join(), other = join();
	struct wire w = lent(lost, SERVE_READS_MAIL), test;

	(void)state;
	path_close(&lost);
	/* It is started before that wire is ended. */
	test = lent(other, SERVE_TESTS_READING);
	assert_true(test.number != w.number);
	done(&w);
	done(&test);
	path_close(&other);
}

/* -- a wire that was taken over -------------------------------------------- */

static const struct lie wire_lies[] = {
	{ "noise", { .type = 0xff, .zero = 7 }, 0, false },
	{ "one byte", { .type = 's' }, 1, false },
	{ "another account's password", { .type = 's', .account = 2 }, 0,
	    false },
	{ "its password, and passes a descriptor", { .type = 's' }, 0, true },
	{ "a wire of its own",
	    { .type = 'l', .number = 1, .account = ACCOUNT, .deadline_ms = 1 },
	    0, false },
	{ "the end of another", { .type = 'k', .number = 1 }, 0, false },
	{ "a process of its own", { .type = 'f', .number = 1 }, 0, true },
	{ "that no lease is over", { .type = 'd' }, 0, false },
	{ "an outcome that there is not",
	    { .type = 'd', .number = 1, .outcome = 99 }, 0, false },
};

static void
a_wire_lies(void **state)
{
	struct serve_ask q = { 0 };
	struct wire w, again;
	int worker;

	(void)open_scene(NULL);
	worker = join();
	w = lent(worker, SERVE_READS_MAIL);
	tells(w.fd, *state);
	assert_int_equal(hears(t.monitor, "k", &q), -1);
	assert_int_equal(q.number, w.number);
	is_closed(w.fd);
	/* The worker asks again, and gets another. */
	again = lent(worker, SERVE_READS_MAIL);
	assert_true(again.number != w.number);
	done(&w);
	done(&again);
	path_close(&worker);
	(void)close_scene(NULL);
}

/* Its own password, and no lease that is not over. */
static void
a_wire_gets_its_part(void **state)
{
	const struct serve_ask over = { .type = SERVE_ASK_DONE, .number = 77 };
	const struct lie secret = { .says = { .type = SERVE_ASK_SECRET } };
	int worker = join(), other = join(), fd;
	char got[64] = { 0 };
	struct serve_ask q = { 0 };
	struct wire w = lent(worker, SERVE_READS_MAIL), second;

	(void)state;
	assert_true(serve_ask_send(w.fd, &over, -1));
	tells(w.fd, &secret);
	fd = hears(w.fd, "S", &q);
	assert_int_equal(q.outcome, SERVE_GOOD);
	assert_true(read(fd, got, sizeof(got) - 1) > 0);
	assert_string_equal(got, PASSWORD "\n");
	/* It is lent still: another call has another. */
	second = lent(other, SERVE_READS_MAIL);
	assert_true(second.number != w.number);
	(void)close(fd);
	done(&w);
	done(&second);
	path_close(&worker);
	path_close(&other);
}

/* -- a wire, and who took the keeper over ---------------------------------- */

static const struct lie keeper_lies[] = {
	{ "noise", { .type = 0xff, .zero = 7 }, 0, false },
	{ "one byte", { .type = 'L' }, 1, false },
	{ "a lease without a socket", { .type = 'L', .deadline_ms = 1 }, 0,
	    false },
	{ "a worker's question",
	    { .type = 'l', .number = 1, .account = ACCOUNT, .deadline_ms = 1 },
	    0, false },
	{ "a secret, and passes nothing", { .type = 'S' }, 0, false },
	{ "the end", { .type = 'k', .number = 1 }, 0, false },
};

static void
a_keeper_lies(void **state)
{
	struct serve_account acct = { .backend = S("imap"),
		.has_password = true };

	(void)open_scene(NULL);
	path_close(&t.monitor);
	assert_int_equal(ended(), 0);
	begin(false);
	assert_true(ipc_pass_send(t.monitor, serve_account_put(t.h.a, &acct),
			NULL, 0) > 0);
	tells(t.monitor, *state);
	is_closed(t.monitor);
	assert_int_equal(ended(), 0);
	(void)close_scene(NULL);
}

/* An account that is none: it speaks with no server. */
static void
a_keeper_names_no_account(void **state)
{
	(void)state;
	path_close(&t.monitor);
	assert_int_equal(ended(), 0);
	begin(false);
	assert_int_equal(ipc_pass_send(t.monitor, S("imap"), NULL, 0), 4);
	is_closed(t.monitor);
	assert_int_equal(ended(), 1);
}

/* -- a wire, and who took a worker over ------------------------------------ */

static const struct once {
	const char *why;
	enum serve_purpose purpose;
	struct str asks;
	enum err_kind open; /* how it goes */
} onces[] = {
	{ "a login that fails", SERVE_READS_MAIL, SI("\0\xff\x7f\0\0\0"),
	    ERR_AUTH },
	{ "a test", SERVE_TESTS_READING, SI("\x10\xff\x7f\0\0\0"), ERR_NONE },
};

/* After it the lease is over: the next one is the keeper's to give. */
static void
a_lease_has_one_login(void **state)
{
	const struct once *row = *state;
	const struct serve_account acct = { .backend = S("imap") };
	const struct ipc_frame asks = { 'Q', row->asks };
	struct serve_ask q = { .type = SERVE_ASK_LEASE,
		.purpose = (uint8_t)row->purpose,
		.deadline_ms = clock_mono_ms() + WAIT_MS };
	struct err e = { 0 };
	int fd[2];

	(void)open_scene(NULL);
	path_close(&t.monitor);
	assert_int_equal(ended(), 0);
	fake.fault[FAKE_OPEN].kind = row->open;
	begin(false);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd),
	    0);
	assert_true(ipc_pass_send(t.monitor, serve_account_put(t.h.a, &acct),
			NULL, 0) > 0);
	assert_true(serve_ask_send(t.monitor, &q, fd[1]));
	assert_int_equal(ipc_frame_send(fd[0], &asks, NULL, 0, &e), 0);
	assert_int_equal(hears(t.monitor, "d", &q), -1);
	assert_int_equal(q.number, 1);
	(void)close(fd[0]);
	(void)close(fd[1]);
	(void)close_scene(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_worker_lies_with_a_wire,
		    open_scene, close_scene),
		cmocka_unit_test_setup_teardown(
		    a_worker_asks_for_what_is_not_there, open_scene,
		    close_scene),
		cmocka_unit_test_setup_teardown(
		    a_watch_does_not_wait_for_another, open_scene, close_scene),
		cmocka_unit_test_setup_teardown(a_test_waits_for_no_lost_call,
		    open_scene, close_scene),
		cmocka_unit_test_setup_teardown(a_wire_gets_its_part,
		    open_scene, close_scene),
		cmocka_unit_test_setup_teardown(a_keeper_names_no_account,
		    open_scene, close_scene),
	};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		rows_tests[rows_n++] = tests[i];
	ROWS(worker_lies, a_worker_lies);
	ROWS(wire_lies, a_wire_lies);
	ROWS(keeper_lies, a_keeper_lies);
	ROWS(onces, a_lease_has_one_login);
	return cmocka_run_group_tests_name("liars", rows_tests, NULL, NULL);
}
