#include <openssl/evp.h>

#include "base/err.h"
#include "net/sha256.h"

void
sha256_of(struct str bytes, unsigned char out[32])
{
	unsigned n = 0;

	if (EVP_Digest(bytes.n > 0 ? bytes.p : "", bytes.n, out, &n,
		EVP_sha256(), NULL) != 1 ||
	    n != 32)
		err_bug("no SHA-256");
}
