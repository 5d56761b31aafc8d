/* SPDX-License-Identifier: Apache-2.0 */
/* The workers, as the monitor sees them: what they say, and what is a lie. */
#include "../rows.h"

#include <sys/socket.h>

#include "door/serve/internal.h"

/* A worker of a crew that says this of a user's call: the monitor's answer. */
static char
told(struct serve_crew *c, uint32_t uid, char note)
{
	struct serve_member *m = &c->v[c->n];
	char answer = '\0';
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	*m = (struct serve_member){ .fd = fd[0], .conn = fd[1], .uid = uid };
	c->n++;
	assert_int_equal(send(fd[1], &note, 1, 0), 1);
	assert_false(serve_crew_hear(c, m, 1));
	assert_int_equal(recv(fd[1], &answer, 1, 0), 1);
	return answer;
}

static void
calls_that_wait_leave_workers_to_others(void **state)
{
	static struct serve_crew c;
	const char done = SERVE_DONE;
	uint32_t uid = 0;

	(void)state;
	for (int i = 0; i < LIMIT_SERVE_WATCHES_OF; i++)
		assert_int_equal(told(&c, uid, SERVE_WATCH), SERVE_YES);
	/* One too many is a call as any other; those that wait are not. */
	assert_int_equal(serve_crew_running(&c, uid), 0);
	assert_int_equal(told(&c, uid, SERVE_WATCH), SERVE_NO);
	assert_int_equal(serve_crew_running(&c, uid), 1);
	assert_int_equal(told(&c, uid, SERVE_PIPE), SERVE_YES);
	assert_int_equal(serve_crew_running(&c, uid), 1);
	assert_int_equal(serve_crew_busy(&c), LIMIT_SERVE_WATCHES_OF + 1);
	for (int i = LIMIT_SERVE_WATCHES_OF; i < LIMIT_SERVE_WATCHES; i++)
		assert_int_equal(told(&c, ++uid, SERVE_WATCH), SERVE_YES);
	assert_int_equal(told(&c, ++uid, SERVE_WATCH), SERVE_NO);
	assert_true(LIMIT_SERVE_WATCHES < LIMIT_SERVE_WORKERS);
	/* One that is done makes room; this closes its connection. */
	assert_int_equal(send(c.v[0].conn, &done, 1, 0), 1);
	assert_false(serve_crew_hear(&c, &c.v[0], 2));
	assert_int_equal(c.v[0].conn, -1);
	assert_int_equal(told(&c, uid, SERVE_WATCH), SERVE_YES);
	for (size_t i = 0; i < c.n; i++) {
		(void)close(c.v[i].fd);
		if (c.v[i].conn >= 0)
			(void)close(c.v[i].conn);
	}
}

/* What a worker that was taken over says to the monitor. */
static const struct crew_lie {
	const char *why;
	char note;
	bool calls; /* it has a call */
	bool passes;
} crew_lies[] = {
	{ "no call is done", SERVE_DONE, false, false },
	{ "no call is stale", SERVE_STALE, false, false },
	{ "no call is a pipe", SERVE_PIPE, false, false },
	{ "a byte that there is not", 'z', true, false },
	{ "a byte of the monitor's", SERVE_YES, true, false },
	{ "nothing", '\0', true, false },
	{ "that it is done, and passes a descriptor", SERVE_DONE, true, true },
};

/* It is ended, whatever it does; nobody else is. */
static void
a_worker_that_lies(void **state)
{
	const struct crew_lie *lie = *state;
	static struct serve_crew c;
	int fd[2], other[2], status = 0, null = STDIN_FILENO;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			(void)pause();
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, other), 0);
	c = (struct serve_crew){ .n = 2 };
	c.v[0] = (struct serve_member){ .fd = fd[0],
		.conn = lie->calls ? dup(null) : -1,
		.hand.pid = pid };
	c.v[1] = (struct serve_member){ .fd = other[0], .conn = other[1] };
	assert_int_equal(ipc_pass_send(fd[1], (struct str){ &lie->note, 1 },
			     &null, lie->passes),
	    1);
	assert_false(serve_crew_hear(&c, &c.v[0], 1));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(c.v[0].fd, -1);
	assert_int_equal(c.v[1].fd, other[0]);
	assert_int_equal(c.v[1].conn, other[1]);
	if (c.v[0].conn >= 0)
		(void)close(c.v[0].conn);
	(void)close(fd[1]);
	(void)close(other[0]);
	(void)close(other[1]);
}

int
main(void)
{
	ROWS(crew_lies, a_worker_that_lies);
	rows_add("calls that wait", calls_that_wait_leave_workers_to_others,
	    NULL);
	return cmocka_run_group_tests_name("crew", rows_tests, NULL, NULL);
}
