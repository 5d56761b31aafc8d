/* SPDX-License-Identifier: Apache-2.0 */
/* What systemd gives and is told; who connected, after that process ended. */
#include "../rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "ipc/ipc.h"

/* A datagram socket at an abstract name; its name for NOTIFY_SOCKET. */
static int
hear(char name[32])
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	int n = snprintf(name, 32, "@emcli-test-%d", (int)getpid());

	memcpy(at.sun_path + 1, name + 1, (size_t)n - 1);
	assert_int_equal(bind(fd, (struct sockaddr *)(void *)&at,
			     (socklen_t)(sizeof(sa_family_t) + (size_t)n)),
	    0);
	return fd;
}

static void
told(int fd, const char *want)
{
	char got[64];
	ssize_t n = recv(fd, got, sizeof(got), MSG_DONTWAIT);

	assert_true(n > 0);
	rows_same((struct str){ got, (size_t)n }, str_of(want));
}

static void
systemd_is_told(void **state)
{
	char name[32], me[16];
	int fd = hear(name);

	(void)state;
	(void)unsetenv("NOTIFY_SOCKET");
	assert_int_equal(setenv("WATCHDOG_USEC", "30000000", 1), 0);
	assert_int_equal(ipc_notify_begin(), 0); /* nobody listens */
	ipc_notify("READY=1");
	(void)snprintf(me, sizeof(me), "%d", (int)getpid() + 1);
	assert_int_equal(setenv("NOTIFY_SOCKET", name, 1), 0);
	assert_int_equal(setenv("WATCHDOG_USEC", "30000000", 1), 0);
	assert_int_equal(setenv("WATCHDOG_PID", me, 1), 0);
	assert_int_equal(ipc_notify_begin(), 0); /* another's watchdog */
	assert_null(getenv("NOTIFY_SOCKET"));
	assert_null(getenv("WATCHDOG_USEC"));
	assert_int_equal(setenv("NOTIFY_SOCKET", name, 1), 0);
	assert_int_equal(setenv("WATCHDOG_USEC", "30000000", 1), 0);
	assert_int_equal(ipc_notify_begin(), 15000);
	ipc_notify("READY=1");
	told(fd, "READY=1");
	(void)close(fd);
}

/* In a child, whose descriptor 3 is what systemd would have passed. */
static int
given(int fd, int pid_off, const char *n)
{
	pid_t pid = fork();
	int status, got = -1;
	struct err e = { 0 };

	if (pid == 0) {
		char me[16];

		(void)snprintf(me, sizeof(me), "%d", (int)getpid() + pid_off);
		(void)setenv("LISTEN_PID", me, 1);
		(void)setenv("LISTEN_FDS", n, 1);
		if (fd != 3 && dup2(fd, 3) < 0)
			_exit(9);
		status = ipc_listen_given(&got, &e);
		if (status == 1 &&
		    (got != 3 || !(fcntl(3, F_GETFL) & O_NONBLOCK) ||
			fcntl(3, F_GETFD) != FD_CLOEXEC))
			_exit(8);
		if (getenv("LISTEN_FDS") != NULL)
			_exit(7);
		_exit(status < 0 ? e.kind == ERR_CONFIG ? 2 : 6 : status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
a_socket_is_given(void **state)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	assert_int_equal(given(fd, 0, "1"), 2); /* it does not listen */
	assert_int_equal(bind(fd, (struct sockaddr *)(void *)&at,
			     sizeof(sa_family_t)),
	    0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(given(fd, 0, "1"), 1);
	assert_int_equal(given(fd, 0, "2"), 2);
	assert_int_equal(given(fd, 0, "0"), 0);
	assert_int_equal(given(fd, 0, "x"), 0);
	assert_int_equal(given(fd, 1, "1"), 0); /* for another process */
	(void)close(fd);
	fd = open("/dev/null", O_RDONLY);
	assert_int_equal(given(fd, 0, "1"), 2);
	(void)close(fd);
}

/* A connection that outlives the process that made it says who it was. */
static void
a_peer_that_ended_is_gone(void **state)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	socklen_t n = sizeof(at);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), mine, theirs, held;
	struct ipc_peer who = { 0 };
	struct err e = { 0 };
	pid_t pid;

	(void)state;
	assert_int_equal(bind(fd, (struct sockaddr *)(void *)&at,
			     sizeof(sa_family_t)),
	    0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)(void *)&at, &n),
	    0);
	mine = socket(AF_UNIX, SOCK_STREAM, 0);
	pid = fork();
	if (pid == 0)
		_exit(connect(mine, (struct sockaddr *)(void *)&at, n));
	theirs = accept(fd, NULL, NULL);
	assert_true(theirs >= 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(ipc_peer(theirs, &who, &e), 0);
	assert_int_equal(who.pid, pid);
	assert_int_equal(ipc_peer_hold(theirs, &who), IPC_PEER_GONE);
	assert_int_equal(ipc_peer_open(pid), -1);
	(void)close(theirs);
	(void)close(mine);
	mine = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(connect(mine, (struct sockaddr *)(void *)&at, n), 0);
	theirs = accept(fd, NULL, NULL);
	assert_int_equal(ipc_peer(theirs, &who, &e), 0);
	held = ipc_peer_hold(theirs, &who);
	assert_true(held >= 0);
	(void)close(held);
	held = ipc_peer_open(getpid());
	assert_true(held >= 0);
	(void)close(held);
	who.pid = 0; /* not visible from here */
	assert_int_equal(ipc_peer_hold(theirs, &who), -1);
	(void)close(theirs);
	(void)close(mine);
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(systemd_is_told),
		cmocka_unit_test(a_socket_is_given),
		cmocka_unit_test(a_peer_that_ended_is_gone),
	};

	return cmocka_run_group_tests_name("ipc/service", tests, NULL, NULL);
}
