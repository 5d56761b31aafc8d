/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"

int
own_file_fail(struct err *e, const char *what, const char *path)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	return err_errno(e, path);
}

int
own_file_is_there(const struct own_file *f, struct arena *a, struct err *e)
{
	CLEANUP(path_close)
	int fd = open(f->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct str was = { 0 };
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return own_file_fail(e, "cannot read an existing file",
		    f->path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_CONFIG,
		    "a path to write to is not a file");
	/* One that others can read is written again. */
	if ((size_t)st.st_size == f->text.n &&
	    (!f->mine || (st.st_mode & 077) == 0)) {
		if (path_read(fd, f->text.n, a, &was, e) < 0)
			return -1;
		if (str_eq(was, f->text))
			return 1;
	}
	if (f->force)
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "an existing file was changed: --force overwrites it");
	return err_because(e, "%s", f->path);
}

int
own_file_put(const struct own_file *f, struct arena *a, struct err *e)
{
	/* Of this process: whatever else is there is somebody's. */
	const char *beside =
	    str_fmt(a, "%s.new.%ld", f->path, (long)getpid()).p;
	CLEANUP(path_close) int fd = -1;
	int there = own_file_is_there(f, a, e);
	mode_t mode = f->mine ? 0600 : 0644;

	if (there != 0)
		return there < 0 ? -1 : 0;
	(void)unlink(beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    mode);
	if (fd < 0 || fchmod(fd, mode) < 0 || path_write(fd, f->text) < 0 ||
	    rename(beside, f->path) < 0) {
		(void)own_file_fail(e, "cannot write a file", f->path);
		(void)unlink(beside);
		return -1;
	}
	return 1;
}
