/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CLAIM_H
#define STORE_CLAIM_H

/*
 * Leases on messages, so that several workers of one agent, or of agents of one
 * user, do not take the same one.  A lease that has expired does not count; an
 * ack ends it.
 */
#include "store/store.h"

/*
 * Takes those of the uids that nobody holds until until_ms (unix milliseconds),
 * in one transaction; *won says which, in their order.
 */
int store_claim_take(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, int64_t now_ms, int64_t until_ms, bool *won,
    struct err *e);
/* The uids held now, ascending. */
int store_claim_held(struct store *s, struct arena *a,
    const struct store_folder *f, int64_t now_ms, uint32_t **out, size_t *n,
    struct err *e);
/*
 * For the operator: makes these new again and ends claims on them.  A floor
 * above the lowest is lowered to it, and the other uids in between stay acked.
 * ERR_LIMIT if these would be more than LIMIT_UIDS.  store/seen_unack.c
 */
int store_seen_unack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e);

#endif
