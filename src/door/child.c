/* SPDX-License-Identifier: Apache-2.0 */
/* Processes for requests: starts them, reads from them and ends them. */
#include "door/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/out.h"

/* In a child: its parent, and the descriptor that it writes to. */
static pid_t parent;
static int say_fd = -1;
static int order_fd = -1;
/* What every process here keeps open; -1: nothing. */
static int also_fd[2] = { -1, -1 };

/* Do children get the keys? */
static void
child_keys(const struct env *env, bool inherit)
{
	if (env->agent_key != NULL)
		secret_inherit(env->agent_key, inherit);
	if (env->admin_key != NULL)
		secret_inherit(env->admin_key, inherit);
}

/* The new process; its parent may already have ended. */
static void
child_become(const struct env *env, pid_t made_by)
{
	parent = made_by;
	if (getppid() != parent)
		_exit(1);
	if (env->agent_key != NULL)
		secret_relock(env->agent_key);
	if (env->admin_key != NULL)
		secret_relock(env->admin_key);
	child_keys(env, false);
	say_fd = order_fd = -1;
}

/* A sibling: clone(2).  libc has no other way to it. */
static pid_t
child_clone(void)
{
	const unsigned long flags = CLONE_PARENT | SIGCHLD;
#ifdef __s390__
	return (pid_t)syscall(SYS_clone, 0, flags, 0, 0, 0);
#else
	return (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);
#endif
}

static pid_t
child_fork_for(const struct env *env, pid_t made_by, bool beside)
{
	sigset_t wait, old;
	pid_t pid;

	(void)sigemptyset(&wait);
	(void)sigaddset(&wait, CHILD_LEFT);
	(void)sigaddset(&wait, CHILD_STOP);
	(void)sigprocmask(SIG_BLOCK, &wait, &old);
	child_keys(env, true);
	pid = beside ? child_clone() : fork();
	if (pid == 0) {
		child_become(env, made_by);
		return 0;
	}
	child_keys(env, false);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

pid_t
child_fork(const struct env *env)
{
	return child_fork_for(env, getpid(), false);
}

pid_t
child_fork_beside(const struct env *env)
{
	return child_fork_for(env, getppid(), true);
}

void
child_keeps_none(void)
{
	also_fd[0] = also_fd[1] = -1;
}

void
child_keeps(int fd)
{
	also_fd[also_fd[0] >= 0] = fd;
}

/* The lowest of them from there on; ~0: there is none. */
static unsigned
child_keep_next(const int *kept, size_t n, unsigned from)
{
	unsigned next = ~0U;

	for (size_t i = 0; i < n; i++)
		if (kept[i] >= (int)from && (unsigned)kept[i] < next)
			next = (unsigned)kept[i];
	return next;
}

void
child_keep(int one, int other)
{
	const int kept[] = { one, other, also_fd[0], also_fd[1] };
	unsigned from = STDERR_FILENO + 1, next;

	while ((next = child_keep_next(kept, 4, from)) != ~0U) {
		if (next > from)
			(void)close_range(from, next - 1, 0);
		from = next + 1;
	}
	(void)close_range(from, ~0U, 0);
}

void
child_is(struct child *c, pid_t pid, int fd)
{
	*c = (struct child){ .pid = pid, .fd = fd };
	c->in.max = LIMIT_MCP_REPLY;
}

void
child_begin(int say, int order)
{
	/* The sockets of other requests, and the listening one. */
	child_keep(say, order);
	say_fd = say;
	order_fd = order;
}

int
child_start_with(struct child *c, const struct env *env, void (*run)(void *),
    void *arg, int order)
{
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	pid = child_fork(env);
	if (pid == 0) {
		child_begin(fd[1], order);
		run(arg);
		/* Nothing of the parent's may be flushed or closed here. */
		_exit(0);
	}
	(void)close(fd[1]);
	if (pid < 0) {
		(void)close(fd[0]);
		return -1;
	}
	child_is(c, pid, fd[0]);
	return 0;
}

int
child_start(struct child *c, const struct env *env, void (*run)(void *),
    void *arg)
{
	return child_start_with(c, env, run, arg, -1);
}

int
child_start_ahead(struct child *c, const struct env *env, void (*run)(void *),
    void *arg, int *to)
{
	int fd[2], r;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	r = child_start_with(c, env, run, arg, fd[0]);
	(void)close(fd[0]);
	if (r < 0)
		(void)close(fd[1]);
	else
		*to = fd[1];
	return r;
}

int
child_order(void)
{
	return order_fd;
}

bool
child_take(int fd, void *out, size_t n)
{
	char *at = out;

	while (n > 0) {
		ssize_t got = read(fd, at, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

void
child_end(struct child *c)
{
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	(void)close(c->fd);
	lines_close(&c->in);
	c->pid = 0;
}

bool
child_read(struct child *c, child_hear *hear, void *arg)
{
	enum lines_state s;
	struct str line;

	lines_fill(&c->in, c->fd);
	if (c->in.end) {
		child_end(c);
		return true;
	}
	while ((s = lines_next(&c->in, &line)) != LINES_NONE)
		if (s == LINES_WHOLE && line.n > 0)
			hear(arg, line.p[0], str_from(line, 1));
	return false;
}

void
child_signal(const struct child *c, int sig)
{
	if (c->pid > 0)
		(void)kill(c->pid, sig);
}

void
child_say(char kind, const struct json *j)
{
	if (out_write(say_fd, (struct str){ &kind, 1 }) < 0 ||
	    json_write(j, say_fd) < 0 || out_write(say_fd, S("\n")) < 0)
		_exit(1);
}

void
child_line(char kind, struct str line)
{
	if (out_write(say_fd, (struct str){ &kind, 1 }) < 0 ||
	    out_write_line(say_fd, line) < 0)
		_exit(1);
}

void
child_may_end(bool left)
{
	sigset_t now;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	(void)signal(CHILD_LEFT, SIG_DFL);
	(void)signal(CHILD_STOP, SIG_DFL);
	(void)sigemptyset(&now);
	(void)sigaddset(&now, CHILD_STOP);
	if (left)
		(void)sigaddset(&now, CHILD_LEFT);
	(void)sigprocmask(SIG_UNBLOCK, &now, NULL);
}

void
child_may_not_end(void)
{
	sigset_t now;

	(void)sigemptyset(&now);
	(void)sigaddset(&now, CHILD_STOP);
	(void)sigaddset(&now, CHILD_LEFT);
	(void)sigprocmask(SIG_BLOCK, &now, NULL);
	(void)prctl(PR_SET_PDEATHSIG, 0);
}
