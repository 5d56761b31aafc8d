/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a client's file, and replaces it in one step. */
#include "desk/mcp_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"

enum {
	BACKUPS = 100
};

static int
mcp_write_fail(struct err *e, const char *what, const char *detail)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	return err_errno(e, detail);
}

/* Files of settings are often links into a repository: the link is kept. */
static const char *
mcp_write_follow(const char *path, struct arena *a)
{
	char real[PATH_MAX];

	return realpath(path, real) != NULL ? str_c(a, str_of(real)) : path;
}

static int
mcp_write_open_folder(struct mcp_write *w, const char *path, struct arena *a,
    struct err *e)
{
	char *at = str_c(a, str_of(path)), *slash = NULL;

	for (char *p = at; *p != '\0'; p++)
		if (*p == '/')
			slash = p;
	w->name = slash != NULL ? slash + 1 : at;
	w->dir = slash == NULL ? "." : slash == at ? "/" : at;
	if (slash != NULL)
		*slash = '\0';
	if (w->name[0] == '\0')
		return err_set(e, ERR_USAGE, "that is a folder, not a file");
	if (path_mkdir(w->dir, e) < 0)
		return -1;
	w->folder = open(w->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return w->folder < 0
	    ? mcp_write_fail(e, "cannot open the folder", w->dir)
	    : 0;
}

int
mcp_write_read(const char *path, struct arena *a, struct mcp_write *w,
    struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	*w = (struct mcp_write){ .folder = -1 };
	if (mcp_write_open_folder(w, mcp_write_follow(path, a), a, e) < 0)
		return -1;
	fd = openat(w->folder, w->name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &w->was) < 0)
		return mcp_write_fail(e, "cannot read the client's file",
		    w->name);
	if (!S_ISREG(w->was.st_mode))
		return err_set(e, ERR_USAGE, "the client's file is no file");
	w->there = true;
	return path_read(fd, LIMIT_DECLARATION, a, &w->text, e);
}

/* The first free name beside it. */
static int
mcp_write_keep(struct mcp_write *w, struct arena *a, struct err *e)
{
	for (int i = 0; i < BACKUPS; i++) {
		const char *name = i == 0
		    ? str_fmt(a, "%s.bak", w->name).p
		    : str_fmt(a, "%s.bak.%d", w->name, i).p;
		int r = path_folder_new(w->folder, name, w->text, e);

		if (r == 0)
			w->backup = str_fmt(a, "%s/%s", w->dir, name).p;
		if (r <= 0)
			return r;
	}
	return err_set(e, ERR_CONFIG, "there are too many backups beside it");
}

/* Has the client written the file meanwhile? */
static bool
mcp_write_changed(const struct mcp_write *w)
{
	struct stat now;

	if (fstatat(w->folder, w->name, &now, AT_SYMLINK_NOFOLLOW) < 0)
		return w->there || errno != ENOENT;
	return !w->there || now.st_ino != w->was.st_ino ||
	    now.st_size != w->was.st_size ||
	    now.st_mtim.tv_sec != w->was.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != w->was.st_mtim.tv_nsec;
}

int
mcp_write_put(struct mcp_write *w, struct str text, struct arena *a,
    struct err *e)
{
	const char *temp = str_fmt(a, ".%s.%ld", w->name, (long)getpid()).p;
	mode_t mode = w->there ? w->was.st_mode & 0777 : 0600;
	int r;

	if (w->there && mcp_write_keep(w, a, e) < 0)
		return -1;
	r = path_folder_new(w->folder, temp, text, e);
	if (r == 1)
		return err_set(e, ERR_CONFIG, "a file of ours is in the way");
	if (r < 0)
		return -1;
	if (mcp_write_changed(w)) {
		path_folder_drop(w->folder, temp);
		return err_set(e, ERR_CONFIG,
		    "the client wrote its file meanwhile: try again");
	}
	if (fchmodat(w->folder, temp, mode, 0) < 0 ||
	    renameat(w->folder, temp, w->folder, w->name) < 0) {
		(void)mcp_write_fail(e, "cannot write the client's file",
		    w->name);
		path_folder_drop(w->folder, temp);
		return -1;
	}
	w->written = true;
	return path_folder_sync(w->folder, e);
}

void
mcp_write_done(struct mcp_write *w)
{
	path_close(&w->folder);
}
