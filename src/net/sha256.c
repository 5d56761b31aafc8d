/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/err.h"
#include "net/internal.h"
#include "net/sha256.h"

void
sha256_of(struct str bytes, unsigned char out[32])
{
	unsigned n = 0;

	wire_openssl_begin();
	if (EVP_Digest(bytes.n > 0 ? bytes.p : "", bytes.n, out, &n,
		EVP_sha256(), NULL) != 1 ||
	    n != 32)
		err_bug("no SHA-256");
}

void
sha256_hmac(struct str key, struct str bytes, unsigned char out[32])
{
	const unsigned char *p = (const unsigned char *)bytes.p;
	unsigned n = 0;

	wire_openssl_begin();
	if (key.n > INT_MAX ||
	    HMAC(EVP_sha256(), key.n > 0 ? key.p : "", (int)key.n,
		bytes.n > 0 ? p : out, bytes.n, out, &n) == NULL ||
	    n != 32)
		err_bug("no HMAC-SHA-256");
}
