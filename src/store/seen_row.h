/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SEEN_ROW_H
#define STORE_SEEN_ROW_H

/* The messages that an agent has acked or claimed, as rows. */
#include "store/internal.h"

/* -- seen_state.c -------------------------------------------------------- */

/* The key of a folder's rows, always parameters 1 to 3. */
#define OF_FOLDER(f) V((f)->account), V((f)->principal), V((f)->folder)
/* Runs fixed SQL for each uid, which is parameter 4. */
int seen_state_each(struct store *s, const struct store_folder *f,
    const char *sql, const uint32_t *uids, size_t n, struct err *e);
/* ERR_NOT_FOUND: the uids now name other messages. */
int seen_state_renumbered(struct err *e);
int seen_state_put(struct store *s, const struct store_folder *f,
    uint32_t floor, struct err *e);
/* ERR_NOT_FOUND if the folder was renumbered; *floor. */
int seen_state_same(struct store *s, const struct store_folder *f,
    uint32_t *floor, struct err *e);
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
