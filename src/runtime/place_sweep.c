/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes folders whose content may be from an agent.  A nested folder is moved
 * up before it is emptied, so that depth uses neither stack nor descriptors,
 * and no link is followed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/path.h"
#include "runtime/place.h"

static int
place_sweep_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "a folder cannot be removed");
	return err_errno(e, what);
}

/* Whoever filled it may have removed its permissions. */
static int
place_sweep_enter(int at, const char *name)
{
	int fd = path_dir_open(at, name);
	int self;

	if (fd >= 0 || errno != EACCES)
		return fd;
	self = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (self >= 0) {
		char path[64];

		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", self);
		(void)chmod(path, 0700);
		path_close(&self);
	}
	return path_dir_open(at, name);
}

static DIR *
place_sweep_list(int fd)
{
	DIR *d;

	/*
	 * The owner can open folders without permissions, but not empty them.
	 */
	(void)fchmod(fd, 0700);
	d = fdopendir(fd);
	if (d == NULL)
		err_bug("fdopendir");
	return d;
}

static bool
place_sweep_is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Moves it to the top, under an unused name. */
static int
place_sweep_raise(int from, const char *name, int top, struct err *e)
{
	static unsigned long next;
	CLEANUP(path_close) int fd = place_sweep_enter(from, name);
	char to[64];

	/* Moving a folder writes to it: its ".." changes. */
	if (fd < 0 || fchmod(fd, 0700) < 0)
		return place_sweep_fail(e, "open");
	do {
		(void)snprintf(to, sizeof(to), "~%lu", next++);
		if (renameat2(from, name, top, to, RENAME_NOREPLACE) == 0)
			return 0;
	} while (errno == EEXIST);
	return place_sweep_fail(e, "rename");
}

/* Empties one folder, moving its folders up, and removes it. */
static int
place_sweep_folder(int top, const char *name, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	int fd = place_sweep_enter(top, name);
	struct dirent *one;

	if (fd < 0)
		return place_sweep_fail(e, "open");
	d = place_sweep_list(fd);
	while ((one = readdir(d)) != NULL) {
		if (place_sweep_is_dots(one->d_name) ||
		    unlinkat(fd, one->d_name, 0) == 0)
			continue;
		if (errno != EISDIR && errno != EPERM)
			return place_sweep_fail(e, "unlink");
		if (place_sweep_raise(fd, one->d_name, top, e) < 0)
			return -1;
	}
	return unlinkat(top, name, AT_REMOVEDIR) < 0
	    ? place_sweep_fail(e, "rmdir")
	    : 0;
}

/* One pass through a folder: the number of names in it, or -1. */
static long
place_sweep_pass(DIR *d, int top, struct err *e)
{
	struct dirent *one;
	long n = 0;

	rewinddir(d);
	while ((one = readdir(d)) != NULL) {
		if (place_sweep_is_dots(one->d_name))
			continue;
		n++;
		if (unlinkat(top, one->d_name, 0) == 0)
			continue;
		if (errno != EISDIR && errno != EPERM)
			return place_sweep_fail(e, "unlink");
		if (place_sweep_folder(top, one->d_name, e) < 0)
			return -1;
	}
	return n;
}

static int
place_sweep_tree(int at, const char *name, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	long n;
	int fd;

	if (unlinkat(at, name, 0) == 0)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return place_sweep_fail(e, "unlink");
	fd = place_sweep_enter(at, name);
	if (fd < 0)
		return place_sweep_fail(e, "open");
	d = place_sweep_list(fd);
	do
		n = place_sweep_pass(d, fd, e);
	while (n > 0);
	if (n < 0)
		return -1;
	return unlinkat(at, name, AT_REMOVEDIR) < 0
	    ? place_sweep_fail(e, "rmdir")
	    : 0;
}

int
place_sweep(int folder, struct arena *a, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	struct strs names = { 0 };
	struct dirent *one;
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return place_sweep_fail(e, "open");
	d = fdopendir(fd);
	if (d == NULL)
		err_bug("fdopendir");
	while ((one = readdir(d)) != NULL)
		if (str_starts(str_of(one->d_name), S(PLACE_BUILD)) ||
		    str_starts(str_of(one->d_name), S(PLACE_REMOVE)))
			str_push(a, &names, str_dup(a, str_of(one->d_name)));
	for (size_t i = 0; i < names.n; i++)
		if (place_sweep_tree(folder, str_c(a, names.v[i]), e) < 0)
			return -1;
	return 0;
}
