/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that gives notices, in a session of its own: an agent that ends
 * its processes does not end it.  It has a deadline.
 */
#include "door/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/trace.h"
#include "door/child.h"
#include "gate/notice.h"

/* Nothing of the call that began it: nobody waits for a file that it has. */
static _Noreturn void
notice_apart_give(const struct env *env)
{
	int null;

	child_keeps_none();
	child_keep(-1, -1);
	trace_closed();
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			_exit(1);
	(void)prctl(PR_SET_NAME, "emcli notice", 0, 0, 0);
	(void)alarm(LIMIT_NOTICES_S);
	notice_give(env);
	_exit(0);
}

/* Its parent stays until it has looked who that is: child_fork(). */
static _Noreturn void
notice_apart_fork(const struct env *env)
{
	char unused;
	int ends[2];
	pid_t pid;

	if (setsid() < 0 || pipe2(ends, O_CLOEXEC) < 0)
		_exit(1);
	pid = child_fork(env);
	if (pid == 0)
		notice_apart_give(env);
	(void)close(ends[1]);
	if (pid > 0)
		(void)!read(ends[0], &unused, 1);
	_exit(0);
}

void
notice_apart(const struct env *env)
{
	pid_t pid = child_fork(env);

	if (pid == 0)
		notice_apart_fork(env);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
