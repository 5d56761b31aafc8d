/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/internal.h"
#include "base/path.h"

static char top[] = "/tmp/emcli-path-XXXXXX";
static char dir[64]; /* top/files */

/* name is below dir unless it begins with "^", which means top. */
static struct row {
	const char *why, *name;
	enum err_kind kind;
	int steps; /* errno of the walk without openat2(2); 0: opens */
} rows[] = {
	{ "a file", "a.txt", ERR_NONE, 0 },
	{ "a file in a folder", "sub/b.txt", ERR_NONE, 0 },
	{ "doubled slashes", "sub//b.txt", ERR_NONE, 0 },
	{ "dots in a name", "..c", ERR_NONE, 0 },
	{ "a dot on the way", "./a.txt", ERR_NONE, 0 },
	{ "an absolute name below the folder", "^/files/a.txt", ERR_NONE, -1 },
	{ "no such file", "x.txt", ERR_NOT_FOUND, ENOENT },
	{ "no such folder", "x/a.txt", ERR_NOT_FOUND, ENOENT },
	{ "a file is no folder", "a.txt/b", ERR_NOT_FOUND, ENOTDIR },
	{ "an empty name", "", ERR_NOT_FOUND, -1 },
	{ "out by ..", "../out.txt", ERR_POLICY, EXDEV },
	{ "out and in again", "../files/a.txt", ERR_POLICY, EXDEV },
	{ "out in the middle", "sub/../../out.txt", ERR_POLICY, EXDEV },
	{ ".. at the end", "sub/..", ERR_POLICY, EXDEV },
	{ "an absolute name elsewhere", "^/out.txt", ERR_POLICY, -1 },
	{ "an absolute name with .. in it", "^/files/../out.txt", ERR_POLICY,
	    -1 },
	{ "a neighbour that begins the same", "^/files2/a.txt", ERR_POLICY,
	    -1 },
	{ "a link to a file inside", "link", ERR_POLICY, ELOOP },
	{ "a link to a file outside", "outlink", ERR_POLICY, ELOOP },
	{ "a link on the way", "dirlink/b.txt", ERR_POLICY, ELOOP },
	{ "a dangling link", "nowhere", ERR_POLICY, ELOOP },
	{ "the folder itself", ".", ERR_POLICY, -1 },
	{ "a folder", "sub", ERR_POLICY, -1 },
	{ "a pipe, without waiting for it", "fifo", ERR_POLICY, -1 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(path_close) int at = open(dir, O_PATH | O_DIRECTORY);
	CLEANUP(path_close) int fd = -1;
	struct err e = { 0 };
	struct str got, name = str_of(r->name);

	if (str_starts(name, S("^")))
		name = str_fmt(a, "%s%s", top, r->name + 1);
	fd = path_open_beneath(dir, name, &e);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(fd >= 0, r->kind == ERR_NONE);
	if (fd >= 0) {
		assert_int_equal(path_read(fd, 100, a, &got, &e), 0);
		rows_same(got, S("inside\n"));
		path_close(&fd);
	} else if (r->kind == ERR_POLICY) {
		assert_string_equal(e.reason, "attach_dir");
	}
	assert_null(strstr(e.say, top));
	if (r->steps < 0)
		return;
	errno = 0;
	fd = path_open_steps(at, str_c(a, name));
	assert_int_equal(fd >= 0 ? 0 : errno, r->steps);
}

static void
odd_names(void **state)
{
	static char big[70000];
	struct err e = { 0 };

	(void)state;
	assert_int_equal(path_open_beneath(dir, S("a.txt\0x"), &e), -1);
	assert_int_equal(e.kind, ERR_POLICY);
	memset(big, 'x', sizeof(big));
	assert_int_equal(path_open_beneath(dir,
			     (struct str){ big, sizeof(big) }, &e),
	    -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	assert_int_equal(path_open_beneath("/no/such", S("a"), &e), -1);
	assert_int_equal(e.kind, ERR_POLICY);
}

static void
makes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str deep = str_fmt(a, "%s/m/n/o", top);
	struct str file = str_fmt(a, "%s/a.txt/x", dir);
	struct err e = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(path_mkdir(deep.p, &e), 0);
	assert_int_equal(path_mkdir(deep.p, &e), 0);
	assert_int_equal(stat(deep.p, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(path_mkdir(file.p, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_int_equal(path_mkdir(str_fmt(a, "%s/a.txt", dir).p, &e), -1);
	assert_int_equal(path_mkdir("", &e), -1);
}

static struct size {
	const char *why;
	size_t n, max;
	bool pipe, ok;
} sizes[] = {
	{ "an empty file", 0, 10, false, true },
	{ "a file of the maximum", 10, 10, false, true },
	{ "a file beyond the maximum", 11, 10, false, false },
	{ "a pipe of the maximum", 10, 10, true, true },
	{ "a pipe beyond the maximum", 11, 10, true, false },
	{ "a pipe longer than one read", 60000, 100000, true, true },
};

static void
size(void **state)
{
	const struct size *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(path_close) int fd = -1;
	char *p = arena_alloc(a, r->n);
	struct err e = { 0 };
	struct str got;
	int ends[2];

	memset(p, 'x', r->n);
	if (r->pipe) {
		assert_int_equal(pipe(ends), 0);
		fd = ends[0];
	} else {
		ends[1] = fd = open(top, O_TMPFILE | O_RDWR, 0600);
	}
	assert_int_equal(write(ends[1], p, r->n), (ssize_t)r->n);
	if (r->pipe)
		(void)close(ends[1]);
	else
		(void)lseek(fd, 0, SEEK_SET);
	assert_int_equal(path_read(fd, r->max, a, &got, &e), r->ok ? 0 : -1);
	assert_int_equal(e.kind, r->ok ? ERR_NONE : ERR_LIMIT);
	if (r->ok)
		rows_same(got, (struct str){ p, r->n });
}

static void
unreadable(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct err e = { 0 };
	struct str got;

	(void)state;
	assert_int_equal(path_read(-1, 10, a, &got, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
}

static void
put(int at, const char *name, const char *text)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

static int
setup(void **state)
{
	CLEANUP(path_close) int t = -1, at = -1;

	(void)state;
	if (mkdtemp(top) == NULL)
		return -1;
	(void)snprintf(dir, sizeof(dir), "%s/files", top);
	t = open(top, O_RDONLY | O_DIRECTORY);
	if (mkdirat(t, "files", 0700) < 0 || mkdirat(t, "files2", 0700) < 0)
		return -1;
	at = open(dir, O_RDONLY | O_DIRECTORY);
	put(t, "out.txt", "outside\n");
	put(t, "files2/a.txt", "outside\n");
	put(at, "a.txt", "inside\n");
	put(at, "..c", "inside\n");
	return mkdirat(at, "sub", 0700) < 0 ||
	    (put(at, "sub/b.txt", "inside\n"),
		symlinkat("a.txt", at, "link") < 0) ||
	    symlinkat("../out.txt", at, "outlink") < 0 ||
	    symlinkat("sub", at, "dirlink") < 0 ||
	    symlinkat("void", at, "nowhere") < 0 ||
	    mkfifoat(at, "fifo", 0600) < 0;
}

static int
teardown(void **state)
{
	static const char *const files[] = { "out.txt", "files2/a.txt",
		"files/a.txt", "files/..c", "files/sub/b.txt", "files/link",
		"files/outlink", "files/dirlink", "files/nowhere",
		"files/fifo" };
	static const char *const dirs[] = { "files/sub", "files", "files2",
		"m/n/o", "m/n", "m" };
	int t = open(top, O_RDONLY | O_DIRECTORY);

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		(void)unlinkat(t, files[i], 0);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		(void)unlinkat(t, dirs[i], AT_REMOVEDIR);
	(void)close(t);
	return rmdir(top);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("names no file can have", odd_names, NULL);
	rows_add("folders are made as far as they are missing", makes, NULL);
	ROWS(sizes, size);
	rows_add("a descriptor that cannot be read", unreadable, NULL);
	return cmocka_run_group_tests_name("base/path", rows_tests, setup,
	    teardown);
}
