/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SEEN_ROW_H
#define STORE_SEEN_ROW_H

/* The messages that an agent has acked or claimed, as rows. */
#include "store/internal.h"

/* -- seen_state.c -------------------------------------------------------- */

/* The key of a folder's rows, always parameters 1 to 3. */
#define OF_FOLDER(f) V((f)->account), V((f)->principal), V((f)->folder)
/* ERR_NOT_FOUND: the uids now name other messages. */
int seen_state_renumbered(struct err *e);
int seen_state_put(struct store *s, const struct store_folder *f,
    uint32_t floor, struct err *e);
/* ERR_NOT_FOUND if the folder was renumbered; *floor. */
int seen_state_same(struct store *s, const struct store_folder *f,
    uint32_t *floor, struct err *e);

/* -- seen_list.c --------------------------------------------------------- */

/*
 * Many messages as one parameter, so that their rows are written by one
 * statement, and in one round trip: json_each() has a row for each number, with
 * its value and, as its key, its place from 0.  For a few there is another.
 */
struct seen_list {
	const char *one; /* ?4 is a uid */
	const char *all; /* ?4 is a list */
	bool numbered;   /* ?5 is f->uidvalidity */
};
#define SEEN_LIST_DELETE(table)                                                \
	{                                                                      \
		"DELETE FROM " table " WHERE account_id = ?1"                  \
		" AND principal = ?2 AND folder = ?3 AND uid = ?4",            \
		    "DELETE FROM " table " WHERE account_id = ?1"              \
		    " AND principal = ?2 AND folder = ?3"                      \
		    " AND uid IN (SELECT value FROM json_each(?4))",           \
		    false                                                      \
	}
struct str seen_list(struct arena *a, const int64_t *v, size_t n);
/* Runs it for the uids above that one; 0: for all that there can be. */
int seen_list_run(struct store *s, const struct store_folder *f,
    const struct seen_list *sql, uint32_t least, const uint32_t *uids, size_t n,
    struct err *e);

/* -- seen.c -------------------------------------------------------------- */

/* Adds those above the floor. */
int seen_acks_put(struct store *s, const struct store_folder *f, uint32_t floor,
    const uint32_t *uids, size_t n, struct err *e);
/* Runs fixed SQL with those three parameters. */
int seen_run(struct store *s, const struct store_folder *f, const char *sql,
    struct err *e);

/* -- claim.c ------------------------------------------------------------- */

/* Ends claims on these, within an open transaction. */
int claim_end(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e);

#endif
