/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of the system's time zone database, RFC 8536: the 64-bit transitions,
 * and the footer (a TZ string of POSIX) for all later times.
 */
#include <string.h>

#include "base/clock.h"
#include "base/tzif.h"

#define TZIF_HEAD 44
#define TZIF_DAY_S 86400

static uint32_t
tzif_u32(struct str s, size_t i)
{
	const unsigned char *p = (const unsigned char *)s.p + i;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

static int64_t
tzif_i64(struct str s, size_t i)
{
	return (int64_t)((uint64_t)tzif_u32(s, i) << 32 | tzif_u32(s, i + 4));
}

struct tzif_counts {
	size_t utc, std, leap, time, type, chars;
};

static bool
tzif_header(struct str s, struct tzif_counts *c)
{
	if (s.n < TZIF_HEAD || !str_starts(s, S("TZif")) || s.p[4] < '2')
		return false;
	*c = (struct tzif_counts){ tzif_u32(s, 20), tzif_u32(s, 24),
		tzif_u32(s, 28), tzif_u32(s, 32), tzif_u32(s, 36),
		tzif_u32(s, 40) };
	return c->utc <= 256 && c->std <= 256 && c->leap <= 1000 &&
	    c->time <= 10000 && c->type >= 1 && c->type <= 256 &&
	    c->chars <= 1000;
}

bool
tzif_read(struct str s, struct tzif *out)
{
	struct tzif_counts c;
	size_t skip, at;

	*out = (struct tzif){ 0 };
	if (!tzif_header(s, &c))
		return false;
	skip = TZIF_HEAD + c.time * 5 + c.type * 6 + c.chars + c.leap * 8 +
	    c.std + c.utc;
	if (skip > s.n)
		return false;
	s = str_from(s, skip);
	if (!tzif_header(s, &c))
		return false;
	at = TZIF_HEAD + c.time * 9 + c.type * 6 + c.chars + c.leap * 12 +
	    c.std + c.utc;
	if (at > s.n)
		return false;
	out->n = c.time;
	out->times = (struct str){ s.p + TZIF_HEAD, c.time * 8 };
	out->index = (struct str){ s.p + TZIF_HEAD + c.time * 8, c.time };
	out->types = (struct str){ s.p + TZIF_HEAD + c.time * 9, c.type * 6 };
	out->footer = str_trim(str_from(s, at));
	for (size_t i = 0; i < out->n; i++)
		if ((unsigned char)out->index.p[i] >= c.type)
			return false;
	return true;
}

/* -- the footer, POSIX 8.3 as RFC 8536 section 3.3.1 widens it --------------
 */

/* "Mm.w.d/time", "Jn/time" or "n/time". */
struct tzif_day {
	char kind; /* 'M', 'J' or 'n' */
	int month, week, day;
	int time_s;
};

struct tzif_rule {
	int std_s, dst_s; /* east of UTC */
	bool dst;
	struct tzif_day begin, end;
};

static bool
tzif_int(struct str *s, int max, int *out)
{
	size_t n = 0;
	uint32_t v;

	while (n < s->n && n < 4 && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	if (!str_to_u32(str_first(*s, n), (uint32_t)max, &v))
		return false;
	*out = (int)v;
	*s = str_from(*s, n);
	return true;
}

static bool
tzif_sign(struct str *s, char c)
{
	if (s->n == 0 || s->p[0] != c)
		return false;
	*s = str_from(*s, 1);
	return true;
}

/* "[+-]hh[:mm[:ss]]" in seconds. */
static bool
tzif_time(struct str *s, int *out)
{
	int way = tzif_sign(s, '-') ? -1 : 1, h, m = 0, sec = 0;

	(void)(way > 0 && tzif_sign(s, '+'));
	if (!tzif_int(s, 167, &h) ||
	    (tzif_sign(s, ':') && !tzif_int(s, 59, &m)) ||
	    (tzif_sign(s, ':') && !tzif_int(s, 59, &sec)))
		return false;
	*out = way * (h * 3600 + m * 60 + sec);
	return true;
}

static bool
tzif_name(struct str *s)
{
	size_t n = 0;

	if (tzif_sign(s, '<')) {
		while (n < s->n && s->p[n] != '>')
			n++;
		*s = str_from(*s, n + 1);
		return true;
	}
	while (n < s->n && strchr("+-,0123456789", s->p[n]) == NULL)
		n++;
	*s = str_from(*s, n);
	return n >= 3;
}

static bool
tzif_day_read(struct str *s, struct tzif_day *d)
{
	*d = (struct tzif_day){ .kind = 'n', .time_s = 2 * 3600 };
	if (!tzif_sign(s, ','))
		return false;
	if (tzif_sign(s, 'M')) {
		d->kind = 'M';
		if (!tzif_int(s, 12, &d->month) || d->month < 1 ||
		    !tzif_sign(s, '.') || !tzif_int(s, 5, &d->week) ||
		    d->week < 1 || !tzif_sign(s, '.') ||
		    !tzif_int(s, 6, &d->day))
			return false;
	} else {
		if (tzif_sign(s, 'J'))
			d->kind = 'J';
		if (!tzif_int(s, 365, &d->day))
			return false;
	}
	return !tzif_sign(s, '/') || tzif_time(s, &d->time_s);
}

static bool
tzif_rule_read(struct str s, struct tzif_rule *r)
{
	int off;

	*r = (struct tzif_rule){ 0 };
	if (!tzif_name(&s) || !tzif_time(&s, &off))
		return false;
	r->std_s = -off;
	if (s.n == 0)
		return true;
	r->dst = true;
	r->dst_s = r->std_s + 3600;
	if (!tzif_name(&s))
		return false;
	if (s.n > 0 && s.p[0] != ',') {
		if (!tzif_time(&s, &off))
			return false;
		r->dst_s = -off;
	}
	return tzif_day_read(&s, &r->begin) && tzif_day_read(&s, &r->end) &&
	    s.n == 0;
}

static bool
tzif_is_leap(int y)
{
	return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

/* The wall clock of the day and time in a year. */
static int64_t
tzif_day_s(const struct tzif_day *d, int year)
{
	int64_t first, day;
	int weekday;

	if (d->kind == 'J') {
		/* 1 to 365, without February 29. */
		day = clock_days(year, 1, 1) + d->day - 1 +
		    (d->day >= 60 && tzif_is_leap(year));
	} else if (d->kind == 'n') {
		day = clock_days(year, 1, 1) + d->day;
	} else {
		first = clock_days(year, d->month, 1);
		/* 1970-01-01 was a Thursday. */
		weekday = (int)(((first + 4) % 7 + 7) % 7);
		day = first + (d->day - weekday + 7) % 7 +
		    (int64_t)(d->week - 1) * 7;
		while (
		    day >= (d->month == 12 ? clock_days(year + 1, 1, 1)
					   : clock_days(year, d->month + 1, 1)))
			day -= 7;
	}
	return day * TZIF_DAY_S + d->time_s;
}

bool
tzif_footer(struct str footer, int64_t utc_s, int *out)
{
	struct tzif_rule r;
	int64_t begin, end;
	int year;
	bool dst;

	if (!tzif_rule_read(footer, &r))
		return false;
	*out = r.std_s;
	if (!r.dst)
		return true;
	year = clock_date(utc_s + r.std_s).year;
	begin = tzif_day_s(&r.begin, year) - r.std_s;
	end = tzif_day_s(&r.end, year) - r.dst_s;
	dst = begin < end ? utc_s >= begin && utc_s < end
			  : utc_s >= begin || utc_s < end;
	*out = dst ? r.dst_s : r.std_s;
	return true;
}

bool
tzif_offset(const struct tzif *z, int64_t utc_s, int *out)
{
	size_t lo = 0, hi = z->n, type;

	if (z->n == 0 || utc_s >= tzif_i64(z->times, (z->n - 1) * 8))
		if (z->footer.n > 0)
			return tzif_footer(z->footer, utc_s, out);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tzif_i64(z->times, mid * 8) <= utc_s)
			lo = mid + 1;
		else
			hi = mid;
	}
	type = lo > 0 ? (unsigned char)z->index.p[lo - 1] : 0;
	*out = (int)(int32_t)tzif_u32(z->types, type * 6);
	return *out > -2 * TZIF_DAY_S && *out < 2 * TZIF_DAY_S;
}

/*
 * Section 3.3.5 of RFC 5545: a time that occurs twice is the first one; one
 * that does not occur uses the offset before the gap.
 */
bool
tzif_utc(const struct tzif *z, int64_t local_s, int64_t *utc_s)
{
	int before, after, now;

	if (!tzif_offset(z, local_s - TZIF_DAY_S, &before) ||
	    !tzif_offset(z, local_s + TZIF_DAY_S, &after) ||
	    !tzif_offset(z, local_s - before, &now))
		return false;
	*utc_s = local_s - before;
	if (now == before)
		return true;
	if (!tzif_offset(z, local_s - after, &now))
		return false;
	if (now == after)
		*utc_s = local_s - after;
	return true;
}
