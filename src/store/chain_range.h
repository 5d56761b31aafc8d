/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CHAIN_RANGE_H
#define STORE_CHAIN_RANGE_H

/*
 * The audit log has several chains where several processes write at once.  A
 * chain owns a range of numbers: the ids of its rows and the numbers of its
 * links.  Chain 3 has those from 3000000000001 on.  A store that is a file adds
 * to chain 0.
 */
#include <stdint.h>

#define CHAIN_RANGE 1000000000000LL
#define CHAIN_RANGE_SQL "1000000000000"

enum {
	CHAIN_RANGES = 32,
	CHAIN_ANCHOR = 1000 /* links of a chain between two anchors */
};

/* Whose number it is.  What is beyond the last range counts for that. */
static inline int
chain_range_of(int64_t n)
{
	int64_t k = n / CHAIN_RANGE;

	return k < 0 ? 0 : k >= CHAIN_RANGES ? CHAIN_RANGES - 1 : (int)k;
}

/* The number before the first that is given. */
static inline int64_t
chain_range_base(int k)
{
	return k * CHAIN_RANGE;
}

/* What may be found in the range, whoever wrote it. */
static inline int64_t
chain_range_least(int k)
{
	return k == 0 ? INT64_MIN : chain_range_base(k);
}

static inline int64_t
chain_range_most(int k)
{
	return k == CHAIN_RANGES - 1 ? INT64_MAX : chain_range_base(k + 1) - 1;
}

#endif
