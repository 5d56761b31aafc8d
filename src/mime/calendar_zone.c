/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The zone rules that a calendar contains, RFC 5545 section 3.6.5, in the forms
 * that programs write: yearly rules, single dates, and no rule.
 */
#include <string.h>

#include "base/clock.h"
#include "mime/calendar_internal.h"

static const char zone_weekdays[7][3] = { "SU", "MO", "TU", "WE", "TH", "FR",
	"SA" };

/* "+0200", "-033000". */
static bool
zone_offset(struct str s, int *out)
{
	uint32_t v;

	s = str_trim(s);
	if ((s.n != 5 && s.n != 7) || (s.p[0] != '+' && s.p[0] != '-') ||
	    !str_to_u32(str_from(s, 1), 999999, &v))
		return false;
	if (s.n == 5)
		v *= 100;
	if (v / 10000 > 26 || v / 100 % 100 > 59 || v % 100 > 59)
		return false;
	*out = (int)(v / 10000 * 3600 + v / 100 % 100 * 60 + v % 100) *
	    (s.p[0] == '-' ? -1 : 1);
	return true;
}

/* "-1SU", "2SU", "SU" */
static bool
zone_by_day(struct str s, struct calendar_rule *r)
{
	uint32_t week = 0;
	bool last = str_starts(s, S("-"));

	if (s.n > 2 && (last || s.p[0] == '+'))
		s = str_from(s, 1);
	if (s.n > 2 && !str_to_u32(str_first(s, s.n - 2), 5, &week))
		return false;
	s = str_from(s, s.n > 2 ? s.n - 2 : 0);
	r->week = last ? -(int)week : (int)week;
	for (int i = 0; i < 7; i++)
		if (str_eq_case(s, str_of(zone_weekdays[i]))) {
			r->weekday = i;
			return true;
		}
	return false;
}

static bool
zone_by_month_day(struct str s, struct calendar_rule *r)
{
	struct str one;
	bool more = true;
	uint32_t d;

	r->days = 0;
	while (more) {
		more = str_cut(s, ',', &one, &s);
		if (!str_to_u32(one, 31, &d) || d == 0)
			return false;
		r->days |= 1U << d;
	}
	return true;
}

/* One "NAME=value" of the rule; false if it contains something unknown. */
static bool
zone_rule_part(struct str name, struct str v, struct calendar_rule *r)
{
	uint32_t n;
	bool day, utc;

	if (str_eq_case(name, S("FREQ")))
		return r->yearly = str_eq_case(v, S("YEARLY"));
	if (str_eq_case(name, S("INTERVAL")))
		return str_eq(v, S("1"));
	if (str_eq_case(name, S("WKST")))
		return true;
	if (str_eq_case(name, S("BYMONTH"))) {
		if (!str_to_u32(v, 12, &n) || n == 0)
			return false;
		r->month = (int)n;
		return true;
	}
	if (str_eq_case(name, S("BYDAY")))
		return zone_by_day(v, r);
	if (str_eq_case(name, S("BYMONTHDAY")))
		return zone_by_month_day(v, r);
	if (str_eq_case(name, S("UNTIL")))
		return r->ends =
			   calendar_stamp_parse(v, &r->until_s, &day, &utc);
	return false;
}

static void
zone_rule(struct str s, struct calendar_rule *r)
{
	struct str part, name, v;
	bool more = true;

	/*
	 * With two rules it is unknown which one counts; the second must not
	 * keep anything of the first.
	 */
	r->bad = r->bad || r->yearly;
	r->weekday = -1;
	while (more) {
		more = str_cut(str_trim(s), ';', &part, &s);
		(void)str_cut(part, '=', &name, &v);
		if (part.n > 0 && !zone_rule_part(name, v, r))
			r->bad = true;
	}
	r->bad = r->bad || !r->yearly;
}

static void
zone_dates(struct arena *a, struct str s, struct calendar_rule *r)
{
	struct str one;
	bool more = true, day, utc;

	if (r->date == NULL)
		r->date = arena_array(a, CALENDAR_RULES, sizeof(*r->date));
	while (more && r->dates < CALENDAR_RULES) {
		more = str_cut(s, ',', &one, &s);
		if (calendar_stamp_parse(one, &r->date[r->dates], &day, &utc))
			r->dates++;
		else
			r->bad = true;
	}
}

