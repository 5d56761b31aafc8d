#ifndef STORE_SLOT_H
#define STORE_SLOT_H

/* The keys, and the slots the DEK is wrapped in. */
#include "store/internal.h"
#include "store/key.h"

/* -- key.c --------------------------------------------------------------- */

/* A key of the environment, and the slot in settings it opens. */
struct key {
	const char *env;  /* "EMCLI_KEY" */
	const char *slot; /* "dek_wrap_agent" */
	struct secret *key;
};

/* The key that serves the role: for an agent its own, or else the admin's.
 * ERR_CONFIG with the seed's sentences. */
int store_key_pick(enum store_role role, const struct store_keys *k,
    struct key *out, struct err *e);
int store_key_admin(const struct store_keys *k, struct key *out, struct err *e);
int store_key_agent(const struct store_keys *k, struct key *out, struct err *e);
void store_key_done(struct key *k);
/* 1 and the DEK, 0 when the slot is empty, -1. */
int store_key_unwrap(struct store *s, const struct key *k, struct secret **dek,
    struct err *e);
/* The same of the admin's slot; *older: it says nothing of signed rows. */
int store_key_unwrap_older(struct store *s, const struct key *k,
    struct secret **dek, bool *older, struct err *e);
/* Fills the slot, which was empty. */
int store_key_wrap(struct store *s, const struct key *k,
    const struct secret *dek, struct err *e);
/* Puts another wrapping into a slot that is full. */
int store_key_renew(struct store *s, const struct key *k,
    const struct secret *dek, struct err *e);
/* What the environment gives for a slot.  ERR_CONFIG. */
int store_key_slot(enum store_slot which, const struct store_keys *k,
    struct key *out, struct err *e);
/* How often the DEK was changed. */
int store_key_count(struct store *s, int64_t *out, struct err *e);
/* Refuses to go on with a DEK that somebody else has changed since. */
int store_key_current(struct store *s, struct err *e);
/* ERR_CONFIG: "EMCLI_KEY does not open this store" */
int store_key_refuse(const struct key *k, struct err *e);

#endif
