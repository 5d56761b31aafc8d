/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that starts the broker, and the broker that goes on in another.
 * The first stays until the second listens: a process without its parent ends,
 * and whoever starts a broker is told when it cannot listen.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/path.h"
#include "door/child.h"
#include "door/serve/internal.h"

static int
serve_starter_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the broker cannot go on by itself");
	return err_errno(e, what);
}

void
serve_starter_tell(struct serve_socket *at, const struct err *e)
{
	/* Its texts are the same in both: one was forked from the other. */
	if (at->starter >= 0)
		(void)!write(at->starter, e, sizeof(*e));
	path_close(&at->starter);
}

/* What the broker says when it listens, or cannot. */
static int
serve_starter_wait(int broker, struct err *e)
{
	struct err said = { 0 };

	if (!child_take(broker, &said, sizeof(said)))
		return err_set(e, ERR_INTERNAL,
		    "the broker ended before it listened");
	if (said.kind == ERR_NONE)
		return 1;
	*e = said;
	return -1;
}

/* Without the terminal of whoever started it. */
static int
serve_starter_leave(struct err *e)
{
	CLEANUP(path_close) int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || setsid() < 0 || chdir("/") < 0 ||
	    dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return serve_starter_fail(e, "/dev/null");
	return 0;
}

int
serve_starter_fork(struct serve_socket *at, const struct env *env,
    struct err *e)
{
	CLEANUP(path_close) int broker = -1;
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return serve_starter_fail(e, "pipe");
	broker = fd[0];
	at->starter = fd[1];
	pid = child_fork(env);
	if (pid == 0)
		return serve_starter_leave(e);
	path_close(&at->starter);
	if (pid < 0)
		return serve_starter_fail(e, "fork");
	return serve_starter_wait(broker, e);
}