void
calendar_zone_line(struct arena *a, struct calendar_rule *r,
    const struct calendar_line *l)
{
	bool day, utc;

	if (str_eq_case(l->name, S("DTSTART")))
		r->bad = r->bad ||
		    !calendar_stamp_parse(l->value, &r->start_s, &day, &utc);
	else if (str_eq_case(l->name, S("TZOFFSETFROM")))
		r->bad = r->bad || !zone_offset(l->value, &r->from_s);
	else if (str_eq_case(l->name, S("TZOFFSETTO")))
		r->bad = r->bad || !zone_offset(l->value, &r->to_s);
	else if (str_eq_case(l->name, S("RRULE")))
		zone_rule(l->value, r);
	else if (str_eq_case(l->name, S("RDATE")))
		zone_dates(a, l->value, r);
}

/* The day in that year, as days since 1970; -1: it does not exist. */
static bool
zone_day_in(const struct calendar_rule *r, int year, int64_t *out)
{
	struct clock_date s = clock_date(r->start_s);
	int month = r->month != 0 ? r->month : s.month;
	int64_t first = clock_days(year, month, 1);
	int64_t next = month == 12 ? clock_days(year + 1, 1, 1)
				   : clock_days(year, month + 1, 1);
	uint32_t mask = r->days;

	if (r->weekday < 0 && mask == 0)
		mask = 1U << s.day;
	if (r->week != 0) {
		int64_t day = first;

		while (((day + 4) % 7 + 7) % 7 != r->weekday)
			day++;
		day += (int64_t)7 * (r->week > 0 ? r->week - 1 : 4);
		while (day >= next)
			day -= 7;
		for (int k = -1; k > r->week; k--)
			day -= 7;
		*out = day;
		return true;
	}
	for (int64_t day = first; day < next; day++) {
		bool fits =
		    r->weekday < 0 || ((day + 4) % 7 + 7) % 7 == r->weekday;

		if (fits && (mask == 0 || (mask >> (day - first + 1) & 1))) {
			*out = day;
			return true;
		}
	}
	return false;
}

/* The last time at or before the wall clock at which the rule took effect. */
static bool
zone_onset(const struct calendar_rule *r, int64_t local_s, int64_t *out)
{
	bool found = r->start_s <= local_s;
	int year = clock_date(local_s).year;
	int64_t day;

	*out = r->start_s;
	for (size_t i = 0; i < r->dates; i++)
		if (r->date[i] <= local_s && (!found || r->date[i] > *out)) {
			*out = r->date[i];
			found = true;
		}
	if (!r->yearly || !found)
		return found;
	if (r->ends && clock_date(r->until_s).year + 1 < year)
		year = clock_date(r->until_s).year + 1;
	for (int y = year; y > year - 3; y--) {
		int64_t at;

		if (!zone_day_in(r, y, &day))
			continue;
		at = day * CALENDAR_DAY_S +
		    ((r->start_s % CALENDAR_DAY_S) + CALENDAR_DAY_S) %
			CALENDAR_DAY_S;
		if (at > local_s || at <= *out ||
		    (r->ends && at - r->from_s > r->until_s))
			continue;
		*out = at;
	}
	return true;
}

bool
calendar_zone_utc(const struct calendar_zone *z, int64_t local_s,
    int64_t *utc_s)
{
	const struct calendar_rule *best = NULL, *first = NULL;
	int64_t when = 0, at;

	if (z->bad || z->n == 0)
		return false;
	for (size_t i = 0; i < z->n; i++) {
		const struct calendar_rule *r = &z->rule[i];

		if (r->bad)
			return false;
		if (first == NULL || r->start_s < first->start_s)
			first = r;
		if (zone_onset(r, local_s, &at) &&
		    (best == NULL || at > when)) {
			best = r;
			when = at;
		}
	}
	/* Before all transitions, and in a gap, the offset before counts. */
	if (best == NULL)
		*utc_s = local_s - first->from_s;
	else if (local_s - when < best->to_s - best->from_s)
		*utc_s = local_s - best->from_s;
	else
		*utc_s = local_s - best->to_s;
	return true;
}
