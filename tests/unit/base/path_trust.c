/* SPDX-License-Identifier: Apache-2.0 */
/* Files that others can change, or replace. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"

static char top[] = "/tmp/emcli-trust-XXXXXX";

/* Below top, unless it begins with "/"; says: what of the reason. */
static const struct row {
	const char *why, *name, *says;
} rows[] = {
	{ "a file", "file", NULL },
	{ "doubled slashes and dots", "/tmp//./^/in/../file", NULL },
	{ "a folder", "in", NULL },
	{ "a link to it", "link", NULL },
	{ "a link on the way", "around/file", NULL },
	{ "a path with a link back", "in/back/file", NULL },
	{ "in a folder where others can write what is theirs", "sticky/file",
	    NULL },
	{ "a file that its group writes", "group", "mode 0660" },
	{ "a file that others write", "others", "mode 0606" },
	{ "in a folder that others write", "open/file", "/open is of uid" },
	{ "a link in such a folder", "open/link", "/open is of uid" },
	{ "a link over such a folder", "over", "/open is of uid" },
	{ "a link to what others write", "bad", "mode 0606" },
	{ "a folder that its group writes", "shared/file", "mode 0770" },
	{ "another user's", "foreign", "foreign is of uid" },
	{ "a link of another user's", "theirs", "theirs is of uid" },
	{ "none", "none", "none cannot be looked at" },
	{ "below a file", "file/x", "cannot be looked at" },
	{ "links without end", "loop", "cannot be looked at" },
	{ "a path from here", "./file", "cannot be looked at" },
	{ "no path", "", "cannot be looked at" },
};

static void
file_make(const char *name, mode_t mode)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	(void)close(fd);
}

static void
folder_make(const char *name, mode_t mode)
{
	assert_int_equal(mkdir(name, 0700), 0);
	assert_int_equal(chmod(name, mode), 0);
}

static void
link_make(const char *to, const char *name)
{
	assert_int_equal(symlink(to, name), 0);
}

static int
setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(top));
	assert_int_equal(chdir(top), 0);
	file_make("file", 0600);
	file_make("group", 0660);
	file_make("others", 0606);
	file_make("foreign", 0600);
	folder_make("in", 0755);
	folder_make("sticky", 01777);
	folder_make("open", 0777);
	folder_make("shared", 0770);
	file_make("sticky/file", 0644);
	file_make("open/file", 0644);
	file_make("shared/file", 0644);
	link_make("file", "link");
	link_make(top, "around");
	link_make("..", "in/back");
	link_make("../file", "open/link");
	link_make("open/link", "over");
	link_make("others", "bad");
	link_make("loop", "loop");
	link_make("file", "theirs");
	return 0;
}

/* Root is trusted everywhere: what is another's has to be another's. */
static bool
is_others(const char *name)
{
	const bool is =
	    strcmp(name, "foreign") == 0 || strcmp(name, "theirs") == 0;

	if (is && geteuid() == 0)
		assert_int_equal(lchown(name, 4711, 4711), 0);
	return is;
}

static struct str
row_path(const struct row *r, struct arena *a)
{
	struct str head, tail;

	if (r->name[0] == '\0' || r->name[0] == '.')
		return str_of(r->name);
	if (r->name[0] != '/')
		return str_fmt(a, "%s/%s", top, r->name);
	(void)str_cut(str_of(r->name), '^', &head, &tail);
	return str_fmt(a, "%.*s%s%.*s", STR_ARG(head), top + strlen("/tmp/"),
	    STR_ARG(tail));
}

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const uint32_t own = geteuid();
	const uint32_t user = is_others(r->name) && own != 0 ? own + 1 : own;
	/* To another user all of this one's is foreign, its folder first. */
	const char *says = user == own ? r->says : "is of uid";
	struct str why = { 0 };
	int got = path_trust(str_c(a, row_path(r, a)), user, a, &why);

	assert_int_equal(got, says == NULL ? 0 : -1);
	assert_true(
	    says == NULL ? why.n == 0 : str_find(why, str_of(says)) >= 0);
}

/* Files in a folder that is shut to nobody, and links through it. */
static const struct apart {
	const char *why, *name;
	bool is;
} aparts[] = {
	{ "elsewhere", "file", true },
	{ "the folder", "in", false },
	{ "by another way", "./around/in/.", false },
	{ "a link through it", "in/back/file", false },
	{ "none", "none", false },
};

static void
apart_row(void **state)
{
	const struct apart *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const char *folder = str_fmt(a, "%s/in", top).p;
	const char *path = str_fmt(a, "%s/%s", top, r->name).p;
	struct str why = { 0 };

	assert_int_equal(path_trust_apart(path, folder, geteuid(), a, &why),
	    r->is ? 0 : -1);
	assert_int_equal(path_trust_apart(path, NULL, geteuid(), a, &why),
	    strcmp(r->name, "none") == 0 ? -1 : 0);
	/* What cannot be found cannot be kept apart from. */
	assert_int_equal(path_trust_apart(path, "/nowhere", geteuid(), a, &why),
	    -1);
}

static int
teardown(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);

	(void)state;
	assert_int_equal(chdir("/"), 0);
	return system(str_fmt(a, "rm -rf %s", top).p);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(aparts, apart_row);
	return cmocka_run_group_tests_name("base/path_trust", rows_tests, setup,
	    teardown);
}
