/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folders of a root.  Each is opened segment by segment without following
 * links, from the descriptor of the root, so that nobody who can create names
 * in the root can lead us out of it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "backend/agentbox/internal.h"

void
agentbox_layout_note(struct agentbox_root *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_push(r->a, &r->notes, str_fmt_list(r->a, fmt, ap));
	va_end(ap);
}

struct str
agentbox_layout_message(const struct agentbox_root *r, struct str id,
    struct str day, struct arena *a)
{
	return str_fmt(a, "%.*s/messages/%.*s/%.*s.md", STR_ARG(r->shown),
	    STR_ARG(day), STR_ARG(id));
}

int
agentbox_layout_refuse(struct err *e, const char *reason, const char *say)
{
	(void)err_set(e, ERR_CONFIG, "%s", say);
	e->reason = reason;
	return -1;
}

/* Syncs the names of a folder that may be open with O_PATH. */
static int
layout_sync(int at)
{
	CLEANUP(path_close) int fd = path_dir_open(at, ".");

	return fd < 0 ? -1 : fsync(fd);
}

/* Folders on the way need not be readable. */
static int
layout_open_one(int at, const char *name, bool way, bool make)
{
	const int flags =
	    O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | (way ? O_PATH : O_RDONLY);
	int fd = openat(at, name, flags);

	if (fd >= 0 || errno != ENOENT || !make)
		return fd;
	if (mkdirat(at, name, 0700) < 0 && errno != EEXIST)
		return -1;
	/* Sets the mode again: the umask may remove even the owner's bits. */
	if (fchmodat(at, name, 0700, 0) < 0 || layout_sync(at) < 0)
		return -1;
	return openat(at, name, flags);
}

int
agentbox_layout_open(int at, const char *rel, bool make)
{
	CLEANUP(path_close) int own = -1;
	char name[LIMIT_FILE_NAME + 1];
	int fd = at;

	while (*rel != '\0') {
		size_t n = strcspn(rel, "/");

		if (n == 0 || n >= sizeof(name) ||
		    (n <= 2 && memcmp(rel, "..", n) == 0)) {
			errno = EINVAL;
			return -1;
		}
		memcpy(name, rel, n);
		name[n] = '\0';
		fd = layout_open_one(fd, name, rel[n] == '/', make);
		path_close(&own);
		own = fd;
		if (fd < 0)
			return -1;
		rel += n + (rel[n] == '/');
	}
	own = -1;
	return fd == at ? fcntl(at, F_DUPFD_CLOEXEC, 0) : fd;
}

int
agentbox_layout_folder(const struct agentbox_root *r, const char *rel,
    struct err *e)
{
	int fd = agentbox_layout_open(r->dir, rel, false);

	if (fd < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "a folder of the mailbox root cannot be opened");
		(void)err_errno(e, rel);
	}
	return fd;
}

int
agentbox_layout_touch(int folder, const char *name)
{
	int fd = openat(folder, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno == EEXIST ? 0 : -1;
	(void)fchmod(fd, 0600);
	path_close(&fd);
	return 0;
}

int
agentbox_layout_read(int folder, const char *name, size_t max, struct arena *a,
    struct str *out, struct err *e)
{
	CLEANUP(path_close)
	int fd = openat(folder, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0) {
		(void)err_set(e, ERR_CONFIG, "a file cannot be read");
		return err_errno(e, "open");
	}
	if (!S_ISREG(st.st_mode)) {
		(void)err_set(e, ERR_CONFIG, "a file cannot be read");
		return err_because(e, "not a regular file");
	}
	return path_read(fd, max, a, out, e) < 0 ? -1 : 1;
}

/* The folder must be the one that was checked before it was opened. */
static int
layout_own(const struct agentbox_root *r, struct err *e)
{
	struct stat st;

	if (fstat(r->dir, &st) < 0 || st.st_uid != geteuid() ||
	    (st.st_mode & S_IWOTH) != 0)
		return agentbox_layout_refuse(e, "root_owner",
		    "the mailbox root must be a folder of this user's that "
		    "others cannot write to");
	return 0;
}

int
agentbox_layout_root(struct agentbox_root *r, const char *path, struct err *e)
{
	char real[PATH_MAX];
	struct stat st;

	r->dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r->dir < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no mailbox root: see emcli mailbox init");
	if (r->dir < 0 && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		return agentbox_layout_refuse(e, "root_link",
		    "the mailbox root is a link: name the folder itself");
	if (r->dir < 0 || realpath(path, real) == NULL) {
		(void)err_set(e, ERR_CONFIG,
		    "the mailbox root cannot be opened");
		return err_errno(e, path);
	}
	r->path = r->shown = str_dup(r->a, str_of(real));
	if (r->path.n < 2)
		return agentbox_layout_refuse(e, "root_owner",
		    "the mailbox root cannot be the root of the file system");
	return layout_own(r, e);
}

int
agentbox_layout_put(const struct agentbox_root *r, const char *folder,
    const char *name, const char *text, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(path_close) int from = agentbox_layout_folder(r, "staging", e);
	CLEANUP(path_close) int to = agentbox_layout_folder(r, folder, e);
	struct str tmp = agentbox_name_new(a, "emcli-put-", 16);
	struct stat st;

	if (from < 0 || to < 0)
		return -1;
	if (fstatat(to, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	if (path_folder_new(from, tmp.p, str_of(text), e) < 0)
		return -1;
	if (renameat(from, tmp.p, to, name) < 0) {
		(void)err_set(e, ERR_CONFIG, "cannot make the mailbox root");
		return err_errno(e, name);
	}
	return path_folder_sync(to, e);
}

/* The depth is limited: mailboxes contain boxes, and boxes links. */
static int
layout_remove_in(int at, const char *name, unsigned depth)
{
	int fd = path_dir_open(at, name);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;

	if (dir == NULL || depth == 0)
		return -1;
	while ((d = readdir(dir)) != NULL) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, d->d_name, 0) == 0)
			continue;
		if (errno != EISDIR && errno != EPERM)
			return -1;
		if (layout_remove_in(fd, d->d_name, depth - 1) < 0)
			return -1;
	}
	return unlinkat(at, name, AT_REMOVEDIR);
}

int
agentbox_layout_remove(int at, const char *name)
{
	if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
		return 0;
	return layout_remove_in(at, name, 8);
}
