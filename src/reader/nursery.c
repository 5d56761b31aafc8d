/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that readers are forked from.  It was forked itself before its
 * caller opened a store or read a stranger's byte, so a reader has nothing to
 * tell; and it keeps one ahead, confined already, so that nobody waits for it.
 */
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "reader/internal.h"

struct nursery {
	int caller;  /* a socket to the processes that use readers */
	int ready;   /* a socket to the next reader; -1: it is to be made */
	uint32_t is; /* what confines it: sandbox_pack() */
};

/* In the child: it ends with its parent, and has only the socket. */
static _Noreturn void
reader_nursery_bear(int fd, pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(fd, STDERR_FILENO + 1) < 0)
		_exit(1);
	(void)close_range(STDERR_FILENO + 2, ~0U, 0);
	(void)prctl(PR_SET_NAME, "emcli reader", 0, 0, 0);
	reader_child(STDERR_FILENO + 1);
}

static bool
reader_nursery_next(struct nursery *n)
{
	const struct timeval wait = { .tv_sec = LIMIT_READER_MS / 1000 };
	pid_t me = getpid(), pid;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
		return false;
	pid = fork();
	if (pid == 0)
		reader_nursery_bear(fd[1], me);
	path_close(&fd[1]);
	if (pid > 0 &&
	    setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) ==
		0 &&
	    setsockopt(fd[0], SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)) ==
		0 &&
	    reader_child_read(fd[0], &n->is, sizeof(n->is))) {
		n->ready = fd[0];
		return true;
	}
	path_close(&fd[0]);
	return false;
}

/* Unasked it says nothing: what there is to hear is its end. */
static bool
reader_nursery_waits(const struct nursery *n)
{
	struct pollfd p = { n->ready, POLLIN, 0 };

	return n->ready >= 0 && poll(&p, 1, 0) == 0;
}

/* False: its caller has gone, or can have none. */
static bool
reader_nursery_give(struct nursery *n)
{
	if (!reader_nursery_waits(n)) {
		path_close(&n->ready);
		if (!reader_nursery_next(n))
			return false;
	}
	if (ipc_pass_send(n->caller, S("r"), &n->ready, 1) != 1)
		return false;
	path_close(&n->ready);
	/* If that fails, it is tried when one is asked for. */
	(void)reader_nursery_next(n);
	return true;
}

_Noreturn void
reader_nursery(int fd)
{
	struct nursery n = { .caller = fd, .ready = -1 };
	struct sandbox_state own = { 0 };
	struct err e = { 0 };
	char ask;

	/* Nobody waits for those that end. */
	(void)signal(SIGCHLD, SIG_IGN);
	(void)prctl(PR_SET_NAME, "emcli nursery", 0, 0, 0);
	if (sandbox_keep(SANDBOX_READER, &e) < 0 ||
	    sandbox_enter(SANDBOX_NURSERY, NULL, 0, &own, &e) < 0 ||
	    !reader_nursery_next(&n) ||
	    write(fd, &n.is, sizeof(n.is)) != (ssize_t)sizeof(n.is))
		_exit(1);
	while (read(fd, &ask, 1) == 1 && reader_nursery_give(&n))
		;
	_exit(0);
}
