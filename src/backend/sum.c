/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fast checksum, for detecting damage in emcli's own files.  Collisions can
 * be constructed, so it is used only for data that can be rebuilt.
 */
#include "backend/internal.h"

#define PRIME 0x9e3779b97f4a7c15U

uint64_t
backend_sum(uint64_t seed, const void *p, size_t n)
{
	const unsigned char *c = p;
	uint64_t h = (seed ^ n) * PRIME, w;

	for (; n >= 8; n -= 8, c += 8) {
		memcpy(&w, c, 8);
		h = (h ^ w) * PRIME;
		h ^= h >> 29;
	}
	w = 0;
	if (n > 0)
		memcpy(&w, c, n);
	h = (h ^ w) * PRIME;
	return h ^ h >> 32;
}
