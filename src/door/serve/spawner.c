/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spawner.  A process can have no more than the one that it was forked
 * from, and the monitor, which hears clients and workers, is to have nothing.
 * So the monitor forks this one first, and then gives up its files and the key.
 * The spawner hears orders of one byte, from the monitor alone; what it starts
 * is the monitor's to wait for and to end.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "door/child.h"
#include "door/serve/notices.h"
#include "door/serve/teller.h"

static _Noreturn void
serve_spawner_become(struct serve_crew *c, enum serve_spawn what, int fd)
{
	hands_begin(false);
	if (what == SERVE_SPAWN_NOTICES)
		serve_notices_become(fd, c->env, c->board);
	serve_teller_close();
	switch (what) {
	case SERVE_SPAWN_KEEPER:
	case SERVE_SPAWN_WIRE:
		serve_brood_become(c->brood, what, fd);
	case SERVE_SPAWN_WORKER:
		serve_crew_become(c, fd);
	case SERVE_SPAWN_BESIDE:
		serve_beside_become(c->beside, fd, c->env);
	case SERVE_SPAWN_NOTICES:
	case SERVE_SPAWN_END:
		break;
	}
	_exit(1);
}

static _Noreturn void
serve_spawner_finish(const struct serve_crew *c, const struct serve_socket *at)
{
	struct serve_beside *b = c->beside;

	if (b->service != NULL)
		b->is->close(b->service);
	if (at->folder >= 0)
		(void)unlinkat(at->folder, at->name, 0);
	_exit(0);
}

/* False: the monitor has ended. */
static bool
serve_spawner_hear(struct serve_crew *c, int monitor,
    const struct serve_socket *at)
{
	static const struct env none;
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	char what = '\0';
	pid_t pid;

	if (ipc_wait(monitor, POLLIN, IPC_WAIT_EVER) < 0 ||
	    ipc_pass_recv(monitor, &what, 1, &with) != 1)
		return false;
	if (what == SERVE_SPAWN_END)
		serve_spawner_finish(c, at);
	if (with.n != 1)
		return false;
	/* Only the keeper gets the key. */
	pid = child_fork_beside(what == SERVE_SPAWN_KEEPER ? c->env : &none);
	if (pid == 0)
		serve_spawner_become(c, (enum serve_spawn)what, with.fd[0]);
	return ipc_pass_send(monitor, (struct str){ (char *)&pid, sizeof(pid) },
		   NULL, 0) == (ssize_t)sizeof(pid);
}

static _Noreturn void
serve_spawner_run(struct serve_crew *c, int monitor,
    const struct serve_socket *from)
{
	struct serve_socket at = *from;

	child_may_end(false);
	(void)prctl(PR_SET_NAME, "emcli spawner", 0, 0, 0);
	/* Who listens, and the lock on the folder, are the monitor's. */
	if (from->folder >= 0)
		at.folder =
		    openat(from->folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	serve_teller_leave();
	(void)close(from->listening);
	path_close(&at.starter);
	if (from->folder >= 0)
		(void)close(from->folder);
	while (serve_spawner_hear(c, monitor, &at))
		;
	_exit(0);
}

/* -- its beginning, in the monitor ------------------------------------------
 */

static int
serve_spawner_fork(struct serve_crew *c, const struct serve_socket *at)
{
	int fd[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return -1;
	pid = child_fork(c->env);
	if (pid == 0) {
		(void)close(fd[0]);
		serve_spawner_run(c, fd[1], at);
	}
	(void)close(fd[1]);
	if (pid < 0)
		(void)close(fd[0]);
	else
		serve_spawn_by(fd[0]);
	return pid < 0 ? -1 : 0;
}

int
serve_spawner_begin(struct serve_crew *c, const struct serve_socket *at,
    const struct sandbox_state *confined, struct err *e)
{
	atomic_store(&c->board->confined[SANDBOX_SPAWNER],
	    sandbox_pack(confined));
	if (serve_spawner_fork(c, at) < 0)
		return err_set(e, ERR_INTERNAL, "the broker cannot start");
	secret_empty(c->env->agent_key);
	serve_teller_close();
	return serve_confine_monitor(c->board, e);
}
