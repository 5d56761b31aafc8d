/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_COPYING_H
#define STORE_COPYING_H

/* Steps of copying a store. */
#include "store/copy.h"
#include "store/internal.h"
#include "store/sqlite.h"

/* -- copy.c ---------------------------------------------------------------- */

/*
 * The same, in place of a file that may have that name, and of what SQLite made
 * beside that.  `from` is the database's name; this process may hold its write
 * lock.
 */
int copy_replace(const char *from, const char *to, struct err *e);
/*
 * May a copy get that name?  Removes what killed processes left of it.
 * ERR_USAGE, ERR_CONFIG as from store_copy_make().
 */
int copy_check(const char *to, struct err *e);
/* Closes a copy, all of which is in that file then, and nothing in a log. */
int copy_close_whole(struct store **copy, const char *file, struct err *e);

/* -- copy_draft.c ---------------------------------------------------------- */

/* A copy that is being made: CLEANUP(copy_draft_drop). */
struct copy_draft {
	struct arena *a;
	char *dir;  /* of its own; NULL: not made */
	char *file; /* in it; NULL: not made */
	int fd;     /* of the folder, which is locked */
};

/* Its file gets that name, on disk, unless something has it: ERR_CONFIG. */
int copy_publish_new(const struct copy_draft *c, const char *to, struct err *e);
/*
 * Removes this user's drafts of that name that killed processes left; what
 * cannot be removed does no harm.
 */
void copy_draft_sweep(const char *to);
/* An empty file, mode 0600, in a new folder beside `to`.  ERR_CONFIG. */
int copy_draft_begin(const char *to, struct copy_draft *d, struct err *e);
void copy_draft_drop(struct copy_draft *d);

/* -- copy_pages.c ---------------------------------------------------------- */

/* All pages of a database, as of one moment, into an empty file.  ERR_CONFIG.
 */
int copy_pages(const char *from, const char *to,
    void (*progress)(uint64_t done, uint64_t all), struct err *e);
/*
 * The same for a backup that has begun, without its end: SQLITE_DONE, or what
 * SQLite said.  It waits for others who use the files.
 */
int copy_pages_run(sqlite3_backup *b,
    void (*progress)(uint64_t done, uint64_t all));
/* The error of a copy, with what the system or SQLite said. */
int copy_pages_fail(struct err *e, const char *path, const char *why);

/* -- copy_before.c --------------------------------------------------------- */

/* Beside the store: what a restore replaced, and when. */
#define COPY_BEFORE_RESTORE ".before-restore-"

/*
 * A copy beside the store, which has that version, before migrations change it;
 * a store without accounts needs none.  Those of earlier versions are removed.
 * Within an open transaction that has written nothing.  ERR_DB.
 */
int copy_before(struct store *s, int version, struct err *e);

#endif
