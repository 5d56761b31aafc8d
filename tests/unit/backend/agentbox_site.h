/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_AGENTBOX_SITE_H
#define TESTS_AGENTBOX_SITE_H

/* A throw-away mailbox root, for the tests of the agentbox backend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/agentbox/internal.h"
#include "base/clock.h"
#include "net/sha256.h"

#define WRITER "writer@agents.example.test"
#define CI "ci@agents.example.test"

extern char **environ;

struct site {
	char top[64];  /* a folder for anything */
	char root[96]; /* top/root */
	struct arena *a;
	struct agentbox_use use;
	struct agentbox_root *r;
	struct err e;
};

/* Stands for the key that the store has and this room never sees. */
static inline int
site_mac(void *ctx, struct str bytes, unsigned char out[32], struct err *e)
{
	(void)ctx;
	(void)e;
	sha256_hmac(S("a key"), bytes, out);
	return 0;
}

/* A path below the root: good until the next call but three. */
static inline const char *
site_path(const struct site *s, const char *rel)
{
	static char out[4][PATH_MAX];
	static unsigned i;

	i = (i + 1) % 4;
	assert_true(
	    snprintf(out[i], PATH_MAX, "%s/%s", s->root, rel) < PATH_MAX);
	return out[i];
}

static inline bool
site_has(const struct site *s, const char *rel)
{
	struct stat st;

	return lstat(site_path(s, rel), &st) == 0;
}

static inline unsigned
site_mode(const struct site *s, const char *rel)
{
	struct stat st;

	assert_int_equal(lstat(site_path(s, rel), &st), 0);
	return st.st_mode & 07777;
}

static inline void
site_write(const struct site *s, const char *rel, const char *text)
{
	int fd = open(site_path(s, rel), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
}

/* The first column of the first row of a query of a database in the root. */
static inline struct str
site_sql(struct site *s, const char *rel, const char *sql)
{
	struct str out = S("(none)");
	sqlite3_stmt *st = NULL;
	sqlite3 *h = NULL;
	int r;

	assert_int_equal(sqlite3_open_v2(site_path(s, rel), &h,
			     SQLITE_OPEN_READWRITE, NULL),
	    SQLITE_OK);
	(void)sqlite3_busy_timeout(h, 5000);
	r = sqlite3_prepare_v2(h, sql, -1, &st, NULL);
	if (r != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(h));
	r = sqlite3_step(st);
	if (r == SQLITE_ROW && sqlite3_column_text(st, 0) != NULL)
		out = str_dup(s->a,
		    str_of((const char *)sqlite3_column_text(st, 0)));
	else if (r != SQLITE_ROW && r != SQLITE_DONE)
		fail_msg("%s: %s", sql, sqlite3_errmsg(h));
	(void)sqlite3_finalize(st);
	(void)sqlite3_close(h);
	return out;
}

#define assert_sql(s, db, sql, want)                                           \
	assert_string_equal(site_sql(s, db, sql).p, want)

static inline void
site_close(struct site *s)
{
	agentbox_root_close(&s->r);
}

static inline void
site_ok(struct site *s, int r)
{
	if (r < 0)
		fail_msg("%s (%s)", s->e.say, s->e.detail);
}

static inline void
site_open(struct site *s)
{
	site_close(s);
	site_ok(s, agentbox_root_open(s->root, &s->use, &s->r, &s->e));
}

static inline void
site_make(struct site *s)
{
	site_close(s);
	site_ok(s, agentbox_root_make(s->root, &s->use, &s->r, &s->e));
}

static inline void
site_register(struct site *s, const char *address, const char *owner)
{
	struct agentbox_claim c = { .address = str_of(address),
		.owner = str_of(owner) };
	struct agentbox_claimed got;

	site_ok(s, agentbox_register(s->r, &c, s->a, &got, &s->e));
}

/* A root of the upstream program, as it left it: top/houmao-VERSION/root. */
static inline void
site_unpack(struct site *s, const char *version)
{
	char file[PATH_MAX],
	    *argv[] = { "python3", "-m", "tarfile", "-e", file, s->top, NULL };
	pid_t pid;
	int status;

	(void)snprintf(file, sizeof(file), "tests/agentbox/%s.tar.xz", version);
	assert_int_equal(posix_spawnp(&pid, "python3", NULL, NULL, argv,
			     environ),
	    0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	(void)snprintf(s->root, sizeof(s->root), "%s/houmao-%s/root", s->top,
	    version);
}

static inline int
site_setup(void **state)
{
	struct site *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	(void)snprintf(s->top, sizeof(s->top), "/tmp/emcli-box-XXXXXX");
	assert_non_null(mkdtemp(s->top));
	(void)snprintf(s->root, sizeof(s->root), "%s/root", s->top);
	s->a = arena_open(LIMIT_ARENA);
	s->use.deadline_ms = clock_mono_ms() + 60000;
	s->use.mac = site_mac;
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

	site_close(s);
	arena_close(&s->a);
	(void)nftw(s->top, site_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(s);
	return 0;
}

#define SITE_TEST(f)                                                           \
	cmocka_unit_test_setup_teardown(f, site_setup, site_teardown)

#endif
