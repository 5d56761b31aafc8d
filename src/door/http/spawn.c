/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that those of calls are forked from, where the one that speaks
 * HTTP is confined: a process can have no more than the one that it was forked
 * from.  It is forked before the first connection, reads no client's byte, and
 * hears its worker alone, orders of one size.  What it starts is the worker's
 * to wait for.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/http/internal.h"
#include "ipc/ipc.h"

/* One more than places: a process that waits for its request. */
#define SPAWNED (HTTP_PLACES + 1)

struct spawn_order {
	int32_t pid, sig; /* 0: start one, with two descriptors */
};

struct spawner {
	const struct http *h;
	http_spawn_run *becomes;
	int worker; /* a socket */
	struct {
		int32_t pid;
		int fd; /* of the process; -1: none */
	} v[SPAWNED];
};

/* -- in that process ------------------------------------------------------- */

/* A place for one more; SPAWNED: there is none. */
static size_t
http_spawn_place(struct spawner *s)
{
	size_t at = SPAWNED;

	for (size_t i = 0; i < SPAWNED; i++) {
		struct pollfd p = { s->v[i].fd, POLLIN, 0 };

		/* It can be read when the process has ended. */
		if (p.fd >= 0 && poll(&p, 1, 0) > 0)
			path_close(&s->v[i].fd);
		if (s->v[i].fd < 0)
			at = i;
	}
	return at;
}

static _Noreturn void
http_spawn_become(const struct spawner *s, const int *fd)
{
	(void)prctl(PR_SET_NAME, "emcli http", 0, 0, 0);
	child_begin(fd[0], fd[1]);
	s->becomes(s->h);
	_exit(0);
}

static pid_t
http_spawn_fork(struct spawner *s, const struct ipc_passed *with)
{
	size_t at = http_spawn_place(s);
	pid_t pid = -1;

	if (at < SPAWNED && with->n == 2)
		pid = child_fork_beside(s->h->routes->env);
	if (pid == 0)
		http_spawn_become(s, with->fd);
	if (pid > 0) {
		s->v[at].pid = (int32_t)pid;
		s->v[at].fd = ipc_peer_open(pid);
	}
	return pid;
}

/* Of those that it started; the kernel refuses others to the worker. */
static void
http_spawn_tell(struct spawner *s, const struct spawn_order *o)
{
	(void)http_spawn_place(s);
	for (size_t i = 0; i < SPAWNED; i++)
		if (s->v[i].fd >= 0 && s->v[i].pid == o->pid)
			(void)syscall(SYS_pidfd_send_signal, s->v[i].fd, o->sig,
			    NULL, 0);
}

/* False: the worker has ended. */
static bool
http_spawn_hear(struct spawner *s)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct spawn_order o = { 0 };
	pid_t pid;

	if (ipc_wait(s->worker, POLLIN, IPC_WAIT_EVER) < 0 ||
	    ipc_pass_recv(s->worker, &o, sizeof(o), &with) !=
		(ssize_t)sizeof(o))
		return false;
	if (o.pid != 0) {
		http_spawn_tell(s, &o);
		return true;
	}
	pid = http_spawn_fork(s, &with);
	return ipc_pass_send(s->worker,
		   (struct str){ (char *)&pid, sizeof(pid) }, NULL,
		   0) == (ssize_t)sizeof(pid);
}

static _Noreturn void
http_spawn_listen(const struct http *h, http_spawn_run *run, int worker)
{
	struct spawner s = { .h = h, .becomes = run, .worker = worker };

	child_may_end(false);
	(void)prctl(PR_SET_NAME, "emcli http fork", 0, 0, 0);
	child_keep(worker, -1);
	for (size_t i = 0; i < SPAWNED; i++)
		s.v[i].fd = -1;
	while (http_spawn_hear(&s))
		;
	_exit(0);
}

/* -- in the worker --------------------------------------------------------- */

int
http_spawn_begin(struct http_calls *all, http_spawn_run *run)
{
	const struct http *h = all->h;
	int fd[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return -1;
	pid = child_fork(h->routes->env);
	if (pid == 0)
		http_spawn_listen(h, run, fd[1]);
	(void)close(fd[1]);
	all->spawner = fd[0];
	child_keeps_none();
	child_keeps(all->spawner);
	child_keep(h->fd, h->local > 0 ? h->local : -1);
	return pid < 0 ? -1 : 0;
}

int
http_spawn(const struct http_calls *all, struct child *c, int order)
{
	const struct spawn_order o = { 0 };
	CLEANUP(ipc_pass_close) struct ipc_passed none = { 0 };
	int fd[2], with[2];
	pid_t pid = -1;
	bool sent;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	with[0] = fd[1];
	with[1] = order;
	sent = ipc_pass_send(all->spawner,
		   (struct str){ (const char *)&o, sizeof(o) }, with,
		   2) == (ssize_t)sizeof(o);
	(void)close(fd[1]);
	/* A late answer would be taken for that of the next order. */
	if (!sent ||
	    ipc_wait(all->spawner, POLLIN, clock_mono_ms() + LIMIT_IPC_MS) <=
		0 ||
	    ipc_pass_recv(all->spawner, &pid, sizeof(pid), &none) !=
		(ssize_t)sizeof(pid))
		_exit(1);
	if (pid <= 0) {
		(void)close(fd[0]);
		return -1;
	}
	child_is(c, pid, fd[0]);
	return 0;
}

void
http_spawn_signal(const struct http_calls *all, const struct child *c, int sig)
{
	const struct spawn_order o = { (int32_t)c->pid, sig };

	if (all->spawner < 0)
		child_signal(c, sig);
	else if (c->pid > 0)
		(void)ipc_pass_send(all->spawner,
		    (struct str){ (const char *)&o, sizeof(o) }, NULL, 0);
}
