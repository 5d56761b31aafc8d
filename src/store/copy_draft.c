/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a copy is made: a file in a folder of its own beside its place.  SQLite
 * opens it, and what it takes for parts of it, by names, and nobody else can
 * put anything there.  The folder is locked while the copy is made: one that is
 * not was left by a process that was killed.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "store/copying.h"

#define DRAFT ".new."
#define DRAFT_FILE "copy"

enum {
	DRAFT_MARK = 6, /* what mkdtemp(3) chooses */
	DRAFT_TRIES = 8
};

/* The folder in a path, and the name in it. */
static struct str
copy_draft_folder(const char *to, struct str *name)
{
	const char *slash = strrchr(to, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - to) + 1;

	*name = str_of(to + n);
	return n == 0 ? S("./") : (struct str){ to, n };
}

/* "copy.db.new.a1B2c3" of "copy.db". */
static bool
copy_draft_is(const char *name, struct str of)
{
	const size_t mark = of.n + sizeof(DRAFT) - 1;

	if (strlen(name) != mark + DRAFT_MARK ||
	    strncmp(name, of.p, of.n) != 0 ||
	    memcmp(name + of.n, DRAFT, sizeof(DRAFT) - 1) != 0)
		return false;
	for (const char *p = name + mark; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p))
			return false;
	return true;
}

/* The file, and what SQLite makes beside it when it is opened. */
static void
copy_draft_empty(int folder)
{
	static const char *const parts[] = { DRAFT_FILE, DRAFT_FILE "-wal",
		DRAFT_FILE "-shm", DRAFT_FILE "-journal" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		(void)unlinkat(folder, parts[i], 0);
}

/* Removes a draft of this user's that nobody is making. */
static void
copy_draft_sweep_one(int folder, const char *name)
{
	CLEANUP(path_close)
	int fd = openat(folder, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() ||
	    flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	copy_draft_empty(fd);
	(void)unlinkat(folder, name, AT_REMOVEDIR);
}

void
copy_draft_sweep(const char *to)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str name, folder = copy_draft_folder(to, &name);
	DIR *d = opendir(str_c(a, folder));
	const struct dirent *f;

	if (d == NULL)
		return;
	while ((f = readdir(d)) != NULL)
		if (copy_draft_is(f->d_name, name))
			copy_draft_sweep_one(dirfd(d), f->d_name);
	(void)closedir(d);
}

/* 1; 0: another process has just taken it for one that was left; -1. */
static int
copy_draft_make_folder(const char *to, struct copy_draft *d, struct err *e)
{
	char *dir = str_c(d->a, str_fmt(d->a, "%s" DRAFT "XXXXXX", to));
	struct stat st;

	if (mkdtemp(dir) == NULL)
		return copy_pages_fail(e, to, strerror(errno));
	d->dir = dir;
	d->fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (d->fd < 0 && errno != ENOENT)
		return copy_pages_fail(e, dir, strerror(errno));
	/* Where there are no such locks, no draft is taken for a left one. */
	if (d->fd >= 0 &&
	    (flock(d->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
	    fstat(d->fd, &st) == 0 && st.st_nlink > 0)
		return 1;
	path_close(&d->fd);
	d->dir = NULL;
	(void)rmdir(dir);
	return 0;
}

int
copy_draft_begin(const char *to, struct copy_draft *d, struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	int r = 0;

	*d = (struct copy_draft){ .a = arena_open(64 << 10), .fd = -1 };
	for (int i = 0; r == 0 && i < DRAFT_TRIES; i++)
		r = copy_draft_make_folder(to, d, e);
	if (r <= 0)
		return r < 0
		    ? -1
		    : copy_pages_fail(e, to, "others are copying to that name");
	d->file = str_c(d->a, str_fmt(d->a, "%s/" DRAFT_FILE, d->dir));
	fd = open(d->file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    0600);
	/* Sets the mode again, in case the umask removed the owner's bits. */
	if (fd < 0 || fchmod(fd, 0600) < 0)
		return copy_pages_fail(e, d->file, strerror(errno));
	return 0;
}

void
copy_draft_drop(struct copy_draft *d)
{
	if (d->dir != NULL) {
		copy_draft_empty(d->fd);
		(void)rmdir(d->dir);
		path_close(&d->fd);
	}
	arena_close(&d->a);
}
