/* SPDX-License-Identifier: Apache-2.0 */
/* Dates: current, obsolete, and invalid ones. */
#include "../rows.h"

#include "mime/date.h"

#define T0 1782036000 /* 2026-06-21 10:00:00 UTC */

static const struct row {
	const char *why;
	struct str in;
	bool ok;
	int64_t want;
	int offset;
} rows[] = {
	{ "a date", SI("Sun, 21 Jun 2026 10:00:00 +0000"), true, T0, 0 },
	{ "a zone to the east", SI("Sun, 21 Jun 2026 12:00:00 +0200"), true, T0,
	    120 },
	{ "a zone to the west", SI("Sun, 21 Jun 2026 06:30:00 -0330"), true, T0,
	    -210 },
	{ "without the day of the week", SI("21 Jun 2026 10:00:00 +0000"), true,
	    T0, 0 },
	{ "with the wrong day of the week", SI("Mon, 21 Jun 2026 10:00 +0000"),
	    true, T0, 0 },
	{ "a comment behind", SI("Sun, 21 Jun 2026 10:00:00 +0000 (UTC)"), true,
	    T0, 0 },
	{ "comments everywhere",
	    SI("(a)Sun(b (c)),(\\))21(d)Jun(e)2026 10(f):00:00(g)+0000"), true,
	    T0, 0 },
	{ "folded", SI("Sun,\r\n 21 Jun 2026\r\n\t10:00:00 +0000"), true, T0,
	    0 },
	{ "in odd case", SI("sUN, 21 jUN 2026 10:00:00 gmt"), true, T0, 0 },
	{ "an obsolete zone", SI("21 Jun 2026 05:00:00 EST"), true, T0, -300 },
	{ "another", SI("21 Jun 2026 03:00:00 pdt"), true, T0, -420 },
	{ "a military zone means nothing", SI("21 Jun 2026 10:00:00 A"), true,
	    T0, 0 },
	{ "an unknown zone", SI("21 Jun 2026 10:00:00 MESZ"), true, T0, 0 },
	{ "a zone that cannot be", SI("21 Jun 2026 10:00:00 +9900"), true, T0,
	    0 },
	{ "no zone", SI("21 Jun 2026 10:00:00"), true, T0, 0 },
	{ "two digits of this century", SI("21 Jun 26 10:00:00 +0000"), true,
	    T0, 0 },
	{ "two digits of the last", SI("1 Jan 70 00:00:00 +0000"), true, 0, 0 },
	{ "three digits", SI("1 Jan 100 00:00:00 +0000"), true, 946684800, 0 },
	{ "no seconds", SI("21 Jun 2026 10:00 +0000"), true, T0, 0 },
	{ "one digit of hours", SI("21 Jun 2026 9:59:60 +0000"), true, T0, 0 },
	{ "a month in full", SI("21 June 2026 10:00 +0000"), true, T0, 0 },
	{ "dashes", SI("Sun, 21-Jun-2026 10:00:00 GMT"), true, T0, 0 },
	{ "a zone with a colon", SI("21 Jun 2026 12:00:00 +02:00"), true, T0,
	    120 },
	{ "the leap day", SI("29 Feb 2024 00:00:00 +0000"), true, 1709164800,
	    0 },
	{ "before the epoch", SI("31 Dec 1969 23:59:59 +0000"), true, -1, 0 },
	/* Seen in real mail, and clear to a person. */
	{ "half a day", SI("06 Jul 01 8:04:54 PM"), true, 994449894, 0 },
	{ "the other half", SI("Fri, 6 Jul 2001 08:04:54 AM -0400"), true,
	    994421094, -240 },
	{ "noon", SI("21 Jun 2026 12:00 pm"), true, T0 + 7200, 0 },
	{ "midnight", SI("21 Jun 2026 12:00 AM"), true, T0 - 36000, 0 },
	{ "no hour of half a day", SI("21 Jun 2026 13:00 PM"), false, 0, 0 },
	{ "one digit of seconds", SI("21 Jun 2026 16:54:6 +0000"), true,
	    T0 + 24846, 0 },
	{ "one digit of minutes", SI("21 Jun 2026 10:5:00 +0000"), true,
	    T0 + 300, 0 },
	{ "parts of seconds", SI("21 Jun 2026 10:00:00.123 +0200"), true,
	    T0 - 7200, 120 },
	{ "as asctime writes", SI("Sun Jun 21 10:00:00 2026"), true, T0, 0 },
	{ "as date(1) writes", SI("Sun Jun 21 06:00:00 EDT 2026"), true, T0,
	    -240 },
	{ "as asctime writes, and a zone", SI("Sun Jun  7 10:00:00 2026 +0200"),
	    true, T0 - 14 * 86400 - 7200, 120 },
	{ "a month first", SI("June 21, 2026 10:00 AM"), true, T0, 0 },
	{ "a month first, and its day's name",
	    SI("Sunday, June 21, 2026, 10:00:00 GMT"), true, T0, 0 },
	{ "a Tuesday of other languages", SI("mar, 23 Jun 2026 10:00:00 +0000"),
	    true, T0 + 2 * 86400, 0 },
	{ "RFC 3339", SI("2026-06-21T12:00:00+02:00"), true, T0, 120 },
	{ "nearly", SI("2026-06-21 10:00:00 +0000"), true, T0, 0 },
	{ "in UTC", SI("2026-06-21T10:00:00.5Z"), true, T0, 0 },
	{ "a month that is none", SI("2026-13-21 10:00:00"), false, 0, 0 },
	{ "a month and no day", SI("June 2026 10:00"), false, 0, 0 },
	{ "asctime without its year", SI("Sun Jun 21 10:00:00"), false, 0, 0 },
	{ "no leap day", SI("29 Feb 2026 00:00:00 +0000"), false, 0, 0 },
	{ "no leap day in 1900", SI("29 Feb 1900 00:00:00 +0000"), false, 0,
	    0 },
	{ "the day 0", SI("0 Jun 2026 10:00:00 +0000"), false, 0, 0 },
	{ "the day 31 of June", SI("31 Jun 2026 10:00:00 +0000"), false, 0, 0 },
	{ "the hour 24", SI("21 Jun 2026 24:00:00 +0000"), false, 0, 0 },
	{ "the minute 60", SI("21 Jun 2026 10:60:00 +0000"), false, 0, 0 },
	{ "no month", SI("21 Foo 2026 10:00:00 +0000"), false, 0, 0 },
	{ "a year too long", SI("21 Jun 20260 10:00:00 +0000"), false, 0, 0 },
	{ "a year too early", SI("21 Jun 1899 10:00:00 +0000"), false, 0, 0 },
	{ "no time", SI("21 Jun 2026"), false, 0, 0 },
	{ "nothing", SI(""), false, 0, 0 },
	{ "words", SI("yesterday"), false, 0, 0 },
	{ "digits without end", SI("99999999999999999999 Jun 2026"), false, 0,
	    0 },
	{ "a NUL", SI("21 Jun\0 2026 10:00:00 +0000"), false, 0, 0 },
	{ "a comment that does not end", SI("(21 Jun 2026 10:00:00 +0000"),
	    false, 0, 0 },
	{ "a backslash at the very end", SI("(\\"), false, 0, 0 },
};

