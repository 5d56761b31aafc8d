/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAKE_MADE_H
#define TESTS_FAKE_MADE_H

/*
 * A store for each test.  Making one takes longer than most of what is asked
 * of it: the first one of a program is made, and all others begin as its
 * bytes.  A program makes its stores with the same keys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>

#include "base/path.h"
#include "nosync.h"
#include "store/store.h"

static struct str made_bytes;

static inline void
made_keep(const char *db)
{
	CLEANUP(path_close) int fd = open(db, O_RDONLY | O_CLOEXEC);
	static struct arena *a;
	struct err e = { 0 };

	a = arena_open(1 << 20);
	if (fd < 0 || path_read(fd, 1 << 19, a, &made_bytes, &e) < 0)
		fail_msg("%s: %s", db, e.say);
}

/* Makes a store at that path, in a folder that exists. */
static inline void
made_store(const char *db, const struct store_keys *keys)
{
	struct err e = { 0 };
	bool created = false;

	if (made_bytes.n > 0) {
		CLEANUP(path_close)
		int fd = open(db, O_WRONLY | O_CREAT | O_EXCL, 0600);

		assert_true(fd >= 0 && path_write(fd, made_bytes) == 0);
		return;
	}
	if (store_init(db, keys, &created, &e) < 0 || !created)
		fail_msg("init: %s (%s)", e.say, e.detail);
	made_keep(db);
}

#endif
