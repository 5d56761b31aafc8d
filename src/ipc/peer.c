/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/proc.h"
#include "ipc/ipc.h"

/* Linux 6.5; older headers lack it. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int
ipc_peer(int fd, struct ipc_peer *out, struct err *e)
{
	struct ucred who = { 0 };
	socklen_t n = sizeof(who);

	/* Sockets of other kinds give a user that is nobody. */
	if (!ipc_peer_is_local(fd) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) < 0 ||
	    n != sizeof(who) || who.uid == (uid_t)-1) {
		(void)err_set(e, ERR_CONFIG,
		    "the other end of a connection is not known");
		return err_errno(e, "getsockopt");
	}
	*out = (struct ipc_peer){ who.pid, who.uid, who.gid };
	return 0;
}

/* Has the process ended?  Its descriptor is readable then: pidfd_open(2). */
static bool
ipc_peer_has_ended(int pidfd)
{
	struct pollfd p = { pidfd, POLLIN, 0 };

	return poll(&p, 1, 0) != 0;
}

/*
 * Without the kernel's own descriptor: between the two looks at its start the
 * number was opened, so it was opened as this process or not at all.
 */
int
ipc_peer_open(int64_t pid)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	uint64_t started = proc_started(pid, a);
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);

	if (fd >= 0 && started > 0 && proc_started(pid, a) == started)
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

int
ipc_peer_hold(int fd, const struct ipc_peer *who)
{
	socklen_t n = sizeof(int);
	int held = -1;

	/* It is in another world of process ids, where we cannot look. */
	if (who->pid <= 0)
		return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &held, &n) < 0) {
		if (errno != ENOPROTOOPT && errno != EINVAL)
			return IPC_PEER_GONE;
		held = ipc_peer_open(who->pid);
	}
	if (held >= 0 && !ipc_peer_has_ended(held))
		return held;
	if (held >= 0)
		(void)close(held);
	return IPC_PEER_GONE;
}

bool
ipc_peer_there(int fd, struct ipc_peer *who)
{
	struct err none = { 0 };
	int held;

	if (ipc_peer(fd, who, &none) < 0)
		return false;
	held = ipc_peer_hold(fd, who);
	if (held >= 0)
		(void)close(held);
	return held != IPC_PEER_GONE;
}

bool
ipc_peer_is_own(int fd)
{
	return ipc_peer_is(fd, geteuid());
}

bool
ipc_peer_is(int fd, uint32_t uid)
{
	struct ipc_peer who = { 0 };
	struct err none = { 0 };

	return ipc_peer(fd, &who, &none) == 0 &&
	    (who.uid == uid || who.uid == 0);
}

bool
ipc_peer_is_local(int fd)
{
	int domain = 0;
	socklen_t n = sizeof(domain);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0 &&
	    domain == AF_UNIX;
}
