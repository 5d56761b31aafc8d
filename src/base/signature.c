/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures: keys and values in the forms that OpenSSL reads, and its verdict.
 */
#include "base/signature.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "base/buf.h"

enum {
	HASH = 32,
	RSA_MOST = 8192,  /* bits; larger than any key in use */
	RSA_BYTES = 1024, /* of such a number */
	P256_HALF = 32,
	P256_BOTH = 64,
	ED25519_KEY = 32,
	ED25519_VALUE = 64,
	DER_MOST = 4096,
	DER_INTEGER = 0x02,
	DER_BITS = 0x03,
	DER_SEQUENCE = 0x30
};

static void
signature_key_done(EVP_PKEY **k)
{
	EVP_PKEY_free(*k);
}

static void
signature_ctx_done(EVP_PKEY_CTX **c)
{
	EVP_PKEY_CTX_free(*c);
}

static void
signature_md_done(EVP_MD_CTX **c)
{
	EVP_MD_CTX_free(*c);
}

/* -- DER, X.690 ------------------------------------------------------------ */

/* The head of a value of n bytes, fewer than 65536. */
static void
signature_put_head(struct buf *b, unsigned char tag, size_t n)
{
	buf_char(b, (char)tag);
	if (n > 0xff)
		buf_char(b, (char)0x82);
	else if (n > 0x7f)
		buf_char(b, (char)0x81);
	if (n > 0xff)
		buf_char(b, (char)(n >> 8));
	buf_char(b, (char)n);
}

/* A number that is not negative, without leading zeros. */
static void
signature_put_integer(struct buf *b, struct str n)
{
	while (n.n > 1 && n.p[0] == 0)
		n = str_from(n, 1);
	signature_put_head(b, DER_INTEGER, n.n + ((n.p[0] & 0x80) != 0));
	if ((n.p[0] & 0x80) != 0)
		buf_char(b, 0);
	buf_str(b, n);
}

/* SEQUENCE { x, y } */
static struct str
signature_pair(struct arena *a, struct str x, struct str y)
{
	struct buf in, b;

	buf_init(&in, a, DER_MOST);
	buf_init(&b, a, DER_MOST);
	signature_put_integer(&in, x);
	signature_put_integer(&in, y);
	signature_put_head(&b, DER_SEQUENCE, in.n);
	buf_str(&b, buf_view(&in));
	return buf_view(&b);
}

/* RFC 3279 section 2.3.1. */
struct str
signature_rsa_key(struct arena *a, struct str n, struct str e)
{
	/* SEQUENCE { rsaEncryption, NULL } */
	static const unsigned char algorithm[] = { 0x30, 0x0d, 0x06, 0x09, 0x2a,
		0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00 };
	struct buf bits, in, b;

	if (n.n == 0 || n.n > RSA_BYTES || e.n == 0 || e.n > RSA_BYTES)
		return S("");
	buf_init(&bits, a, DER_MOST);
	buf_init(&in, a, DER_MOST);
	buf_init(&b, a, DER_MOST);
	buf_char(&bits, 0); /* no unused bits */
	buf_str(&bits, signature_pair(a, n, e));
	buf_add(&in, algorithm, sizeof(algorithm));
	signature_put_head(&in, DER_BITS, bits.n);
	buf_str(&in, buf_view(&bits));
	signature_put_head(&b, DER_SEQUENCE, in.n);
	buf_str(&b, buf_view(&in));
	return buf_view(&b);
}

/* RFC 5480 section 2: the point, uncompressed. */
static struct str
signature_p256_key(struct arena *a, struct str point)
{
	/* SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING { 4 */
	static const unsigned char head[] = { 0x30, 0x59, 0x30, 0x13, 0x06,
		0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
		0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42,
		0x00, 0x04 };
	struct buf b;

	buf_init(&b, a, DER_MOST);
	buf_add(&b, head, sizeof(head));
	buf_str(&b, point);
	return buf_view(&b);
}

/* -- verdicts -------------------------------------------------------------- */

static bool
signature_is_rsa(EVP_PKEY *key, int bits)
{
	return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
	    EVP_PKEY_get_bits(key) >= bits &&
	    EVP_PKEY_get_bits(key) <= RSA_MOST;
}

static bool
signature_pad(EVP_PKEY_CTX *c, enum signature_kind kind)
{
	if (kind == SIGNATURE_P256)
		return true;
	if (kind == SIGNATURE_RSA)
		return EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PADDING) == 1;
	return EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PSS_PADDING) == 1 &&
	    EVP_PKEY_CTX_set_rsa_pss_saltlen(c, RSA_PSS_SALTLEN_DIGEST) == 1;
}

/* Over a hash. */
static bool
signature_good_hash(struct arena *a, const struct signature *x)
{
	bool p256 = x->kind == SIGNATURE_P256;
	struct str der = p256 ? signature_p256_key(a, x->key) : x->key;
	struct str value = x->value;
	const unsigned char *p = (const unsigned char *)der.p;
	CLEANUP(signature_key_done) EVP_PKEY *key = NULL;
	CLEANUP(signature_ctx_done) EVP_PKEY_CTX *c = NULL;

	if (x->of.n != HASH || der.n == 0 ||
	    (p256 && (x->key.n != P256_BOTH || value.n != P256_BOTH)))
		return false;
	if (p256)
		value = signature_pair(a, str_first(value, P256_HALF),
		    str_from(value, P256_HALF));
	key = d2i_PUBKEY(NULL, &p, (long)der.n);
	if (key == NULL || (!p256 && !signature_is_rsa(key, x->bits)))
		return false;
	c = EVP_PKEY_CTX_new(key, NULL);
	return c != NULL && EVP_PKEY_verify_init(c) == 1 &&
	    signature_pad(c, x->kind) &&
	    EVP_PKEY_CTX_set_signature_md(c, EVP_sha256()) == 1 &&
	    EVP_PKEY_verify(c, (const unsigned char *)value.p, value.n,
		(const unsigned char *)x->of.p, x->of.n) == 1;
}

static bool
signature_good_ed25519(const struct signature *x)
{
	CLEANUP(signature_key_done) EVP_PKEY *key = NULL;
	CLEANUP(signature_md_done) EVP_MD_CTX *c = NULL;

	if (x->key.n != ED25519_KEY || x->value.n != ED25519_VALUE)
		return false;
	key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL,
	    (const unsigned char *)x->key.p, x->key.n);
	c = EVP_MD_CTX_new();
	return key != NULL && c != NULL &&
	    EVP_DigestVerifyInit(c, NULL, NULL, NULL, key) == 1 &&
	    EVP_DigestVerify(c, (const unsigned char *)x->value.p, x->value.n,
		(const unsigned char *)x->of.p, x->of.n) == 1;
}

bool
signature_good(const struct signature *x)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	bool good = x->kind == SIGNATURE_ED25519 ? signature_good_ed25519(x)
						 : signature_good_hash(a, x);

	ERR_clear_error();
	return good;
}
