/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dates of mail: RFC 5322 sections 3.3 and 4.3, RFC 3339, and IMAP's (RFC 9051
 * section 9).  Years 1900 to 9999; no zone files, no mktime(3).
 */
#include "mime/date.h"

#include <string.h>

#include "base/ascii.h"
#include "base/clock.h"

#define MINUTES_MAX (24 * 60)

static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
	"Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
static const char days[7][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri",
	"Sat" };

/* A place in the text. */
struct reader {
	struct str s;
	size_t i;
};

static char
date_peek(const struct reader *r)
{
	return (char)(r->i < r->s.n ? r->s.p[r->i] : '\0');
}

/* White space, line ends, and comments that may nest. */
static void
date_skip_cfws(struct reader *r)
{
	size_t depth = 0;

	for (; r->i < r->s.n; r->i++) {
		char c = r->s.p[r->i];

		if (c == '(')
			depth++;
		else if (c == ')' && depth > 0)
			depth--;
		else if (c == '\\' && depth > 0)
			r->i++;
		else if (c == '\0' ||
		    (depth == 0 && strchr(" \t\r\n", c) == NULL))
			return;
	}
	if (r->i > r->s.n)
		r->i = r->s.n;
}

/* A number of least to most digits; a longer one is an error. */
static bool
date_number(struct reader *r, size_t least, size_t most, int *out,
    size_t *digits)
{
	size_t from = r->i;
	int v = 0;

	while (ascii_is_digit(date_peek(r)) && r->i - from < most)
		v = v * 10 + (r->s.p[r->i++] - '0');
	*digits = r->i - from;
	if (*digits < least || ascii_is_digit(date_peek(r)))
		return false;
	*out = v;
	return true;
}

static struct str
date_word(struct reader *r)
{
	size_t from = r->i;

	while (ascii_is_letter(date_peek(r)))
		r->i++;
	return (struct str){ r->s.p + from, r->i - from };
}

/* "Jun", or "June" as some write it. */
static bool
date_month_of_word(struct str w, int *out)
{
	for (int m = 0; m < 12 && w.n >= 3; m++) {
		if (str_eq_case(str_first(w, 3), str_of(months[m]))) {
			*out = m + 1;
			return true;
		}
	}
	return false;
}

static bool
date_month(struct reader *r, int *out)
{
	return date_month_of_word(date_word(r), out);
}

static bool
date_sign(struct reader *r, char c)
{
	if (date_peek(r) != c)
		return false;
	r->i++;
	return true;
}

