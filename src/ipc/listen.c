/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A socket at a name in a folder.  The address of a unix socket has room for
 * 107 bytes, and a session's folder may have a longer path; so the folder is
 * named by its descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "ipc/internal.h"

enum {
	BACKLOG = 128,
	GIVEN = 3 /* the first of systemd's: sd_listen_fds(3) */
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
	return ipc_listen_for(folder, name, 0600, e);
}

int
ipc_listen_for(int folder, const char *name, unsigned mode, struct err *e)
{
	struct sockaddr_un at;
	bool made;
	int fd;

	if (ipc_listen_address(folder, name, &at) < 0)
		return err_set(e, ERR_CONFIG,
		    "the name of a socket is too long");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	(void)unlinkat(folder, name, 0);
	made = fd >= 0 &&
	    bind(fd, (struct sockaddr *)(void *)&at, sizeof(at)) == 0;
	/* Nobody can connect before it listens. */
	if (made && fchmodat(folder, name, (mode_t)mode, 0) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	(void)err_set(e, ERR_CONFIG, "cannot listen on a unix socket");
	(void)err_errno(e, name);
	if (made)
		(void)unlinkat(folder, name, 0);
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

/* Whoever may write to it could put another socket there. */
static int
ipc_listen_check_folder(int folder, uint32_t uid, struct err *e)
{
	struct stat st;

	if (fstat(folder, &st) == 0 && st.st_uid == uid &&
	    path_trust_is(&st, uid))
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the socket's folder must be the broker's user's, and nobody else "
	    "may write to it: clients would not use the socket");
}

int
ipc_listen_folder(struct str path, uint32_t uid, uint32_t gid, struct arena *a,
    const char **name, struct err *e)
{
	char *p = str_c(a, path), *slash = strrchr(p, '/');
	int folder;

	if (slash == NULL || slash == p || slash[1] == '\0')
		return err_set(e, ERR_USAGE,
		    "a socket is named by its path, such as "
		    "/run/emcli/emcli.sock");
	*slash = '\0';
	*name = slash + 1;
	if (mkdir(p, 0755) == 0 && uid != geteuid() && chown(p, uid, gid) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the socket's folder cannot be made");
		return err_errno(e, p);
	}
	folder = path_dir_open(AT_FDCWD, p);
	if (folder < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the socket's folder cannot be opened");
		return err_errno(e, p);
	}
	if (ipc_listen_check_folder(folder, uid, e) < 0)
		path_close(&folder);
	return folder;
}

static bool
ipc_listen_is_one(int fd)
{
	int on = 0, type = 0;
	socklen_t n = sizeof(on), m = sizeof(type);

	return ipc_peer_is_local(fd) &&
	    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &n) == 0 && on &&
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &m) == 0 &&
	    type == SOCK_STREAM;
}

int
ipc_listen_given(int *fd, struct err *e)
{
	struct str pid = str_of(getenv("LISTEN_PID"));
	struct str n = str_of(getenv("LISTEN_FDS"));
	uint64_t who = 0, fds = 0;
	bool ours = str_to_u64(pid, INT32_MAX, &who) &&
	    (pid_t)who == getpid() && str_to_u64(n, INT32_MAX, &fds);

	(void)unsetenv("LISTEN_PID");
	(void)unsetenv("LISTEN_FDS");
	(void)unsetenv("LISTEN_FDNAMES");
	if (!ours || fds == 0)
		return 0;
	if (fds != 1 || !ipc_listen_is_one(GIVEN))
		return err_set(e, ERR_CONFIG,
		    "systemd passed something else than one listening unix "
		    "socket");
	if (fcntl(GIVEN, F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(GIVEN, F_SETFL, O_NONBLOCK) < 0) {
		(void)err_set(e, ERR_CONFIG, "systemd's socket cannot be used");
		return err_errno(e, "fcntl");
	}
	*fd = GIVEN;
	return 1;
}
