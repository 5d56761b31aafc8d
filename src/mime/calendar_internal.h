/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_CALENDAR_INTERNAL_H
#define MIME_CALENDAR_INTERNAL_H

/* Shared by the files of the parser of invitations. */
#include "base/tzif.h"
#include "mime/calendar.h"
#include "mime/internal.h"

#define CALENDAR_PARAMS 32 /* of one line */
#define CALENDAR_DAY_S 86400

struct calendar_param {
	struct str name, value;
};

/* Views, except for parameters. */
struct calendar_line {
	struct str name, value;
	struct calendar_param *param;
	size_t n;
};

struct str calendar_line_unfold(struct arena *a, struct str s);
/* One line without its end; false if it is malformed. */
bool calendar_line_read(struct arena *a, struct str s,
    struct calendar_line *out);
/* Empty if there is none; ignores the case of names. */
struct str calendar_line_param(const struct calendar_line *l, const char *name);
/* A TEXT value without its escapes. */
struct str calendar_line_text(struct arena *a, struct str s);

/* -- calendar_zone.c: VTIMEZONE, RFC 5545 section 3.6.5 ------------------- */

#define CALENDAR_RULES 24 /* of one zone */
#define CALENDAR_ZONES 16 /* of one calendar */

/* A STANDARD or DAYLIGHT: an offset and its start. */
struct calendar_rule {
	int64_t start_s; /* wall clock with the previous offset */
	int from_s, to_s;
	bool yearly, bad;
	int month, week, weekday; /* week 0: by the mask of days */
	uint32_t days;            /* bit 1 to 31 */
	bool ends;
	int64_t until_s;
	int64_t *date;
	size_t dates;
};

struct calendar_zone {
	struct str id;
	struct calendar_rule rule[CALENDAR_RULES];
	size_t n;
	bool bad; /* an unsupported rule */
};

/* Reads a property of the rule. */
void calendar_zone_line(struct arena *a, struct calendar_rule *r,
    const struct calendar_line *l);
bool calendar_zone_utc(const struct calendar_zone *z, int64_t local_s,
    int64_t *utc_s);

/* -- calendar_windows.c ---------------------------------------------------- */

/* The zone for a Windows zone name, or NULL. */
const char *calendar_windows_zone(struct str name);

/* -- calendar_time.c --------------------------------------------------------
 */

/* Context for reading times. */
struct calendar_clock {
	struct arena *a;
	const struct calendar_zones *zones;
	const struct calendar_zone *own; /* the calendar's VTIMEZONEs */
	size_t n;
	bool differs; /* an own zone differs from the one with that name */
	/* The last result, and the number of lookups. */
	struct str last, last_name;
	struct tzif last_zone;
	bool last_good;
	unsigned looks;
};

/* "20260621T100000": wall clock; *utc if a "Z" follows.  False: malformed. */
bool calendar_stamp_parse(struct str s, int64_t *local_s, bool *date_only,
    bool *utc);
/* One value of the line: DTSTART, EXDATE and similar. */
void calendar_time_read(struct calendar_clock *c, const struct calendar_line *l,
    struct str value, struct calendar_moment *out);
/*
 * Adds "PT1H30M", section 3.3.6, to a start and its line; out is not set if it
 * is malformed.
 */
void calendar_time_add(struct calendar_clock *c, const struct calendar_line *l,
    const struct calendar_moment *from, struct str duration,
    struct calendar_moment *out);

/* -- calendar_text.c ---------------------------------------------------------
 */

/* Links in the text whose target differs from what they show. */
size_t calendar_text_links(struct arena *a, struct str s);

#endif
