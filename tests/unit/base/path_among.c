/* SPDX-License-Identifier: Apache-2.0 */
/* Several folders as one text: what it means, and which folder a file is in. */
#include "../rows.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"

/* In both columns "," is between folders. */
static struct text {
	const char *why, *text, *want;
} texts[] = {
	{ "none", "", "" },
	{ "one", "/srv/a", "/srv/a" },
	{ "the root", "/", "/" },
	{ "one with what is between others in it", "/srv/a/:/b", "/srv/a/:/b" },
	{ "one that is given as several", "/srv/a/", "/srv/a" },
	{ "two", "/srv/a/:/srv/b/", "/srv/a,/srv/b" },
	{ "three, the root among them", "/a/:/:/b/", "/a,/,/b" },
	{ "a colon in a name", "/a:b/:/c:/", "/a:b,/c:" },
};

static struct add {
	const char *why, *folders, *want; /* NULL: refused */
} adds[] = {
	{ "one", "/srv/a", "/srv/a" },
	{ "one that could be none of several", "/a/:/b", "/a/:/b" },
	{ "two", "/a,/b", "/a/:/b/" },
	{ "the root first", "/,/b", "/:/b/" },
	{ "the root last", "/a,/", "/a/:/" },
	{ "the same again", "/a,/b,/a", "/a/:/b/" },
	{ "colons in names", "/a:b,/c:", "/a:b/:/c:/" },
	{ "below a folder that is a colon", "/a,/b/:/c", NULL },
	{ "a folder that is a colon", "/b/:,/a", NULL },
	{ "too many",
	    "/1,/2,/3,/4,/5,/6,/7,/8,/9,/10,/11,/12,/13,/14,/15,/16,/17",
	    NULL },
};

static struct str
joined(struct arena *a, const struct strs *l)
{
	struct str s = S("");

	for (size_t i = 0; i < l->n; i++)
		s = str_fmt(a, "%.*s%s%.*s", STR_ARG(s), i > 0 ? "," : "",
		    STR_ARG(l->v[i]));
	return s;
}

static void
text(void **state)
{
	const struct text *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct strs l = path_among_list(a, str_of(r->text));

	rows_same(joined(a, &l), str_of(r->want));
}

static void
add(void **state)
{
	const struct add *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str rest = str_of(r->folders), one, all = S("");
	struct err e = { 0 };
	bool more = true;
	int got = 0;

	while (more && got == 0) {
		more = str_cut(rest, ',', &one, &rest);
		got = path_among_add(a, &all, one, &e);
	}
	assert_int_equal(got, r->want == NULL ? -1 : 0);
	if (r->want != NULL) {
		struct strs l = path_among_list(a, all), again = { 0 };

		rows_same(all, str_of(r->want));
		for (all = S(""); again.n < l.n; again.n++)
			assert_int_equal(path_among_add(a, &all, l.v[again.n],
					     &e),
			    0);
		rows_same(all, str_of(r->want));
	}
}

static char top[] = "/tmp/emcli-among-XXXXXX";

/* One folder is gone, `one` and `two` are there.  "^" is what is above them. */
static struct file {
	const char *why, *name, *want; /* its text */
	enum err_kind kind;
	const char *folder; /* where the folder of that name is */
} files[] = {
	{ "in the first", "both/f", "one", ERR_NONE, "one" },
	{ "only in the second", "second/f", "two", ERR_NONE, "two" },
	{ "by an absolute name", "^/two/both/f", "two", ERR_NONE, "two" },
	{ "in none of them", "none/f", NULL, ERR_NOT_FOUND, NULL },
	{ "an absolute name that is not there", "^/two/x", NULL, ERR_NOT_FOUND,
	    NULL },
	{ "beside them", "^/out/f", NULL, ERR_POLICY, NULL },
	{ "from one to the other", "../two/both/f", NULL, ERR_POLICY, NULL },
	{ "a link from one to the other", "^/one/link", NULL, ERR_POLICY,
	    NULL },
};

static void
file(void **state)
{
	const struct file *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(path_close) int fd = -1, folder = -1;
	struct str all = str_fmt(a, "%s/gone/:%s/one/:%s/two/", top, top, top);
	struct str name = str_of(r->name), dir = S(""), got;
	struct err e = { 0 };

	if (str_starts(name, S("^")))
		name = str_fmt(a, "%s%s", top, r->name + 1);
	fd = path_among_open(a, all, name, &e);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(fd >= 0, r->kind == ERR_NONE);
	if (fd < 0)
		return;
	assert_int_equal(path_read(fd, 10, a, &got, &e), 0);
	rows_same(got, str_of(r->want));
	folder =
	    path_among_folder(a, all, str_first(name, name.n - 2), &dir, &e);
	assert_true(folder >= 0);
	rows_same(dir, str_fmt(a, "%s/%s", top, r->folder));
}

static void
put(const char *folder, const char *name, const char *text_)
{
	char path[100];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", top, folder);
	(void)mkdir(path, 0700);
	(void)snprintf(path, sizeof(path), "%s/%s/%s", top, folder, name);
	(void)mkdir(path, 0700);
	(void)snprintf(path, sizeof(path), "%s/%s/%s/f", top, folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	(void)fputs(text_, f);
	(void)fclose(f);
}

static int
setup(void **state)
{
	char path[100];

	(void)state;
	if (mkdtemp(top) == NULL)
		return -1;
	put("one", "both", "one");
	put("two", "both", "two");
	put("two", "second", "two");
	put("out", ".", "out");
	(void)snprintf(path, sizeof(path), "%s/one/link", top);
	return symlink("../two/both/f", path);
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int
teardown(void **state)
{
	(void)state;
	return nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int
main(void)
{
	ROWS(texts, text);
	ROWS(adds, add);
	ROWS(files, file);
	return cmocka_run_group_tests_name("base/path_among", rows_tests, setup,
	    teardown);
}
