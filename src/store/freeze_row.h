/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_FREEZE_ROW_H
#define STORE_FREEZE_ROW_H

/* Freezes as rows. */
#include "store/internal.h"

/* -- freeze.c -------------------------------------------------------------
 */

struct store_freeze;

/*
 * Writes the row, within an open transaction or its own; capped: only if there
 * are fewer than LIMIT_FREEZES.
 */
int freeze_add(struct store *s, const struct store_freeze *f, bool capped,
    struct err *e);
/* The account's id; 0 for the empty name. */
int freeze_account(struct store *s, struct str name, int64_t *id,
    struct err *e);

#endif
