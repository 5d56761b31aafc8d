/* SPDX-License-Identifier: Apache-2.0 */
/* New files in a folder whose name may come from others. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "base/path.h"

#define NEW_FLAGS                                                              \
	(O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)

int
path_folder_open(const char *dir, struct str name, struct err *e)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	while (name.n > 1 && name.p[name.n - 1] == '/')
		name.n--;
	if (name.n == 0 || name.n + 3 > sizeof(path))
		return err_set(e, ERR_NOT_FOUND, "no such folder");
	/* Opens the "." in it, so that it must be a folder. */
	memcpy(path, name.p, name.n);
	memcpy(path + name.n, "/.", 3);
	fd = path_open_any(dir, (struct str){ path, name.n + 2 }, e);
	if (fd < 0 && e->kind == ERR_NOT_FOUND)
		return err_set(e, ERR_NOT_FOUND, "no such folder");
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISDIR(st.st_mode))) {
		path_close(&fd);
		return err_set(e, ERR_NOT_FOUND, "no such folder");
	}
	return fd;
}

static int
path_folder_cannot(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the file cannot be written");
	return err_errno(e, what);
}

int
path_folder_new(int folder, const char *name, struct str bytes, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	if (*name == '\0' || strchr(name, '/') != NULL)
		err_bug("a file named \"%s\"", name);
	fd = openat(folder, name, NEW_FLAGS, 0600);
	if (fd < 0 && errno == EEXIST)
		return 1;
	if (fd < 0)
		return path_folder_cannot(e, "open");
	if (path_write(fd, bytes) < 0 || fsync(fd) < 0) {
		(void)path_folder_cannot(e, "write");
		path_folder_drop(folder, name);
		return -1;
	}
	return 0;
}

int
path_folder_sync(int folder, struct err *e)
{
	return fsync(folder) < 0 ? path_folder_cannot(e, "fsync") : 0;
}

void
path_folder_drop(int folder, const char *name)
{
	(void)unlinkat(folder, name, 0);
}
