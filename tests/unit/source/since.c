/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's `since`: the valid values, and nothing else. */
#include "../rows.h"

#include "source/since.h"

/* 2026-06-21T10:00:00Z */
#define NOW INT64_C(1782036000)
#define DAY INT64_C(86400)

static const struct row {
	const char *why;
	struct str in;
	bool good;
	int64_t want;
} rows[] = {
	{ "a day is its first second in UTC", SI("2026-06-21"), true,
	    NOW - 36000 },
	{ "a date-time", SI("2026-06-21T10:00:00Z"), true, NOW },
	{ "a date-time in another zone", SI("2026-06-21T12:00:00+02:00"), true,
	    NOW },
	{ "days", SI("14d"), true, NOW - 14 * DAY },
	{ "weeks", SI("2w"), true, NOW - 14 * DAY },
	{ "hours", SI("6h"), true, NOW - 21600 },
	{ "a hundred years of days", SI("36525d"), true, NOW - 36525 * DAY },
	{ "and not a day more", SI("36526d"), false, 0 },
	{ "a hundred years of weeks", SI("5217w"), true, NOW - 36519 * DAY },
	{ "and not a week more", SI("5218w"), false, 0 },
	{ "a hundred years of hours", SI("876600h"), true, NOW - 36525 * DAY },
	{ "and not an hour more", SI("876601h"), false, 0 },
	{ "a number that wraps", SI("4294967297d"), false, 0 },
	{ "a number that is long", SI("99999999999999999999w"), false, 0 },
	{ "nothing", SI(""), false, 0 },
	{ "a letter alone", SI("d"), false, 0 },
	{ "no days", SI("0d"), false, 0 },
	{ "zeros in front", SI("014d"), false, 0 },
	{ "a number alone", SI("14"), false, 0 },
	{ "a sign", SI("-14d"), false, 0 },
	{ "a plus", SI("+14d"), false, 0 },
	{ "a space", SI("14 d"), false, 0 },
	{ "a space in front", SI(" 14d"), false, 0 },
	{ "a capital", SI("14D"), false, 0 },
	{ "a month is no unit", SI("1m"), false, 0 },
	{ "a day that is not there", SI("2026-02-30"), false, 0 },
	{ "words", SI("yesterday"), false, 0 },
	{ "a fraction", SI("1.5d"), false, 0 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	int64_t got = 0;

	assert_int_equal(since_parse(r->in, NOW, &got), r->good);
	assert_int_equal(got, r->want);
}

int
main(void)
{
	ROWS(rows, row);
	return cmocka_run_group_tests_name("source/since", rows_tests, NULL,
	    NULL);
}
