/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_TRANSFERRING_H
#define STORE_TRANSFERRING_H

/* Steps of copying a store row by row. */
#include "store/copying.h"
#include "store/internal.h"
#include "store/transfer.h"

/* -- transfer_fail.c ------------------------------------------------------- */

/* The error is of the target, and not of the store that is copied.  -1. */
int transfer_fail(struct err *e);

/* -- transfer_target.c ----------------------------------------------------- */

/* What is being made: CLEANUP(transfer_target_drop), zero before. */
struct transfer_target {
	const char *to;
	struct store *s; /* NULL: not open */
	struct tx tx;
	struct copy_draft d; /* of a file */
	bool is_file;
};

/* Connects, or begins a draft, and looks whether the place is empty. */
int transfer_target_open(const char *to, struct transfer_target *t,
    struct err *e);
/* Takes its lock, and makes the schema of today, without a row. */
int transfer_target_begin(struct transfer_target *t, struct err *e);
/* Opens it with the key, still in the transaction: it is only read now. */
int transfer_target_operate(struct transfer_target *t,
    const struct store_keys *keys, struct err *e);
/* It is there, and on disk.  *place: where, in words. */
int transfer_target_put(struct transfer_target *t, struct arena *a,
    struct str *place, struct err *e);
/* What was not put is gone. */
void transfer_target_drop(struct transfer_target *t);

/* -- transfer_rows.c ------------------------------------------------------- */

/* The tables in the order in which they are copied; NULL after the last. */
const char *transfer_rows_table(size_t i);
int transfer_rows_count(struct store *s, const char *table, int64_t *out,
    struct err *e);
/* Removes what migrations have put into new tables. */
int transfer_rows_empty(struct store *s, struct err *e);
/* All rows of all tables.  `all`: how many, for the progress. */
int transfer_rows(const struct store_transfer *x, struct store *to, int64_t all,
    struct err *e);

/* -- transfer_check.c ------------------------------------------------------ */

/* Counts the rows of each table, and finds the newest link. */
int transfer_check_count(struct store *s, struct arena *a,
    struct store_transferred *out, struct err *e);
/* Is it as emcli wrote it?  ERR_DB.  Fills in the chain. */
int transfer_check(struct store *s, struct arena *a,
    struct store_transferred *out, struct err *e);
/* Have both the same number of rows, and the same log?  ERR_DB. */
int transfer_check_same(const struct store_transferred *is,
    const struct store_transferred *was, struct err *e);

#endif
