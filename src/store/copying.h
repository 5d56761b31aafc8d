/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_COPYING_H
#define STORE_COPYING_H

/* Steps of copying a store. */
#include "store/copy.h"
#include "store/internal.h"

/* -- copy.c ---------------------------------------------------------------- */

/*
 * The same, in place of a file that may have that name.  `from` is the
 * database's name; this process may hold its write lock.
 */
int copy_replace(const char *from, const char *to, struct err *e);

/* -- copy_pages.c ---------------------------------------------------------- */

/* All pages of a database, as of one moment, into an empty file.  ERR_CONFIG.
 */
int copy_pages(const char *from, const char *to,
    void (*progress)(uint64_t done, uint64_t all), struct err *e);
/* The error of a copy, with what the system or SQLite said. */
int copy_pages_fail(struct err *e, const char *path, const char *why);

/* -- copy_before.c --------------------------------------------------------- */

/*
 * A copy beside the store, before that migration changes it.  Those of earlier
 * migrations are removed.  Within an open transaction that has written nothing.
 */
int copy_before(struct store *s, int version, struct err *e);

#endif
