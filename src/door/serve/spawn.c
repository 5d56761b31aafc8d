/* SPDX-License-Identifier: Apache-2.0 */
/* The spawner, as the monitor sees it: orders of one byte with a socket. */
#include <poll.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keeper.h"

static int spawner = -1; /* a socket to it; -1: there is none */
static bool spawner_gone;

void
serve_spawn_by(int fd)
{
	spawner = fd;
}

static pid_t
serve_spawn_order(enum serve_spawn what, int fd)
{
	const char order = (char)what;
	struct ipc_passed none = { 0 };
	pid_t pid = -1;

	if (ipc_pass_send(spawner, (struct str){ &order, 1 }, &fd, 1) == 1 &&
	    ipc_wait(spawner, POLLIN, clock_mono_ms() + LIMIT_IPC_MS) > 0 &&
	    ipc_pass_recv(spawner, &pid, sizeof(pid), &none) ==
		(ssize_t)sizeof(pid))
		return pid;
	/* A late answer would be taken for that of the next order. */
	ipc_pass_close(&none);
	path_close(&spawner);
	spawner_gone = true;
	return -1;
}

pid_t
serve_spawn(struct hand *h, enum serve_spawn what, const struct env *env,
    int fd)
{
	if (spawner < 0 && !spawner_gone)
		return hands_start(h, env, false);
	h->since_ms = clock_mono_ms();
	h->pid = spawner_gone ? -1 : serve_spawn_order(what, fd);
	return h->pid;
}

bool
serve_spawn_is_gone(void)
{
	return spawner_gone;
}

int
serve_spawn_end(struct err *e)
{
	const char order = SERVE_SPAWN_END;

	if (spawner_gone)
		return err_set(e, ERR_INTERNAL,
		    "the process that starts the others has ended");
	if (ipc_pass_send(spawner, (struct str){ &order, 1 }, NULL, 0) == 1)
		(void)ipc_wait(spawner, POLLIN, clock_mono_ms() + LIMIT_IPC_MS);
	path_close(&spawner);
	return 0;
}
