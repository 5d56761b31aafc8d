#ifndef MIME_CALENDAR_INTERNAL_H
#define MIME_CALENDAR_INTERNAL_H

/* What the files of the reader of invitations share. */
#include "mime/calendar.h"
#include "mime/internal.h"

#define CALENDAR_PARAMS 32 /* of one line */
#define CALENDAR_DAY_S 86400

struct calendar_param {
	struct str name, value;
};

/* Views, but for parameters. */
struct calendar_line {
	struct str name, value;
	struct calendar_param *param;
	size_t n;
};

struct str calendar_line_unfold(struct arena *a, struct str s);
/* One line without its end; false when it is none. */
bool calendar_line_read(struct arena *a, struct str s,
    struct calendar_line *out);
/* Empty where there is none; names without case. */
struct str calendar_line_param(const struct calendar_line *l, const char *name);
/* A TEXT value without its escapes. */
struct str calendar_line_text(struct arena *a, struct str s);

/* -- calendar_tzif.c: files of zones, RFC 8536 ---------------------------- */

struct calendar_tzif {
	struct str times, index, types; /* of the 64-bit block */
	size_t n;                       /* transitions */
	struct str footer;              /* a TZ string for what comes after */
};

bool calendar_tzif_read(struct str bytes, struct calendar_tzif *out);
/* UTC of a wall clock; false when the file does not tell. */
bool calendar_tzif_utc(const struct calendar_tzif *z, int64_t local_s,
    int64_t *utc_s);

/* -- calendar_zone.c: VTIMEZONE, RFC 5545 section 3.6.5 ------------------- */

#define CALENDAR_RULES 24 /* of one zone */
#define CALENDAR_ZONES 16 /* of one calendar */

/* A STANDARD or DAYLIGHT: from when on which offset. */
struct calendar_rule {
	int64_t start_s; /* wall clock by the offset before */
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
	bool bad; /* a rule that is not understood */
};

/* A property of the rule. */
void calendar_zone_line(struct arena *a, struct calendar_rule *r,
    const struct calendar_line *l);
bool calendar_zone_utc(const struct calendar_zone *z, int64_t local_s,
    int64_t *utc_s);

/* -- calendar_windows.c ---------------------------------------------------- */

/* The zone that Windows calls so, or NULL. */
const char *calendar_windows_zone(struct str name);

/* -- calendar_time.c --------------------------------------------------------
 */

/* What moments are read by. */
struct calendar_clock {
	struct arena *a;
	const struct calendar_zones *zones;
	const struct calendar_zone *own; /* the calendar's VTIMEZONEs */
	size_t n;
	bool differs; /* an own zone is not the one of that name */
	/* What was found last, and how often something was looked for. */
	struct str last, last_name;
	struct calendar_tzif last_zone;
	bool last_good;
	unsigned looks;
};

/* "20260621T100000": wall clock; *utc when a "Z" follows.  False: it is none.
 */
bool calendar_stamp_parse(struct str s, int64_t *local_s, bool *date_only,
    bool *utc);
/* One value of the line: DTSTART, EXDATE and their like. */
void calendar_time_read(struct calendar_clock *c, const struct calendar_line *l,
    struct str value, struct calendar_moment *out);
/* "PT1H30M", section 3.3.6, from a beginning and its line; out is not set when
 * it is none. */
void calendar_time_add(struct calendar_clock *c, const struct calendar_line *l,
    const struct calendar_moment *from, struct str duration,
    struct calendar_moment *out);

/* -- calendar_text.c ---------------------------------------------------------
 */

/* Links in the text that do not lead where it says. */
size_t calendar_text_links(struct arena *a, struct str s);

#endif
