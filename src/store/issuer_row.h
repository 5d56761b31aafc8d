/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_ISSUER_ROW_H
#define STORE_ISSUER_ROW_H

/* The identity provider as a row. */
#include "store/internal.h"

/* issuer.c: seals the secret again, within a transaction; counts it in *n. */
int issuer_row_reseal(struct store *s, const struct secret *old,
    const struct secret *fresh, size_t *n, struct err *e);

#endif
