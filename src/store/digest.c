/*
 * One SHA-256 for several values: of their own hashes, one behind the other,
 * so that no value can grow into the next and nothing is copied.
 */
#include "store/internal.h"

static struct str
hex(struct arena *a, const unsigned char hash[SEAL_HASH])
{
	static const char digits[] = "0123456789abcdef";
	char *out = arena_alloc(a, 2 * SEAL_HASH + 1);

	for (size_t i = 0; i < SEAL_HASH; i++) {
		out[2 * i] = digits[hash[i] >> 4];
		out[2 * i + 1] = digits[hash[i] & 15];
	}
	return (struct str){ out, 2 * (size_t)SEAL_HASH };
}

struct str
store_digest_file(struct arena *a, struct str bytes)
{
	unsigned char hash[SEAL_HASH];

	seal_hash(bytes, hash);
	return hex(a, hash);
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
	return hex(a, hash);
}
