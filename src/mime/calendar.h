#ifndef MIME_CALENDAR_H
#define MIME_CALENDAR_H

/*
 * Invitations as their reader needs them: the VEVENTs of a text/calendar part,
 * RFC 5545, with METHOD of RFC 5546 and 6047.  Our own reader, as for all other
 * formats of mail: libical keeps zones and a path to them in globals, reads
 * files by names that a stranger wrote, and knows no caps.  Nothing here fails
 * or recurses; what passes a cap (base/limits.h) is left out and told.  All
 * texts in the result are clean_text().
 */
#include "base/str.h"

/*
 * Where the rules of a time zone come from when the calendar has none: the
 * bytes of a TZif file (RFC 8536).  A stranger wrote the name: it is for `load`
 * to say that it is none.
 */
struct calendar_zones {
	bool (*load)(void *ctx, struct arena *a, struct str name,
	    struct str *out);
	void *ctx;
};

struct calendar_moment {
	bool set;
	bool date_only;  /* all day: the day, and no time */
	int64_t local_s; /* wall clock, in seconds as if it were UTC */
	struct str zone; /* "Europe/Berlin", "UTC", or as written; empty: the
			  * reader's own, whichever that is */
	bool has_utc;
	int64_t utc_s;
};

struct calendar_person {
	struct str name; /* CN */
	struct str addr; /* without "mailto:" */
	struct str status, role;
	struct str sent_by; /* an address; empty: by that person */
};

struct calendar_event {
	struct str uid, summary, description, location, status, url;
	bool has_sequence;
	int64_t sequence;
	struct calendar_moment start;
	struct calendar_moment end; /* of whole days: the first after it */
	bool has_organizer;
	struct calendar_person organizer;
	struct calendar_person *attendee;
	size_t attendees, attendees_left; /* shown; left out */
	struct strs rules;                /* RRULE, as written */
	struct strs dates, except;        /* RDATE, EXDATE */
	struct calendar_moment recurrence_id;
	bool cut;          /* a text was too long */
	bool zone_differs; /* its own rules are not those of the zone named */
	bool twice; /* what comes once comes twice, and is not the same */
	size_t hidden_links;
};

struct calendar {
	struct str method; /* upper case; may be empty; the first one */
	bool methods;      /* and there is another */
	struct calendar_event *event;
	size_t n;
	bool over;     /* events or lines beyond the caps were left out */
	size_t unseen; /* characters that nobody sees, left out of texts */
};

/* Does it begin as a calendar does? */
bool calendar_is(struct str bytes);
/* `charset` is the part's label or empty; z may be NULL. */
void calendar_read(struct arena *a, struct str bytes, struct str charset,
    const struct calendar_zones *z, struct calendar *out);

/* "2026-06-21T10:00:00+02:00"; "2026-06-21" of a whole day; without an offset
 * where the time in UTC is not known.  calendar_time.c */
struct str calendar_time_text(struct arena *a, const struct calendar_moment *m);

/*
 * Does a text written beside the invitation name times, days or a place, and
 * none of them is the invitation's?  A hint: times with a zone that is not
 * known, days of an event that recurs, and quoted lines do not count.
 * calendar_text.c
 */
bool calendar_text_differs(struct arena *a, struct str text,
    const struct calendar_event *ev);

#endif
