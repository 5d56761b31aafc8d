/* SPDX-License-Identifier: Apache-2.0 */
/* Folders and new files below a folder, with openat2(2) and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "base/path.h"

static char dir[64];

static const struct row {
	const char *why;
	const char *name;
	enum err_kind kind;
	int steps; /* errno of the walk without openat2(2) */
} rows[] = {
	{ "a folder", "sub", ERR_NONE, 0 },
	{ "with a slash behind", "sub/", ERR_NONE, 0 },
	{ "the folder itself", ".", ERR_NONE, 0 },
	{ "one within", "sub/in", ERR_NONE, 0 },
	{ "none", "none", ERR_NOT_FOUND, ENOENT },
	{ "a file", "file", ERR_NOT_FOUND, ENOTDIR },
	{ "a link to a folder", "link", ERR_POLICY, ELOOP },
	{ "a link out", "out", ERR_POLICY, ELOOP },
	{ "over a link", "link/in", ERR_POLICY, ELOOP },
	{ "out", "..", ERR_POLICY, EXDEV },
	{ "out and in again", "../x", ERR_POLICY, EXDEV },
	{ "elsewhere", "/tmp", ERR_POLICY, -1 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(path_close) int at = open(dir, O_PATH | O_DIRECTORY);
	CLEANUP(path_close) int fd = -1;
	struct err e = { 0 };
	char name[64];

	fd = path_folder_open(dir, str_of(r->name), &e);
	assert_int_equal(e.kind, r->kind);
	assert_int_equal(fd >= 0, r->kind == ERR_NONE);
	assert_null(strstr(e.say, dir));
	if (r->steps < 0)
		return;
	path_close(&fd);
	(void)snprintf(name, sizeof(name), "%s/.", r->name);
	errno = 0;
	fd = path_open_steps(at, name);
	assert_int_equal(fd >= 0 ? 0 : errno, r->steps);
}

static void
new_files(void **state)
{
	CLEANUP(path_close) int fd = -1;
	CLEANUP(path_close) int got = -1;
	struct err e = { 0 };
	struct stat st;
	char text[8];

	(void)state;
	fd = path_folder_open(dir, S("sub"), &e);
	assert_int_equal(path_folder_new(fd, "a", S("one"), &e), 0);
	assert_int_equal(path_folder_new(fd, "a", S("two"), &e), 1);
	assert_int_equal(fstatat(fd, "a", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	got = openat(fd, "a", O_RDONLY);
	assert_int_equal(read(got, text, sizeof(text)), 3);
	assert_memory_equal(text, "one", 3);
	assert_int_equal(symlinkat("nowhere", fd, "l"), 0);
	assert_int_equal(path_folder_new(fd, "l", S("x"), &e), 1);
	assert_int_equal(faccessat(fd, "nowhere", F_OK, 0), -1);
	assert_int_equal(path_folder_sync(fd, &e), 0);
	path_folder_drop(fd, "a");
	path_folder_drop(fd, "l");
	assert_int_equal(faccessat(fd, "a", F_OK, 0), -1);
}

static int
make(void **state)
{
	int at;

	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/emcli-folder-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	at = open(dir, O_PATH | O_DIRECTORY);
	if (mkdirat(at, "sub", 0700) < 0 || mkdirat(at, "sub/in", 0700) < 0 ||
	    symlinkat("sub", at, "link") < 0 ||
	    symlinkat("/tmp", at, "out") < 0)
		return -1;
	(void)close(openat(at, "file", O_CREAT | O_WRONLY, 0600));
	(void)close(at);
	return 0;
}

static int
take_away(void **state)
{
	static const struct {
		const char *name;
		int flag;
	} all[] = { { "sub/in", AT_REMOVEDIR }, { "sub", AT_REMOVEDIR },
		{ "link", 0 }, { "out", 0 }, { "file", 0 } };
	int at = open(dir, O_PATH | O_DIRECTORY);

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		(void)unlinkat(at, all[i].name, all[i].flag);
	(void)close(at);
	return rmdir(dir);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 1] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = row;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(new_files);
	return cmocka_run_group_tests_name("base/path_folder", tests, make,
	    take_away);
}
