/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "runtime/runtime.h"

#define SECOND INT64_C(1000000)
#define YEAR_10000 (INT64_C(253402300800) * SECOND)

/* "2026-04-08T10:11:12.123456Z" in microseconds; false for anything else. */
static bool
version_read(struct str s, int64_t *us)
{
	static const char form[] = "0000-00-00T00:00:00.000000Z";
	struct str head = str_first(s, 19), fraction;
	char whole[] = "0000-00-00T00:00:00Z";
	int64_t seconds;
	uint32_t n;

	if (s.n != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (form[i] == '0' ? s.p[i] < '0' || s.p[i] > '9'
				   : s.p[i] != form[i])
			return false;
	for (size_t i = 0; i < head.n; i++)
		whole[i] = head.p[i];
	fraction = str_first(str_from(s, 20), 6);
	if (!clock_parse(str_of(whole), &seconds) ||
	    !str_to_u32(fraction, 999999, &n))
		return false;
	*us = seconds * SECOND + n;
	return true;
}

int
version_next(struct arena *a, int64_t now_us, struct str last, struct str *out,
    struct err *e)
{
	int64_t us = now_us, before;
	struct str whole;

	if (version_read(last, &before) && us <= before)
		us = before + 1;
	if (us < 0 || us >= YEAR_10000)
		return err_set(e, ERR_CONFIG,
		    "bindings_version: no time follows the last one");
	whole = clock_rfc3339(a, us / SECOND);
	*out = str_fmt(a, "%.*s.%06dZ", (int)whole.n - 1, whole.p,
	    (int)(us % SECOND));
	return 0;
}
