/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_KEY_H
#define STORE_KEY_H

/*
 * Changing keys.  The DEK is wrapped once under each key.  Rotating a key wraps
 * the same DEK again; rewrapping makes a new DEK and seals everything under it.
 * Each is one transaction that is on disk before it returns: after a kill at
 * any moment, either the old or the new state is there, complete.
 *
 * A copy made earlier still opens with the earlier keys.
 */
#include "store/store.h"

enum store_slot {
	STORE_SLOT_ADMIN,
	STORE_SLOT_AGENT,
};

/* Does this key open its slot?  ERR_CONFIG. */
int store_key_check(struct store *s, enum store_slot which,
    const struct store_keys *k, struct err *e);

/* Called after all writes and before the commit; -1 rolls everything back. */
struct store_key_last {
	int (*fn)(void *ctx, struct err *e);
	void *ctx;
};

/*
 * Wraps the DEK under `fresh` (text, like a key in the environment) in place of
 * the slot's key.  Needs only the admin key.  ERR_CONFIG if fresh is not a key;
 * ERR_USAGE if the store already has it, in either slot.  store/key_rotate.c
 */
int store_key_rotate(struct store *s, enum store_slot which,
    const struct store_keys *k, const struct secret *fresh,
    const struct store_key_last *last, struct err *e);
/*
 * Makes a new DEK under both keys, which must both be right (the agent's only
 * if it has a slot), and seals *n values under it.  ERR_CONFIG, and nothing
 * changes, if one of them does not unseal.  store/key_rewrap.c
 */
int store_key_rewrap(struct store *s, const struct store_keys *k, size_t *n,
    struct err *e);
/*
 * Empties the write-ahead log, which contains older wrappings; false if other
 * readers prevent it.  store/key_scrub.c
 */
bool store_key_scrub(struct store *s);

#endif
