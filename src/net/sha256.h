#ifndef NET_SHA256_H
#define NET_SHA256_H

/* SHA-256 (FIPS 180-4), for those who may not see OpenSSL. */
#include "base/str.h"

void sha256_of(struct str bytes, unsigned char out[32]);

#endif
