/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_SINCE_H
#define SOURCE_SINCE_H

/* The contract's `since`: a moment, in UTC.  Newer means strictly newer. */
#include "base/str.h"

/*
 * Parses "2026-06-21" (its first second), an RFC 3339 date-time, or "14d",
 * "2w", "6h" back from `now_s`: a number from 1, without leading zeros, and at
 * most 100 years.  Unix seconds.  False for anything else.
 */
bool since_parse(struct str s, int64_t now_s, int64_t *out);

#endif
