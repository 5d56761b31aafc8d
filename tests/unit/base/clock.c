/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <time.h>

#include "base/clock.h"

static struct row {
	const char *why;
	struct str text;
	bool ok;
	int64_t s;
	const char *back; /* as we write it; NULL: the same */
} rows[] = {
	{ "the beginning", SI("1970-01-01T00:00:00Z"), true, 0, NULL },
	{ "a day", SI("2026-06-21"), true, 1782000000, "2026-06-21T00:00:00Z" },
	{ "a date and a time", SI("2026-06-21T10:00:00Z"), true, 1782036000,
	    NULL },
	{ "small letters", SI("2026-06-21t10:00:00z"), true, 1782036000,
	    "2026-06-21T10:00:00Z" },
	{ "east of Greenwich", SI("2026-06-21T12:00:00+02:00"), true,
	    1782036000, "2026-06-21T10:00:00Z" },
	{ "west of Greenwich", SI("2026-06-21T04:30:00-05:30"), true,
	    1782036000, "2026-06-21T10:00:00Z" },
	{ "a fraction is dropped", SI("2026-06-21T10:00:00.999Z"), true,
	    1782036000, "2026-06-21T10:00:00Z" },
	{ "a leap second", SI("2016-12-31T23:59:60Z"), true, 1483228800,
	    "2017-01-01T00:00:00Z" },
	{ "a leap day", SI("2000-02-29T00:00:00Z"), true, 951782400, NULL },
	{ "before 1970", SI("1969-12-31T23:59:59Z"), true, -1, NULL },
	{ "the year 0", SI("0000-01-01T00:00:00Z"), true, -62167219200, NULL },
	{ "the year 9999", SI("9999-12-31T23:59:59Z"), true, 253402300799,
	    NULL },
	{ "no leap day in 1900", SI("1900-02-29"), false, 0, NULL },
	{ "no month 13", SI("2026-13-01"), false, 0, NULL },
	{ "no month 0", SI("2026-00-01"), false, 0, NULL },
	{ "no day 0", SI("2026-01-00"), false, 0, NULL },
	{ "no June 31", SI("2026-06-31"), false, 0, NULL },
	{ "no hour 24", SI("2026-06-21T24:00:00Z"), false, 0, NULL },
	{ "no minute 60", SI("2026-06-21T10:60:00Z"), false, 0, NULL },
	{ "no second 61", SI("2026-06-21T10:00:61Z"), false, 0, NULL },
	{ "a time needs an offset", SI("2026-06-21T10:00:00"), false, 0, NULL },
	{ "no offset of 24 hours", SI("2026-06-21T10:00:00+24:00"), false, 0,
	    NULL },
	{ "a dot needs digits", SI("2026-06-21T10:00:00.Z"), false, 0, NULL },
	{ "a space is no T", SI("2026-06-21 10:00:00Z"), false, 0, NULL },
	{ "nothing may follow", SI("2026-06-21T10:00:00Z "), false, 0, NULL },
	{ "nothing may follow a day", SI("2026-06-21x"), false, 0, NULL },
	{ "one digit is too few", SI("2026-6-21"), false, 0, NULL },
	{ "cut short", SI("2026-06-2"), false, 0, NULL },
	{ "empty", SI(""), false, 0, NULL },
	{ "signs are no digits", SI("-026-06-21"), false, 0, NULL },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1000);
	int64_t s = 4711;

	assert_int_equal(clock_parse(r->text, &s), r->ok);
	assert_int_equal(s, r->ok ? r->s : 4711);
	if (r->ok)
		rows_same(clock_rfc3339(a, s),
		    r->back != NULL ? str_of(r->back) : r->text);
}

/* Compares with the C library's calendar. */
static void
referee(void **state)
{
	(void)state;
	for (int64_t s = -100000000000; s < 300000000000; s += 86399 * 733) {
		struct clock_date d = clock_date(s);
		time_t t = s;
		struct tm tm;

		assert_non_null(gmtime_r(&t, &tm));
		assert_int_equal(d.year, tm.tm_year + 1900);
		assert_int_equal(d.month, tm.tm_mon + 1);
		assert_int_equal(d.day, tm.tm_mday);
		assert_int_equal(d.hour, tm.tm_hour);
		assert_int_equal(d.minute, tm.tm_min);
		assert_int_equal(d.second, tm.tm_sec);
		assert_int_equal(d.weekday, tm.tm_wday);
		assert_int_equal(clock_unix(&d), s);
	}
}

static void
each_day(void **state)
{
	(void)state;
	for (int64_t day = -800000; day < 800000; day++) {
		struct clock_date d = clock_date(day * 86400);

		if (clock_days(d.year, d.month, d.day) != day)
			fail_msg("%d-%d-%d", d.year, d.month, d.day);
	}
}

static void
far_away(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1000);

	(void)state;
	rows_same(clock_rfc3339(a, INT64_MAX), S(""));
	rows_same(clock_rfc3339(a, INT64_MIN), S(""));
	rows_same(clock_rfc3339(a, 253402300800), S(""));
	rows_same(clock_rfc3339(a, -62167219201), S(""));
	assert_true(clock_date(INT64_MAX).year > 10000);
	assert_true(clock_date(INT64_MIN).year < -10000);
}

static void
deadlines(void **state)
{
	int64_t now = clock_mono_ms();

	(void)state;
	assert_int_equal(clock_left_ms(now - 1), 0);
	assert_int_equal(clock_left_ms(INT64_MIN), 0);
	assert_int_equal(clock_left_ms(INT64_MAX), INT32_MAX);
	assert_in_range(clock_left_ms(clock_mono_ms() + 60000), 1, 60000);
	assert_true(clock_now() > 1600000000);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("the calendar agrees with the C library", referee, NULL);
	rows_add("every day comes back as it was", each_day, NULL);
	rows_add("times far away neither wrap nor crash", far_away, NULL);
	rows_add("what is left of a deadline is never negative", deadlines,
	    NULL);
	return cmocka_run_group_tests_name("base/clock", rows_tests, NULL,
	    NULL);
}
