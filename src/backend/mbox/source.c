/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an archive: one, or all of a folder, in the order of their
 * names, so that months follow each other.  They are opened for reading, and
 * not changed in any way: no lock, no dot file, and no access time where the
 * system allows that.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "backend/mbox/internal.h"
#include "backend/mbox/source.h"
#include "base/path.h"

#define FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

int64_t
mbox_source_mtime(const struct stat *st)
{
	/* Beyond the years an int64 of nanoseconds holds, any number will do.
	 */
	if (st->st_mtim.tv_sec < 0 || st->st_mtim.tv_sec > 9000000000)
		return st->st_mtim.tv_sec;
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static int
mbox_source_by_name(const void *x, const void *y)
{
	const struct mbox_source *s = x, *t = y;

	return str_cmp(s->name, t->name);
}

static int
mbox_source_unreadable(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the archive cannot be opened");
	return err_errno(e, "archive");
}

static int
mbox_source_add(struct arena *a, struct mbox_sources *l, struct str name,
    const struct stat *st, struct err *e)
{
	if (l->n >= LIMIT_MBOX_FILES)
		return err_set(e, ERR_LIMIT, "the archive has too many files");
	l->v = arena_more(a, l->v, l->n, sizeof(*l->v));
	l->v[l->n++] = (struct mbox_source){
		.name = str_dup(a, name),
		.disk_n = (uint64_t)st->st_size,
		.mtime_ns = mbox_source_mtime(st),
	};
	return 0;
}

static int
mbox_source_list_folder(struct mbox *m, struct arena *a,
    struct mbox_sources *out, struct err *e)
{
	CLEANUP(path_dir_close) DIR *dir = NULL;
	const struct dirent *d;
	/* A separate descriptor: reading moves the position. */
	int fd = openat(m->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (dir == NULL) {
		(void)mbox_source_unreadable(e);
		path_close(&fd);
		return -1;
	}
	while ((d = readdir(dir)) != NULL) {
		struct stat st;

		if (d->d_name[0] == '.' ||
		    strlen(d->d_name) >= sizeof(((struct mbox_file *)0)->name))
			continue;
		if (fstatat(m->dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		if (mbox_source_add(a, out, str_of(d->d_name), &st, e) < 0)
			return -1;
	}
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), mbox_source_by_name);
	return 0;
}

int
mbox_source_list(struct mbox *m, struct arena *a, struct mbox_sources *out,
    struct err *e)
{
	struct stat st;

	*out = (struct mbox_sources){ 0 };
	if (m->dir >= 0)
		return mbox_source_list_folder(m, a, out, e);
	if (stat(m->path, &st) < 0)
		return mbox_source_unreadable(e);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_CONFIG, "the archive is not a file");
	return mbox_source_add(a, out, S(""), &st, e);
}

int
mbox_source_open(struct mbox *m, struct str name, int *fd, struct err *e)
{
	char file[sizeof(((struct mbox_file *)0)->name)] = "";
	struct stat st;

	if (name.n >= sizeof(file))
		err_bug("mbox: a name that was not listed");
	if (name.n > 0)
		memcpy(file, name.p, name.n);
	/* The operator named the path, so a link is followed only there. */
	*fd = m->dir >= 0 ? openat(m->dir, file, FLAGS | O_NOFOLLOW)
			  : open(m->path, FLAGS);
	if (*fd < 0 && (errno == ENOENT || errno == ELOOP))
		return 0;
	if (*fd < 0)
		return mbox_source_unreadable(e);
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return 1;
	path_close(fd);
	return 0;
}
