/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the content of a home, before any of it is written. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/home.h"

/* A relative path, each segment of it a valid name. */
static bool
home_plan_is_path(struct str path)
{
	struct str part, rest = path;
	bool more = true;

	if (path.n == 0 || path.n >= PATH_MAX || str_has_char(path, '\0'))
		return false;
	while (more) {
		more = str_cut(rest, '/', &part, &rest);
		if (part.n == 0 || part.n > NAME_MAX || str_eq(part, S(".")) ||
		    str_eq(part, S("..")))
			return false;
	}
	return true;
}

static struct home_file *
home_plan_find(struct home *h, struct str path)
{
	for (size_t i = 0; i < h->files; i++)
		if (str_eq(h->file[i].path, path))
			return &h->file[i];
	return NULL;
}

bool
home_plan_has(struct home *h, struct str path)
{
	return home_plan_find(h, path) != NULL;
}

int
home_plan_add(struct home *h, const struct home_file *f, struct err *e)
{
	struct home_file *at = home_plan_find(h, f->path);

	if (!home_plan_is_path(f->path))
		return err_set(e, ERR_USAGE,
		    "%.*s: a path below the home is wanted",
		    STR_ARG(str_first(f->path, 100)));
	if (at == NULL) {
		if (h->files == LIMIT_HOME_FILES)
			return err_set(e, ERR_LIMIT,
			    "there are more than %d files for the home",
			    LIMIT_HOME_FILES);
		if (h->files == h->room) {
			size_t size = sizeof(*h->file);

			h->room += 64;
			h->file = arena_grow(h->a, h->file, h->files * size,
			    h->room * size);
		}
		at = &h->file[h->files++];
	}
	*at = *f;
	return 0;
}

int
home_plan_put(struct home *h, struct str path, struct str text, struct err *e)
{
	const struct home_file f = {
		.kind = HOME_TEXT,
		.mode = 0600,
		.path = path,
		.text = text,
	};

	return home_plan_add(h, &f, e);
}

static int
home_plan_read(struct home *h, struct str below, struct str path,
    struct str *out, struct err *e)
{
	CLEANUP(path_close)
	int fd = path_open_beneath(str_c(h->a, below), path, e);

	if (fd < 0)
		return -1;
	return path_read(fd, LIMIT_DECLARATION, h->a, out, e);
}

int
home_plan_text(struct home *h, struct str path, struct str *out, struct err *e)
{
	const struct home_file *f = home_plan_find(h, path);
	struct err none = { 0 };

	*out = S("");
	if (f != NULL && f->kind == HOME_TEXT) {
		*out = f->text;
		return 0;
	}
	if (f != NULL && f->kind == HOME_COPY)
		return home_plan_read(h, f->below, f->from, out, e);
	if (f != NULL)
		return err_set(e, ERR_USAGE, "%.*s must be a file",
		    STR_ARG(path));
	if (h->old < 0 || home_plan_read(h, h->path, path, out, &none) == 0)
		return 0;
	if (none.kind == ERR_NOT_FOUND)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "what the home has for %.*s cannot be read", STR_ARG(path));
}

/* The absolute path of a user's file. */
static int
home_plan_locate(struct home *h, struct str from, struct str *out,
    struct err *e)
{
	char real[PATH_MAX];
	struct stat st;

	if (realpath(str_c(h->a, from), real) == NULL || stat(real, &st) < 0) {
		(void)err_set(e, ERR_USAGE, "there is no file %.*s",
		    STR_ARG(str_first(from, 100)));
		return err_errno(e, "realpath");
	}
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_USAGE, "%.*s is not a file",
		    STR_ARG(str_first(from, 100)));
	if ((size_t)st.st_size > LIMIT_HOME_FILE)
		return err_set(e, ERR_LIMIT, "%.*s is too big",
		    STR_ARG(str_first(from, 100)));
	*out = str_dup(h->a, str_of(real));
	return 0;
}

int
home_plan_auth(struct home *h, struct str from, struct str to, bool link,
    struct err *e)
{
	struct home_file f = {
		.kind = link ? HOME_LINK : HOME_COPY,
		.mode = 0600,
		.path = to,
	};
	struct str whole = { 0 }, slash = { 0 };

	if (home_plan_find(h, to) != NULL)
		return err_set(e, ERR_USAGE,
		    "%.*s is in the home already: give the file another place",
		    STR_ARG(str_first(to, 100)));
	if (home_plan_locate(h, from, &whole, e) < 0)
		return -1;
	for (size_t i = 0; i < whole.n; i++)
		if (whole.p[i] == '/')
			slash = str_from(whole, i);
	f.from = link ? whole : str_from(slash, 1);
	f.below = str_first(whole, whole.n - f.from.n);
	return home_plan_add(h, &f, e);
}
