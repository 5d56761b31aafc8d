/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* The two clocks, and times as text.  No zone files, no mktime(3). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Milliseconds of a clock that never goes back: for deadlines only. */
int64_t clock_mono_ms(void);
/* Seconds since 1970-01-01T00:00:00Z. */
int64_t clock_now(void);
/* The same in milliseconds. */
int64_t clock_now_ms(void);
/* And in microseconds. */
int64_t clock_now_us(void);
/* Milliseconds left until a deadline on clock_mono_ms(), never below 0. */
int clock_left_ms(int64_t deadline_ms);

struct clock_date {
	int year, month, day; /* month 1..12, day 1..31 */
	int hour, minute, second;
	int weekday; /* 0 is Sunday */
};

/* Days since 1970-01-01 in the proleptic Gregorian calendar, and back. */
int64_t clock_days(int year, int month, int day);
struct clock_date clock_date(int64_t unix_s);
int64_t clock_unix(const struct clock_date *d);
/* "2026-06-21T10:00:00Z", RFC 3339.  A year outside 0..9999 gives "". */
struct str clock_rfc3339(struct arena *a, int64_t unix_s);
/* Reads "2026-06-21" or a full RFC 3339 date-time; false when it is neither. */
bool clock_parse(struct str s, int64_t *unix_s);

#endif
