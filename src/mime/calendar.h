/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_CALENDAR_H
#define MIME_CALENDAR_H

/*
 * Invitations: the VEVENTs of a text/calendar part, RFC 5545, with METHOD of
 * RFC 5546 and 6047.  emcli has its own parser: libical keeps zones and a path
 * to them in globals, opens files by names that strangers wrote, and has no
 * caps.  Nothing here fails or recurses; what exceeds a cap (base/limits.h) is
 * left out and reported.  All texts in the result are clean_text().
 */
#include "base/str.h"

/*
 * Gets the rules of a time zone that the calendar does not contain: the bytes
 * of a TZif file (RFC 8536).  The name may come from a stranger: `load` must
 * reject invalid ones.
 */
struct calendar_zones {
	bool (*load)(void *ctx, struct arena *a, struct str name,
	    struct str *out);
	void *ctx;
};

struct calendar_moment {
	bool set;
	bool date_only;  /* a whole day, without a time */
	int64_t local_s; /* wall clock, in seconds as if it were UTC */
	struct str zone; /* "Europe/Berlin", "UTC", or as written; empty: the
			    reader's own */
	bool has_utc;
	int64_t utc_s;
};

struct calendar_person {
	struct str name; /* CN */
	struct str addr; /* without "mailto:" */
	struct str status, role;
	struct str sent_by; /* an address; empty: the same person */
};

struct calendar_event {
	struct str uid, summary, description, location, status, url;
	bool has_sequence;
	int64_t sequence;
	struct calendar_moment start;
	struct calendar_moment end; /* of whole days: the first day after it */
	bool has_organizer;
	struct calendar_person organizer;
	struct calendar_person *attendee;
	size_t attendees, attendees_left; /* shown; omitted */
	struct strs rules;                /* RRULE, as written */
	struct strs dates, except;        /* RDATE, EXDATE */
	struct calendar_moment recurrence_id;
	bool cut;          /* a text was too long */
	bool zone_differs; /* its own rules differ from the zone with that name
			    */
	bool twice; /* a single property is there twice, with two values */
	size_t hidden_links;
};

struct calendar {
	struct str method; /* upper case; may be empty; the first one */
	bool methods;      /* there is another method */
	struct calendar_event *event;
	size_t n;
	bool over;     /* events or lines over the caps were left out */
	size_t unseen; /* invisible characters removed from texts */
};

/* Does it begin like a calendar? */
bool calendar_is(struct str bytes);
/* `charset` is the part's label or empty; z may be NULL. */
void calendar_read(struct arena *a, struct str bytes, struct str charset,
    const struct calendar_zones *z, struct calendar *out);

/*
 * "2026-06-21T10:00:00+02:00"; "2026-06-21" for a whole day; without an offset
 * if the time in UTC is unknown.  calendar_time.c
 */
struct str calendar_time_text(struct arena *a, const struct calendar_moment *m);

/*
 * Does the text beside the invitation name times, days or a place of which none
 * is the invitation's?  A hint: times with an unknown zone, days of recurring
 * events, and quoted lines are ignored.  calendar_text.c
 */
bool calendar_text_differs(struct arena *a, struct str text,
    const struct calendar_event *ev);

#endif
