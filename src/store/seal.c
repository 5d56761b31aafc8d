/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealing: AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce in front,
 * the tag at the end, and the value's place in the store as associated data, so
 * that a sealed value moved to another row does not open.  OpenSSL is
 * initialised here on first use and without its configuration file.
 *
 * Also the primitives for the audit log's chain: SHA-256 (FIPS 180-4), HMAC
 * (RFC 2104), and a key derived by HKDF (RFC 5869).
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/limits.h"
#include "store/seal.h"

struct job {
	bool sealing;
	struct str key, where, in;
	const unsigned char *nonce;
	unsigned char *out; /* room for in.n */
	unsigned char *tag;
};

static void
cipher_done(EVP_CIPHER **c)
{
	EVP_CIPHER_free(*c);
}

static void
ctx_done(EVP_CIPHER_CTX **c)
{
	EVP_CIPHER_CTX_free(*c); /* wipes the key schedule */
}

static bool
seal_start(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const struct job *j)
{
	const unsigned char *key = (const unsigned char *)j->key.p;
	const unsigned char *where = (const unsigned char *)j->where.p;
	int n;

	return EVP_CipherInit_ex2(ctx, cipher, key, j->nonce, j->sealing,
		   NULL) == 1 &&
	    EVP_CipherUpdate(ctx, NULL, &n, where, (int)j->where.n) == 1;
}

static bool
seal_finish(EVP_CIPHER_CTX *ctx, const struct job *j)
{
	const unsigned char *in = (const unsigned char *)j->in.p;
	unsigned char rest[16];
	int n;

	if (j->in.n > 0 &&
	    EVP_CipherUpdate(ctx, j->out, &n, in, (int)j->in.n) != 1)
		return false;
	if (!j->sealing &&
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_TAG, SEAL_TAG, j->tag) !=
		1)
		return false;
	/* A stream mode has no rest; this checks or makes the tag. */
	if (EVP_CipherFinal_ex(ctx, rest, &n) != 1)
		return false;
	return !j->sealing ||
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, SEAL_TAG, j->tag) ==
	    1;
}

/* As net/wire_openssl.c. */
static bool
seal_begin(void)
{
	return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG |
		       OPENSSL_INIT_NO_ATEXIT,
		   NULL) == 1;
}

/* Callback of secret_lend(); 0 or -1 without an error text. */
static int
seal_with_key(struct str key, void *ctx)
{
	CLEANUP(cipher_done) EVP_CIPHER *cipher = NULL;
	CLEANUP(ctx_done) EVP_CIPHER_CTX *c = NULL;
	struct job *j = ctx;

	j->key = key;
	if (key.n != SEAL_KEY || j->in.n > LIMIT_SECRET)
		return -1;
	if (!seal_begin())
		return -1;
	cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
	c = EVP_CIPHER_CTX_new();
	if (cipher == NULL || c == NULL)
		return -1;
	return seal_start(c, cipher, j) && seal_finish(c, j) ? 0 : -1;
}

static int
seal_random_bytes(unsigned char *p, size_t n, struct err *e)
{
	if (getrandom(p, n, 0) == (ssize_t)n)
		return 0;
	(void)err_set(e, ERR_INTERNAL, "the system gave no random bytes");
	return err_errno(e, "getrandom");
}

int
seal_key(struct secret **out, struct err *e)
{
	unsigned char key[SEAL_KEY];
	int r = seal_random_bytes(key, sizeof(key), e);

	if (r == 0)
		*out = secret_new(key, sizeof(key));
	secret_wipe(key, sizeof(key));
	return r;
}

struct making {
	struct job job;
	const struct secret *key;
};

static int
seal_with_plain(struct str plain, void *ctx)
{
	struct making *m = ctx;

	m->job.in = plain;
	return secret_lend(m->key, seal_with_key, &m->job);
}

int
seal_make(const struct secret *key, struct str where,
    const struct secret *plain, struct arena *a, struct str *sealed,
    struct err *e)
{
	size_t n = secret_size(plain);
	unsigned char *p = arena_alloc(a, SEAL_NONCE + n + SEAL_TAG);
	struct making m = { .key = key };

	if (seal_random_bytes(p, SEAL_NONCE, e) < 0)
		return -1;
	m.job.sealing = true;
	m.job.where = where;
	m.job.nonce = p;
	m.job.out = p + SEAL_NONCE;
	m.job.tag = p + SEAL_NONCE + n;
	if (secret_lend(plain, seal_with_plain, &m) < 0)
		return err_set(e, ERR_INTERNAL, "sealing failed");
	*sealed = (struct str){ (char *)p, SEAL_NONCE + n + SEAL_TAG };
	return 0;
}

int
seal_open(const struct secret *key, struct str where, struct str sealed,
    struct secret **out, struct err *e)
{
	unsigned char plain[LIMIT_SECRET];
	unsigned char tag[SEAL_TAG];
	struct job j = { .where = where, .out = plain, .tag = tag };
	size_t n = sealed.n - SEAL_NONCE - SEAL_TAG;
	int r;

