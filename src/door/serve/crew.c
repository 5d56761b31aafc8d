/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers: each has a socket to the monitor, gets a connection by it, and
 * says by it when the call is done.  The monitor keeps the connection too, and
 * so sees a client that goes away.
 */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "door/child.h"
#include "door/serve/keeper.h"
#include "door/serve/keys.h"

enum {
	BEHIND = 10 /* nice(2) */
};

/* In the worker: nothing of the monitor's but the socket. */
_Noreturn void
serve_crew_become(const struct serve_crew *c, int fd)
{
	static struct env own;
	struct serve_worker w = { .env = &own, .board = c->board };

	/* A terminal's key ends the monitor, which then waits for calls. */
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)prctl(PR_SET_NAME, "emcli worker", 0, 0, 0);
	w.monitor = dup2(fd, STDERR_FILENO + 1);
	if (w.monitor < 0)
		_exit(1);
	(void)close_range(STDERR_FILENO + 2, ~0U, 0);
	serve_keys_join(w.monitor, c->env, &own);
	serve_worker(&w);
}

bool
serve_crew_start(struct serve_crew *c, int64_t now_ms)
{
	struct serve_member *m = &c->v[c->n];
	int fd[2];

	if (c->n - serve_crew_pipes(c) >= LIMIT_SERVE_WORKERS ||
	    now_ms < c->not_before_ms ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return false;
	*m = (struct serve_member){ .fd = fd[0],
		.conn = -1,
		.number = serve_brood_number(c->brood),
		.since_ms = now_ms };
	/* It gets no key. */
	if (serve_spawn(&m->hand, SERVE_SPAWN_WORKER, &(const struct env){ 0 },
		fd[1]) == 0)
		serve_crew_become(c, fd[1]);
	(void)close(fd[1]);
	if (m->hand.pid < 0) {
		(void)close(fd[0]);
		return false;
	}
	c->n++;
	return true;
}

static struct serve_member *
serve_crew_idle(struct serve_crew *c, bool any, bool behind)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].fd >= 0 && c->v[i].conn < 0 &&
		    (any || c->v[i].behind == behind))
			return &c->v[i];
	return NULL;
}

/* The kernel prefers the others from now on; that cannot be taken back. */
static void
serve_crew_put_behind(struct serve_member *m)
{
	m->behind = true;
	(void)setpriority(PRIO_PROCESS, (id_t)m->hand.pid, BEHIND);
}

/*
 * Whoever has one call at a time has a processor for it; the calls of whoever
 * has more come behind those of everybody else.
 */
struct serve_member *
serve_crew_for(struct serve_crew *c, uint32_t uid, bool more, int64_t now_ms)
{
	const bool behind = more || serve_crew_running(c, uid) > 0;
	struct serve_member *m = serve_crew_idle(c, false, behind);

	if (m != NULL)
		return m;
	if (!serve_crew_start(c, now_ms))
		return serve_crew_idle(c, true, behind);
	m = &c->v[c->n - 1];
	if (behind)
		serve_crew_put_behind(m);
	return m;
}

size_t
serve_crew_running(void *crew, uint32_t uid)
{
	const struct serve_crew *c = crew;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->v[i].conn >= 0 && !c->v[i].pipe && !c->v[i].watch &&
		    c->v[i].uid == uid;
	return n;
}

size_t
serve_crew_busy(const struct serve_crew *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->v[i].conn >= 0 && !c->v[i].pipe;
	return n;
}

size_t
serve_crew_pipes(const struct serve_crew *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->v[i].pipe;
	return n;
}

void
serve_crew_end_pipes(struct serve_crew *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].pipe)
			path_close(&c->v[i].fd);
}

/* May a user have one more? */
static bool
serve_crew_may_pipe(const struct serve_crew *c, uint32_t uid)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->v[i].pipe && c->v[i].uid == uid;
	return n < LIMIT_SERVE_PIPES_OF &&
	    serve_crew_pipes(c) < LIMIT_SERVE_PIPES;
}

/* The same for a call that waits: other calls have workers, too. */
static bool
serve_crew_may_watch(const struct serve_crew *c, uint32_t uid)
{
	size_t own = 0, all = 0;

	for (size_t i = 0; i < c->n; i++) {
		all += c->v[i].watch;
		own += c->v[i].watch && c->v[i].uid == uid;
	}
	return own < LIMIT_SERVE_WATCHES_OF && all < LIMIT_SERVE_WATCHES;
}

/*
 * From now on a pipe counts as no call, and may take any time; a call that
 * waits does not count among those of its user that run.
 */
static void
serve_crew_allow(struct serve_crew *c, struct serve_member *m, bool pipe)
{
	const bool yes = m->conn >= 0 &&
	    (pipe ? serve_crew_may_pipe(c, m->uid)
		  : serve_crew_may_watch(c, m->uid));
	const char note = yes ? SERVE_YES : SERVE_NO;

	*(pipe ? &m->pipe : &m->watch) = yes;
	(void)ipc_pass_send(m->fd, (struct str){ &note, 1 }, NULL, 0);
}

