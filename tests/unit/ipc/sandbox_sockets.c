/* SPDX-License-Identifier: Apache-2.0 */
/* Which sockets each kind of process can make, tried on this kernel. */
#include "../rows.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "ipc/sandbox.h"

enum {
	S = 1 << SANDBOX_SPAWNER,
	C = 1 << SANDBOX_WIRE,
	R = 1 << SANDBOX_READER,
	EVERY = (1 << SANDBOX_KINDS) - 1,
	PAIR = -1,    /* in place of a type: a pair of them, */
	CONNECT = -2, /* or what is done with one that it has */
	BIND = -3,
	PORT = -4, /* a port of its own, for which the network is needed */
	NOT_IN_FORCE = 200
};

static const struct row {
	const char *why;
	int family, type;
	unsigned may; /* the others: there is no such call */
	int refused;  /* what those that may get; 0: it */
} rows[] = {
	{ "connections", AF_INET, SOCK_STREAM, S | C, 0 },
	{ "connections by IPv6", AF_INET6, SOCK_STREAM, S | C, 0 },
	{ "datagrams", AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, S | C, 0 },
	{ "datagrams by IPv6", AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, S | C, 0 },
	{ "routes", AF_NETLINK, SOCK_RAW, S | C, 0 },
	{ "packets", AF_PACKET, SOCK_RAW, 0, 0 },
	{ "ciphers", AF_ALG, SOCK_SEQPACKET, 0, 0 },
	{ "virtual machines", AF_VSOCK, SOCK_STREAM, 0, 0 },
	{ "this machine", AF_UNIX, SOCK_DGRAM, S | C, 0 },
	{ "its connections", AF_UNIX, SOCK_STREAM, S | C, 0 },
	{ "pairs of them", AF_UNIX, PAIR, EVERY & ~R, 0 },
	{ "pairs of others", AF_INET, PAIR, 0, 0 },
	{ "another end", 0, CONNECT, S | C, EBADF },
	{ "a name", 0, BIND, S | C, EBADF },
	{ "a port of its own", AF_INET, PORT, S | C, EACCES },
};

/* 0, or errno. */
static int
attempt(const struct row *r)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd[2];

	switch (r->type) {
	case PAIR:
		return socketpair(r->family, SOCK_STREAM, 0, fd) < 0 ? errno
								     : 0;
	case CONNECT:
		return connect(-1, (struct sockaddr *)&at, sizeof(at)) < 0
		    ? errno
		    : 0;
	case BIND:
		return bind(-1, (struct sockaddr *)&at, sizeof(at)) < 0 ? errno
									: 0;
	case PORT:
		fd[0] = socket(r->family, SOCK_STREAM, 0);
		return fd[0] < 0 ||
			bind(fd[0], (struct sockaddr *)&at, sizeof(at)) < 0
		    ? errno
		    : 0;
	default:
		return socket(r->family, r->type, 0) < 0 ? errno : 0;
	}
}

static int
outcome(enum sandbox_kind kind, const struct row *r)
{
	const struct sandbox_path paths[] = { { "/tmp", true } };
	struct sandbox_state s = { 0 };
	struct err e = { 0 };
	int status = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (sandbox_enter(kind, paths, 1, &s, &e) < 0 ||
		    !sandbox_is_whole(&s))
			_exit(NOT_IN_FORCE);
		_exit(attempt(r));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
a_socket(void **state)
{
	const struct row *r = *state;

	/* Its Landlock knows nothing of ports. */
	if (r->type == PORT &&
	    syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 4)
		return;
	for (int k = 0; k < SANDBOX_KINDS; k++) {
		int want = r->may & 1U << k ? r->refused : ENOSYS;
		int got = outcome((enum sandbox_kind)k, r);

		if (got != want)
			fail_msg("%s: got %d, want %d",
			    sandbox_name((enum sandbox_kind)k), got, want);
	}
}

static int
set_up(void **state)
{
	struct err e = { 0 };

	(void)state;
	return sandbox_load(&e);
}

int
main(void)
{
	ROWS(rows, a_socket);
	return cmocka_run_group_tests_name("ipc/sandbox_sockets", rows_tests,
	    set_up, NULL);
}
