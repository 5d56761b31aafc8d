/* SPDX-License-Identifier: Apache-2.0 */
/* Several folders as one text, and files that are below one of them. */
#include "base/limits.h"
#include "base/path.h"

#define BETWEEN "/:/" /* the end of one, a colon, and the next one's root */

struct strs
path_among_list(struct arena *a, struct str text)
{
	struct strs out = { 0 };
	struct str one;
	ptrdiff_t at;

	if (text.n > 0 && !str_ends(text, S("/"))) {
		str_push(a, &out, text);
		return out;
	}
	while (text.n > 0) {
		at = str_find(text, S(BETWEEN));
		one = str_first(text, at < 0 ? text.n - 1 : (size_t)at);
		text = str_from(text, at < 0 ? text.n : (size_t)at + 2);
		str_push(a, &out, one.n > 0 ? one : S("/"));
	}
	return out;
}

/* What would end it before its end. */
static bool
path_among_is_parted(struct str folder)
{
	return str_find(folder, S(BETWEEN)) >= 0 || str_ends(folder, S("/:"));
}

static struct str
path_among_text(struct arena *a, const struct strs *l)
{
	struct str out = S("");

	for (size_t i = 0; i < l->n; i++)
		out = str_fmt(a, "%.*s%s%.*s%s", STR_ARG(out), i > 0 ? ":" : "",
		    STR_ARG(l->v[i]), str_ends(l->v[i], S("/")) ? "" : "/");
	return out;
}

int
path_among_add(struct arena *a, struct str *text, struct str folder,
    struct err *e)
{
	struct strs l = path_among_list(a, *text);
	struct str all;

	if (str_among(&l, folder))
		return 0;
	str_push(a, &l, folder);
	if (l.n == 1) {
		*text = folder;
		return 0;
	}
	for (size_t i = 0; i < l.n; i++)
		if (path_among_is_parted(l.v[i]))
			return err_set(e, ERR_USAGE,
			    "a folder below one that is named : cannot be one "
			    "of several: give it alone");
	all = path_among_text(a, &l);
	if (l.n > LIMIT_FOLDERS_AMONG || all.n > LIMIT_FOLDERS_TEXT)
		return err_set(e, ERR_LIMIT,
		    "at most %d folders, with %d bytes of names together",
		    LIMIT_FOLDERS_AMONG, LIMIT_FOLDERS_TEXT);
	*text = all;
	return 0;
}

/* That it is not there says more than that it may not be there. */
static int
path_among_try(struct arena *a, struct str text, struct str name,
    int (*open_in)(const char *dir, struct str name, struct err *e),
    struct str *dir, struct err *e)
{
	struct strs l = path_among_list(a, text);

	for (size_t i = 0; i < l.n; i++) {
		struct err why = { 0 };
		int fd = open_in(str_c(a, l.v[i]), name, &why);

		if (fd >= 0) {
			*dir = l.v[i];
			*e = (struct err){ 0 };
			return fd;
		}
		if (i == 0 || why.kind == ERR_NOT_FOUND)
			*e = why;
	}
	return -1;
}

int
path_among_open(struct arena *a, struct str text, struct str name,
    struct err *e)
{
	struct str unused;

	return path_among_try(a, text, name, path_open_beneath, &unused, e);
}

int
path_among_folder(struct arena *a, struct str text, struct str name,
    struct str *dir, struct err *e)
{
	return path_among_try(a, text, name, path_folder_open, dir, e);
}
