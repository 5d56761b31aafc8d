/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_OAUTH_SIGNER_H
#define UNIT_OAUTH_SIGNER_H

/* An issuer of our own: its keys, as a JWK Set, and tokens signed with them. */
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum signer_key {
	SIGNER_RSA,
	SIGNER_RSA_OTHER,
	SIGNER_RSA_SHORT, /* 1024 bits */
	SIGNER_P256,
	SIGNER_ED25519,
	SIGNER_KEYS
};

static EVP_PKEY *signer_keys[SIGNER_KEYS];

static inline void
signer_begin(void)
{
	signer_keys[SIGNER_RSA] = EVP_RSA_gen(2048);
	signer_keys[SIGNER_RSA_OTHER] = EVP_RSA_gen(2048);
	signer_keys[SIGNER_RSA_SHORT] = EVP_RSA_gen(1024);
	signer_keys[SIGNER_P256] = EVP_EC_gen("P-256");
	signer_keys[SIGNER_ED25519] = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	for (int i = 0; i < SIGNER_KEYS; i++)
		if (signer_keys[i] == NULL)
			err_bug("no key");
}

static inline void
signer_end(void)
{
	for (int i = 0; i < SIGNER_KEYS; i++)
		EVP_PKEY_free(signer_keys[i]);
}

static inline struct str
signer_base64url(struct arena *a, struct str raw)
{
	char *p = arena_alloc(a, base64_size(raw.n) + 1);
	size_t n = base64_encode(p, raw.p, raw.n);

	for (size_t i = 0; i < n; i++)
		p[i] = p[i] == '+' ? '-' : p[i] == '/' ? '_' : p[i];
	while (n > 0 && p[n - 1] == '=')
		n--;
	return (struct str){ p, n };
}

static inline struct str
signer_number(struct arena *a, enum signer_key which, const char *name)
{
	unsigned char raw[512];
	BIGNUM *n = NULL;
	int len;

	if (EVP_PKEY_get_bn_param(signer_keys[which], name, &n) != 1)
		err_bug("no %s", name);
	len = which == SIGNER_P256 ? 32 : BN_num_bytes(n);
	(void)BN_bn2binpad(n, raw, len);
	BN_free(n);
	return signer_base64url(a, (struct str){ (char *)raw, (size_t)len });
}

/* The members of a key that say what it is. */
static inline struct str
signer_jwk(struct arena *a, enum signer_key which)
{
	unsigned char raw[32];
	size_t n = sizeof(raw);

	if (which == SIGNER_P256)
		return str_fmt(a,
		    "\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%.*s\","
		    "\"y\":\"%.*s\"",
		    STR_ARG(signer_number(a, which, OSSL_PKEY_PARAM_EC_PUB_X)),
		    STR_ARG(signer_number(a, which, OSSL_PKEY_PARAM_EC_PUB_Y)));
	if (which != SIGNER_ED25519)
		return str_fmt(a,
		    "\"kty\":\"RSA\",\"n\":\"%.*s\",\"e\":\"%.*s\"",
		    STR_ARG(signer_number(a, which, OSSL_PKEY_PARAM_RSA_N)),
		    STR_ARG(signer_number(a, which, OSSL_PKEY_PARAM_RSA_E)));
	(void)EVP_PKEY_get_raw_public_key(signer_keys[which], raw, &n);
	return str_fmt(a, "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%.*s\"",
	    STR_ARG(signer_base64url(a, (struct str){ (char *)raw, n })));
}

/* RFC 7518 section 3.4: r and s, not DER. */
static inline struct str
signer_halves(struct arena *a, const unsigned char *der, size_t n)
{
	ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)n);
	unsigned char *raw = arena_alloc(a, 64);

	(void)BN_bn2binpad(ECDSA_SIG_get0_r(sig), raw, 32);
	(void)BN_bn2binpad(ECDSA_SIG_get0_s(sig), raw + 32, 32);
	ECDSA_SIG_free(sig);
	return (struct str){ (char *)raw, 64 };
}

static inline struct str
signer_value(struct arena *a, enum signer_key which, bool pss, struct str text)
{
	EVP_MD_CTX *c = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pc = NULL;
	unsigned char *raw = arena_alloc(a, 512);
	size_t n = 512;

	if (EVP_DigestSignInit(c, &pc,
		which == SIGNER_ED25519 ? NULL : EVP_sha256(), NULL,
		signer_keys[which]) != 1 ||
	    (pss &&
		(EVP_PKEY_CTX_set_rsa_padding(pc, RSA_PKCS1_PSS_PADDING) != 1 ||
		    EVP_PKEY_CTX_set_rsa_pss_saltlen(pc,
			RSA_PSS_SALTLEN_DIGEST) != 1)) ||
	    EVP_DigestSign(c, raw, &n, (const unsigned char *)text.p, text.n) !=
		1)
		err_bug("no signature");
	EVP_MD_CTX_free(c);
	return which == SIGNER_P256 ? signer_halves(a, raw, n)
				    : (struct str){ (char *)raw, n };
}

/* Header and claims, as the part of a token that is signed. */
static inline struct str
signer_text(struct arena *a, struct str header, struct str claims)
{
	return str_fmt(a, "%.*s.%.*s", STR_ARG(signer_base64url(a, header)),
	    STR_ARG(signer_base64url(a, claims)));
}

static inline struct str
signer_token(struct arena *a, struct str text, struct str value)
{
	return str_fmt(a, "%.*s.%.*s", STR_ARG(text),
	    STR_ARG(signer_base64url(a, value)));
}

#endif
