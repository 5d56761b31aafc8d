/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_SIGNATURE_H
#define BASE_SIGNATURE_H

/*
 * Checks of signatures by strangers' keys: of mail (DKIM) and of access tokens
 * (JWS).  No I/O.
 */
#include "base/str.h"

enum signature_kind {
	SIGNATURE_RSA,     /* RSASSA-PKCS1-v1_5 with SHA-256 */
	SIGNATURE_RSA_PSS, /* RSASSA-PSS with SHA-256, and a salt of its size */
	SIGNATURE_P256,    /* ECDSA on P-256 with SHA-256 */
	SIGNATURE_ED25519,
};

struct signature {
	enum signature_kind kind;
	/* RSA: a SubjectPublicKeyInfo; P-256: x and y; Ed25519: the key. */
	struct str key;
	int bits;         /* RSA: shorter keys are refused */
	struct str of;    /* the SHA-256; Ed25519: what is signed */
	struct str value; /* P-256: r and s */
};

/* False also for a key or a signature that cannot be read. */
bool signature_good(const struct signature *x);
/* The SubjectPublicKeyInfo of an RSA key, from big-endian numbers; empty: they
 * are none. */
struct str signature_rsa_key(struct arena *a, struct str n, struct str e);

#endif
