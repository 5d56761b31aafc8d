/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_RESTORING_H
#define STORE_RESTORING_H

/* Steps of a restore. */
#include "store/copying.h"
#include "store/restore.h"

/* -- restore_take.c -------------------------------------------------------- */

/*
 * Copies the file into the draft, checks it, and opens it as the operator,
 * with the schema of today.
 */
int restore_take(const struct store_restore *r, const struct copy_draft *d,
    struct store **out, struct arena *a, struct store_restored *done,
    struct err *e);

/* -- restore_hold.c -------------------------------------------------------- */

/* The store's write lock, until the copy's pages are in it. */
struct restore_hold {
	sqlite3_backup *b; /* NULL: nothing is held */
};

/*
 * From now on nobody writes to `into`; `into` itself is used for nothing else
 * until the hold ends, and `from` has no transaction at its end.
 */
int restore_hold_begin(struct store *from, struct store *into,
    struct restore_hold *h, struct err *e);
/* The pages, as one commit that is on disk.  Ends the hold. */
int restore_hold_put(struct restore_hold *h, struct store *into,
    void (*progress)(uint64_t done, uint64_t all), struct err *e);
/* CLEANUP(restore_hold_drop): nothing was changed. */
void restore_hold_drop(struct restore_hold *h);

/*
 * SQL: a copy that has a number from this one on was changed by somebody else.
 * SQLite gives none after the last that there is.
 */
#define RESTORE_NUMBERS "9007199254740992"
/*
 * SQL: the highest number that a row of the table t can have in the present
 * store.  Nobody gives more than these between a copy and a restore, so a
 * number above it was written by somebody else.  It is near to the copy's, so
 * that what is restored can be copied and restored, too.
 */
#define RESTORE_MOST(t)                                                        \
	"(coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = " t      \
	"), 0) + 4294967296)"

/* Why every agent is stopped afterwards. */
#define RESTORE_FREEZE "the database was restored from a copy"

/* -- restore_merge.c, restore_rows.c --------------------------------------- */

/* Which store the copy is merged with: one that nobody changes. */
struct restore_present {
	struct store *s; /* opened as the operator */
	const char *file;
};

/*
 * Brings what happened since into the copy, stops every agent, and records the
 * restore.  p NULL: nothing is known of what happened.
 */
int restore_merge(struct store *copy, const struct restore_present *p,
    const struct store_restore *r, struct arena *a, struct store_restored *done,
    struct err *e);

/* The rows that are carried over, from the schema `present`. */
struct restore_kind {
	bool related;   /* both are copies of one store */
	bool same_dek;  /* what one has sealed, the other opens */
	bool log_stays; /* the present audit log is used */
	bool undoes;    /* nothing happened in what only the copy has */
};
int restore_rows(struct store *copy, const struct restore_kind *k,
    struct store_restored *done, struct err *e);
/* Its part for accounts that were made again since: restore_moved.c. */
int restore_moved(struct store *copy, const struct restore_kind *k,
    struct store_restored *done, struct err *e);
/* The same where there is no present store. */
int restore_rows_alone(struct store *copy, struct store_restored *done,
    struct err *e);
/* How the rows of a table are restored; NULL: it is not known. */
const char *restore_rows_how(const char *table);
/* All tables, each after what it refers to; NULL after the last. */
const char *restore_rows_table(size_t i);

#endif
