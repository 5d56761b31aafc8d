/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper and its wires, as the monitor sees them.  The keeper asks for a
 * wire and gives the socket to it; the monitor has it started, because what
 * confines the keeper would confine its children.  Only the keeper gets the
 * key.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/notices.h"
#include "door/serve/teller.h"

enum {
	WIRES = 2 * LIMIT_WIRES /* with those that are about to end */
};

struct serve_brood {
	const struct env *env;
	struct serve_board *board;
	struct hand keeper;
	int fd; /* a socket to it */
	int64_t not_before_ms;
	uint32_t last_number; /* of a worker */
	struct brood_wire {
		struct hand hand;
		uint32_t number;
	} v[WIRES];
	size_t n;
	struct serve_notices notices;
	uint32_t teller; /* its number; 0: it has joined no keeper yet */
};

struct serve_brood *
serve_brood_new(const struct env *env, struct serve_board *board)
{
	struct serve_brood *b = calloc(1, sizeof(*b));

	if (b == NULL)
		err_bug("out of memory");
	b->env = env;
	b->board = board;
	b->fd = -1;
	b->notices.fd = -1;
	if (board != NULL)
		atomic_store(&board->teller.runs, serve_teller_fd() >= 0);
	return b;
}

int
serve_brood_fd(const struct serve_brood *b)
{
	return b->fd;
}

int
serve_brood_notices(const struct serve_brood *b)
{
	return b->notices.fd;
}

/* Nothing of the process that it was forked from but the socket. */
_Noreturn void
serve_brood_become(const struct serve_brood *b, enum serve_spawn what, int fd)
{
	const bool keeper = what == SERVE_SPAWN_KEEPER;
	int own = dup2(fd, STDERR_FILENO + 1);

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)prctl(PR_SET_NAME, keeper ? "emcli keeper" : "emcli wire", 0, 0,
	    0);
	if (own < 0)
		_exit(1);
	(void)close_range(STDERR_FILENO + 2, ~0U, 0);
	if (keeper)
		serve_keeper(b->env, b->board, own);
	serve_wire(b->env, b->board, own);
}

void
serve_brood_start(struct serve_brood *b, int64_t now_ms)
{
	int fd[2];

	if (b->keeper.pid > 0 || now_ms < b->not_before_ms ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return;
	if (serve_spawn(&b->keeper, SERVE_SPAWN_KEEPER, b->env, fd[1]) == 0)
		serve_brood_become(b, SERVE_SPAWN_KEEPER, fd[1]);
	(void)close(fd[1]);
	if (b->keeper.pid < 0)
		(void)close(fd[0]);
	else
		b->fd = fd[0];
}

uint32_t
serve_brood_number(struct serve_brood *b)
{
	if (++b->last_number == 0)
		b->last_number = 1;
	return b->last_number;
}

void
serve_brood_join(struct serve_brood *b, uint32_t number,
    struct ipc_passed *ends)
{
	const struct serve_ask q = { .type = SERVE_ASK_JOIN, .number = number };

	/* Whoever asks sees that the other end is closed. */
	if (b->fd >= 0 && ends->n == 2)
		(void)serve_ask_send_all(b->fd, &q, ends->fd, 2);
	ipc_pass_close(ends);
}

void
serve_brood_hear_notices(struct serve_brood *b)
{
	struct ipc_passed with = { 0 };

	if (serve_notices_hear(&b->notices, &with))
		serve_brood_join(b, b->notices.number, &with);
	ipc_pass_close(&with);
}

void
serve_brood_hear_teller(struct serve_brood *b)
{
	struct serve_board_teller *to = &b->board->teller;
	struct ipc_passed with = { 0 };
	const char note = serve_teller_said(&with);

	if (note == SERVE_JOIN) {
		if (b->teller == 0)
			b->teller = serve_brood_number(b);
		serve_brood_join(b, b->teller, &with);
	} else if (note == SERVE_TOLD || note == SERVE_UNTOLD) {
		atomic_store(&to->at_ms, clock_mono_ms());
		atomic_store(&to->note, note);
	}
	ipc_pass_close(&with);
	atomic_store(&to->runs, serve_teller_fd() >= 0);
}

int
serve_brood_pair(struct serve_brood *b)
{
	int keys[2], lend[2];

	if (b->fd < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, keys) < 0)
		return -1;
	/* It asks nothing else. */
	(void)close(keys[1]);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, lend) < 0) {
		(void)close(keys[0]);
		return -1;
	}
	serve_brood_join(b, serve_brood_number(b),
	    &(struct ipc_passed){ .fd = { keys[0], lend[0] }, .n = 2 });
	return lend[1];
}

