/* SPDX-License-Identifier: Apache-2.0 */
#include "base/local.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/zoneinfo.h"

struct local
local_open(struct arena *a, const char *tz)
{
	struct local l = { 0 };
	struct str name = str_of(tz), bytes;
	int offset;

	if (str_starts(name, S(":")))
		name = str_from(name, 1);
	if (tz == NULL ? zoneinfo_system(a, &bytes)
		       : zoneinfo_read(a, name, &bytes))
		(void)tzif_read(bytes, &l.zone);
	else if (tz != NULL && tzif_footer(name, 0, &offset))
		l.rule = str_dup(a, name);
	return l;
}

struct str
local_text(const struct local *l, struct arena *a, int64_t unix_s, bool offset)
{
	struct clock_date d;
	struct str s;
	int east = 0, minutes;

	if (l->rule.n > 0)
		(void)tzif_footer(l->rule, unix_s, &east);
	else if (l->zone.types.n > 0 && !tzif_offset(&l->zone, unix_s, &east))
		east = 0;
	minutes = abs(east) / 60;
	d = clock_date(unix_s + east);
	s = str_fmt(a, "%04d-%02d-%02d %02d:%02d", d.year, d.month, d.day,
	    d.hour, d.minute);
	return offset ? str_fmt(a, "%.*s %c%02d%02d", STR_ARG(s),
			    east < 0 ? '-' : '+', minutes / 60, minutes % 60)
		      : s;
}
