/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_SHA256_H
#define NET_SHA256_H

/* SHA-256 (FIPS 180-4) and HMAC with it, for code that must not use OpenSSL. */
#include "base/str.h"

void sha256_of(struct str bytes, unsigned char out[32]);
/* RFC 2104; a key may be empty. */
void sha256_hmac(struct str key, struct str bytes, unsigned char out[32]);

#endif
