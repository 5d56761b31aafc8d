/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_MAILDIR_RENAMES_H
#define TESTS_MAILDIR_RENAMES_H

/*
 * The renames of a Maildir, as a test wants them: another program may come
 * before one, it may fail, or be the last that the process begins.
 */
#include "maildir_site.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Counted down at each rename; what is to happen at the one it reaches 0 at. */
static long left;
static int fails;       /* it has this errno, and all after it */
static bool kills;      /* the process dies before it */
static const char *was; /* in the agent's mailbox: renamed by another, */
static const char *is;  /* to this */
static bool always;     /* the file system knows no RENAME_NOREPLACE */
static const struct site *where;

static int
renames_step(void)
{
	if (left == 0 || --left > 0)
		return 0;
	if (kills)
		(void)kill(getpid(), SIGKILL);
	if (was != NULL)
		site_rename(where, was, is);
	if (fails == 0)
		return 0;
	left = 1;
	errno = fails;
	return -1;
}

/* Ours is linked before the C library's. */
int
renameat2(int from, const char *name, int to, const char *other, unsigned how)
{
	if (renames_step() < 0)
		return -1;
	if (always && how != 0) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from, name, to, other, how);
}

static inline int
renames_setup(void **state)
{
	left = 0;
	fails = 0;
	kills = always = false;
	was = is = NULL;
	if (site_setup(state) < 0)
		return -1;
	where = *state;
	return 0;
}

#define RENAMES_TEST(f)                                                        \
	cmocka_unit_test_setup_teardown(f, renames_setup, site_teardown)

/* Is there a file of that name in the agent's mailbox? */
static inline bool
has(const struct site *s, const char *rel)
{
	char path[PATH_MAX];
	struct stat st;

	assert_true(snprintf(path, sizeof(path), "%s/" AGENT "/%s", s->root,
			rel) < PATH_MAX);
	return lstat(path, &st) == 0;
}

static inline struct refs
refs_of(const struct site *s, const char *const *id, size_t n)
{
	struct refs out = { arena_array(s->a, n, sizeof(*out.v)), n };

	for (size_t i = 0; i < n; i++)
		out.v[i].id = str_of(id[i]);
	return out;
}

/* The rows of a folder, as `list` asks for them. */
static inline struct rows
rows_of(struct site *s, const char *folder, unsigned with, unsigned without)
{
	const struct query q = { .folder = str_of(folder),
		.with = with,
		.without = without };
	struct folder_state st;
	struct rows rows = { 0 };
	struct strs ids;

	s->e = (struct err){ 0 };
	assert_int_equal(maildir_backend.scan(s->c, s->a, q.folder, &st, &ids,
			     &s->e),
	    0);
	assert_int_equal(maildir_backend.find(s->c, s->a, &q, 50, &st, &rows,
			     &s->e),
	    0);
	return rows;
}

static inline void
assert_error(const struct site *s, enum err_kind kind, const char *say)
{
	assert_int_equal(s->e.kind, kind);
	assert_string_equal(s->e.say, say);
}

/* In a child that ends before its n-th rename; true: it had fewer. */
static inline bool
survives(struct site *s, long n, int (*run)(struct site *s))
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		kills = true;
		left = n;
		_exit(run(s) < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		return false;
	assert_int_equal(WEXITSTATUS(status), 0);
	return true;
}

#endif
