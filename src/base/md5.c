/* SPDX-License-Identifier: Apache-2.0 */
#include "base/md5.h"

#include <string.h>

#define BLOCK 64

/* RFC 1321, section 3.4: the sines of 1 to 64, and how far each step turns. */
static const uint32_t md5_sines[64] = {
	0xd76aa478,
	0xe8c7b756,
	0x242070db,
	0xc1bdceee,
	0xf57c0faf,
	0x4787c62a,
	0xa8304613,
	0xfd469501,
	0x698098d8,
	0x8b44f7af,
	0xffff5bb1,
	0x895cd7be,
	0x6b901122,
	0xfd987193,
	0xa679438e,
	0x49b40821,
	0xf61e2562,
	0xc040b340,
	0x265e5a51,
	0xe9b6c7aa,
	0xd62f105d,
	0x02441453,
	0xd8a1e681,
	0xe7d3fbc8,
	0x21e1cde6,
	0xc33707d6,
	0xf4d50d87,
	0x455a14ed,
	0xa9e3e905,
	0xfcefa3f8,
	0x676f02d9,
	0x8d2a4c8a,
	0xfffa3942,
	0x8771f681,
	0x6d9d6122,
	0xfde5380c,
	0xa4beea44,
	0x4bdecfa9,
	0xf6bb4b60,
	0xbebfbc70,
	0x289b7ec6,
	0xeaa127fa,
	0xd4ef3085,
	0x04881d05,
	0xd9d4d039,
	0xe6db99e5,
	0x1fa27cf8,
	0xc4ac5665,
	0xf4292244,
	0x432aff97,
	0xab9423a7,
	0xfc93a039,
	0x655b59c3,
	0x8f0ccc92,
	0xffeff47d,
	0x85845dd1,
	0x6fa87e4f,
	0xfe2ce6e0,
	0xa3014314,
	0x4e0811a1,
	0xf7537e82,
	0xbd3af235,
	0x2ad7d2bb,
	0xeb86d391,
};
static const unsigned char md5_turns[4][4] = { { 7, 12, 17, 22 },
	{ 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };

static uint32_t
md5_word(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

static void
md5_add_block(uint32_t sum[4], const unsigned char *p)
{
	uint32_t a = sum[0], b = sum[1], c = sum[2], d = sum[3], f;

	for (unsigned i = 0; i < 64; i++) {
		unsigned turn = md5_turns[i / 16][i % 4], at;

		if (i < 16) {
			f = (b & c) | (~b & d);
			at = i;
		} else if (i < 32) {
			f = (d & b) | (~d & c);
			at = (5 * i + 1) % 16;
		} else if (i < 48) {
			f = b ^ c ^ d;
			at = (3 * i + 5) % 16;
		} else {
			f = c ^ (b | ~d);
			at = 7 * i % 16;
		}
		f += a + md5_sines[i] + md5_word(p + 4UL * at);
		a = d;
		d = c;
		c = b;
		b += f << turn | f >> (32 - turn);
	}
	sum[0] += a;
	sum[1] += b;
	sum[2] += c;
	sum[3] += d;
}

void
md5_of(struct str bytes, unsigned char out[16])
{
	uint32_t sum[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
	const unsigned char *p = (const unsigned char *)bytes.p;
	unsigned char last[2 * BLOCK] = { 0 };
	size_t n = bytes.n % BLOCK, whole = bytes.n - n;
	size_t end = n < BLOCK - 8 ? BLOCK : sizeof(last);
	uint64_t bits = (uint64_t)bytes.n * 8;

	for (size_t i = 0; i < whole; i += BLOCK)
		md5_add_block(sum, p + i);
	if (n > 0)
		memcpy(last, p + whole, n);
	last[n] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[end - 8 + i] = (unsigned char)(bits >> (8 * i));
	for (size_t i = 0; i < end; i += BLOCK)
		md5_add_block(sum, last + i);
	for (unsigned i = 0; i < 16; i++)
		out[i] = (unsigned char)(sum[i / 4] >> (8 * (i % 4)));
}
