/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of a store as a new file: made as a draft, and then moved. */
#include "store/copying.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h> /* renameat2(2) */
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "store/key.h"
#include "store/opening.h"

static const char *const beside[] = { "-wal", "-shm", "-journal" };

enum {
	BESIDE = sizeof(beside) / sizeof(beside[0])
};

/* Of a file that had the name before: SQLite would add them to the new one. */
static int
copy_drop_beside(const char *to, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < BESIDE; i++) {
		const char *name = str_c(a, str_fmt(a, "%s%s", to, beside[i]));

		if (unlink(name) < 0 && errno != ENOENT)
			return copy_pages_fail(e, name, strerror(errno));
	}
	return 0;
}

/* On disk, and then under its name: never over a file that is to stay. */
static int
copy_publish(const struct copy_draft *c, const char *to, bool replace,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = open(c->file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(path_close) int folder = -1;
	int r;

	if (fd < 0 || fsync(fd) < 0)
		return copy_pages_fail(e, c->file, strerror(errno));
	if (replace && copy_drop_beside(to, c->a, e) < 0)
		return -1;
	r = renameat2(AT_FDCWD, c->file, AT_FDCWD, to,
	    replace ? 0 : RENAME_NOREPLACE);
	/* Some file systems do not know the flag. */
	if (r < 0 && (errno == EINVAL || errno == ENOSYS))
		r = link(c->file, to);
	if (r < 0)
		return copy_pages_fail(e, to, strerror(errno));
	/* The name is permanent only after its folder is on disk. */
	folder = open(str_c(c->a, str_fmt(c->a, "%s/..", c->dir)),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0)
		(void)fsync(folder);
	return 0;
}

int
copy_publish_new(const struct copy_draft *c, const char *to, struct err *e)
{
	return copy_publish(c, to, false, e);
}

static int
copy_make(const char *from, const char *to, bool replace,
    void (*progress)(uint64_t done, uint64_t all), struct err *e)
{
	CLEANUP(copy_draft_drop) struct copy_draft c = { 0 };

	if (copy_draft_begin(to, &c, e) < 0 ||
	    copy_pages(from, c.file, progress, e) < 0)
		return -1;
	return copy_publish(&c, to, replace, e);
}

int
copy_replace(const char *from, const char *to, struct err *e)
{
	copy_draft_sweep(to);
	return copy_make(from, to, true, NULL, e);
}

/* SQLite would take these for parts of the copy. */
static int
copy_check_name(const char *to, struct arena *a, struct err *e)
{
	struct stat st;

	for (size_t i = 0; i <= BESIDE; i++) {
		const char *name = i == 0
		    ? to
		    : str_c(a, str_fmt(a, "%s%s", to, beside[i - 1]));

		if (lstat(name, &st) < 0)
			continue;
		(void)err_set(e, ERR_USAGE,
		    "there is something by that name: name a new file");
		return err_because(e, "%s", name);
	}
	return 0;
}

static bool
copy_is_like(const char *s, const char *form)
{
	for (; *form != '\0' && *s != '\0'; form++, s++)
		if (*form == '#' ? !isdigit((unsigned char)*s) : *form != *s)
			return false;
	return *form == *s;
}

/*
 * Nor may the copy be taken for a part of another file: SQLite removes what it
 * takes for a journal, and a migration the copy of an earlier one.
 */
static int
copy_check_part(const char *to, struct arena *a, struct err *e)
{
	/* # is a digit. */
	static const char *const parts[] = { "-wal", "-shm", "-journal",
		"-lock", "-outbox", ".before-###" };
	const size_t n = strlen(to);
	struct stat st;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const size_t m = strlen(parts[i]);
		const char *stem;

		if (n <= m || !copy_is_like(to + n - m, parts[i]))
			continue;
		stem = str_c(a, (struct str){ to, n - m });
		if (lstat(stem, &st) < 0)
			continue;
		(void)err_set(e, ERR_USAGE,
		    "by that name it would be taken for a part of another "
		    "file: choose another name");
		return err_because(e, "%s", stem);
	}
	return 0;
}

/* The folder, with the way to it from the root. */
static const char *
copy_folder(const char *to, struct arena *a)
{
	const char *slash = strrchr(to, '/');
	const struct str dir = { to, slash != NULL ? (size_t)(slash - to) : 0 };
	char here[PATH_MAX];

	if (to[0] == '/')
		return str_c(a, dir.n > 0 ? dir : S("/"));
	if (getcwd(here, sizeof(here)) == NULL)
		return "";
	return str_c(a, str_fmt(a, "%s/%.*s", here, STR_ARG(dir)));
}

/*
 * Whoever may replace the file later, or a folder on the way to it, chooses
 * what a restore brings back.
 */
static int
copy_check_folder(const char *to, struct arena *a, struct err *e)
{
	struct err last = { 0 };
	struct str why = { 0 };

	if (store_file_guarded(to, &last) < 0)
		why = str_dup(a, str_of(last.detail));
	else if (path_trust(copy_folder(to, a), geteuid(), a, &why) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "the copy cannot be made there: its folder must exist, and others "
	    "must not be able to replace files in it, nor a folder on the way");
	(void)err_because(e, "%.*s", STR_ARG(why));
	return err_hint(e, "name a file in a folder of your own");
}

int
copy_check(const char *to, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	if (copy_check_part(to, a, e) < 0 || copy_check_folder(to, a, e) < 0)
		return -1;
	/* Whether the name is free or not, and in a folder of one's own. */
	copy_draft_sweep(to);
	return copy_check_name(to, a, e);
}

int
copy_close_whole(struct store **copy, const char *file, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	bool whole = store_key_scrub(*copy);
	struct stat st;

	store_close(copy);
	if (whole &&
	    (lstat(str_fmt(a, "%s-wal", file).p, &st) < 0 || st.st_size == 0))
		return 0;
	return err_set(e, ERR_DB,
	    "the copy cannot be written as a whole: try again");
}

int
store_copy_make(struct store *s, const char *to,
    void (*progress)(uint64_t done, uint64_t all), uint64_t *bytes,
    struct err *e)
{
	struct stat st;

	if (copy_check(to, e) < 0 ||
	    copy_make(s->path, to, false, progress, e) < 0)
		return -1;
	*bytes = lstat(to, &st) == 0 ? (uint64_t)st.st_size : 0;
	return 0;
}
