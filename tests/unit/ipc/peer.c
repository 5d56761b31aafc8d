/* SPDX-License-Identifier: Apache-2.0 */
/* The peer of a socket, and sockets at a name in a folder. */
#include "../rows.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/path.h"
#include "ipc/ipc.h"

static char at[] = "/tmp/emcli-ipc-XXXXXX";
static int folder = -1;

static int
set_up(void **state)
{
	(void)state;
	if (mkdtemp(at) == NULL)
		return -1;
	folder = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder < 0 ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	path_close(&folder);
	return rmdir(at);
}

static void
a_pair_is_this_process(void **state)
{
	struct ipc_peer who;
	struct err e = { 0 };
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(ipc_peer(fd[0], &who, &e), 0);
	assert_int_equal(who.uid, geteuid());
	assert_int_equal(who.gid, getegid());
	assert_int_equal(who.pid, getpid());
	assert_true(ipc_peer_is_own(fd[0]));
	(void)close(fd[0]);
	(void)close(fd[1]);
}

/* Not everything that answers the question of a peer has one. */
static void
others_have_no_peer(void **state)
{
	struct err e = { 0 };
	struct ipc_peer who;
	int fd[2];

	(void)state;
	fd[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	fd[1] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(ipc_peer(fd[i], &who, &e), -1);
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_false(ipc_peer_is_own(fd[i]));
		assert_false(ipc_peer_is_local(fd[i]));
		(void)close(fd[i]);
	}
	assert_false(ipc_peer_is_own(-1));
}

static void
a_socket_at_a_name_is_its_owners(void **state)
{
	mode_t was = umask(0);
	struct err e = { 0 };
	struct stat st;
	int fd, client, twice;

	(void)state;
	assert_int_equal(ipc_connect(folder, "gate.sock", &e), -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	fd = ipc_listen(folder, "gate.sock", &e);
	assert_true(fd >= 0);
	assert_int_equal(fstatat(folder, "gate.sock", &st, 0), 0);
	assert_true(S_ISSOCK(st.st_mode));
	assert_int_equal(st.st_mode & 07777, 0600);
	client = ipc_connect(folder, "gate.sock", &e);
	assert_true(client >= 0);
	assert_true(ipc_peer_is_own(client));
	/* What a killed one left is in nobody's way. */
	twice = ipc_listen(folder, "gate.sock", &e);
	assert_true(twice >= 0);
	(void)close(client);
	(void)close(fd);
	client = ipc_connect(folder, "gate.sock", &e);
	assert_true(client >= 0);
	(void)close(client);
	(void)close(twice);
	e = (struct err){ 0 };
	assert_int_equal(ipc_connect(folder, "gate.sock", &e), -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	assert_int_equal(unlinkat(folder, "gate.sock", 0), 0);
	(void)umask(was);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair_is_this_process),
		cmocka_unit_test(others_have_no_peer),
		cmocka_unit_test(a_socket_at_a_name_is_its_owners),
	};

	return cmocka_run_group_tests_name("ipc/peer", tests, set_up,
	    tear_down);
}