	if (sealed.n < SEAL_NONCE + SEAL_TAG || n > LIMIT_SECRET)
		return err_set(e, ERR_CONFIG, "a sealed value is damaged");
	j.nonce = (const unsigned char *)sealed.p;
	j.in = (struct str){ sealed.p + SEAL_NONCE, n };
	memcpy(tag, sealed.p + SEAL_NONCE + n, SEAL_TAG);

	r = secret_lend(key, seal_with_key, &j);
	if (r == 0)
		*out = secret_new(plain, n);
	/*
	 * Also after a failure: the bytes are decrypted before the tag is
	 * checked.
	 */
	secret_wipe(plain, n);
	if (r < 0)
		return err_set(e, ERR_CONFIG, "a sealed value does not open");
	return 0;
}

void
seal_hash(struct str bytes, unsigned char out[SEAL_HASH])
{
	unsigned n = 0;

	if (!seal_begin() ||
	    EVP_Digest(bytes.n > 0 ? bytes.p : "", bytes.n, out, &n,
		EVP_sha256(), NULL) != 1 ||
	    n != SEAL_HASH)
		err_bug("no SHA-256");
}

static int
seal_hmac(struct str key, struct str text, unsigned char out[SEAL_HASH])
{
	const unsigned char *in = (const unsigned char *)text.p;
	size_t n = 0;

	if (!seal_begin() ||
	    EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key.p, key.n, in,
		text.n, out, SEAL_HASH, &n) == NULL)
		return -1;
	return n == SEAL_HASH ? 0 : -1;
}

struct macing {
	struct str text;
	unsigned char *out;
};

static int
mac_with(struct str key, void *ctx)
{
	struct macing *m = ctx;

	return seal_hmac(key, m->text, m->out);
}

int
seal_mac(const struct secret *key, struct str text,
    unsigned char out[SEAL_HASH], struct err *e)
{
	struct macing m = { text, out };

	if (secret_lend(key, mac_with, &m) < 0)
		return err_set(e, ERR_INTERNAL, "no HMAC");
	return 0;
}

struct seal_run {
	EVP_MAC *mac;
	EVP_MAC_CTX *ctx;
};

void
seal_run_drop(struct seal_run **r)
{
	if (*r == NULL)
		return;
	EVP_MAC_CTX_free((*r)->ctx); /* wipes the key */
	EVP_MAC_free((*r)->mac);
	free(*r);
	*r = NULL;
}

static int
seal_run_start(struct str key, void *ctx)
{
	char sha256[] = "SHA256";
	const OSSL_PARAM how[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, sha256,
		    0),
		OSSL_PARAM_construct_end(),
	};
	struct seal_run *r = ctx;

	if (!seal_begin())
		return -1;
	r->mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
	r->ctx = r->mac != NULL ? EVP_MAC_CTX_new(r->mac) : NULL;
	return r->ctx != NULL &&
		EVP_MAC_init(r->ctx, (const unsigned char *)key.p, key.n,
		    how) == 1
	    ? 0
	    : -1;
}

int
seal_run_begin(const struct secret *key, struct seal_run **out, struct err *e)
{
	CLEANUP(seal_run_drop) struct seal_run *r = calloc(1, sizeof(*r));

	if (r == NULL)
		err_bug("out of memory");
	if (secret_lend(key, seal_run_start, r) < 0)
		return err_set(e, ERR_INTERNAL, "no HMAC");
	*out = r;
	r = NULL;
	return 0;
}

int
seal_run_add(struct seal_run *r, struct str part, struct err *e)
{
	if (EVP_MAC_update(r->ctx, (const unsigned char *)part.p, part.n) == 1)
		return 0;
	return err_set(e, ERR_INTERNAL, "no HMAC");
}

int
seal_run_end(struct seal_run **r, unsigned char out[SEAL_HASH], struct err *e)
{
	size_t n = 0;
	bool good =
	    EVP_MAC_final((*r)->ctx, out, &n, SEAL_HASH) == 1 && n == SEAL_HASH;

	seal_run_drop(r);
	return good ? 0 : err_set(e, ERR_INTERNAL, "no HMAC");
}

/* RFC 5869 section 2.2, without a salt: the key is the text here. */
static int
seal_extract(struct str key, void *ctx)
{
	static const char salt[SEAL_HASH];

	return seal_hmac((struct str){ salt, sizeof(salt) }, key, ctx);
}

int
seal_derive(const struct secret *key, struct str info, struct secret **out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	/* Section 2.3: the first block is all that is needed. */
	struct str block = str_fmt(a, "%.*s\1", STR_ARG(info));
	unsigned char prk[SEAL_HASH], okm[SEAL_HASH];
	int r = secret_lend(key, seal_extract, prk);

	if (r == 0)
		r = seal_hmac((struct str){ (char *)prk, sizeof(prk) }, block,
		    okm);
	if (r == 0)
		*out = secret_new(okm, sizeof(okm));
	secret_wipe(prk, sizeof(prk));
	secret_wipe(okm, sizeof(okm));
	return r == 0 ? 0 : err_set(e, ERR_INTERNAL, "no HMAC");
}

bool
seal_same(struct str x, struct str y)
{
	return x.n == y.n && (x.n == 0 || CRYPTO_memcmp(x.p, y.p, x.n) == 0);
}
