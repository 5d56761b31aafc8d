/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

/*
 * A store of its own for every test, in a folder that goes with it.  With
 * EMCLI_TEST_POSTGRES, the URI of a database, it is a schema of its own there
 * (tests/fake/postgres); a test that is about a file then begins with
 * FX_FILE().
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../fake/made.h"
#include "../../fake/made_postgres.h"
#include "store/chain.h"
#include "store/internal.h"
#include "store/outbox.h"
#include "store/slot.h"
#include "store/sqlite.h"

#define ADMIN_KEY "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="
#define AGENT_KEY "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI="
#define OTHER_KEY "Q0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0M="

struct fx {
	char dir[64];
	char path[112];
	struct secret *admin, *agent, *other;
	struct store_keys keys;
	struct store *s; /* opened as the operator */
	struct arena *a;
	struct err e;
};

static inline struct secret *
fx_secret(const char *text)
{
	struct secret *s = secret_new(text, strlen(text));

	/* For the children of tests, which open stores of their own. */
	secret_inherit(s, true);
	return s;
}

/* Opens another handle; fails the test when it cannot. */
static inline struct store *
fx_open(struct fx *x, enum store_role role)
{
	struct store *s = NULL;

	if (store_open(x->path, role, &x->keys, &s, &x->e) < 0)
		fail_msg("open: %s (%s)", x->e.say, x->e.detail);
	return s;
}

/* Is the store a file? */
static inline bool
fx_is_file(void)
{
	return made_postgres_uri() == NULL;
}

/* A test that is about a file, or SQLite. */
#define FX_FILE()                                                              \
	do {                                                                   \
		if (!fx_is_file())                                             \
			return;                                                \
	} while (0)

/* Runs SQL behind the store's back. */
static inline void
fx_sql(struct fx *x, const char *sql)
{
	sqlite3 *db = NULL;
	char *why = NULL;

	if (!fx_is_file()) {
		(void)made_postgres_number(x->path, sql, false);
		return;
	}
	assert_int_equal(sqlite3_open(x->path, &db), SQLITE_OK);
	(void)sqlite3_busy_timeout(db, 10000);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	(void)sqlite3_close(db);
}

/* A number out of the database, behind the store's back. */
static inline int64_t
fx_number(struct fx *x, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	int64_t n;

	if (!fx_is_file())
		return made_postgres_number(x->path, sql, true);
	assert_int_equal(sqlite3_open(x->path, &db), SQLITE_OK);
	(void)sqlite3_busy_timeout(db, 10000);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	(void)sqlite3_finalize(st);
	(void)sqlite3_close(db);
	return n;
}

/* A folder and keys, but no store yet. */
static inline int
fx_empty(void **state)
{
	struct fx *x = calloc(1, sizeof(*x));

	(void)snprintf(x->dir, sizeof(x->dir), "/tmp/emcli-store-XXXXXX");
	if (mkdtemp(x->dir) == NULL)
		return -1;
	if (fx_is_file())
		(void)snprintf(x->path, sizeof(x->path), "%s/sub/emcli.db",
		    x->dir);
	else
		made_postgres_path(x->path, sizeof(x->path));
	x->admin = fx_secret(ADMIN_KEY);
	x->agent = fx_secret(AGENT_KEY);
	x->other = fx_secret(OTHER_KEY);
	x->keys = (struct store_keys){ x->admin, x->agent };
	x->a = arena_open(256UL << 20);
	*state = x;
	return 0;
}

static inline int
fx_setup(void **state)
{
	char dir[96];
	struct fx *x;

	if (fx_empty(state) < 0)
		return -1;
	x = *state;
	(void)snprintf(dir, sizeof(dir), "%s/sub", x->dir);
	if (mkdir(dir, 0700) < 0)
		return -1;
	if (fx_is_file())
		made_store(x->path, &x->keys);
	else
		made_postgres_store(x->path, &x->keys);
	x->s = fx_open(x, STORE_ADMIN);
	return 0;
}

static inline int
fx_teardown(void **state)
{
	static const char *const names[] = { "sub/emcli.db", "sub/emcli.db-wal",
		"sub/emcli.db-shm", "sub/emcli.db-lock", "sub/emcli.db-outbox",
		"sub/emcli.db.before-001", "sub/emcli.db.before-002",
		"sub/copy.db", "sub/link", "sub/link-wal", "sub/link-shm",
		"sub" };
	struct fx *x = *state;
	char path[128];

	store_close(&x->s);
	secret_close(&x->admin);
	secret_close(&x->agent);
	secret_close(&x->other);
	arena_close(&x->a);
	if (!fx_is_file())
		made_postgres_drop(x->path);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", x->dir, names[i]);
		(void)remove(path);
	}
	(void)rmdir(x->dir);
	free(x);
	return 0;
}

/* An account of that name; its id. */
static inline int64_t
fx_account(struct fx *x, const char *name)
{
	struct store_account acct = { .name = str_of(name),
		.backend = S("imap"),
		.mode = MODE_RW,
		.outbound = OUTBOUND_SEND };

	if (store_account_add(x->s, &acct, NULL, &x->e) < 0)
		fail_msg("add: %s (%s)", x->e.say, x->e.detail);
	if (store_account_get(x->s, x->a, acct.name, &acct, &x->e) < 0)
		fail_msg("get: %s (%s)", x->e.say, x->e.detail);
	return acct.id;
}

static inline int
fx_same(struct str plain, void *ctx)
{
	return str_eq(plain, str_of(ctx)) ? 0 : -1;
}

#define assert_secret(s, text)                                                 \
	assert_int_equal(secret_lend((s), fx_same, (void *)(uintptr_t)(text)), \
	    0)
#define assert_str(s, text) assert_true(str_eq((s), str_of(text)))
#define assert_ok(x, call)                                                     \
	do {                                                                   \
		if ((call) < 0)                                                \
			fail_msg("%s (%s)", (x)->e.say, (x)->e.detail);        \
	} while (0)
/* Fails with that kind. */
#define assert_err(x, call, want)                                              \
	do {                                                                   \
		assert_int_equal((call), -1);                                  \
		assert_int_equal((x)->e.kind, (want));                         \
	} while (0)
#define TEST(what, fn)                                                         \
	{                                                                      \
		(what), (fn), fx_setup, fx_teardown, NULL                      \
	}
#define TEST_EMPTY(what, fn)                                                   \
	{                                                                      \
		(what), (fn), fx_empty, fx_teardown, NULL                      \
	}

#endif
