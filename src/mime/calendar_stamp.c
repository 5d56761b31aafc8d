/* SPDX-License-Identifier: Apache-2.0 */
/* Reads "20260731T120000Z", RFC 5545 section 3.3.5. */
#include "base/clock.h"
#include "mime/calendar_internal.h"

static bool
time_digits(struct str s, size_t from, size_t n, int max, int *out)
{
	uint32_t v;

	if (from + n > s.n ||
	    !str_to_u32((struct str){ s.p + from, n }, (uint32_t)max, &v))
		return false;
	*out = (int)v;
	return true;
}

bool
calendar_stamp_parse(struct str s, int64_t *local_s, bool *date_only, bool *utc)
{
	struct clock_date d = { 0 }, same;

	s = str_trim(s);
	*utc = s.n > 0 && (s.p[s.n - 1] == 'Z' || s.p[s.n - 1] == 'z');
	if (*utc)
		s.n--;
	if (!time_digits(s, 0, 4, 9999, &d.year) ||
	    !time_digits(s, 4, 2, 12, &d.month) ||
	    !time_digits(s, 6, 2, 31, &d.day) || d.year < 1600 || d.month < 1 ||
	    d.day < 1)
		return false;
	*date_only = s.n == 8;
	if (s.n != 8 &&
	    (s.n != 15 || (s.p[8] != 'T' && s.p[8] != 't') ||
		!time_digits(s, 9, 2, 23, &d.hour) ||
		!time_digits(s, 11, 2, 59, &d.minute) ||
		!time_digits(s, 13, 2, 60, &d.second)))
		return false;
	*local_s = clock_unix(&d);
	same = clock_date(*local_s - d.second);
	return same.day == d.day && same.month == d.month;
}
