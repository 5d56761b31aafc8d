/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One SHA-256 for several values: of their concatenated hashes, so that values
 * cannot run into each other and nothing is copied.
 */
#include "store/outbox.h"
#include "store/seal.h"

struct str
store_digest_file(struct arena *a, struct str bytes)
{
	unsigned char hash[SEAL_HASH];

	seal_hash(bytes, hash);
	return str_hex_dup(a, hash, SEAL_HASH);
}

struct str
store_digest(struct arena *a, const struct str *part, size_t n)
{
	unsigned char hash[SEAL_HASH];
	char *all = arena_array(a, n, SEAL_HASH);

	for (size_t i = 0; i < n; i++) {
		seal_hash(part[i], hash);
		memcpy(all + i * SEAL_HASH, hash, SEAL_HASH);
	}
	seal_hash((struct str){ all, n * SEAL_HASH }, hash);
	return str_hex_dup(a, hash, SEAL_HASH);
}
