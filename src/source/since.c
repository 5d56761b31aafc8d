/* SPDX-License-Identifier: Apache-2.0 */
/* `since`, as the contract writes it. */
#include "source/since.h"

#include "base/clock.h"

#define HOUR_S 3600
#define DAY_S 86400
#define YEARS_S (INT64_C(36525) * DAY_S) /* a hundred of them */

static const struct {
	char letter;
	int64_t unit_s;
} units[] = {
	{ 'h', HOUR_S },
	{ 'd', DAY_S },
	{ 'w', INT64_C(7) * DAY_S },
};

static int64_t
since_unit_of(char c)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (c == units[i].letter)
			return units[i].unit_s;
	return 0;
}

bool
since_parse(struct str s, int64_t now_s, int64_t *out)
{
	int64_t unit_s = s.n > 1 ? since_unit_of(s.p[s.n - 1]) : 0;
	uint32_t n;

	if (unit_s == 0)
		return clock_parse(s, out);
	if (s.p[0] == '0' ||
	    !str_to_u32(str_first(s, s.n - 1), (uint32_t)(YEARS_S / unit_s),
		&n))
		return false;
	*out = now_s - (int64_t)n * unit_s;
	return true;
}