static void
parse(void **state)
{
	const struct row *r = *state;
	int64_t got = 42;
	int offset = 42;

	assert_int_equal(date_parse(r->in, &got, &offset), r->ok);
	assert_int_equal(got, r->ok ? r->want : 42);
	assert_int_equal(offset, r->ok ? r->offset : 42);
}

static const struct imap_row {
	const char *why;
	struct str in;
	bool ok;
	int64_t want;
} imaps[] = {
	{ "IMAP: two digits", SI("21-Jun-2026 12:00:00 +0200"), true, T0 },
	{ "IMAP: one digit and a space", SI(" 1-Jan-1970 00:00:00 +0000"), true,
	    0 },
	{ "IMAP: something behind", SI("21-Jun-2026 12:00:00 +0200 "), false,
	    0 },
	{ "IMAP: a named zone", SI("21-Jun-2026 12:00:00 EST"), false, 0 },
	{ "IMAP: no such day", SI("31-Jun-2026 12:00:00 +0200"), false, 0 },
	{ "IMAP: nothing", SI(""), false, 0 },
};

static void
imap(void **state)
{
	const struct imap_row *r = *state;
	int64_t got = 42;

	assert_int_equal(date_imap_parse(r->in, &got), r->ok);
	assert_int_equal(got, r->ok ? r->want : 42);
}

static void
write_dates(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	rows_same(date_rfc5322(a, T0), S("Sun, 21 Jun 2026 10:00:00 +0000"));
	rows_same(date_rfc5322(a, -1), S("Wed, 31 Dec 1969 23:59:59 +0000"));
	rows_same(date_rfc3339(a, T0, 120), S("2026-06-21T12:00:00+02:00"));
	rows_same(date_rfc3339(a, T0, -210), S("2026-06-21T06:30:00-03:30"));
	rows_same(date_rfc3339(a, T0, 99999), S("2026-06-21T10:00:00+00:00"));
	rows_same(date_imap(a, T0), S("21-Jun-2026"));
	rows_same(date_imap(a, 0), S("1-Jan-1970"));
	rows_same(date_rfc5322(a, INT64_MAX), S(""));
	rows_same(date_rfc3339(a, INT64_MIN, 60), S(""));
	rows_same(date_rfc3339(a, 253402300799, 60), S(""));
	rows_same(date_imap(a, INT64_MIN), S(""));
}

static void
round_trip(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	for (int64_t t = -2208988800; t < 253402300800; t += 86399 * 97) {
		int64_t got = 0;
		int offset = 1;

		assert_true(date_parse(date_rfc5322(a, t), &got, &offset));
		assert_int_equal(got, t);
		assert_int_equal(offset, 0);
	}
}

int
main(void)
{
	ROWS(rows, parse);
	ROWS(imaps, imap);
	rows_add("dates are written", write_dates, NULL);
	rows_add("what was written is read as the same", round_trip, NULL);
	return cmocka_run_group_tests_name("mime/date", rows_tests, NULL, NULL);
}
