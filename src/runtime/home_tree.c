/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder with somebody else's files, read file by file.  Anything but files
 * and folders is refused; each folder is opened below the first one without
 * following links, so that nothing outside it is read.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/home.h"

struct home_tree {
	struct home *h;
	const char *what; /* "the setup folder" */
	struct str dir;   /* whole */
	struct str to;
	struct strs todo; /* folders below it that are not read yet */
};

static int
home_tree_refuse(const struct home_tree *t, struct str path, const char *why,
    struct err *e)
{
	return err_set(e, ERR_USAGE, "%s: %.*s %s", t->what,
	    STR_ARG(str_first(path, 100)), why);
}

static struct str
home_tree_join(struct arena *a, struct str x, struct str y)
{
	if (x.n == 0)
		return y;
	return str_fmt(a, "%.*s/%.*s", STR_ARG(x), STR_ARG(y));
}

static size_t
home_tree_depth(struct str path)
{
	size_t n = 1;

	for (size_t i = 0; i < path.n; i++)
		n += path.p[i] == '/';
	return n;
}

static int
home_tree_one(struct home_tree *t, int folder, struct str path,
    const char *name, struct err *e)
{
	struct home *h = t->h;
	struct home_file f = {
		.path = home_tree_join(h->a, t->to, path),
		.below = t->dir,
		.from = path,
	};
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return home_tree_refuse(t, path, "cannot be looked at", e);
	if (S_ISDIR(st.st_mode)) {
		if (home_tree_depth(path) > LIMIT_HOME_DEPTH) {
			(void)home_tree_refuse(t, path, "is too deep", e);
			e->kind = ERR_LIMIT;
			return -1;
		}
		str_push(h->a, &t->todo, path);
		f.kind = HOME_FOLDER;
		f.mode = 0700;
		return home_plan_add(h, &f, e);
	}
	if (S_ISLNK(st.st_mode))
		return home_tree_refuse(t, path,
		    "is a link: put the file itself there", e);
	if (!S_ISREG(st.st_mode))
		return home_tree_refuse(t, path, "is not a file", e);
	h->bytes += (size_t)st.st_size;
	if ((size_t)st.st_size > LIMIT_HOME_FILE || h->bytes > LIMIT_HOME_BYTES)
		return err_set(e, ERR_LIMIT,
		    "%s: at most %lu MiB, and %lu MiB a file", t->what,
		    LIMIT_HOME_BYTES >> 20, LIMIT_HOME_FILE >> 20);
	f.kind = HOME_COPY;
	f.mode = st.st_mode & S_IXUSR ? 0700 : 0600;
	return home_plan_add(h, &f, e);
}

static int
home_tree_by_name(const void *x, const void *y)
{
	const struct str *a = x, *b = y;

	return str_cmp(*a, *b);
}

/* The names in a folder, sorted; those over the limit are dropped. */
static void
home_tree_names(DIR *d, struct arena *a, struct strs *out)
{
	struct dirent *one;

	while (out->n <= LIMIT_HOME_FILES && (one = readdir(d)) != NULL)
		if (strcmp(one->d_name, ".") != 0 &&
		    strcmp(one->d_name, "..") != 0)
			str_push(a, out, str_dup(a, str_of(one->d_name)));
	if (out->n > 0)
		qsort(out->v, out->n, sizeof(*out->v), home_tree_by_name);
}

static int
home_tree_folder(struct home_tree *t, struct str path, struct err *e)
{
	CLEANUP(path_dir_close) DIR *d = NULL;
	struct arena *a = t->h->a;
	struct strs names = { 0 };
	struct err why = { 0 };
	int fd = path_folder_open(str_c(a, t->dir), path.n > 0 ? path : S("."),
	    &why);

	if (fd < 0)
		return home_tree_refuse(t, path, "cannot be read", e);
	d = fdopendir(fd);
	if (d == NULL)
		err_bug("fdopendir");
	home_tree_names(d, a, &names);
	for (size_t i = 0; i < names.n; i++)
		if (home_tree_one(t, dirfd(d),
			home_tree_join(a, path, names.v[i]),
			str_c(a, names.v[i]), e) < 0)
			return -1;
	return 0;
}

int
home_tree_add(struct home *h, const char *what, struct str dir, struct str to,
    struct err *e)
{
	struct home_tree t = { .h = h, .what = what, .to = to };
	char real[PATH_MAX];

	if (realpath(str_c(h->a, dir), real) == NULL) {
		(void)err_set(e, ERR_USAGE, "%s: there is no such folder",
		    what);
		return err_errno(e, "realpath");
	}
	t.dir = str_dup(h->a, str_of(real));
	str_push(h->a, &t.todo, S(""));
	for (size_t i = 0; i < t.todo.n; i++)
		if (home_tree_folder(&t, t.todo.v[i], e) < 0)
			return -1;
	return 0;
}