static int
date_month_days(int year, int m)
{
	static const int n[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return n[m - 1] + (m == 2 && leap);
}

static bool
date_is_valid(const struct clock_date *d)
{
	return d->year >= 1900 && d->year <= 9999 && d->month >= 1 &&
	    d->month <= 12 && d->day >= 1 &&
	    d->day <= date_month_days(d->year, d->month) && d->hour < 24 &&
	    d->minute < 60 && d->second <= 60;
}

/* "8:04 PM": in no RFC, not even as obsolete, but some programs write it. */
static bool
date_half_day(struct reader *r, int *hour)
{
	size_t was;
	struct str w;
	bool pm;

	date_skip_cfws(r);
	was = r->i;
	w = date_word(r);
	pm = str_eq_case(w, S("PM"));
	if (!pm && !str_eq_case(w, S("AM"))) {
		r->i = was; /* a zone */
		return true;
	}
	if (*hour < 1 || *hour > 12)
		return false;
	*hour = *hour % 12 + (pm ? 12 : 0);
	return true;
}

/* A single digit of minutes or seconds is wrong but clear. */
static bool
date_time_of_day(struct reader *r, struct clock_date *d)
{
	size_t n;

	if (!date_number(r, 1, 2, &d->hour, &n))
		return false;
	date_skip_cfws(r);
	if (!date_sign(r, ':'))
		return false;
	date_skip_cfws(r);
	if (!date_number(r, 1, 2, &d->minute, &n))
		return false;
	date_skip_cfws(r);
	if (date_sign(r, ':')) {
		date_skip_cfws(r);
		if (!date_number(r, 1, 2, &d->second, &n))
			return false;
		if (date_sign(r, '.'))
			while (ascii_is_digit(date_peek(r)))
				r->i++;
	}
	return date_half_day(r, &d->hour);
}

/* "+0200", or "+02:00" which is wrong but clear. */
static bool
date_numeric_zone(struct reader *r, int *out)
{
	int way = date_peek(r) == '-' ? -1 : 1;
	int hour, minute;
	size_t n;

	if (!date_sign(r, '+') && !date_sign(r, '-'))
		return false;
	if (!date_number(r, 2, 4, &hour, &n) || n == 3)
		return false;
	if (n == 4) {
		minute = hour % 100;
		hour /= 100;
	} else if (!date_sign(r, ':') || !date_number(r, 2, 2, &minute, &n)) {
		return false;
	}
	if (hour > 23 || minute > 59)
		return false;
	*out = way * (hour * 60 + minute);
	return true;
}

/*
 * The writer's zone.  An empty or unknown one counts as "-0000", section 4.3.
 */
static int
date_zone(struct reader *r)
{
	static const struct {
		struct str name;
		int minutes;
	} known[] = {
		{ SI("EST"), -300 },
		{ SI("EDT"), -240 },
		{ SI("CST"), -360 },
		{ SI("CDT"), -300 },
		{ SI("MST"), -420 },
		{ SI("MDT"), -360 },
		{ SI("PST"), -480 },
		{ SI("PDT"), -420 },
	};
	int minutes = 0;
	struct str name;

	date_skip_cfws(r);
	if (date_numeric_zone(r, &minutes))
		return minutes;
	name = date_word(r);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (str_eq_case(name, known[i].name))
			return known[i].minutes;
	return 0;
}

/* Section 4.3: 00 to 49 are 20xx, other two and three digits 19xx. */
static bool
date_year(struct reader *r, int *out)
{
	size_t n;

	if (!date_number(r, 2, 4, out, &n))
		return false;
	if (n == 2)
		*out += *out < 50 ? 2000 : 1900;
	else if (n == 3)
		*out += 1900;
	return true;
}

/* "21 Jun 2026 10:00:00 +0000", the RFC's order. */
static bool
date_day_first(struct reader *r, struct clock_date *d, int *offset)
{
	size_t n;

	if (!date_number(r, 1, 2, &d->day, &n))
		return false;
	date_skip_cfws(r);
	(void)date_sign(r, '-');
	if (!date_month(r, &d->month))
		return false;
	date_skip_cfws(r);
	(void)(date_sign(r, '-') || date_sign(r, ','));
	date_skip_cfws(r);
	if (!date_year(r, &d->year))
		return false;
	date_skip_cfws(r);
	(void)date_sign(r, ',');
	date_skip_cfws(r);
	if (!date_time_of_day(r, d))
		return false;
	*offset = date_zone(r);
	return true;
}

/* "Jun 21 10:00:00 CEST 2026" as asctime(3) and date(1) write, and "June 21,
 * 2026 10:00 AM". */
static bool
date_month_first(struct reader *r, struct clock_date *d, int *offset)
{
	size_t n, was;

	date_skip_cfws(r);
	if (!date_number(r, 1, 2, &d->day, &n))
		return false;
	date_skip_cfws(r);
	(void)date_sign(r, ',');
	date_skip_cfws(r);
	was = r->i;
	if (date_number(r, 4, 4, &d->year, &n)) {
		date_skip_cfws(r);
		(void)date_sign(r, ',');
		date_skip_cfws(r);
		if (!date_time_of_day(r, d))
			return false;
		*offset = date_zone(r);
		return true;
	}
	r->i = was;
	if (!date_time_of_day(r, d))
		return false;
	*offset = date_zone(r);
	date_skip_cfws(r);
	if (!date_number(r, 4, 4, &d->year, &n))
		return false;
	date_skip_cfws(r);
	if (date_peek(r) == '+' || date_peek(r) == '-')
		*offset = date_zone(r);
	return true;
}

/* "2026-06-21 10:00:00 +0000", "2026-06-21T10:00:00Z": RFC 3339 and nearly. */
static bool
date_year_first(struct reader *r, struct clock_date *d, int *offset)
{
	size_t n;

	if (!date_number(r, 4, 4, &d->year, &n) || !date_sign(r, '-') ||
	    !date_number(r, 1, 2, &d->month, &n) || !date_sign(r, '-') ||
	    !date_number(r, 1, 2, &d->day, &n))
		return false;
	if (!date_sign(r, 'T') && !date_sign(r, 't'))
		date_skip_cfws(r);
	if (!date_time_of_day(r, d))
		return false;
	*offset = date_zone(r);
	return true;
}

static bool
date_has_year_first(const struct reader *r)
{
	size_t i = r->i;

	while (i < r->s.n && ascii_is_digit(r->s.p[i]))
		i++;
	return i == r->i + 4 && i < r->s.n && r->s.p[i] == '-';
}

/* Skips the day of the week, which is often wrong. */
static void
date_skip_weekday(struct reader *r)
{
	date_skip_cfws(r);
	if (!ascii_is_letter(date_peek(r)))
		return;
	(void)date_word(r);
	date_skip_cfws(r);
	(void)(date_sign(r, ',') || date_sign(r, '.'));
	date_skip_cfws(r);
}

/* The other orders: with the month's name or the year first. */
static bool
date_other_order(struct reader *r, struct clock_date *d, int *offset)
{
	*d = (struct clock_date){ 0 };
	date_skip_cfws(r);
	for (int i = 0; i < 2 && ascii_is_letter(date_peek(r)); i++) {
		size_t was = r->i;

		if (date_month(r, &d->month))
			return date_month_first(r, d, offset);
		r->i = was;
		date_skip_weekday(r);
	}
	return date_has_year_first(r) && date_year_first(r, d, offset);
}

bool
date_parse(struct str raw, int64_t *unix_s, int *offset_min)
{
	struct reader r = { raw, 0 }, other = r;
	struct clock_date d = { 0 };
	int offset = 0;

	date_skip_weekday(&r);
	if (!date_day_first(&r, &d, &offset) &&
	    !date_other_order(&other, &d, &offset))
		return false;
	if (!date_is_valid(&d))
		return false;
	*unix_s = clock_unix(&d) - (int64_t)offset * 60;
	*offset_min = offset;
	return true;
}

/* After moving the time by minutes, does its year have four digits? */
static bool
has_text(int64_t unix_s)
{
	return unix_s >= -62167219200 && unix_s <= 253402300799;
}

struct str
date_rfc5322(struct arena *a, int64_t unix_s)
{
	struct clock_date d;

	if (!has_text(unix_s))
		return S("");
	d = clock_date(unix_s);
	return str_fmt(a, "%s, %d %s %04d %02d:%02d:%02d +0000",
	    days[d.weekday], d.day, months[d.month - 1], d.year, d.hour,
	    d.minute, d.second);
}

struct str
date_rfc3339(struct arena *a, int64_t unix_s, int offset_min)
{
	struct clock_date d;
	int off;

	if (offset_min <= -MINUTES_MAX || offset_min >= MINUTES_MAX)
		offset_min = 0;
	if (!has_text(unix_s) || !has_text(unix_s + (int64_t)offset_min * 60))
		return S("");
	d = clock_date(unix_s + (int64_t)offset_min * 60);
	off = offset_min < 0 ? -offset_min : offset_min;
	return str_fmt(a, "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d", d.year,
	    d.month, d.day, d.hour, d.minute, d.second,
	    offset_min < 0 ? '-' : '+', off / 60, off % 60);
}

struct str
date_imap(struct arena *a, int64_t unix_s)
{
	struct clock_date d;

	if (!has_text(unix_s))
		return S("");
	d = clock_date(unix_s);
	return str_fmt(a, "%d-%s-%04d", d.day, months[d.month - 1], d.year);
}

bool
date_imap_parse(struct str s, int64_t *unix_s)
{
	struct reader r = { s, 0 };
	struct clock_date d = { 0 };
	int offset;
	size_t n;

	(void)date_sign(&r, ' ');
	if (!date_number(&r, 1, 2, &d.day, &n) || !date_sign(&r, '-') ||
	    !date_month(&r, &d.month) || !date_sign(&r, '-') ||
	    !date_number(&r, 4, 4, &d.year, &n) || !date_sign(&r, ' ') ||
	    !date_number(&r, 2, 2, &d.hour, &n) || !date_sign(&r, ':') ||
	    !date_number(&r, 2, 2, &d.minute, &n) || !date_sign(&r, ':') ||
	    !date_number(&r, 2, 2, &d.second, &n) || !date_sign(&r, ' ') ||
	    !date_numeric_zone(&r, &offset) || r.i != s.n || !date_is_valid(&d))
		return false;
	*unix_s = clock_unix(&d) - (int64_t)offset * 60;
	return true;
}
