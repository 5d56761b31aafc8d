/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key record, RFC 6376 section 3.6.1, and the check of a signature with it.
 * A signature fails if the record forbids it or cannot be read.
 */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "base/base64.h"
#include "base/limits.h"
#include "mime/internal.h"

enum {
	RSA_LEAST = 1024, /* RFC 8301 section 3.2 */
	RSA_MOST = 8192,  /* larger than any key in use */
	ED25519_KEY = 32,
	ED25519_SIGNATURE = 64
};

static void
key_done(EVP_PKEY **k)
{
	EVP_PKEY_free(*k);
}

static void
key_ctx_done(EVP_PKEY_CTX **c)
{
	EVP_PKEY_CTX_free(*c);
}

static void
md_ctx_done(EVP_MD_CTX **c)
{
	EVP_MD_CTX_free(*c);
}

/* Does the record allow this signature with its key? */
static bool
dkim_key_allows(const struct dkim_tags *t, const struct dkim *d)
{
	struct str flags = dkim_tag_get(t, "t", S(""));
	struct str k = dkim_tag_get(t, "k", S("rsa"));
	struct str s = dkim_tag_get(t, "s", S("*"));

	/* v= is optional, but if present it must come first. */
	if (dkim_tag_find(t, "v") != NULL &&
	    (!str_eq(t->v[0].name, S("v")) ||
		!str_eq(t->v[0].value, S("DKIM1"))))
		return false;
	if (!str_eq(k, d->ed25519 ? S("ed25519") : S("rsa")))
		return false;
	if (!dkim_tag_lists(dkim_tag_get(t, "h", S("sha256")), S("sha256")))
		return false;
	if (!dkim_tag_lists(s, S("*")) && !dkim_tag_lists(s, S("email")))
		return false;
	/* In test mode, a signed message counts like an unsigned one. */
	if (dkim_tag_lists(flags, S("y")))
		return false;
	return !d->within || !dkim_tag_lists(flags, S("s"));
}

static bool
dkim_key_verify_rsa(const unsigned char *p, size_t n, const struct dkim *d)
{
	CLEANUP(key_done) EVP_PKEY *key = d2i_PUBKEY(NULL, &p, (long)n);
	CLEANUP(key_ctx_done) EVP_PKEY_CTX *c = NULL;

	if (key == NULL || EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA ||
	    EVP_PKEY_get_bits(key) < RSA_LEAST ||
	    EVP_PKEY_get_bits(key) > RSA_MOST)
		return false;
	c = EVP_PKEY_CTX_new(key, NULL);
	return c != NULL && EVP_PKEY_verify_init(c) == 1 &&
	    EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PADDING) == 1 &&
	    EVP_PKEY_CTX_set_signature_md(c, EVP_sha256()) == 1 &&
	    EVP_PKEY_verify(c, (const unsigned char *)d->b.p, d->b.n, d->head,
		sizeof(d->head)) == 1;
}

/* RFC 8463 section 3: the signature is over the hash. */
static bool
dkim_key_verify_ed25519(const unsigned char *p, size_t n, const struct dkim *d)
{
	CLEANUP(key_done) EVP_PKEY *key = NULL;
	CLEANUP(md_ctx_done) EVP_MD_CTX *c = NULL;

	if (n != ED25519_KEY || d->b.n != ED25519_SIGNATURE)
		return false;
	key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, p, n);
	c = EVP_MD_CTX_new();
	return key != NULL && c != NULL &&
	    EVP_DigestVerifyInit(c, NULL, NULL, NULL, key) == 1 &&
	    EVP_DigestVerify(c, (const unsigned char *)d->b.p, d->b.n, d->head,
		sizeof(d->head)) == 1;
}

bool
dkim_key_verify(struct arena *a, struct str record, const struct dkim *d)
{
	struct dkim_tags t;
	struct str text;
	unsigned char *p;
	ptrdiff_t n;
	bool good;

	if (record.n > LIMIT_DKIM_KEY || !dkim_tag_read(a, record, &t) ||
	    !dkim_key_allows(&t, d))
		return false;
	text = dkim_tag_squeeze(a, dkim_tag_get(&t, "p", S("")));
	p = arena_alloc(a, text.n + 3);
	n = base64_decode(p, text);
	if (n <= 0)
		return false; /* empty: revoked */
	good = d->ed25519 ? dkim_key_verify_ed25519(p, (size_t)n, d)
			  : dkim_key_verify_rsa(p, (size_t)n, d);
	ERR_clear_error();
	return good;
}
