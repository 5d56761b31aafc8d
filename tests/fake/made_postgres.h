/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAKE_MADE_POSTGRES_H
#define TESTS_FAKE_MADE_POSTGRES_H

/*
 * A store for each test in PostgreSQL, in a schema of its own of the database
 * that EMCLI_TEST_POSTGRES names; without it there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/postgres_open.h"

static inline const char *
made_postgres_uri(void)
{
	return getenv("EMCLI_TEST_POSTGRES");
}

/* A new name for a store. */
static inline void
made_postgres_path(char *out, size_t size)
{
	static int n;

	if ((size_t)snprintf(out, size, "%s&schema=test_%d_%d",
		made_postgres_uri(), (int)getpid(), ++n) >= size)
		fail_msg("EMCLI_TEST_POSTGRES is too long");
}

/* Runs SQL of the store's kind behind its back; the first number. */
static inline int64_t
made_postgres_number(const char *path, const char *sql, bool asks)
{
	struct store s = { 0 };
	struct stmt *st = NULL;
	struct err e = { 0 };
	int64_t n = 0;
	int r;

	r = postgres_open(&s, path, &e);
	if (r == 0 && !asks)
		r = stmt_exec(&s, sql, &e);
	if (r == 0 && asks)
		r = stmt_prepare(&s, sql, &st, &e);
	if (r == 0 && asks) {
		r = stmt_step(&s, st, &e);
		n = r == 1 ? stmt_column_int(st, 0) : 0;
	}
	if (r < 0)
		fail_msg("%s: %s (%s)", sql, e.say, e.detail);
	stmt_done(&st);
	s.driver->close(&s);
	return n;
}

static inline void
made_postgres_drop(const char *path)
{
	char sql[128];

	(void)snprintf(sql, sizeof(sql), "DROP SCHEMA IF EXISTS %s CASCADE",
	    strrchr(path, '=') + 1);
	(void)made_postgres_number(path, sql, false);
}

static inline void
made_postgres_store(const char *path, const struct store_keys *keys)
{
	bool created = false;
	struct err e = { 0 };

	if (store_init(path, keys, &created, &e) < 0 || !created)
		fail_msg("init: %s (%s)", e.say, e.detail);
}

#endif
