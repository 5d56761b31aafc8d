/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a home: compares them with the existing ones, and writes them.
 * A file is made beside its place and renamed, so that a reader finds the old
 * one or the new one.  In an existing home each file is synced before it is
 * renamed; a new home is synced as a whole.  Copied files may be secrets: the
 * buffer for them is wiped.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/home.h"

#define BESIDE ".emcli-new"

enum {
	CHUNK = 16384
};

/* The destination of files: its folder, which stays open between files. */
struct home_put {
	struct home *h;
	int home;
	int folder;
	struct str path; /* of the folder */
	bool dirty;      /* names in it are not synced */
};

static int
home_put_fail(struct err *e, struct str path)
{
	(void)err_set(e, ERR_CONFIG, "the home's %.*s cannot be written",
	    STR_ARG(str_first(path, 100)));
	return err_errno(e, "write");
}

/* Splits a path into the folder and the name in it. */
static struct str
home_put_split(struct str path, struct str *name)
{
	size_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/')
		at--;
	*name = str_from(path, at);
	return str_first(path, at > 0 ? at - 1 : 0);
}

static int
home_put_leave(struct home_put *p, struct err *e)
{
	if (p->dirty && p->h->old >= 0 && fsync(p->folder) < 0)
		return home_put_fail(e, p->path);
	p->dirty = false;
	path_close(&p->folder);
	return 0;
}

/*
 * Opens the next folder on the path; creates a missing one if `make` is set. -1
 * with errno.
 */
static int
home_put_step(const struct home_put *p, int at, const char *name, bool make)
{
	if (make && place_make(at, name, p->h->old >= 0) < 0)
		return -1;
	return path_dir_open(at, name);
}

/* Opens the folder: 0, 1 if it is missing and `make` is not set, or -1. */
static int
home_put_enter(struct home_put *p, struct str folder, bool make, struct err *e)
{
	struct str part, rest = folder;
	int at, next;

	if (p->folder >= 0 && str_eq(p->path, folder))
		return 0;
	if (p->folder >= 0 && home_put_leave(p, e) < 0)
		return -1;
	at = fcntl(p->home, F_DUPFD_CLOEXEC, 0);
	while (at >= 0 && rest.n > 0) {
		(void)str_cut(rest, '/', &part, &rest);
		next = home_put_step(p, at, str_c(p->h->a, part), make);
		if (next < 0 && errno == ENOENT && !make) {
			path_close(&at);
			return 1;
		}
		path_close(&at);
		at = next;
	}
	if (at < 0)
		return home_put_fail(e, folder);
	p->folder = at;
	p->path = folder;
	return 0;
}

/* -- what a file is made of ----------------------------------------------- */

struct home_put_source {
	const struct home_file *f;
	struct str text;
	int fd;
	size_t n; /* read so far */
};

static int
home_put_open(struct home *h, const struct home_file *f,
    struct home_put_source *s, struct err *e)
{
	struct err why = { 0 };

	*s = (struct home_put_source){ .f = f, .text = f->text, .fd = -1 };
	if (f->kind != HOME_COPY)
		return 0;
	s->fd = path_open_beneath(str_c(h->a, f->below), f->from, &why);
	if (s->fd >= 0)
		return 0;
	return err_set(e, ERR_USAGE, "%.*s cannot be read",
	    STR_ARG(str_first(f->from, 100)));
}

/* The next bytes, at most CHUNK; 0 at the end. */
static ssize_t
home_put_next(struct home_put_source *s, char *out, struct err *e)
{
	ssize_t n;

	if (s->fd < 0) {
		n = (ssize_t)(s->text.n < CHUNK ? s->text.n : CHUNK);
		if (n > 0)
			memcpy(out, s->text.p, (size_t)n);
		s->text = str_from(s->text, (size_t)n);
		return n;
	}
	n = path_read_at(s->fd, out, CHUNK, s->n);
	if (n < 0)
		return err_set(e, ERR_USAGE, "%.*s cannot be read",
		    STR_ARG(str_first(s->f->from, 100)));
	s->n += (size_t)n;
	if (s->n > LIMIT_HOME_FILE)
		return err_set(e, ERR_LIMIT, "%.*s is too big",
		    STR_ARG(str_first(s->f->from, 100)));
	return n;
}

/* -- is it there? --------------------------------------------------------- */

/* 1 if the open file has the source's bytes, 0 if not, or -1. */
static int
home_put_equal(int fd, struct home_put_source *s, struct err *e)
{
	char want[CHUNK], got[CHUNK];
	uint64_t at = 0;
	ssize_t n, m;
	int r;

	do {
		n = home_put_next(s, want, e);
		m = n < 0 ? 0
			  : path_read_at(fd, got, n > 0 ? (size_t)n : 1, at);
		r = n < 0 ? -1 : m == n && memcmp(want, got, (size_t)n) == 0;
		at += (size_t)n;
	} while (r == 1 && n > 0);
	explicit_bzero(want, sizeof(want));
	explicit_bzero(got, sizeof(got));
	return r;
}

