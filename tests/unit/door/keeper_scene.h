/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_DOOR_KEEPER_SCENE_H
#define UNIT_DOOR_KEEPER_SCENE_H

/*
 * The keeper, or a wire, as it is, in a process of its own; at the other ends
 * of its sockets is the test.
 */
#include "../rows.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../../fake/house.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/secret.h"
#include "door/serve/keeper.h"

#define PASSWORD "tr0ub4dor and 3"

enum {
	ACCOUNT = 1,
	WAIT_MS = 20000
};

static struct scene {
	struct house h;
	struct serve_board *board;
	pid_t pid;
	int monitor; /* the monitor's end of its socket */
} t;

/* -- the keeper, and those that speak with it ------------------------------ */

static inline void
pair(int fd[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
			     fd),
	    0);
}

/* The real one; nothing of this process's but its socket. */
static inline void
begin(bool keeper)
{
	int fd[2];

	pair(fd);
	(void)fflush(NULL);
	t.pid = fork();
	assert_true(t.pid >= 0);
	if (t.pid == 0) {
		(void)close(fd[0]);
		if (keeper)
			serve_keeper(&t.h.env, t.board, fd[1]);
		serve_wire(&t.h.env, t.board, fd[1]);
	}
	(void)close(fd[1]);
	t.monitor = fd[0];
}

static inline int
open_scene(void **state)
{
	CLEANUP(secret_close)
	struct secret *password = secret_new(PASSWORD, strlen(PASSWORD));
	struct err e = { 0 };

	(void)state;
	fake_reset();
	house_open(&t.h, (struct terms){ .backlog = true });
	assert_int_equal(store_account_seal(t.h.store, ACCOUNT, STORE_PASSWORD,
			     password, &e),
	    0);
	gate_close(&t.h.gate);
	secret_inherit(t.h.env.agent_key, true);
	assert_int_equal(sandbox_load(&e), 0);
	t.board = mmap(NULL, sizeof(*t.board), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(t.board != MAP_FAILED);
	begin(true);
	return 0;
}

static inline int
ended(void)
{
	int status = -1;

	assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
	t.pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* It ends with the monitor. */
static inline int
close_scene(void **state)
{
	(void)state;
	path_close(&t.monitor);
	if (t.pid > 0)
		assert_int_equal(ended(), 0);
	assert_int_equal(munmap(t.board, sizeof(*t.board)), 0);
	house_close(&t.h);
	return 0;
}

/* A worker's socket to it, for wires; by the other one it asks nothing. */
static inline int
join_as(uint32_t number)
{
	const struct serve_ask q = { .type = SERVE_ASK_JOIN, .number = number };
	int keys[2], fd[2];

	pair(keys);
	pair(fd);
	(void)close(keys[1]);
	assert_true(serve_ask_send_all(t.monitor, &q,
	    (const int[]){ keys[0], fd[0] }, 2));
	(void)close(keys[0]);
	(void)close(fd[0]);
	return fd[1];
}

static inline int
join(void)
{
	return join_as(1);
}

/* A message of one of these types; its descriptor, or -1. */
static inline int
hears(int from, const char *types, struct serve_ask *q)
{
	struct ipc_passed with = { 0 };

	assert_int_equal(serve_ask_wait(from, clock_mono_ms() + WAIT_MS, types,
			     q, &with),
	    1);
	return with.n > 0 ? with.fd[0] : -1;
}

/* Nothing comes any more, though we have not closed our end. */
static inline void
is_closed(int fd)
{
	char byte;

	assert_int_equal(ipc_wait(fd, POLLIN, clock_mono_ms() + WAIT_MS), 1);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 0);
}

static inline void
asks(int worker, int64_t account, enum serve_purpose purpose)
{
	const struct serve_ask q = { .type = SERVE_ASK_LEND,
		.purpose = (uint8_t)purpose,
		.number = 5,
		.account = account,
		.deadline_ms = clock_mono_ms() + 2 * WAIT_MS };

	assert_true(serve_ask_send(worker, &q, -1));
}

#endif
