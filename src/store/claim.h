#ifndef STORE_CLAIM_H
#define STORE_CLAIM_H

/*
 * Leases on messages, so that several workers of one agent do not take the
 * same one.  A lease that has run out is as none; an ack ends it.
 */
#include "store/store.h"

/*
 * Takes those uids that nobody holds, in one transaction, until until_ms (unix
 * milliseconds); *won says which of them, in their order.
 */
int store_claim_take(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, int64_t now_ms, int64_t until_ms, bool *won,
    struct err *e);
/* The uids that are held now, ascending. */
int store_claim_held(struct store *s, struct arena *a,
    const struct store_folder *f, int64_t now_ms, uint32_t **out, size_t *n,
    struct err *e);
/*
 * The operator's way back: these are new again, claims on them end.  A floor
 * above the lowest comes down to it, and what lay between is kept as acked.
 * ERR_LIMIT when that would be more than LIMIT_UIDS.  store/seen_unack.c
 */
int store_seen_unack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e);

#endif
