/* SPDX-License-Identifier: Apache-2.0 */
/* Files beside the store, with data that can be rebuilt. */
#include "../rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "backend/cache.h"
#include "backend/internal.h"

struct site {
	char top[64], dir[80];
	struct backend_account acct;
	struct arena *a;
};

static int
setup(void **state)
{
	static struct site s;

	(void)snprintf(s.top, sizeof(s.top), "/tmp/emcli-cache.XXXXXX");
	if (mkdtemp(s.top) == NULL)
		return -1;
	(void)snprintf(s.dir, sizeof(s.dir), "%s/cache", s.top);
	s.acct = (struct backend_account){ .cache_dir = str_of(s.dir) };
	s.a = arena_open(1 << 20);
	*state = &s;
	return 0;
}

static int
teardown(void **state)
{
	struct site *s = *state;
	DIR *dir = opendir(s->dir);
	const struct dirent *d;

	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			(void)unlinkat(dirfd(dir), d->d_name, 0);
	if (dir != NULL)
		(void)closedir(dir);
	(void)rmdir(s->dir);
	arena_close(&s->a);
	return rmdir(s->top);
}

static bool
holds(struct site *s, const char *name, const char *want)
{
	struct str got;

	if (!backend_cache_get(&s->acct, name, 100, s->a, &got))
		return false;
	rows_same(got, str_of(want));
	return true;
}

/* The number of files. */
static size_t
count(const struct site *s)
{
	DIR *dir = opendir(s->dir);
	const struct dirent *d;
	size_t n = 0;

	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL)
		n += d->d_name[0] != '.';
	(void)closedir(dir);
	return n;
}

