#include <sys/socket.h>
#include <unistd.h>

#include "ipc/ipc.h"

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

bool
ipc_peer_is_own(int fd)
{
	struct ipc_peer who = { 0 };
	struct err none = { 0 };

	return ipc_peer(fd, &who, &none) == 0 &&
	    (who.uid == geteuid() || who.uid == 0);
}

bool
ipc_peer_is_local(int fd)
{
	int domain = 0;
	socklen_t n = sizeof(domain);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0 &&
	    domain == AF_UNIX;
}
