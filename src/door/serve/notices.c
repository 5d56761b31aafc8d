/* SPDX-License-Identifier: Apache-2.0 */
/* The process that gives notices, and the monitor's view of it. */
#include "door/serve/notices.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "door/serve/keys.h"
#include "door/serve/teller.h"
#include "gate/notice.h"

_Noreturn void
serve_notices_become(int fd, const struct env *env, struct serve_board *b)
{
	static struct env own;
	int monitor = dup2(fd, STDERR_FILENO + 1);
	int teller = dup2(serve_teller_take(), STDERR_FILENO + 2);

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)prctl(PR_SET_NAME, "emcli notices", 0, 0, 0);
	if (monitor < 0)
		_exit(1);
	(void)close_range((unsigned)(teller < 0 ? monitor : teller) + 1, ~0U,
	    0);
	(void)alarm(LIMIT_NOTICES_S);
	serve_teller_by(teller);
	notice_run_by(serve_teller_run);
	serve_keys_join(monitor, env, &own);
	serve_confine_notices(&own, b);
	notice_give(&own);
	_exit(0);
}

void
serve_notices_ask(struct serve_notices *n, const struct env *env,
    uint32_t number)
{
	int fd[2];

	n->again = n->hand.pid > 0;
	if (n->again ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return;
	(void)serve_spawn(&n->hand, SERVE_SPAWN_NOTICES, env, fd[1]);
	(void)close(fd[1]);
	path_close(&n->fd);
	n->fd = fd[0];
	n->number = number;
}

bool
serve_notices_hear(struct serve_notices *n, struct ipc_passed *with)
{
	char note = 0;
	ssize_t r = ipc_pass_recv(n->fd, &note, 1, with);

	if (r == 0 || (r < 0 && errno != EAGAIN && errno != EINTR))
		path_close(&n->fd);
	return r == 1 && note == SERVE_JOIN;
}

bool
serve_notices_reaped(struct serve_notices *n, pid_t pid)
{
	if (n->hand.pid != pid)
		return false;
	n->hand.pid = 0;
	return true;
}
