#ifndef SOURCE_SINCE_H
#define SOURCE_SINCE_H

/* The contract's `since`: a moment, in UTC.  What is newer is strictly so. */
#include "base/str.h"

/*
 * Reads "2026-06-21" (its first second), an RFC 3339 date-time, or "14d",
 * "2w", "6h" back from `now_s`: a number from 1, without zeros in front, and
 * not further than 100 years.  Unix seconds.  False when it is none of them.
 */
bool since_parse(struct str s, int64_t now_s, int64_t *out);

#endif
