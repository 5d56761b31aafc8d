/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/internal.h"

#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
#define RACES 8 /* renames during a walk before it gives up */

void
path_close(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

int
path_dir_open(int at, const char *name)
{
	return openat(at, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void
path_dir_close(DIR **d)
{
	if (*d != NULL)
		(void)closedir(*d);
}

/* The error is that of mkdir(2), not that it does not exist. */
static int
path_make_one(const char *path, struct err *e)
{
	struct stat st;
	int why;

	if (mkdir(path, 0700) == 0) {
		/* Again, in case the umask removed the owner's bits. */
		(void)chmod(path, 0700);
		return 0;
	}
	why = errno;
	if (why == EEXIST || stat(path, &st) == 0)
		return 0;
	errno = why;
	(void)err_set(e, ERR_CONFIG, "cannot create the folder");
	return err_errno(e, path);
}

int
path_mkdir(const char *dir, struct err *e)
{
	size_t n = strlen(dir);
	char path[PATH_MAX];
	struct stat st;

	if (n == 0 || n >= sizeof(path))
		return err_set(e, ERR_CONFIG,
		    "the folder's name is empty or too long");
	if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	memcpy(path, dir, n + 1);
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		path[i] = '\0';
		if (path_make_one(path, e) < 0)
			return -1;
		path[i] = dir[i];
	}
	if (stat(dir, &st) < 0 || !S_ISDIR(st.st_mode)) {
		(void)err_set(e, ERR_CONFIG, "cannot create the folder");
		return err_because(e, "%s: not a folder", dir);
	}
	return 0;
}

static int
path_refuse(struct err *e, const char *cause)
{
	(void)err_set(e, ERR_POLICY,
	    "only files in the account's attachment folder are allowed");
	e->reason = "attach_dir";
	return err_because(e, "%s", cause);
}

/* Makes an absolute name relative to dir; false if it is not below dir. */
static bool
path_below(const char *dir, struct str *name)
{
	struct str d = str_of(dir);

	if (name->n == 0 || name->p[0] != '/')
		return true;
	while (d.n > 0 && d.p[d.n - 1] == '/')
		d.n--;
	if (!str_starts(*name, d) || name->n <= d.n || name->p[d.n] != '/')
		return false;
	*name = str_from(*name, d.n);
	while (name->n > 0 && name->p[0] == '/')
		*name = str_from(*name, 1);
	return true;
}

static bool
path_has_dotdot(struct str name)
{
	struct str part;

	while (name.n > 0) {
		(void)str_cut(name, '/', &part, &name);
		if (str_eq(part, S("..")))
			return true;
	}
	return false;
}

/* Distinguishes a link from a file where a folder should be. */
static int
path_open_folder(int at, const char *name)
{
	int fd =
	    openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOTDIR) {
		if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISLNK(st.st_mode))
			errno = ELOOP;
		else
			errno = ENOTDIR;
	}
	return fd;
}

int
path_open_steps(int dirfd, char *name)
{
	CLEANUP(path_close) int own = -1;
	int at = dirfd, next;
	char *slash;

	while ((slash = strchr(name, '/')) != NULL) {
		*slash = '\0';
		if (strcmp(name, "..") == 0) {
			errno = EXDEV;
			return -1;
		}
		if (*name != '\0') {
			next = path_open_folder(at, name);
			if (next < 0)
				return -1;
			path_close(&own);
			own = at = next;
		}
		name = slash + 1;
	}
	if (strcmp(name, "..") == 0) {
		errno = EXDEV;
		return -1;
	}
	return openat(at, name, FILE_FLAGS);
}

static int
path_openat2_beneath(int dirfd, char *name)
{
	struct open_how how = {
		.flags = FILE_FLAGS,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
		    RESOLVE_NO_MAGICLINKS,
	};
	int fd = -1;

	for (int i = 0; i < RACES; i++) {
		fd = (int)syscall(SYS_openat2, dirfd, name, &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	/* An old kernel returns ENOSYS, an old container's filter EPERM. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return path_open_steps(dirfd, name);
	return fd;
}

int
path_open_any(const char *dir, struct str name, struct err *e)
{
	CLEANUP(path_close) int dirfd = -1;
	char path[PATH_MAX];
	int fd;

	if (name.n >= sizeof(path))
		return err_set(e, ERR_NOT_FOUND, "no such file");
	if (str_has_char(name, '\0') || !path_below(dir, &name) ||
	    path_has_dotdot(name))
		return path_refuse(e, "the name leads out of the folder");
	if (name.n == 0)
		return err_set(e, ERR_NOT_FOUND, "no such file");
	memcpy(path, name.p, name.n);
	path[name.n] = '\0';

	dirfd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0) {
		(void)path_refuse(e, "the attachment folder cannot be opened");
		return err_errno(e, dir);
	}
	fd = path_openat2_beneath(dirfd, path);
	if (fd < 0 && (errno == ELOOP || errno == EXDEV))
		return path_refuse(e,
		    "the name is or contains a symbolic link");
	if (fd < 0) {
		(void)err_set(e, ERR_NOT_FOUND, "no such file");
		return err_errno(e, "open");
	}
	return fd;
}

int
path_open_beneath(const char *dir, struct str name, struct err *e)
{
	int fd = path_open_any(dir, name, e);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		path_close(&fd);
		return path_refuse(e, "not a regular file");
	}
	return fd;
}

int
path_read(int fd, size_t max, struct arena *a, struct str *out, struct err *e)
{
	struct stat st;
	struct buf b;
	ssize_t r;
	size_t want = 4096;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		if ((uintmax_t)st.st_size > max)
			return err_set(e, ERR_LIMIT, "the file is too large");
		want = (size_t)st.st_size + 1;
	}
	buf_init(&b, a, max + 1);
	for (;;) {
		if (want > b.max - b.n)
			want = b.max - b.n;
		(void)buf_reserve(&b, want);
		r = read(fd, b.p + b.n, want);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0) {
			(void)err_set(e, ERR_CONFIG, "the file cannot be read");
			return err_errno(e, "read");
		}
		if (r == 0)
			break;
		b.n += (size_t)r;
		if (b.n > max)
			return err_set(e, ERR_LIMIT, "the file is too large");
		want = b.n > 4096 ? b.n : 4096;
	}
	b.p[b.n] = '\0';
	*out = buf_view(&b);
	return 0;
}

ssize_t
path_read_at(int fd, void *out, size_t n, uint64_t at)
{
	size_t got = 0;

	while (got < n) {
		ssize_t r =
		    pread(fd, (char *)out + got, n - got, (off_t)(at + got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -1;
		if (r == 0)
			break;
		got += (size_t)r;
	}
	return (ssize_t)got;
}

int
path_write(int fd, struct str bytes)
{
	while (bytes.n > 0) {
		ssize_t r = write(fd, bytes.p, bytes.n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return -1;
		bytes = str_from(bytes, (size_t)r);
	}
	return 0;
}
