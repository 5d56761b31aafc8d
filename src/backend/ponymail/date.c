/* SPDX-License-Identifier: Apache-2.0 */
/* Months, and the forms of `d` that an archive understands. */
#include "backend/ponymail/internal.h"
#include "base/clock.h"

#define DAY_S 86400

/* Digits at the start of *s, at least `min` and at most `max`; -1. */
static int
ponymail_date_number(struct str *s, size_t min, size_t max)
{
	size_t n = 0;
	uint32_t v = 0;

	while (n < s->n && n < max && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	if (n < min || !str_to_u32(str_first(*s, n), INT32_MAX, &v))
		return -1;
	*s = str_from(*s, n);
	return (int)v;
}

static bool
ponymail_date_skip(struct str *s, struct str what)
{
	if (!str_starts(*s, what))
		return false;
	*s = str_from(*s, what.n);
	return true;
}

/* "2026-1" or "2026-01" */
static bool
ponymail_date_is_month(struct str *s)
{
	int year = ponymail_date_number(s, 4, 4), month;

	if (year < 1970 || !ponymail_date_skip(s, S("-")))
		return false;
	month = ponymail_date_number(s, 1, 2);
	return month >= 1 && month <= 12;
}

/* "2026-1-31", an existing day. */
static bool
ponymail_date_is_day(struct str *s)
{
	struct str whole = *s;
	struct clock_date d;
	int day, year, month;

	if (!ponymail_date_is_month(s) || !ponymail_date_skip(s, S("-")))
		return false;
	day = ponymail_date_number(s, 1, 2);
	year = ponymail_date_number(&whole, 4, 4);
	(void)ponymail_date_skip(&whole, S("-"));
	month = ponymail_date_number(&whole, 1, 2);
	if (day < 1 || day > 31)
		return false;
	d = clock_date(clock_days(year, month, day) * DAY_S);
	return d.day == day && d.month == month;
}

bool
ponymail_date_ok(struct str d)
{
	struct str s = d;

	if (ponymail_date_skip(&s, S("lte=")) ||
	    ponymail_date_skip(&s, S("gte=")))
		return ponymail_date_number(&s, 1, 5) > 0 && s.n == 1 &&
		    str_has_char(S("Mwyd"), s.p[0]);
	if (ponymail_date_skip(&s, S("dfr=")))
		return ponymail_date_is_day(&s) &&
		    ponymail_date_skip(&s, S("|dto=")) &&
		    ponymail_date_is_day(&s) && s.n == 0;
	return ponymail_date_is_month(&s) && s.n == 0;
}

struct str
ponymail_date_month(struct arena *a, int month)
{
	return str_fmt(a, "%04d-%02d", month / 12, month % 12 + 1);
}

/*
 * The archive omits the first second of the first day and the last of the last
 * one: so one more day is requested at both ends.
 */
struct str
ponymail_date_days(struct arena *a, int64_t first, int64_t last)
{
	struct clock_date f = clock_date((first - 1) * DAY_S);
	struct clock_date l = clock_date((last + 1) * DAY_S);

	return str_fmt(a, "dfr=%04d-%d-%d|dto=%04d-%d-%d", f.year, f.month,
	    f.day, l.year, l.month, l.day);
}

int
ponymail_date_read(struct str s)
{
	struct str at = s;
	int year, month;

	if (s.n != 7 || !ponymail_date_is_month(&at) || at.n != 0)
		return -1;
	year = ponymail_date_number(&s, 4, 4);
	(void)ponymail_date_skip(&s, S("-"));
	month = ponymail_date_number(&s, 2, 2);
	return year * 12 + month - 1;
}

int
ponymail_date_of(int64_t unix_s)
{
	/* A Date may contain anything; only years of four digits count. */
	const int64_t end = INT64_C(253402300799);
	struct clock_date d = clock_date(unix_s < 0 ? 0
		: unix_s > end                      ? end
						    : unix_s);

	return d.year * 12 + d.month - 1;
}
