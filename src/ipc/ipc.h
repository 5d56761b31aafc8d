#ifndef IPC_IPC_H
#define IPC_IPC_H

/*
 * Sockets between processes of one machine: who is at the other end, and
 * sockets at a name in an open folder.  It knows no protocol and sends nothing.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* The process at the other end, as it was when it connected or listened. */
struct ipc_peer {
	int64_t pid; /* 0: it is not visible from here */
	uint32_t uid, gid;
};

/* Asks the kernel (unix(7)).  ERR_CONFIG: it is no unix socket. */
int ipc_peer(int fd, struct ipc_peer *out, struct err *e);
/* Is it a unix socket, and the other end this user's or root's? */
bool ipc_peer_is_own(int fd);
/* Is it a unix socket? */
bool ipc_peer_is_local(int fd);

/*
 * Listens at that name in the folder, mode 0600; what was at that name is
 * removed, so the caller holds a lock.  The path of the folder may have any
 * length.  A descriptor that does not block, or -1 with ERR_CONFIG.
 */
int ipc_listen(int folder, const char *name, struct err *e);
/*
 * Connects to a socket at that name in the folder, whose other end is this
 * user's or root's.  Waits at most LIMIT_IPC_MS; so does each read and write
 * afterwards.  A descriptor, or -1 with ERR_NOT_FOUND: nobody listens there;
 * ERR_NETWORK, ERR_POLICY: it is another user's.
 */
int ipc_connect(int folder, const char *name, struct err *e);

#endif
