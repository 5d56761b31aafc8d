/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The teller's process.  One message is a number and what the program reads;
 * the answer is that number, a kind of error and its text.  Which program it is
 * the keeper says, by a socket of the teller's own: whoever asks reads the
 * store, in which what was taken over can write.
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
#include "door/serve/internal.h"
#include "door/serve/keys.h"
#include "gate/notice.h"

enum {
	NUMBER = SERVE_TELLER_NUMBER,
	AGAIN_MS = 500, /* one that died is started again */
	/* The process's sockets: to those that ask, and to the monitor. */
	ASKERS = STDERR_FILENO + 1,
	MONITOR,
	OWN_END
};

static char *database;

/* Whoever asks may have been taken over. */
static int
serve_telling_check(struct str json, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err unused = { 0 };

	if (str_find(json, S("\n")) < 0 &&
	    json_parse_open(json, LIMIT_NOTICE_JSON, &doc, &unused) == 0 &&
	    json_parse_is_object(json_parse_root(doc)))
		return 0;
	return err_set(e, ERR_INTERNAL, "a notice is not as it must be");
}

/* Not even the broker's user may write what is run: a worker is of that user.
 */
static int
serve_telling_tell(const struct store_keeper *keeper, struct str json,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str way, unused;
	int r;

	if (serve_telling_check(json, e) < 0)
		return -1;
	r = store_keeper_ask_way(keeper, a, &way, e);
	if (r < 0)
		return -1;
	if (r == 0 || notice_text_address(a, way, &unused, e) != 0)
		return err_set(e, ERR_CONFIG, "notify names no program");
	return notice_run(str_c(a, way), json, database, 0, e);
}

static void
serve_telling_answer(const struct store_keeper *keeper, struct str asked)
{
	struct err e = { 0 };
	char out[NUMBER + 1 + sizeof(e.say)], note = SERVE_TOLD;

	if (asked.n < NUMBER)
		return;
	if (serve_telling_tell(keeper, str_from(asked, NUMBER), &e) < 0)
		note = SERVE_UNTOLD;
	(void)ipc_pass_send(MONITOR, (struct str){ &note, 1 }, NULL, 0);
	memcpy(out, asked.p, NUMBER);
	out[NUMBER] = (char)e.kind;
	memcpy(out + NUMBER + 1, e.say, strlen(e.say));
	(void)ipc_pass_send(ASKERS,
	    (struct str){ out, NUMBER + 1 + strlen(e.say) }, NULL, 0);
}

/*
 * What a program looks for by itself, in its home or where it is started, a
 * worker might have put there: it can write where the store is.
 */
static void
serve_telling_leave_home(void)
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

/* A message may be empty, or have more descriptors than fit: no end is that. */
static bool
serve_telling_is_left(ssize_t n)
{
	struct pollfd p = { .fd = ASKERS, .events = POLLIN };

	if (n < 0)
		return errno != EAGAIN && errno != EINTR && errno != EMSGSIZE;
	return n == 0 && poll(&p, 1, 0) > 0 && (p.revents & POLLHUP) != 0;
}

/* Until nobody is left who could ask. */
static _Noreturn void
serve_telling_hear_all(void)
{
	static char asked[NUMBER + LIMIT_NOTICE_JSON + 1];
	static const struct env none;
	static struct env own;
	struct ipc_passed with = { 0 };
	bool left = false;

	serve_keys_join(MONITOR, &none, &own);
	while (!left && ipc_wait(ASKERS, POLLIN, IPC_WAIT_EVER) > 0) {
		const ssize_t n =
		    ipc_pass_recv(ASKERS, asked, sizeof(asked), &with);

		left = serve_telling_is_left(n);
		ipc_pass_close(&with);
		if (n > 0)
			serve_telling_answer(own.keeper,
			    (struct str){ asked, (size_t)n });
	}
	_exit(0);
}

/* Either may have the number that the other is to get. */
static bool
serve_telling_place(int askers, int monitor)
{
	int from = fcntl(askers, F_DUPFD_CLOEXEC, OWN_END),
	    to = fcntl(monitor, F_DUPFD_CLOEXEC, OWN_END);

	return from >= 0 && to >= 0 && dup3(from, ASKERS, O_CLOEXEC) >= 0 &&
	    dup3(to, MONITOR, O_CLOEXEC) >= 0 &&
	    close_range(OWN_END, ~0U, 0) == 0;
}

/*
 * Nothing outside may start a program, so what is to start this process again
 * is its parent, which does nothing else.  What was asked meanwhile waits in
 * the socket.
 */
static _Noreturn void
serve_telling_become(int askers, int monitor)
{
	int status = 0;
	pid_t pid;

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)prctl(PR_SET_NAME, "emcli teller", 0, 0, 0);
	(void)setsid();
	serve_telling_leave_home();
	if (!serve_telling_place(askers, monitor))
		_exit(1);
	for (;;) {
		pid = fork();
		if (pid == 0)
			serve_telling_hear_all();
		while (
		    pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (pid > 0 && WIFEXITED(status))
			_exit(WEXITSTATUS(status));
		(void)usleep(AGAIN_MS * 1000);
	}
}

static int
serve_telling_fork(void)
{
	int ask[2], say[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ask) < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, say) < 0) {
		(void)close(ask[0]);
		(void)close(ask[1]);
		return -1;
	}
	serve_teller_by(ask[0]);
	serve_teller_says_by(say[0]);
	/* It gets no key: secret_inherit(). */
	pid = fork();
	if (pid == 0)
		serve_telling_become(ask[1], say[1]);
	(void)close(ask[1]);
	(void)close(say[1]);
	return pid > 0 ? 0 : -1;
}

int
serve_telling_begin(const char *db, struct err *e)
{
	/* It goes elsewhere, and links may change. */
	free(database);
	database = realpath(db, NULL);
	if (database != NULL && serve_telling_fork() == 0)
		return 0;
	serve_teller_close();
	serve_teller_leave();
	return err_set(e, ERR_INTERNAL, "the broker cannot start");
}