static void
what_is_put_is_there(void **state)
{
	struct site *s = *state;
	struct stat st;
	char path[128];

	assert_false(holds(s, "x-1", ""));
	backend_cache_put(&s->acct, "x-1", S("old"));
	assert_true(holds(s, "x-1", "old"));
	backend_cache_put(&s->acct, "x-1", S("the new one"));
	assert_true(holds(s, "x-1", "the new one"));
	assert_false(holds(s, "x-2", ""));
	/* No temporary file is left, and others cannot read it. */
	assert_int_equal(count(s), 1);
	assert_int_equal(stat(s->dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	(void)snprintf(path, sizeof(path), "%s/x-1", s->dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	backend_cache_drop(&s->acct, "x-1");
	assert_false(holds(s, "x-1", ""));
}

static void
what_is_too_long_is_not_there(void **state)
{
	struct site *s = *state;
	struct str got;

	backend_cache_put(&s->acct, "x", S("12345"));
	assert_true(backend_cache_get(&s->acct, "x", 5, s->a, &got));
	assert_false(backend_cache_get(&s->acct, "x", 4, s->a, &got));
}

/* A killed process's temporary file does not stop one with the same pid. */
static void
an_unfinished_file_is_no_hindrance(void **state)
{
	struct site *s = *state;
	char name[32], path[128];

	backend_cache_put(&s->acct, "x", S("1"));
	(void)snprintf(name, sizeof(name), "x.%d", (int)getpid());
	backend_cache_put(&s->acct, name, S("half"));
	backend_cache_put(&s->acct, "x", S("2"));
	assert_true(holds(s, "x", "2"));
	assert_int_equal(count(s), 1);
	(void)snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void
only_a_file_is_read(void **state)
{
	struct site *s = *state;
	char path[128], link[128];

	backend_cache_put(&s->acct, "x", S("1"));
	(void)snprintf(path, sizeof(path), "%s/x", s->dir);
	(void)snprintf(link, sizeof(link), "%s/link", s->dir);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(backend_cache_open(&s->acct, "link"), -1);
	(void)snprintf(path, sizeof(path), "%s/pipe", s->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(backend_cache_open(&s->acct, "pipe"), -1);
}

static void
without_a_folder_nothing_is_kept(void **state)
{
	struct site *s = *state;

	s->acct.cache_dir = S("");
	backend_cache_put(&s->acct, "x", S("1"));
	assert_false(holds(s, "x", ""));
	backend_cache_drop(&s->acct, "x");
	s->acct.cache_dir = S("/proc/none");
	backend_cache_put(&s->acct, "x", S("1"));
	assert_false(holds(s, "x", ""));
}

/* The name of a file of that account. */
static const char *
name(struct site *s, const char *account, const char *url, const char *which)
{
	struct backend_account *acct = arena_new(s->a, struct backend_account);
	struct conn c = { .be = &gmail_backend, .acct = acct };

	acct->name = str_of(account);
	acct->url = str_of(url);
	return backend_cache_name(s->a, &c, str_of(which), ".z");
}

static void
a_name_tells_whose_and_which(void **state)
{
	struct site *s = *state;
	const char *one = name(s, "a", "u", "w");

	assert_string_equal(one, name(s, "a", "u", "w"));
	assert_string_not_equal(one, name(s, "a", "u", "x"));
	assert_string_not_equal(one, name(s, "b", "u", "w"));
	assert_string_not_equal(one, name(s, "a", "v", "w"));
	assert_true(str_starts(str_of(one), S("gmail-")));
	assert_true(str_ends(str_of(one), S(".z")));
}

/* An archive is identified by its path, for all readers. */
static void
accounts_on_one_archive_share_its_files(void **state)
{
	struct site *s = *state;
	const struct backend_account one = { .name = S("a"), .path = S("/m") };
	const struct backend_account two = { .name = S("b"), .path = S("/m") };
	const struct backend_account far = { .name = S("a"), .path = S("/n") };
	struct str prefix = backend_cache_prefix(s->a, &mbox_backend, &one);

	rows_same(backend_cache_prefix(s->a, &mbox_backend, &two), prefix);
	assert_false(
	    str_eq(backend_cache_prefix(s->a, &mbox_backend, &far), prefix));
	rows_same(backend_cache_prefix(s->a, &imap_backend, &one), S(""));
}

static void
what_begins_so_is_forgotten(void **state)
{
	struct site *s = *state;

	backend_cache_put(&s->acct, "x-1.index", S("1"));
	backend_cache_put(&s->acct, "x-1-a", S("1"));
	backend_cache_put(&s->acct, "x-2", S("2"));
	backend_cache_forget(&s->acct, S("x-1"));
	assert_int_equal(count(s), 1);
	assert_true(holds(s, "x-2", "2"));
	/* Without files there is no prefix: not all are forgotten. */
	backend_cache_forget(&s->acct, S(""));
	assert_int_equal(count(s), 1);
}

/* text: NULL: anything. */
static bool
holds_in(const struct backend_account *acct, const char *name, const char *text)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str got = S("");

	return backend_cache_get(acct, name, 1 << 16, a, &got) &&
	    (text == NULL || str_eq(got, str_of(text)));
}

/* A process that may use no other account's files has them in a folder. */
static void
a_folder_is_of_one_account(void **state)
{
	struct site *s = *state;
	struct backend_account apart = s->acct;
	struct str prefix = backend_cache_prefix(s->a, &mbox_backend, &apart);
	const char *numbers = str_fmt(s->a, "%.*s.number", STR_ARG(prefix)).p;
	const char *large = str_fmt(s->a, "%.*s.index", STR_ARG(prefix)).p;

	backend_cache_put(&s->acct, numbers, S("7"));
	backend_cache_put(&s->acct, large, rows_repeat(s->a, S("x"), 5000));
	backend_cache_put(&s->acct, "x-0", S("0"));
	apart.cache_dir = backend_cache_apart(s->a, &mbox_backend, &s->acct);
	assert_true(apart.cache_dir.n > 0);
	/* An archive's numbering was taken along, and nothing that is big. */
	assert_true(holds_in(&apart, numbers, "7"));
	assert_false(holds_in(&apart, large, NULL));
	assert_false(holds_in(&apart, "x-0", NULL));
	backend_cache_put(&apart, "x-1", S("1"));
	backend_cache_put(&s->acct, "x-2", S("2"));
	rows_same(backend_cache_apart(s->a, &mbox_backend, &s->acct),
	    apart.cache_dir);
	rows_same(backend_cache_apart(s->a, &imap_backend, &s->acct), S(""));
	assert_int_equal(count(s), 5);
	backend_cache_forget(&s->acct, prefix);
	assert_int_equal(count(s), 2);
	assert_true(holds(s, "x-2", "2"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(what_is_put_is_there),
		TEST(what_is_too_long_is_not_there),
		TEST(an_unfinished_file_is_no_hindrance),
		TEST(only_a_file_is_read),
		TEST(a_folder_is_of_one_account),
		TEST(without_a_folder_nothing_is_kept),
		TEST(a_name_tells_whose_and_which),
		TEST(accounts_on_one_archive_share_its_files),
		TEST(what_begins_so_is_forgotten),
	};

	return cmocka_run_group_tests_name("backend/cache", tests, NULL, NULL);
}
