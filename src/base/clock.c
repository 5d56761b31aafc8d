/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <limits.h>
#include <time.h>

#define DAY_S 86400
/* Seconds beyond which a year no longer fits into an int: times stop there. */
#define FAR_S INT64_C(60000000000000000)
#define YEAR_0_S INT64_C(-62167219200)     /* 0000-01-01T00:00:00Z */
#define YEAR_10000_S INT64_C(253402300800) /* 10000-01-01T00:00:00Z */

static int64_t
clock_read_ms(clockid_t id)
{
	struct timespec t = { 0 };

	(void)clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t
clock_mono_ms(void)
{
	return clock_read_ms(CLOCK_MONOTONIC);
}

int64_t
clock_now(void)
{
	return clock_read_ms(CLOCK_REALTIME) / 1000;
}

int64_t
clock_now_ms(void)
{
	return clock_read_ms(CLOCK_REALTIME);
}

int64_t
clock_now_us(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int
clock_left_ms(int64_t deadline_ms)
{
	int64_t now = clock_mono_ms();

	if (deadline_ms <= now)
		return 0;
	return deadline_ms - now > INT_MAX ? INT_MAX : (int)(deadline_ms - now);
}

/* n / d rounded down, for d > 0. */
static int64_t
div_down(int64_t n, int64_t d)
{
	return n / d - (n % d < 0);
}

/*
 * Years are counted from March, so that the leap day is the last one, and in
 * eras of 400 years of 146097 days; there are 719468 days between 0000-03-01
 * and 1970-01-01.
 */
int64_t
clock_days(int year, int month, int day)
{
	int64_t y = (int64_t)year - (month <= 2);
	int64_t era = div_down(y, 400);
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (((int64_t)month + 9) % 12) + 2) / 5 + day - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

struct clock_date
clock_date(int64_t s)
{
	struct clock_date d;
	int64_t days, era, doe, yoe, doy, mp, in_day;

	if (s > FAR_S)
		s = FAR_S;
	if (s < -FAR_S)
		s = -FAR_S;
	days = div_down(s, DAY_S);
	in_day = s - days * DAY_S;
	era = div_down(days + 719468, 146097);
	doe = days + 719468 - era * 146097;
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;

	d.day = (int)(doy - (153 * mp + 2) / 5 + 1);
	d.month = (int)(mp < 10 ? mp + 3 : mp - 9);
	d.year = (int)(yoe + era * 400 + (d.month <= 2));
	d.hour = (int)(in_day / 3600);
	d.minute = (int)(in_day / 60 % 60);
	d.second = (int)(in_day % 60);
	d.weekday = (int)(days + 4 - div_down(days + 4, 7) * 7);
	return d;
}

int64_t
clock_unix(const struct clock_date *d)
{
	return clock_days(d->year, d->month, d->day) * DAY_S +
	    (int64_t)d->hour * 3600 + (int64_t)d->minute * 60 + d->second;
}

struct str
clock_rfc3339(struct arena *a, int64_t s)
{
	struct clock_date d = clock_date(s);

	if (s < YEAR_0_S || s >= YEAR_10000_S)
		return S("");
	return str_fmt(a, "%04d-%02d-%02dT%02d:%02d:%02dZ", d.year, d.month,
	    d.day, d.hour, d.minute, d.second);
}

/* Reads exactly n digits at *i and moves after them; -1: not there. */
static int
clock_digits(struct str s, size_t *i, size_t n)
{
	uint32_t v;

	if (*i + n > s.n || !str_to_u32((struct str){ s.p + *i, n }, 9999, &v))
		return -1;
	*i += n;
	return (int)v;
}

static bool
clock_literal(struct str s, size_t *i, const char *any)
{
	if (*i >= s.n || !str_has_char(str_of(any), s.p[*i]))
		return false;
	++*i;
	return true;
}

static int
clock_month_days(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

static bool
clock_parse_date(struct str s, size_t *i, struct clock_date *d)
{
	d->year = clock_digits(s, i, 4);
	if (d->year < 0 || !clock_literal(s, i, "-"))
		return false;
	d->month = clock_digits(s, i, 2);
	if (d->month < 1 || d->month > 12 || !clock_literal(s, i, "-"))
		return false;
	d->day = clock_digits(s, i, 2);
	return d->day >= 1 && d->day <= clock_month_days(d->year, d->month);
}

/* partial-time of RFC 3339 section 5.6; a fraction is read and dropped. */
static bool
clock_parse_time(struct str s, size_t *i, struct clock_date *d)
{
	d->hour = clock_digits(s, i, 2);
	if (d->hour < 0 || d->hour > 23 || !clock_literal(s, i, ":"))
		return false;
	d->minute = clock_digits(s, i, 2);
	if (d->minute < 0 || d->minute > 59 || !clock_literal(s, i, ":"))
		return false;
	d->second = clock_digits(s, i, 2);
	if (d->second < 0 || d->second > 60)
		return false;
	if (clock_literal(s, i, ".")) {
		if (clock_digits(s, i, 1) < 0)
			return false;
		while (clock_digits(s, i, 1) >= 0)
			;
	}
	return true;
}

/* time-offset of RFC 3339 section 5.6, in seconds to subtract. */
static bool
clock_parse_offset(struct str s, size_t *i, int *offset_s)
{
	int sign, h, m;

	*offset_s = 0;
	if (clock_literal(s, i, "Zz"))
		return true;
	sign = *i < s.n && s.p[*i] == '-' ? -1 : 1;
	if (!clock_literal(s, i, "+-"))
		return false;
	h = clock_digits(s, i, 2);
	if (h < 0 || h > 23 || !clock_literal(s, i, ":"))
		return false;
	m = clock_digits(s, i, 2);
	if (m < 0 || m > 59)
		return false;
	*offset_s = sign * (h * 3600 + m * 60);
	return true;
}

bool
clock_parse(struct str s, int64_t *unix_s)
{
	struct clock_date d = { 0 };
	int offset_s = 0;
	size_t i = 0;

	if (!clock_parse_date(s, &i, &d))
		return false;
	if (i < s.n &&
	    (!clock_literal(s, &i, "Tt") || !clock_parse_time(s, &i, &d) ||
		!clock_parse_offset(s, &i, &offset_s)))
		return false;
	if (i != s.n)
		return false;
	*unix_s = clock_unix(&d) - offset_s;
	return true;
}
