/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the broker: whoever else may make a socket there could pose as it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "door/remote/internal.h"

struct str
remote_find_path(const struct env *env)
{
	return env->socket != NULL ? str_of(env->socket) : S(FAR_SOCKET);
}

/* The folder of a path, and its last part. */
static int
remote_find_folder(struct str path, struct arena *a, const char **name)
{
	char *p = str_c(a, path), *slash = strrchr(p, '/');

	if (slash == NULL) {
		*name = p;
		p = str_c(a, S("."));
	} else {
		*slash = '\0';
		*name = slash + 1;
	}
	if ((*name)[0] == '\0')
		return -1;
	return open(*p == '\0' ? "/" : p, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Nobody else may put a socket there. */
static int
remote_find_trusted(int folder, struct stat *st, struct err *e)
{
	if (fstat(folder, st) < 0 || (st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return err_set(e, ERR_CONFIG,
		    "others can write to the folder of the broker's socket, so "
		    "it is not used");
	return 0;
}

static int
remote_find_unreached(struct err *e)
{
	if (e->kind == ERR_POLICY) {
		(void)err_set(e, ERR_CONFIG,
		    "the broker's socket is neither root's nor its folder's "
		    "owner's, so it is not used");
		return -1;
	}
	if (e->kind == ERR_CONFIG)
		return -1;
	(void)err_set(e, ERR_NETWORK,
	    "the broker does not answer at its socket");
	return err_hint(e,
	    "tell the operator: emcli serve must run, and EMCLI_SOCKET name "
	    "its socket");
}

int
remote_find(struct str path, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const char *name = "";
	CLEANUP(path_close) int folder = remote_find_folder(path, a, &name);
	struct stat st;
	int fd;

	if (folder < 0)
		return remote_find_unreached(e);
	if (remote_find_trusted(folder, &st, e) < 0)
		return -1;
	fd = ipc_connect_to(folder, name, st.st_uid, e);
	return fd >= 0 ? fd : remote_find_unreached(e);
}
