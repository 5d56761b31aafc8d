/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_ACCOUNT_ROW_H
#define STORE_ACCOUNT_ROW_H

/* Accounts as rows. */
#include "store/internal.h"

/* -- account_row.c, account_secret.c -------------------------------------- */

/* Is it 1 to 64 letters, digits, dots, underscores and hyphens? */
bool account_row_is_name(struct str s);
/*
 * Writes an account: a new row, and its id into *x, when it has none yet.
 * ERR_USAGE when the name is taken.
 */
int account_row_put(struct store *s, struct store_account *x, struct err *e);
/* Accounts, "WHERE name = ?1" or the like; and one that was stepped to. */
int account_row_select(struct store *s, const char *which, struct stmt **out,
    struct err *e);
void account_row_read(struct stmt *st, struct arena *a,
    struct store_account *x);
/* Seals a value into its column, within an open transaction. */
int store_account_secret_put(struct store *s, int64_t id,
    enum store_sealed what, const struct secret *value, struct err *e);
/* Seals every value again, within a transaction; *n counts them. */
int store_account_secret_reseal(struct store *s, const struct secret *old,
    const struct secret *fresh, size_t *n, struct err *e);

#endif
