/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SLOT_H
#define STORE_SLOT_H

/* The keys, and the slots that contain the wrapped DEK. */
#include "store/internal.h"
#include "store/key.h"

/* -- key.c --------------------------------------------------------------- */

/* A key of the environment, and the slot in settings that it opens. */
struct key {
	const char *env;  /* "EMCLI_KEY" */
	const char *slot; /* "dek_wrap_agent" */
	struct secret *key;
};

/*
 * The key for the role: an agent's own, otherwise the admin's.  ERR_CONFIG with
 * the seed's sentences.
 */
int store_key_pick(enum store_role role, const struct store_keys *k,
    struct key *out, struct err *e);
int store_key_admin(const struct store_keys *k, struct key *out, struct err *e);
int store_key_agent(const struct store_keys *k, struct key *out, struct err *e);
void store_key_done(struct key *k);
/* 1 and the DEK, 0 when the slot is empty, -1. */
int store_key_unwrap(struct store *s, const struct key *k, struct secret **dek,
    struct err *e);
/* The same for the admin's slot; *older: it does not mention signed rows. */
int store_key_unwrap_older(struct store *s, const struct key *k,
    struct secret **dek, bool *older, struct err *e);
/* Fills an empty slot. */
int store_key_wrap(struct store *s, const struct key *k,
    const struct secret *dek, struct err *e);
/* Replaces the wrapping in a full slot. */
int store_key_renew(struct store *s, const struct key *k,
    const struct secret *dek, struct err *e);
/* The key in the environment for a slot.  ERR_CONFIG. */
int store_key_slot(enum store_slot which, const struct store_keys *k,
    struct key *out, struct err *e);
/* How many times the DEK was changed. */
int store_key_count(struct store *s, int64_t *out, struct err *e);
/* Fails if another process has changed the DEK since. */
int store_key_current(struct store *s, struct err *e);
/* ERR_CONFIG: "EMCLI_KEY does not open this store" */
int store_key_refuse(const struct key *k, struct err *e);

#endif
