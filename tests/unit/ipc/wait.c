/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a descriptor: what is ready, what is late, and a signal. */
#include "../rows.h"

#include <poll.h>
#include <sys/time.h>

#include "base/clock.h"
#include "ipc/ipc.h"

#define SOON_MS (-1) /* a deadline that is not reached */

static int ends[2];

static const struct wait_row {
	const char *why;
	bool written, closed;
	int64_t until_ms;
	int r;
} waits[] = {
	{ "what is there is not waited for", true, false, IPC_WAIT_EVER, 1 },
	{ "within the deadline", true, false, SOON_MS, 1 },
	{ "the end is an event", false, true, IPC_WAIT_EVER, 1 },
	{ "what is there is late", true, false, 0, 0 },
	{ "nothing is there, and it is late", false, false, 0, 0 },
};

static void
wait_for_it(void **state)
{
	const struct wait_row *x = *state;
	int64_t until =
	    x->until_ms == SOON_MS ? clock_mono_ms() + 600000 : x->until_ms;

	assert_int_equal(pipe(ends), 0);
	if (x->written)
		assert_int_equal(write(ends[1], "x", 1), 1);
	if (x->closed)
		(void)close(ends[1]);
	assert_int_equal(ipc_wait(ends[0], POLLIN, until), x->r);
	(void)close(ends[0]);
	if (!x->closed)
		(void)close(ends[1]);
}

static void
write_at_last(int unused)
{
	static int times;

	(void)unused;
	if (++times == 3)
		(void)!write(ends[1], "x", 1);
}

/* The first two of them end poll(2), and nothing is there. */
static void
a_signal_is_no_answer(void **state)
{
	const struct sigaction hear = { .sa_handler = write_at_last };
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } };

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(sigaction(SIGALRM, &hear, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_int_equal(ipc_wait(ends[0], POLLIN, IPC_WAIT_EVER), 1);
	often = (struct itimerval){ 0 };
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int
main(void)
{
	ROWS(waits, wait_for_it);
	rows_add("a signal is no answer", a_signal_is_no_answer, NULL);
	return cmocka_run_group_tests_name("ipc/wait", rows_tests, NULL, NULL);
}