/* Its client sees the end of the connection, if it has no reply yet. */
static void
serve_crew_free(struct serve_member *m, int64_t now_ms)
{
	path_close(&m->conn);
	m->since_ms = now_ms;
	m->reads = m->left = m->watch = false;
}

bool
serve_crew_give(struct serve_member *m, const struct serve_waiting *x,
    int64_t now_ms)
{
	const char order = x->again ? SERVE_AGAIN : SERVE_CALL;

	if (ipc_pass_send(m->fd, (struct str){ &order, 1 }, &x->fd, 1) != 1) {
		path_close(&m->fd);
		return false;
	}
	m->conn = x->fd;
	m->uid = x->uid;
	m->since_ms = now_ms;
	m->calls++;
	return true;
}

void
serve_crew_left(struct serve_member *m)
{
	m->left = true;
	if (m->reads)
		(void)kill(m->hand.pid, CHILD_LEFT);
}

/* It has a call, and says no other byte than these. */
static bool
serve_crew_may_say(const struct serve_member *m, char note)
{
	const char notes[] = { SERVE_READS, SERVE_WATCH, SERVE_PIPE, SERVE_DONE,
		SERVE_LEAKED, SERVE_STALE, '\0' };

	return m->conn >= 0 && note != '\0' && strchr(notes, note) != NULL;
}

/* One that was taken over does not end by itself. */
static void
serve_crew_end(struct serve_member *m)
{
	path_close(&m->fd);
	if (m->hand.pid > 0)
		(void)kill(m->hand.pid, SIGKILL);
}

bool
serve_crew_hear(struct serve_crew *c, struct serve_member *m, int64_t now_ms)
{
	struct ipc_passed with = { 0 };
	char note = 0;
	ssize_t r = ipc_pass_recv(m->fd, &note, 1, &with);
	bool says = r > 0 && with.n == 0 && serve_crew_may_say(m, note);

	if (r == 1 && note == SERVE_JOIN && with.n == 2) {
		serve_brood_join(c->brood, m->number, &with);
		return false;
	}
	ipc_pass_close(&with);
	if (r < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (!says) {
		serve_crew_end(m);
		return false;
	}
	if (note == SERVE_STALE)
		return true;
	if (note == SERVE_READS) {
		m->reads = true;
		if (m->left)
			serve_crew_left(m);
		return false;
	}
	if (note == SERVE_PIPE || note == SERVE_WATCH) {
		serve_crew_allow(c, m, note == SERVE_PIPE);
		return false;
	}
	serve_crew_free(m, now_ms);
	/* It sees the end of its socket, and ends. */
	if (note == SERVE_LEAKED || m->pipe || m->calls >= LIMIT_SERVE_CALLS)
		path_close(&m->fd);
	return false;
}

void
serve_crew_renew(struct serve_crew *c)
{
	for (size_t i = 0; i < c->n; i++) {
		c->v[i].calls = LIMIT_SERVE_CALLS;
		if (c->v[i].conn < 0)
			path_close(&c->v[i].fd);
	}
}

void
serve_crew_tick(struct serve_crew *c, int64_t now_ms)
{
	size_t idle = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct serve_member *m = &c->v[i];

		if (m->conn >= 0 && !m->pipe &&
		    now_ms - m->since_ms > LIMIT_SERVE_CALL_MS)
			(void)kill(m->hand.pid, SIGKILL);
		if (m->conn >= 0)
			continue;
		if (m->fd < 0) {
			serve_crew_end(m);
			continue;
		}
		idle += !m->behind;
		if ((m->behind || idle > LIMIT_SERVE_SPARE) &&
		    now_ms - m->since_ms > LIMIT_SERVE_SPARE_MS)
			path_close(&m->fd);
	}
}

void
serve_crew_reap(struct serve_crew *c, int64_t now_ms)
{
	pid_t pid;

	while ((pid = hands_next()) > 0) {
		if (serve_beside_reap(c->beside, pid, now_ms) ||
		    serve_brood_reaped(c->brood, pid, now_ms))
			continue;
		for (size_t i = 0; i < c->n; i++) {
			struct serve_member *m = &c->v[i];

			if (m->hand.pid != pid)
				continue;
			/* One that served nobody would end again. */
			if (m->calls == 0 && hands_pause_ms(&m->hand) > 0)
				c->not_before_ms =
				    now_ms + hands_pause_ms(&m->hand);
			serve_crew_free(m, now_ms);
			path_close(&m->fd);
			*m = c->v[--c->n];
			break;
		}
	}
}

void
serve_crew_kill(struct serve_crew *c)
{
	for (size_t i = 0; i < c->n; i++)
		(void)kill(c->v[i].hand.pid, SIGKILL);
}
