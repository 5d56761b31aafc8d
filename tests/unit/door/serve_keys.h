/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_DOOR_SERVE_KEYS_H
#define TESTS_UNIT_DOOR_SERVE_KEYS_H

/* A keeper in a process of its own. */
#include "../store/fixture.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/path.h"
#include "door/serve/keys.h"

struct keeper {
	pid_t pid;
	int fd; /* the worker's end */
};

static inline _Noreturn void
keeper_run(const char *db, const struct secret *key, int fd)
{
	const struct store_keys keys = { NULL, key };
	struct store *s = NULL;
	struct err e = { 0 };
	struct store_asker *w;
	struct pollfd p = { fd, POLLIN, 0 };

	if (store_open(db, STORE_AGENT, &keys, &s, &e) < 0)
		_exit(3);
	w = store_keeper_answer_begin(&s, &keys);
	do
		(void)poll(&p, 1, -1);
	while (serve_answers_one(w, fd) == 0);
	store_keeper_answer_end(&w);
	store_close(&s);
	_exit(0);
}

static inline struct keeper
keeper_start(const char *db, const struct secret *key)
{
	struct keeper k = { .fd = -1 };
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
			     fd),
	    0);
	secret_inherit(key, true);
	k.pid = fork();
	assert_true(k.pid >= 0);
	if (k.pid == 0) {
		(void)close(fd[0]);
		keeper_run(db, key, fd[1]);
	}
	(void)close(fd[1]);
	k.fd = fd[0];
	return k;
}

static inline int
ends(pid_t pid)
{
	int status = -1;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* It ends by itself: the worker closed its end, or asked what none asks. */
static inline void
keeper_ends(struct keeper *k)
{
	path_close(&k->fd);
	assert_int_equal(ends(k->pid), 0);
}

#endif
