/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/limits.h"
#include "ipc/internal.h"

static int
ipc_connect_refuse(int fd, struct err *e)
{
	int why = errno;

	if (fd >= 0)
		(void)close(fd);
	errno = why;
	if (why == ENOENT || why == ECONNREFUSED || why == ENOTSOCK)
		(void)err_set(e, ERR_NOT_FOUND, "nobody listens there");
	else
		(void)err_set(e, ERR_NETWORK, "cannot connect to a socket");
	return err_errno(e, "connect");
}

int
ipc_connect_hurry(int fd, int64_t ms)
{
	const struct timeval most = { ms / 1000, ms % 1000 * 1000L };

	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most)) <
		    0 ||
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)) < 0
	    ? -1
	    : 0;
}

int
ipc_connect(int folder, const char *name, struct err *e)
{
	return ipc_connect_to(folder, name, geteuid(), e);
}

int
ipc_connect_to(int folder, const char *name, uint32_t uid, struct err *e)
{
	struct sockaddr_un at;
	int fd;

	if (ipc_listen_address(folder, name, &at) < 0)
		return err_set(e, ERR_CONFIG,
		    "the name of a socket is too long");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ipc_connect_hurry(fd, LIMIT_IPC_MS) < 0 ||
	    connect(fd, (struct sockaddr *)(void *)&at, sizeof(at)) < 0)
		return ipc_connect_refuse(fd, e);
	if (ipc_peer_is(fd, uid))
		return fd;
	(void)close(fd);
	return err_set(e, ERR_POLICY, "the socket there is another user's");
}
