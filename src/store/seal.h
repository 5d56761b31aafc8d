/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

/* All sealing, hashing and signing of the room; only seal.c uses OpenSSL. */
#include "store/internal.h"

/* -- seal.c: AES-256-GCM ------------------------------------------------- */

#define SEAL_KEY 32
#define SEAL_NONCE 12
#define SEAL_TAG 16

/* A fresh random key.  ERR_INTERNAL. */
int seal_key(struct secret **out, struct err *e);
/*
 * Nonce, ciphertext and tag of plain under key, bound to `where`: it opens only
 * with the same key and the same `where`.  ERR_INTERNAL.
 */
int seal_make(const struct secret *key, struct str where,
    const struct secret *plain, struct arena *a, struct str *sealed,
    struct err *e);
/* ERR_CONFIG if it does not open. */
int seal_open(const struct secret *key, struct str where, struct str sealed,
    struct secret **out, struct err *e);

#define SEAL_HASH 32

/* SHA-256. */
void seal_hash(struct str bytes, unsigned char out[SEAL_HASH]);
/* HMAC-SHA-256.  ERR_INTERNAL. */
int seal_mac(const struct secret *key, struct str text,
    unsigned char out[SEAL_HASH], struct err *e);
/*
 * The same of a text that comes in parts.  seal_run_end() and seal_run_drop()
 * close it.
 */
struct seal_run;
int seal_run_begin(const struct secret *key, struct seal_run **out,
    struct err *e);
int seal_run_add(struct seal_run *r, struct str part, struct err *e);
int seal_run_end(struct seal_run **r, unsigned char out[SEAL_HASH],
    struct err *e);
void seal_run_drop(struct seal_run **r);
/* Derives a key from another, HKDF-SHA-256.  ERR_INTERNAL. */
int seal_derive(const struct secret *key, struct str info, struct secret **out,
    struct err *e);
/* Are they equal?  In constant time for equal lengths. */
bool seal_same(struct str x, struct str y);

#endif
