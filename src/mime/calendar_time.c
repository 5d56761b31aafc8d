/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of invitations, RFC 5545 sections 3.3.4 to 3.3.6: whole days, times in
 * UTC, in a zone, and in the reader's zone.  A zone uses the calendar's own
 * rules if it has them (that is what it means), else the system's; if both are
 * known and differ, the result says so.
 */
#include <string.h>

#include "base/clean.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "mime/calendar_internal.h"
#include "mime/date.h"

enum {
	ZONE_NAME = 200,    /* bytes of a zone name to look up */
	ZONE_WORDS = 8,     /* of a path that may end in a zone name */
	ZONE_LOOKS = 64,    /* in one calendar */
	MOST_DAYS = 366000, /* of a duration */
};

/* "UTC", and what programs write for it. */
static bool
time_is_utc(struct str s)
{
	static const struct str names[] = { SI("UTC"), SI("GMT"), SI("Z"),
		SI("Etc/UTC"), SI("Etc/GMT"), SI("tzone://Microsoft/Utc") };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_eq_case(s, names[i]))
			return true;
	return false;
}

static bool
time_load(struct calendar_clock *c, struct str name, struct tzif *z)
{
	struct str bytes;

	return c->zones != NULL &&
	    c->zones->load(c->zones->ctx, c->a, name, &bytes) &&
	    tzif_read(bytes, z);
}

/*
 * The zone with that name: as it is, as Windows calls it, or as the end of a
 * path ("/mozilla.org/20050126_1/Europe/Berlin").
 */
static bool
time_search(struct calendar_clock *c, struct str *name, struct tzif *z)
{
	const char *windows = calendar_windows_zone(*name);
	struct str rest = *name, head;

	if (windows != NULL) {
		*name = str_of(windows);
		return time_load(c, *name, z);
	}
	for (int i = 0; i < ZONE_WORDS && rest.n > 0; i++) {
		if (time_load(c, rest, z)) {
			*name = rest;
			return true;
		}
		if (!str_cut(rest, '/', &head, &rest))
			break;
	}
	return false;
}

/* The same, with a cache, so that a thousand lines do not open a file each. */
static bool
time_find(struct calendar_clock *c, struct str *name, struct tzif *z)
{
	if (name->n > ZONE_NAME || name->n == 0)
		return false;
	if (!str_eq(c->last, *name)) {
		if (c->looks++ >= ZONE_LOOKS)
			return false;
		c->last = c->last_name = *name;
		c->last_good = time_search(c, &c->last_name, &c->last_zone);
	}
	*name = c->last_name;
	*z = c->last_zone;
	return c->last_good;
}

/* UTC of out->local_s in the zone with that name, as far as it is known. */
static void
time_resolve(struct calendar_clock *c, struct str tzid,
    struct calendar_moment *out)
{
	struct tzif z;
	struct str name = tzid;
	int64_t by_name;

	if (time_is_utc(tzid)) {
		out->zone = S("UTC");
		out->has_utc = true;
		out->utc_s = out->local_s;
		return;
	}
	for (size_t i = 0; i < c->n && !out->has_utc; i++)
		out->has_utc = str_eq(c->own[i].id, tzid) &&
		    calendar_zone_utc(&c->own[i], out->local_s, &out->utc_s);
	if (time_find(c, &name, &z) && tzif_utc(&z, out->local_s, &by_name)) {
		c->differs =
		    c->differs || (out->has_utc && by_name != out->utc_s);
		if (!out->has_utc)
			out->utc_s = by_name;
		out->has_utc = true;
	}
	out->zone = clean_text(c->a, utf8_first(name, ZONE_NAME), NULL);
}

void
calendar_time_read(struct calendar_clock *c, const struct calendar_line *l,
    struct str value, struct calendar_moment *out)
{
	struct str tzid = str_trim(calendar_line_param(l, "TZID"));
	bool utc;

	*out = (struct calendar_moment){ 0 };
	if (!calendar_stamp_parse(value, &out->local_s, &out->date_only, &utc))
		return;
	out->set = true;
	if (out->date_only)
		return;
	if (utc)
		time_resolve(c, S("UTC"), out);
	else if (tzid.n > 0)
		time_resolve(c, tzid, out);
}

/* Days and seconds of "P1DT2H", "P2W"; false if it is not a duration. */
static bool
time_duration(struct str s, int64_t *days, int64_t *seconds)
{
	bool back = str_starts(s, S("-")), time = false;
	size_t from;

	*days = *seconds = 0;
	if (back || str_starts(s, S("+")))
		s = str_from(s, 1);
	if (!str_starts(s, S("P")) || s.n < 3)
		return false;
	for (size_t i = 1; i < s.n; i++) {
		uint32_t v;

		if (s.p[i] == 'T') {
			time = true;
			continue;
		}
		for (from = i; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
			i++;
		if (i == s.n ||
		    !str_to_u32((struct str){ s.p + from, i - from }, 1000000,
			&v))
			return false;
		if (!time && s.p[i] == 'W')
			*days += (int64_t)v * 7;
		else if (!time && s.p[i] == 'D')
			*days += v;
		else if (time && strchr("HMS", s.p[i]) != NULL)
			*seconds += (int64_t)v *
			    (s.p[i] == 'H'          ? 3600
				    : s.p[i] == 'M' ? 60
						    : 1);
		else
			return false;
		/* Too large to add to any time: not a duration. */
		if (*days + *seconds / CALENDAR_DAY_S > MOST_DAYS)
			return false;
	}
	if (back) {
		*days = -*days;
		*seconds = -*seconds;
	}
	return true;
}

void
calendar_time_add(struct calendar_clock *c, const struct calendar_line *l,
    const struct calendar_moment *from, struct str duration,
    struct calendar_moment *out)
{
	int64_t days, seconds, want;
	struct calendar_moment m = *from;
	struct str tzid = str_eq(from->zone, S("UTC"))
	    ? from->zone
	    : str_trim(calendar_line_param(l, "TZID"));

	*out = (struct calendar_moment){ 0 };
	if (!from->set || !time_duration(str_trim(duration), &days, &seconds))
		return;
	m.local_s += days * CALENDAR_DAY_S;
	if (from->has_utc) {
		/* Days follow the calendar, hours follow the clock. */
		m.has_utc = false;
		time_resolve(c, tzid, &m);
		want = m.utc_s + seconds;
		m.local_s += seconds;
		m.has_utc = false;
		time_resolve(c, tzid, &m);
		m.local_s += want - m.utc_s;
		m.utc_s = want;
	} else {
		m.local_s += seconds;
	}
	*out = m;
}

struct str
calendar_time_text(struct arena *a, const struct calendar_moment *m)
{
	struct str s = clock_rfc3339(a, m->local_s);

	if (!m->set || s.n < 20)
		return S("");
	if (m->date_only)
		return str_first(s, 10);
	if (!m->has_utc)
		return str_first(s, s.n - 1);
	/* Offsets with seconds were in use before 1972. */
	return date_rfc3339(a, m->utc_s, (int)((m->local_s - m->utc_s) / 60));
}
