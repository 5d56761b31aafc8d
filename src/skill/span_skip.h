/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_SPAN_SKIP_H
#define SKILL_SPAN_SKIP_H

/*
 * Skips values of a valid JSON text, eight bytes at once and more; only for
 * span.c and span_check.c.
 */
#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

#define SPAN_SKIP_ONES UINT64_C(0x0101010101010101)
#define SPAN_SKIP_HIGH UINT64_C(0x8080808080808080)

/* The byte at p is the lowest. */
static inline uint64_t
span_skip_word(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return le64toh(x);
}

/*
 * Marks a byte by its highest bit.  The subtraction borrows from the bytes
 * above, so only the lowest mark of a word is reliable.
 */
static inline uint64_t
span_skip_mark(uint64_t x, unsigned char c)
{
	x ^= c * SPAN_SKIP_ONES;
	return (x - SPAN_SKIP_ONES) & ~x & SPAN_SKIP_HIGH;
}

/* Marks bytes below n, at most 128. */
static inline uint64_t
span_skip_below(uint64_t x, unsigned char n)
{
	return (x - n * SPAN_SKIP_ONES) & ~x & SPAN_SKIP_HIGH;
}

/* The number of bytes before the lowest mark; there must be one. */
static inline size_t
span_skip_before(uint64_t marks)
{
	return (size_t)__builtin_ctzll(marks) / 8;
}

/* The index after the string, and after the value, that begins at i. */
size_t span_skip_string(struct str s, size_t i);
size_t span_skip_value(struct str s, size_t i);

#endif
