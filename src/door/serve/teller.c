/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The teller: one message is a number, a line of the operator's, a NUL and what
 * its program reads; the answer is that number, a kind of error and its text.
 * The processes that ask share one socket, one after the other: by the number
 * an answer is not taken for that of another, which was killed or had gone.
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
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "gate/notice.h"
#include "ipc/ipc.h"

enum {
	NUMBER = 16,   /* in hexadecimal */
	AGAIN_MS = 500 /* one that died is started again */
};

static int teller = -1;
static char *database; /* in the process */

/* -- the process ----------------------------------------------------------- */

/* Not even the broker's user may write what is run: a worker is of that user.
 */
static void
serve_teller_answer(int fd, char *asked, size_t n)
{
	struct err e = { 0 };
	char out[NUMBER + 1 + sizeof(e.say)];
	char *from = asked + NUMBER;
	size_t line;

	if (n < NUMBER)
		return;
	n -= NUMBER;
	line = strnlen(from, n);
	if (line == n)
		(void)err_set(&e, ERR_INTERNAL, "a notice is cut off");
	else
		(void)notice_run(from,
		    (struct str){ from + line + 1, n - line - 1 }, database, 0,
		    &e);
	memcpy(out, asked, NUMBER);
	out[NUMBER] = (char)e.kind;
	memcpy(out + NUMBER + 1, e.say, strlen(e.say));
	(void)ipc_pass_send(fd, (struct str){ out, NUMBER + 1 + strlen(e.say) },
	    NULL, 0);
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

/* Until nobody is left who could ask. */
static _Noreturn void
serve_teller_hear_all(int own)
{
	static char asked[LIMIT_NOTICE_ASK + 1];
	struct ipc_passed none = { 0 };
	ssize_t n = 1;

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

/*
 * Nothing outside may start a program, so what is to start this process again
 * is its parent, which does nothing else.  What was asked meanwhile waits in
 * the socket.
 */
static _Noreturn void
serve_teller_become(int fd)
{
	int own = dup2(fd, STDERR_FILENO + 1), status = 0;
	pid_t pid;

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)prctl(PR_SET_NAME, "emcli teller", 0, 0, 0);
	(void)setsid();
	serve_teller_leave_home();
	if (own < 0 || close_range(STDERR_FILENO + 2, ~0U, 0) < 0)
		_exit(1);
	for (;;) {
		pid = fork();
		if (pid == 0)
			serve_teller_hear_all(own);
		while (
		    pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (pid > 0 && WIFEXITED(status))
			_exit(WEXITSTATUS(status));
		(void)usleep(AGAIN_MS * 1000);
	}
}

int
serve_teller_begin(const char *db, struct err *e)
{
	int fd[2];
	pid_t pid;

	/* It goes elsewhere, and links may change. */
	free(database);
	database = realpath(db, NULL);
	if (database == NULL ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
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
	serve_teller_close();
	(void)err_set(e, ERR_INTERNAL,
	    "the process that runs the program of notify is gone");
	return err_hint(e, "start the broker again");
}

/* The answer to that number; those to others are dropped.  -1: there is none.
 */
static ssize_t
serve_teller_hear(const char *number, char *said, size_t room, int64_t until_ms)
{
	struct ipc_passed none = { 0 };
	ssize_t n = 1;

	while (n > 0 && ipc_wait(teller, POLLIN, until_ms) > 0) {
		n = ipc_pass_recv(teller, said, room, &none);
		ipc_pass_close(&none);
		/* The socket is shared: another process may have read it. */
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			n = 1;
		else if (n > NUMBER && memcmp(said, number, NUMBER) == 0)
			return n;
	}
	return -1;
}

int
serve_teller_run(const char *line, struct str json, struct err *e)
{
	static uint32_t asked;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const int64_t until_ms =
	    clock_mono_ms() + LIMIT_NOTICE_MS + LIMIT_IPC_MS;
	const struct str ask = str_fmt(a, "%08x%08x%s%c%.*s",
	    (unsigned)getpid(), (unsigned)++asked, line, '\0', STR_ARG(json));
	char said[NUMBER + 1 + sizeof(e->say)];
	ssize_t n;

	if (ask.n > LIMIT_NOTICE_ASK)
		return err_set(e, ERR_LIMIT, "a notice is too long");
	if (ipc_pass_send(teller, ask, NULL, 0) != (ssize_t)ask.n)
		return serve_teller_gone(e);
	n = serve_teller_hear(ask.p, said, sizeof(said), until_ms);
	if (n < 0 || (unsigned char)said[NUMBER] >= ERR_KINDS)
		return serve_teller_gone(e);
	if (said[NUMBER] == ERR_NONE)
		return 0;
	return err_set(e, (enum err_kind)said[NUMBER], "%.*s",
	    (int)n - NUMBER - 1, said + NUMBER + 1);
}
