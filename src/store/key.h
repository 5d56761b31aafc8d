#ifndef STORE_KEY_H
#define STORE_KEY_H

/*
 * Changing keys.  The DEK is wrapped once under each key; rotating a key wraps
 * the same DEK again, rewrapping makes a new DEK and seals everything under it.
 * Each is one transaction, on disk before it is believed: whenever a process
 * is killed, exactly the old state or exactly the new one is there.
 *
 * What was copied before still opens with the keys of before.
 */
#include "store/store.h"

enum store_slot {
	STORE_SLOT_ADMIN,
	STORE_SLOT_AGENT,
};

/* Does this key open its slot?  ERR_CONFIG. */
int store_key_check(struct store *s, enum store_slot which,
    const struct store_keys *k, struct err *e);

/* Called when all is written and nothing committed; -1 gives it all up. */
struct store_key_last {
	int (*fn)(void *ctx, struct err *e);
	void *ctx;
};

/*
 * Wraps the DEK under `fresh` (text, as a key of the environment) in place of
 * the slot's key.  Needs the admin's key alone.  ERR_CONFIG when fresh is no
 * key; ERR_USAGE when the store has it already, in either slot.
 * store/key_rotate.c
 */
int store_key_rotate(struct store *s, enum store_slot which,
    const struct store_keys *k, const struct secret *fresh,
    const struct store_key_last *last, struct err *e);
/*
 * A new DEK under both keys, which must both fit (the agent's only when it has
 * a slot), and *n sealed values under that.  ERR_CONFIG when one of them does
 * not unseal: then nothing has changed.  store/key_rewrap.c
 */
int store_key_rewrap(struct store *s, const struct store_keys *k, size_t *n,
    struct err *e);
/*
 * Empties the write-ahead log, where older wrappings stand; false when others
 * are reading and it must be left to them.  store/key_scrub.c
 */
bool store_key_scrub(struct store *s);

#endif