static bool
home_put_is_link(int folder, const char *name, struct str to)
{
	char was[PATH_MAX];
	ssize_t n = readlinkat(folder, name, was, sizeof(was));

	return n >= 0 && str_eq((struct str){ was, (size_t)n }, to);
}

static int
home_put_same(struct home_put *p, struct home_file *f, const char *name,
    struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct home_put_source s;
	struct stat st;
	int r;

	f->same = false;
	if (fstatat(p->folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : home_put_fail(e, f->path);
	if (S_ISDIR(st.st_mode) != (f->kind == HOME_FOLDER))
		return err_set(e, ERR_CONFIG,
		    "the home has a %s where %.*s belongs",
		    S_ISDIR(st.st_mode) ? "folder" : "file",
		    STR_ARG(str_first(f->path, 100)));
	if (f->kind == HOME_FOLDER || f->kind == HOME_LINK) {
		f->same = f->kind == HOME_FOLDER ||
		    home_put_is_link(p->folder, name, f->from);
		return 0;
	}
	if (!S_ISREG(st.st_mode) || (st.st_mode & 07777) != f->mode)
		return 0;
	fd = openat(p->folder, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (home_put_open(p->h, f, &s, e) < 0)
		return -1;
	r = home_put_equal(fd, &s, e);
	path_close(&s.fd);
	f->same = r == 1;
	return r < 0 ? -1 : 0;
}

static bool
home_put_is_stale(const struct home *h, struct str path)
{
	for (size_t i = 0; i < h->stale.n; i++) {
		struct str s = h->stale.v[i];

		if (path.n > s.n && str_starts(path, s) && path.p[s.n] == '/')
			return true;
	}
	return false;
}

int
home_put_look(struct home *h, int folder, struct err *e)
{
	struct home_put p = { .h = h, .home = folder, .folder = -1 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < h->files; i++) {
		struct home_file *f = &h->file[i];
		struct str name, in = home_put_split(f->path, &name);

		f->same = false;
		if (home_put_is_stale(h, f->path))
			continue;
		r = home_put_enter(&p, in, false, e);
		if (r == 0)
			r = home_put_same(&p, f, str_c(h->a, name), e);
		else if (r == 1)
			r = 0;
	}
	path_close(&p.folder);
	return r;
}

/* -- writing -------------------------------------------------------------- */

static int
home_put_bytes(struct home_put *p, const struct home_file *f, int fd,
    struct err *e)
{
	struct home_put_source s;
	char chunk[CHUNK];
	ssize_t n;

	if (home_put_open(p->h, f, &s, e) < 0)
		return -1;
	while ((n = home_put_next(&s, chunk, e)) > 0)
		if (path_write(fd, (struct str){ chunk, (size_t)n }) < 0) {
			n = home_put_fail(e, f->path);
			break;
		}
	explicit_bzero(chunk, sizeof(chunk));
	path_close(&s.fd);
	return n < 0 ? -1 : 0;
}

static int
home_put_beside(struct home_put *p, const struct home_file *f, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	(void)unlinkat(p->folder, BESIDE, 0);
	if (f->kind == HOME_LINK)
		return symlinkat(str_c(p->h->a, f->from), p->folder, BESIDE) < 0
		    ? home_put_fail(e, f->path)
		    : 0;
	fd = openat(p->folder, BESIDE,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return home_put_fail(e, f->path);
	if (home_put_bytes(p, f, fd, e) < 0)
		return -1;
	return fchmod(fd, f->mode) < 0 || (p->h->old >= 0 && fsync(fd) < 0)
	    ? home_put_fail(e, f->path)
	    : 0;
}

static int
home_put_one(struct home_put *p, const struct home_file *f, const char *name,
    struct err *e)
{
	if (f->kind == HOME_FOLDER) {
		int fd = home_put_step(p, p->folder, name, true);

		if (fd < 0)
			return home_put_fail(e, f->path);
		path_close(&fd);
		return 0;
	}
	p->dirty = true;
	if (home_put_beside(p, f, e) < 0) {
		(void)unlinkat(p->folder, BESIDE, 0);
		return -1;
	}
	return renameat(p->folder, BESIDE, p->folder, name) < 0
	    ? home_put_fail(e, f->path)
	    : 0;
}

int
home_put_files(struct home *h, int folder, struct err *e)
{
	struct home_put p = { .h = h, .home = folder, .folder = -1 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < h->files; i++) {
		struct home_file *f = &h->file[i];
		struct str name, in = home_put_split(f->path, &name);

		if (f->same)
			continue;
		r = home_put_enter(&p, in, true, e);
		if (r == 0)
			r = home_put_one(&p, f, str_c(h->a, name), e);
		h->written++;
	}
	if (r == 0 && p.folder >= 0)
		r = home_put_leave(&p, e);
	path_close(&p.folder);
	return r;
}
