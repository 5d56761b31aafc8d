/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The teller: one message is a line of the operator's, a NUL and what its
 * program reads; the answer is a kind of error and its text.
 */
#include "door/serve/teller.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "gate/notice.h"
#include "ipc/ipc.h"

static int teller = -1;

/* -- the process ----------------------------------------------------------- */

/* Not even the broker's user may write what is run: a worker is of that user.
 */
static void
serve_teller_answer(int fd, char *asked, size_t n)
{
	struct err e = { 0 };
	char out[1 + sizeof(e.say)];
	size_t line = strnlen(asked, n);

	if (line == n)
		(void)err_set(&e, ERR_INTERNAL, "a notice is cut off");
	else
		(void)notice_run(asked,
		    (struct str){ asked + line + 1, n - line - 1 }, 0, &e);
	out[0] = (char)e.kind;
	memcpy(out + 1, e.say, strlen(e.say));
	(void)ipc_pass_send(fd, (struct str){ out, 1 + strlen(e.say) }, NULL,
	    0);
}

/*
 * What a program looks for by itself, in its home or where it is started, a
 * worker might have put there: it can write where the store is.
 */
static void
serve_teller_leave_home(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (chdir("/") < 0 || setenv("HOME", "/", 1) < 0)
		_exit(1);
	/* Whoever starts the broker may wait for the end of its output. */
	for (int i = 0; i <= STDERR_FILENO; i++)
		if (null < 0 || dup2(null, i) < 0)
			_exit(1);
	(void)unsetenv("TMPDIR");
	(void)unsetenv("XDG_RUNTIME_DIR");
}

static _Noreturn void
serve_teller_become(int fd)
{
	static char asked[LIMIT_NOTICE_ASK + 1];
	struct ipc_passed none = { 0 };
	ssize_t n = 1;
	int own = dup2(fd, STDERR_FILENO + 1);

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)prctl(PR_SET_NAME, "emcli teller", 0, 0, 0);
	(void)setsid();
	serve_teller_leave_home();
	if (own < 0 || close_range(STDERR_FILENO + 2, ~0U, 0) < 0)
		_exit(1);
	while (n > 0 && ipc_wait(own, POLLIN, IPC_WAIT_EVER) > 0) {
		n = ipc_pass_recv(own, asked, sizeof(asked), &none);
		ipc_pass_close(&none);
		if (n > 0)
			serve_teller_answer(own, asked, (size_t)n);
		else if (n < 0 && (errno == EAGAIN || errno == EINTR))
			n = 1;
	}
	_exit(0);
}

int
serve_teller_begin(struct err *e)
{
	int fd[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return err_set(e, ERR_INTERNAL, "the broker cannot start");
	/* It gets no key: secret_inherit(). */
	pid = fork();
	if (pid == 0)
		serve_teller_become(fd[1]);
	(void)close(fd[1]);
	teller = fd[0];
	if (pid > 0)
		return 0;
	serve_teller_close();
	return err_set(e, ERR_INTERNAL, "the broker cannot start");
}

/* -- those that have its socket -------------------------------------------- */

int
serve_teller_take(void)
{
	int fd = teller;

	teller = -1;
	return fd;
}

void
serve_teller_close(void)
{
	path_close(&teller);
}

void
serve_teller_by(int fd)
{
	teller = fd;
}

static int
serve_teller_gone(struct err *e)
{
	/* A late answer would be taken for that of the next notice. */
	serve_teller_close();
	(void)err_set(e, ERR_INTERNAL,
	    "the process that runs the program of notify is gone");
	return err_hint(e, "start the broker again");
}

int
serve_teller_run(const char *line, struct str json, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct str ask =
	    str_fmt(a, "%s%c%.*s", line, '\0', STR_ARG(json));
	const int64_t until_ms =
	    clock_mono_ms() + LIMIT_NOTICE_MS + LIMIT_IPC_MS;
	char said[1 + sizeof(e->say)];
	struct ipc_passed none = { 0 };
	ssize_t n;

	if (ask.n > LIMIT_NOTICE_ASK)
		return err_set(e, ERR_LIMIT, "a notice is too long");
	if (ipc_pass_send(teller, ask, NULL, 0) != (ssize_t)ask.n ||
	    ipc_wait(teller, POLLIN, until_ms) <= 0)
		return serve_teller_gone(e);
	n = ipc_pass_recv(teller, said, sizeof(said), &none);
	ipc_pass_close(&none);
	if (n <= 0 || (unsigned char)said[0] >= ERR_KINDS)
		return serve_teller_gone(e);
	if (said[0] == ERR_NONE)
		return 0;
	return err_set(e, (enum err_kind)said[0], "%.*s", (int)n - 1, said + 1);
}
