/*
 * A socket at a name in a folder.  The address of a unix socket has room for
 * 107 bytes, and a session's folder may have a longer path; so the folder is
 * named by its descriptor.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ipc/internal.h"

enum {
	BACKLOG = 128
};

int
ipc_listen_address(int folder, const char *name, struct sockaddr_un *out)
{
	int n;

	*out = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(out->sun_path, sizeof(out->sun_path),
	    "/proc/self/fd/%d/%s", folder, name);
	return n > 0 && (size_t)n < sizeof(out->sun_path) ? 0 : -1;
}

int
ipc_listen(int folder, const char *name, struct err *e)
{
	struct sockaddr_un at;
	int fd;

	if (ipc_listen_address(folder, name, &at) < 0)
		err_bug("a socket named \"%s\"", name);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	(void)unlinkat(folder, name, 0);
	/* Nobody can connect before it listens. */
	if (fd >= 0 &&
	    bind(fd, (struct sockaddr *)(void *)&at, sizeof(at)) == 0 &&
	    fchmodat(folder, name, 0600, 0) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	(void)err_set(e, ERR_CONFIG, "cannot listen on a unix socket");
	(void)err_errno(e, name);
	if (fd >= 0)
		(void)close(fd);
	return -1;
}