static void
serve_brood_fork(struct serve_brood *b, uint32_t number, int fd)
{
	/* It gets no key. */
	static const struct env none;
	struct brood_wire *w = &b->v[b->n];

	if (b->n == WIRES)
		return;
	*w = (struct brood_wire){ .number = number };
	if (serve_spawn(&w->hand, SERVE_SPAWN_WIRE, &none, fd) == 0)
		serve_brood_become(b, SERVE_SPAWN_WIRE, fd);
	if (w->hand.pid > 0)
		b->n++;
}

static void
serve_brood_end(struct serve_brood *b, uint32_t number)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].number == number)
			(void)kill(b->v[i].hand.pid, SIGKILL);
}

void
serve_brood_hear(struct serve_brood *b)
{
	const char types[] = { SERVE_ASK_FORK, SERVE_ASK_KILL, SERVE_ASK_NOTICE,
		'\0' };
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	char raw[sizeof(struct serve_ask) + 1];
	struct serve_ask q = { 0 };
	ssize_t r = ipc_pass_recv(b->fd, raw, sizeof(raw), &with);

	if (r < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (r <= 0 || !serve_ask_read(raw, (size_t)r, with.n, types, &q)) {
		/* It ends too: serve_brood_reaped(). */
		path_close(&b->fd);
		if (b->keeper.pid > 0)
			(void)kill(b->keeper.pid, SIGKILL);
		return;
	}
	if (q.type == SERVE_ASK_FORK)
		serve_brood_fork(b, q.number, with.fd[0]);
	else if (q.type == SERVE_ASK_NOTICE)
		serve_notices_ask(&b->notices, b->env, serve_brood_number(b));
	else
		serve_brood_end(b, q.number);
}

bool
serve_brood_reaped(struct serve_brood *b, pid_t pid, int64_t now_ms)
{
	if (pid == b->keeper.pid) {
		b->not_before_ms = now_ms + hands_pause_ms(&b->keeper);
		b->keeper.pid = 0;
		path_close(&b->fd);
		/* Its wires see the end of their sockets, and end. */
		if (b->board != NULL)
			atomic_store(&b->board->wires, 0);
		return true;
	}
	if (serve_notices_reaped(&b->notices, pid)) {
		if (b->notices.again)
			serve_notices_ask(&b->notices, b->env,
			    serve_brood_number(b));
		return true;
	}
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].hand.pid == pid) {
			b->v[i] = b->v[--b->n];
			return true;
		}
	return false;
}

void
serve_brood_reap(struct serve_brood *b, int64_t now_ms)
{
	if (b->keeper.pid > 0 && waitpid(b->keeper.pid, NULL, WNOHANG) > 0)
		(void)serve_brood_reaped(b, b->keeper.pid, now_ms);
	for (size_t i = b->n; i-- > 0;)
		if (waitpid(b->v[i].hand.pid, NULL, WNOHANG) > 0)
			b->v[i] = b->v[--b->n];
}

void
serve_brood_kill(struct serve_brood *b)
{
	if (b->keeper.pid > 0)
		(void)kill(b->keeper.pid, SIGKILL);
	if (b->notices.hand.pid > 0)
		(void)kill(b->notices.hand.pid, SIGKILL);
	for (size_t i = 0; i < b->n; i++)
		(void)kill(b->v[i].hand.pid, SIGKILL);
}
