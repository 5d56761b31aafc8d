/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_MAILDIR_SITE_H
#define TESTS_MAILDIR_SITE_H

/*
 * A throw-away site with the mailboxes agent@lab.example and bob@lab.example,
 * for the tests of the Maildir backend.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../fake/nosync.h"
#include "backend/internal.h"
#include "base/clock.h"
#include "base/limits.h"

#define AGENT "agent@lab.example"
#define BOB "bob@lab.example"

struct site {
	char root[64];
	struct arena *a;
	struct backend_account acct;
	struct conn *c;
	struct err e;
};

static inline void
site_path(char out[PATH_MAX], const struct site *s, const char *rel)
{
	assert_true(snprintf(out, PATH_MAX, "%s/%s", s->root, rel) < PATH_MAX);
}

static inline void
site_mkdir(const struct site *s, const char *rel)
{
	char path[PATH_MAX];

	site_path(path, s, rel);
	assert_int_equal(mkdir(path, 0700), 0);
}

static inline void
site_box(const struct site *s, const char *rel)
{
	static const char *const half[] = { "", "/cur", "/new", "/tmp" };
	char path[PATH_MAX];

	for (size_t i = 0; i < 4; i++) {
		assert_true(snprintf(path, sizeof(path), "%s%s", rel, half[i]) <
		    PATH_MAX);
		site_mkdir(s, path);
	}
}

static inline void
site_file(const struct site *s, const char *rel, const char *text, size_t n)
{
	char path[PATH_MAX];
	int fd;

	site_path(path, s, rel);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	assert_int_equal(close(fd), 0);
}

/* A message in the agent's mailbox; rel is such as "cur/1.a:2,S". */
static inline void
site_mail(const struct site *s, const char *rel, const char *text)
{
	char path[PATH_MAX];

	assert_true(snprintf(path, sizeof(path), AGENT "/%s", rel) < PATH_MAX);
	site_file(s, path, text, strlen(text));
}

/* How many entries a folder has, dot files apart. */
static inline size_t
site_count(const struct site *s, const char *rel)
{
	char path[PATH_MAX];
	const struct dirent *d;
	size_t n = 0;
	DIR *dir;

	site_path(path, s, rel);
	dir = opendir(path);
	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL)
		n += d->d_name[0] != '.';
	(void)closedir(dir);
	return n;
}

static inline void
site_rename(const struct site *s, const char *from, const char *to)
{
	char x[PATH_MAX], y[PATH_MAX];

	site_path(x, s, from);
	site_path(y, s, to);
	assert_int_equal(rename(x, y), 0);
}

static inline void
site_link(const struct site *s, const char *target, const char *rel)
{
	char path[PATH_MAX];

	site_path(path, s, rel);
	assert_int_equal(symlink(target, path), 0);
}

/* The file in that folder whose name ends so. */
static inline void
site_kept(char out[PATH_MAX], const struct site *s, const char *folder,
    const char *end)
{
	const struct dirent *d;
	char rel[PATH_MAX];
	DIR *dir;

	site_path(out, s, folder);
	dir = opendir(out);
	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL && strstr(d->d_name, end) == NULL)
		;
	assert_non_null(d);
	(void)snprintf(rel, sizeof(rel), "%s/%s", folder, d->d_name);
	site_path(out, s, rel);
	(void)closedir(dir);
}

static inline void
site_open(struct site *s)
{
	assert_int_equal(maildir_backend.open(&s->acct, s->a, &s->c, &s->e), 0);
}

static inline int
site_setup(void **state)
{
	struct site *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	(void)snprintf(s->root, sizeof(s->root), "/tmp/emcli-site-XXXXXX");
	assert_non_null(mkdtemp(s->root));
	site_box(s, AGENT);
	site_box(s, BOB);
	s->a = arena_open(LIMIT_ARENA);
	s->acct.name = S("work");
	s->acct.from = S("Agent@Lab.Example");
	s->acct.path = str_of(s->root);
	s->acct.deadline_ms = clock_mono_ms() + 60000;
	site_open(s);
	*state = s;
	return 0;
}

static inline int
site_remove(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

static inline int
site_teardown(void **state)
{
	struct site *s = *state;

	maildir_backend.close(s->c);
	arena_close(&s->a);
	(void)nftw(s->root, site_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(s);
	return 0;
}

#define SITE_TEST(f)                                                           \
	cmocka_unit_test_setup_teardown(f, site_setup, site_teardown)

static inline void
assert_str(struct str got, const char *want)
{
	assert_int_equal(got.n, strlen(want));
	if (got.n > 0)
		assert_memory_equal(got.p, want, got.n);
}

#endif
