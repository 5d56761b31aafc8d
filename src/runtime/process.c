/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/proc.h"
#include "ipc/ipc.h"

static int
process_fail(struct err *e, const char *what, const char *detail)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	return err_errno(e, detail);
}

/* -- which one it is ------------------------------------------------------- */

static struct str
process_read_boot(struct arena *a)
{
	struct str s;

	if (!proc_read("/proc/sys/kernel/random/boot_id", a, &s))
		return S("");
	return str_trim(s);
}

bool
process_is_alive(const struct process *p)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	return p->pid > 0 && str_eq(p->boot, process_read_boot(a)) &&
	    proc_started(p->pid, a) == p->started;
}

bool
process_of(int64_t pid, struct arena *a, struct process *out)
{
	*out =
	    (struct process){ pid, proc_started(pid, a), process_read_boot(a) };
	return out->started > 0;
}

/* -- starting it ----------------------------------------------------------- */

/* What the child needs, made before the fork. */
struct process_child {
	const char *executable, *workdir;
	char **argv, **envp;
	int log, go, say; /* `go` is read, `say` written */
};

static char **
process_list(const struct strs *v, const struct str *first, struct arena *a)
{
	char **out = arena_array(a, v->n + 2, sizeof(*out));
	size_t n = 0;

	if (first != NULL)
		out[n++] = str_c(a, *first);
	for (size_t i = 0; i < v->n; i++)
		out[n++] = str_c(a, v->v[i]);
	return out;
}

static int
process_exec(const char *executable, char *const *argv, char *const *envp)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	/* The rest closes as it is executed. */
	(void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	return execve(executable, argv, envp);
}

int
process_become(const struct process_plan *p, struct arena *a, struct err *e)
{
	char **argv = process_list(&p->args, &p->name, a);
	char **envp = process_list(&p->environment, NULL, a);

	if (chdir(str_c(a, p->workdir)) < 0)
		return process_fail(e, "the session's folder cannot be entered",
		    "chdir");
	(void)process_exec(str_c(a, p->executable), argv, envp);
	return process_fail(e, "the session's program cannot be executed",
	    "execve");
}

/* In the child: it has no terminal. */
static void
process_leave_terminal(const struct process_child *c)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)setsid();
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(c->log, STDOUT_FILENO) < 0 || dup2(c->log, STDERR_FILENO) < 0)
		_exit(127);
}

__attribute__((noreturn)) static void
process_run_child(const struct process_child *c)
{
	char word;
	int why;

	process_leave_terminal(c);
	/* Its end without a word: the command was killed, or gave up. */
	if (read(c->go, &word, 1) != 1)
		_exit(127);
	if (chdir(c->workdir) == 0)
		(void)process_exec(c->executable, c->argv, c->envp);
	why = errno;
	(void)!write(c->say, &why, sizeof(why));
	_exit(127);
}

static int
process_let_go(int go, int say, struct err *e)
{
	ssize_t n;
	int why = 0;

	if (write(go, "g", 1) != 1)
		return process_fail(e, "the session's program has died",
		    "write");
	do
		n = read(say, &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	errno = n == (ssize_t)sizeof(why) ? why : EIO;
	return process_fail(e, "the session's program cannot be executed",
	    "execve");
}

int
process_start(const struct process_plan *p, struct arena *a,
    int (*keep)(void *ctx, const struct process *p, struct err *e), void *ctx,
    struct err *e)
{
	CLEANUP(path_close) int go_in = -1;
	CLEANUP(path_close) int go = -1;
	CLEANUP(path_close) int say_out = -1;
	CLEANUP(path_close) int say = -1;
	struct process_child c = {
		.executable = str_c(a, p->executable),
		.workdir = str_c(a, p->workdir),
		.argv = process_list(&p->args, &p->name, a),
		.envp = process_list(&p->environment, NULL, a),
		.log = p->log,
	};
	struct process me = { .boot = process_read_boot(a) };
	int pair[2], r;
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) < 0)
		return process_fail(e, "no process can be started", "pipe");
	go_in = c.go = pair[0];
	go = pair[1];
	if (pipe2(pair, O_CLOEXEC) < 0)
		return process_fail(e, "no process can be started", "pipe");
	say = pair[0];
	say_out = c.say = pair[1];
	pid = fork();
	if (pid == 0) {
		(void)close(go);
		process_run_child(&c);
	}
	if (pid < 0)
		return process_fail(e, "no process can be started", "fork");
	path_close(&go_in);
	path_close(&say_out);
	me.pid = pid;
	me.started = proc_started(pid, a);
	r = keep(ctx, &me, e);
	if (r == 0)
		r = process_let_go(go, say, e);
	if (r < 0) {
		path_close(&go);
		(void)waitpid(pid, NULL, 0);
	}
	return r;
}

/* -- ending it ------------------------------------------------------------- */

/* Waits for its end: false when it is still there after that time. */
static bool
process_wait(int fd, int ms)
{
	return ipc_wait(fd, POLLIN, clock_mono_ms() + ms) > 0;
}

static int
process_signal(int fd, int sig)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
}

int
process_stop(const struct process *p, int grace_ms, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	if (p->pid <= 0)
		return 0;
	fd = (int)syscall(SYS_pidfd_open, (pid_t)p->pid, 0);
	/* Looked at after it is held: so no other can be meant. */
	if (fd < 0 || !process_is_alive(p))
		return 0;
	if (process_signal(fd, SIGTERM) < 0 && errno != ESRCH)
		return process_fail(e,
		    "the session's program cannot be ended: it is another "
		    "user's",
		    "pidfd_send_signal");
	if (process_wait(fd, grace_ms))
		return 0;
	(void)process_signal(fd, SIGKILL);
	if (process_wait(fd, LIMIT_SESSION_KILL_MS))
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the session's program does not end: try again later");
}
