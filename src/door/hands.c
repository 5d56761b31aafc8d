/* SPDX-License-Identifier: Apache-2.0 */
#include "door/hands.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "door/child.h"

enum {
	SHORT_MS = 1000,
	PAUSE_MS = 200
};

void
hands_signals(sigset_t *s)
{
	(void)sigemptyset(s);
	(void)sigaddset(s, SIGCHLD);
	(void)sigaddset(s, SIGTERM);
	(void)sigaddset(s, SIGINT);
	(void)sigaddset(s, SIGHUP);
}

void
hands_begin(bool left)
{
	sigset_t mine;

	child_may_end(left);
	hands_signals(&mine);
	(void)sigprocmask(SIG_UNBLOCK, &mine, NULL);
}

pid_t
hands_start(struct hand *h, const struct env *env, bool left)
{
	h->since_ms = clock_mono_ms();
	h->pid = child_fork(env);
	if (h->pid == 0)
		hands_begin(left);
	return h->pid;
}

pid_t
hands_next(void)
{
	pid_t pid = waitpid(-1, NULL, WNOHANG);

	return pid > 0 ? pid : 0;
}

int
hands_pause_ms(const struct hand *h)
{
	return clock_mono_ms() - h->since_ms < SHORT_MS ? PAUSE_MS : 0;
}
