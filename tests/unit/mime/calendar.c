/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Invitations: lines, texts, times in zones of every kind, and warnings. The
 * zones of the system are made here, so that no row depends on it.
 */
#include "../rows.h"

#include "mime/calendar.h"

#define CAL(lines)                                                             \
	"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n" lines "END:VCALENDAR\r\n"
#define EVENT(lines) "BEGIN:VEVENT\r\nUID:1@x\r\n" lines "END:VEVENT\r\n"

/* Central Europe, as Outlook writes it. */
#define OUTLOOK_ZONE(id)                                                       \
	"BEGIN:VTIMEZONE\r\nTZID:" id "\r\n"                                   \
	"BEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\n"  \
	"TZOFFSETTO:+0100\r\n"                                                 \
	"RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10\r\n"               \
	"END:STANDARD\r\n"                                                     \
	"BEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100\r\n"  \
	"TZOFFSETTO:+0200\r\n"                                                 \
	"RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\r\n"                \
	"END:DAYLIGHT\r\nEND:VTIMEZONE\r\n"

static const struct {
	const char *name, *footer;
} zone_files[] = {
	{ "Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3" },
	{ "America/New_York", "EST5EDT,M3.2.0,M11.1.0" },
	{ "Asia/Kolkata", "IST-5:30" },
	{ "Asia/Gaza", "EET-2EEST,M3.4.4/50,M10.4.4/50" },
	{ "Africa/Casablanca", "<+01>-1" },
	{ "Julian/Day", "AAA3BBB,J60/0,J300" },
	{ "Broken", "what" },
};

/* A file without transitions: RFC 8536 section 3. */
static bool
load(void *ctx, struct arena *a, struct str name, struct str *out)
{
	static const unsigned char head[44] = { 'T', 'Z', 'i', 'f',
		'2', [39] = 1 };
	struct buf b;

	(void)ctx;
	for (size_t i = 0; i < sizeof(zone_files) / sizeof(zone_files[0]);
	     i++) {
		if (!str_eq(name, str_of(zone_files[i].name)))
			continue;
		buf_init(&b, a, 400);
		for (int twice = 0; twice < 2; twice++) {
			buf_add(&b, head, sizeof(head));
			buf_add(&b, "\0\0\0\0\0\0", 6);
		}
		buf_fmt(&b, "\n%s\n", zone_files[i].footer);
		*out = buf_view(&b);
		return true;
	}
	return false;
}

static const struct calendar_zones zones = { .load = load };

/* -- times --------------------------------------------------------------------
 */

static const struct time_row {
	const char *why, *cal;
	const char *start, *start_utc, *end, *zone;
	bool differs;
} times[] = {
	{ "two rules in one, the second without a day",
	    CAL("BEGIN:VTIMEZONE\r\nTZID:A\r\nBEGIN:STANDARD\r\n"
		"DTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\n"
		"TZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=10"
		"\r\nRRULE:FREQ=YEARLY\r\nEND:STANDARD\r\nEND:"
		"VTIMEZONE\r\n" EVENT(
		    "DTSTART;TZID=A:20260621T100000\r\nDURATION:P9999999W"
		    "\r\n")),
	    "2026-06-21T10:00:00", "", "", "A", false },
	{ "UTC",
	    CAL(EVENT(
		"DTSTART:20260621T100000Z\r\nDTEND:20260621T110000Z\r\n")),
	    "2026-06-21T10:00:00+00:00", "2026-06-21T10:00:00Z",
	    "2026-06-21T11:00:00+00:00", "UTC", 0 },
	{ "a zone of the database, in summer",
	    CAL(EVENT("DTSTART;TZID=Europe/Berlin:20260621T100000\r\n")),
	    "2026-06-21T10:00:00+02:00", "2026-06-21T08:00:00Z",
	    "2026-06-21T10:00:00+02:00", "Europe/Berlin", 0 },
	{ "in winter",
	    CAL(EVENT("DTSTART;TZID=\"Europe/Berlin\":20260121T100000\r\n")),
	    "2026-01-21T10:00:00+01:00", "2026-01-21T09:00:00Z",
	    "2026-01-21T10:00:00+01:00", "Europe/Berlin", 0 },
	{ "half an hour",
	    CAL(EVENT("DTSTART;TZID=Asia/Kolkata:20260621T100000\r\n")),
	    "2026-06-21T10:00:00+05:30", "2026-06-21T04:30:00Z",
	    "2026-06-21T10:00:00+05:30", "Asia/Kolkata", 0 },
	{ "a zone in angle brackets",
	    CAL(EVENT("DTSTART;TZID=Africa/Casablanca:20260621T100000\r\n")),
	    "2026-06-21T10:00:00+01:00", "2026-06-21T09:00:00Z",
	    "2026-06-21T10:00:00+01:00", "Africa/Casablanca", 0 },
	{ "a rule with more hours than a day",
	    CAL(EVENT("DTSTART;TZID=Asia/Gaza:20260328T010000\r\n")),
	    "2026-03-28T01:00:00+02:00", "2026-03-27T23:00:00Z",
	    "2026-03-28T01:00:00+02:00", "Asia/Gaza", 0 },
	{ "days by number",
	    CAL(EVENT("DTSTART;TZID=Julian/Day:20240301T000000\r\n")),
	    "2024-03-01T00:00:00-03:00", "2024-03-01T03:00:00Z",
	    "2024-03-01T00:00:00-03:00", "Julian/Day", 0 },
	{ "a time that comes twice is the first",
	    CAL(EVENT("DTSTART;TZID=Europe/Berlin:20261025T023000\r\n")),
	    "2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00Z",
	    "2026-10-25T02:30:00+02:00", "Europe/Berlin", 0 },
	{ "a time that does not come is by the offset before",
	    CAL(EVENT("DTSTART;TZID=Europe/Berlin:20260329T023000\r\n")),
	    "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00Z",
	    "2026-03-29T02:30:00+01:00", "Europe/Berlin", 0 },
	{ "as Windows calls it",
	    CAL(EVENT(
		"DTSTART;TZID=Eastern Standard Time:20260621T100000\r\n")),
	    "2026-06-21T10:00:00-04:00", "2026-06-21T14:00:00Z",
	    "2026-06-21T10:00:00-04:00", "America/New_York", 0 },
	{ "as Outlook writes it, with its rules",
	    CAL(OUTLOOK_ZONE("W. Europe Standard Time") EVENT(
		"DTSTART;TZID=W. Europe Standard Time:20260621T100000\r\n"
		"DURATION:PT90M\r\n")),
	    "2026-06-21T10:00:00+02:00", "2026-06-21T08:00:00Z",
	    "2026-06-21T11:30:00+02:00", "Europe/Berlin", 0 },
	{ "a zone that only the calendar knows",
	    CAL(OUTLOOK_ZONE("Customized Time Zone") EVENT(
		"DTSTART;TZID=Customized Time Zone:20260121T100000\r\n")),
	    "2026-01-21T10:00:00+01:00", "2026-01-21T09:00:00Z",
	    "2026-01-21T10:00:00+01:00", "Customized Time Zone", 0 },
	{ "its rules, after the event, at a time that comes twice",
	    CAL(EVENT("DTSTART;TZID=Mine:20261025T023000\r\n")
		    OUTLOOK_ZONE("Mine")),
	    "2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00Z",
	    "2026-10-25T02:30:00+02:00", "Mine", 0 },
	{ "and at one that does not come",
	    CAL(OUTLOOK_ZONE("Mine")
		    EVENT("DTSTART;TZID=Mine:20260329T023000\r\n")),
	    "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00Z",
	    "2026-03-29T02:30:00+01:00", "Mine", 0 },
	{ "rules that are not those of the zone named",
	    CAL(OUTLOOK_ZONE("America/New_York")
		    EVENT("DTSTART;TZID=America/New_York:20260621T100000\r\n")),
	    "2026-06-21T10:00:00+02:00", "2026-06-21T08:00:00Z",
	    "2026-06-21T10:00:00+02:00", "America/New_York", 1 },
	{ "rules that are not understood: the database's",
	    CAL("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\n"
		"DTSTART:19700101T000000\r\nTZOFFSETFROM:+0500\r\n"
		"TZOFFSETTO:+0500\r\nRRULE:FREQ=HOURLY\r\nEND:STANDARD\r\n"
		"END:VTIMEZONE\r\n" EVENT(
		    "DTSTART;TZID=Europe/Berlin:20260621T100000\r\n")),
	    "2026-06-21T10:00:00+02:00", "2026-06-21T08:00:00Z",
	    "2026-06-21T10:00:00+02:00", "Europe/Berlin", 0 },
	{ "a path that ends in a zone",
	    CAL(EVENT("DTSTART;TZID=/x.example/2005_1/Europe/Berlin:"
		      "20260621T100000\r\n")),
	    "2026-06-21T10:00:00+02:00", "2026-06-21T08:00:00Z",
	    "2026-06-21T10:00:00+02:00", "Europe/Berlin", 0 },
	{ "a zone that nobody knows",
	    CAL(EVENT("DTSTART;TZID=Middle Earth:20260621T100000\r\n")),
	    "2026-06-21T10:00:00", "", "2026-06-21T10:00:00", "Middle Earth",
	    0 },
	{ "a broken file",
	    CAL(EVENT("DTSTART;TZID=Broken:20260621T100000\r\n")),
	    "2026-06-21T10:00:00", "", "2026-06-21T10:00:00", "Broken", 0 },
	{ "no zone: wherever the reader is",
	    CAL(EVENT("DTSTART:20260621T100000\r\nDURATION:P1DT1H\r\n")),
	    "2026-06-21T10:00:00", "", "2026-06-22T11:00:00", "", 0 },
	{ "a whole day", CAL(EVENT("DTSTART;VALUE=DATE:20260621\r\n")),
	    "2026-06-21", "", "2026-06-22", "", 0 },
	{ "three days",
	    CAL(EVENT("DTSTART;VALUE=DATE:20260621\r\n"
		      "DTEND;VALUE=DATE:20260624\r\n")),
	    "2026-06-21", "", "2026-06-24", "", 0 },
	{ "a week",
	    CAL(EVENT("DTSTART;VALUE=DATE:20260621\r\nDURATION:P1W\r\n")),
	    "2026-06-21", "", "2026-06-28", "", 0 },
	{ "hours over a change of clocks are hours",
	    CAL(EVENT("DTSTART;TZID=Europe/Berlin:20261024T230000\r\n"
		      "DURATION:PT6H\r\n")),
	    "2026-10-24T23:00:00+02:00", "2026-10-24T21:00:00Z",
	    "2026-10-25T04:00:00+01:00", "Europe/Berlin", 0 },
	{ "a day over one is a day",
	    CAL(EVENT("DTSTART;TZID=Europe/Berlin:20261024T230000\r\n"
		      "DURATION:P1D\r\n")),
	    "2026-10-24T23:00:00+02:00", "2026-10-24T21:00:00Z",
	    "2026-10-25T23:00:00+01:00", "Europe/Berlin", 0 },
	{ "no time at all", CAL(EVENT("SUMMARY:x\r\n")), "", "", "", "", 0 },
	{ "a day that is none", CAL(EVENT("DTSTART:20260230T100000Z\r\n")), "",
	    "", "", "", 0 },
	{ "the hour 24", CAL(EVENT("DTSTART:20260220T240000Z\r\n")), "", "", "",
	    "", 0 },
};

static struct str
utc_text(struct arena *a, const struct calendar_moment *m)
{
	struct calendar_moment u = *m;

	u.local_s = m->utc_s;
	u.has_utc = false;
	if (!m->has_utc)
		return S("");
	return str_fmt(a, "%.*sZ", STR_ARG(calendar_time_text(a, &u)));
}

static void
time(void **state)
{
	const struct time_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct calendar c;

	calendar_read(a, str_of(r->cal), S(""), &zones, &c);
	assert_int_equal(c.n, 1);
	rows_same(calendar_time_text(a, &c.event[0].start), str_of(r->start));
	rows_same(utc_text(a, &c.event[0].start), str_of(r->start_utc));
	rows_same(calendar_time_text(a, &c.event[0].end), str_of(r->end));
	rows_same(c.event[0].start.zone, str_of(r->zone));
	assert_int_equal(c.event[0].zone_differs, r->differs);
}

/* -- texts --------------------------------------------------------------------
 */

static const struct text_row {
	const char *why;
	struct str cal;
	const char *want; /* summary|location|description|url|links */
} texts[] = {
	{ "escapes",
	    SI(CAL(EVENT("SUMMARY:a\\, b\\; c\\\\ d\\ne\r\n"
			 "DESCRIPTION:one\\ntwo\r\n"))),
	    "a, b; c\\ d e||one\ntwo||0" },
	{ "a fold in the middle of a word",
	    SI(CAL(EVENT("SUMMARY:bud\r\n get\r\nLOCATION:Ro\n\tom 4\r\n"))),
	    "budget|Room 4|||0" },
	{ "a fold in the middle of a character",
	    SI(CAL(EVENT("SUMMARY:caf\xC3\r\n \xA9\r\n"))),
	    "caf\xC3\xA9||||0" },
	{ "what nobody sees goes",
	    SI(CAL(EVENT("SUMMARY:a\xE2\x80\x8B"
			 "b\x1b[1m\r\nLOCATION:\xE2\x80\xAEx\r\n"))),
	    "ab [1m|x|||0" },
	{ "a link that is shown as another",
	    SI(CAL(EVENT("LOCATION:zoom.example "
			 "<https://evil.example/j>\r\n"))),
	    "|zoom.example <https://evil.example/j>|||1" },
	{ "a link that is what it says",
	    SI(CAL(EVENT("LOCATION:Zoom: https://zoom.example/j/1\r\n"
			 "DESCRIPTION:Join <https://zoom.example/j/1>\r\n"))),
	    "|Zoom: https://zoom.example/j/1|"
	    "Join <https://zoom.example/j/1>||0" },
	{ "another host before an at sign",
	    SI(CAL(EVENT("LOCATION:https://zoom.example@evil.example/\r\n"))),
	    "|https://zoom.example@evil.example/|||1" },
	{ "a link that works and leads nowhere",
	    SI(CAL(EVENT("LOCATION:javascript:alert(1)\r\n"))),
	    "|javascript:alert(1)|||1" },
	{ "another form of the text",
	    SI(CAL(EVENT("LOCATION;ALTREP=\"https://evil.example/\":Room 4"
			 "\r\n"))),
	    "|Room 4||https://evil.example/|1" },
	{ "HTML in a description",
	    SI(CAL(EVENT("DESCRIPTION:<a href=\"https://evil.example\">"
			 "zoom.example</a>\r\n"))),
	    "||<a href=\"https://evil.example\">zoom.example</a>||1" },
	{ "HTML beside a description",
	    SI(CAL(
		EVENT("X-ALT-DESC;FMTTYPE=text/html:<p>Hi <a "
		      "href=\"https://evil.example\">zoom.example</a>\r\n"))),
	    "||Hi zoom.example <https://evil.example>||1" },
	{ "an alarm's text is the alarm's",
	    SI(CAL(EVENT("SUMMARY:x\r\nBEGIN:VALARM\r\nDESCRIPTION:alarm\r\n"
			 "END:VALARM\r\nLOCATION:y\r\n"))),
	    "x|y|||0" },
	{ "a colon within quotes",
	    SI(CAL(EVENT("SUMMARY;X=\"a:b;c\";LANGUAGE=en:x:y\r\n"))),
	    "x:y||||0" },
	{ "a line that is none",
	    SI(CAL(EVENT("nothing\r\nSUMMARY;X:x\r\n:x\r\nLOCATION:y\r\n"))),
	    "|y|||0" },
	{ "no line ends but LF",
	    SI("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n"),
	    "x||||0" },
	{ "bytes that are not UTF-8", SI(CAL(EVENT("SUMMARY:caf\xE9\r\n"))),
	    "caf\xC3\xA9||||0" },
};

static void
text(void **state)
{
	const struct text_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct calendar_event *ev;
	struct calendar c;

	calendar_read(a, r->cal, S(""), &zones, &c);
	assert_int_equal(c.n, 1);
	ev = &c.event[0];
	rows_same(str_fmt(a, "%.*s|%.*s|%.*s|%.*s|%zu", STR_ARG(ev->summary),
		      STR_ARG(ev->location), STR_ARG(ev->description),
		      STR_ARG(ev->url), ev->hidden_links),
	    str_of(r->want));
}

/* -- people and recurrence
 * ------------------------------------------------------
 */

static void
people(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct calendar_event *ev;
	struct calendar c;

	(void)state;
	calendar_read(a,
	    S("BEGIN:VCALENDAR\r\nmethod:cancel\r\n" EVENT(
		"SEQUENCE:3\r\nSTATUS:CANCELLED\r\n"
		"ORGANIZER;CN=\"Lee, Ann\";SENT-BY=\"mailto:s@x.example\":"
		"mailto:ann@x.example\r\n"
		"ATTENDEE;CN=B^'ob^';PARTSTAT=ACCEPTED;ROLE=CHAIR:MAILTO:"
		"bob@x.example\r\n"
		"ATTENDEE:mailto:eve@x.example\r\n"
		"RRULE:FREQ=WEEKLY;COUNT=4\r\n"
		"EXDATE;TZID=Europe/Berlin:20260621T100000,20260628T100000\r\n"
		"RECURRENCE-ID;TZID=Europe/Berlin:20260705T100000\r\n")),
	    S(""), &zones, &c);
	assert_int_equal(c.n, 1);
	ev = &c.event[0];
	rows_same(c.method, S("CANCEL"));
	rows_same(ev->status, S("CANCELLED"));
	assert_int_equal(ev->sequence, 3);
	rows_same(ev->organizer.name, S("Lee, Ann"));
	rows_same(ev->organizer.addr, S("ann@x.example"));
	rows_same(ev->organizer.sent_by, S("s@x.example"));
	assert_int_equal(ev->attendees, 2);
	rows_same(ev->attendee[0].name, S("B\"ob\""));
	rows_same(ev->attendee[0].addr, S("bob@x.example"));
	rows_same(ev->attendee[0].status, S("ACCEPTED"));
	rows_same(ev->attendee[0].role, S("CHAIR"));
	rows_same(ev->attendee[1].status, S("NEEDS-ACTION"));
	rows_same(ev->attendee[1].role, S("REQ-PARTICIPANT"));
	assert_int_equal(ev->rules.n, 1);
	rows_same(ev->rules.v[0], S("FREQ=WEEKLY;COUNT=4"));
	assert_int_equal(ev->except.n, 2);
	rows_same(ev->except.v[1], S("2026-06-28T10:00:00+02:00"));
	rows_same(calendar_time_text(a, &ev->recurrence_id),
	    S("2026-07-05T10:00:00+02:00"));
	/* Programs differ in which of two they use. */
	calendar_read(a,
	    S(CAL("METHOD:REPLY\r\n" EVENT("SUMMARY:x\r\nSUMMARY:x\r\n")
		    EVENT("LOCATION:x\r\nlocation:y\r\n"))),
	    S(""), &zones, &c);
	rows_same(c.method, S("REQUEST"));
	assert_true(c.methods && !c.event[0].twice && c.event[1].twice);
}

/* More than the limit, nested and endless. */
static void
caps(void **state)
{
	static const struct str bits[] = { SI("BEGIN:VCALENDAR\r\n"),
		SI("BEGIN:VEVENT\r\n"), SI("END:VEVENT\r\n"),
		SI("BEGIN:VTIMEZONE\r\n"), SI("BEGIN:STANDARD\r\n"),
		SI("ATTENDEE;A=1;B=2;C=3:x\r\n"), SI("RDATE:20260621,"),
		SI(";A="), SI("\""), SI("\r\n "), SI("\\"), SI("^"),
		SI("EXDATE:20260621,20260622\r\n"),
		SI("RECURRENCE-ID;TZID=Asia/Kolkata:20260621T100000\r\n"),
		SI("RECURRENCE-ID;TZID=A:20260621T100000\r\n"
		   "RECURRENCE-ID;TZID=B:20260621T100000\r\n") };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct calendar c;

	(void)state;
	calendar_read(a,
	    str_fmt(a, "BEGIN:VCALENDAR\n%.*sEND:VCALENDAR\n",
		STR_ARG(rows_repeat(a, S(EVENT("SUMMARY:x\r\n")), 50))),
	    S(""), NULL, &c);
	assert_int_equal(c.n, LIMIT_CALENDAR_EVENTS);
	assert_true(c.over);
	calendar_read(a,
	    str_fmt(a, "BEGIN:VCALENDAR\nBEGIN:VEVENT\n%.*s",
		STR_ARG(rows_repeat(a, S("ATTENDEE:mailto:a@b\n"), 150))),
	    S(""), NULL, &c);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.event[0].attendees, LIMIT_CALENDAR_PEOPLE);
	assert_int_equal(c.event[0].attendees_left, 50);
	/* A name of half a million words. */
	calendar_read(a,
	    str_fmt(a,
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=%.*s:"
		"20260621T100000\n",
		STR_ARG(rows_repeat(a, S("A/"), 400000))),
	    S(""), &zones, &c);
	assert_false(c.event[0].start.has_utc);
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		CLEANUP(arena_close)
		struct arena *one = arena_open(LIMIT_ARENA);

		calendar_read(one,
		    str_fmt(one, "BEGIN:VCALENDAR\nBEGIN:VEVENT\n%.*s",
			STR_ARG(rows_repeat(one, bits[i], 40000))),
		    S("utf-8"), &zones, &c);
	}
}

/* -- text beside it
 * -------------------------------------------------------------
 */

#define DAY                                                                    \
	"DTSTART;TZID=Europe/Berlin:20260622T100000\r\nDTEND;TZID=Europe/"     \
	"Berlin:20260622T113000\r\n"

static const struct differ_row {
	const char *why, *event, *text;
	bool differs;
} differs[] = {
	{ "nothing is said", DAY, "See you there.", false },
	{ "the same time", DAY, "Let us meet at 10:00 on June 22.", false },
	{ "the same of twelve hours", DAY, "Monday, 22 June, 10 am", false },
	{ "its end", DAY, "until 11:30", false },
	{ "in UTC", DAY, "at 08:00 UTC", false },
	{ "in another zone that is known", DAY, "at 4:00 AM EDT", false },
	{ "another time", DAY, "Let us meet at 15:00.", true },
	{ "another of twelve hours", DAY, "Let us meet at 3pm.", true },
	{ "another in a known zone", DAY, "at 10:00 EDT", true },
	{ "one that agrees is enough", DAY, "at 10:00, not 15:00", false },
	{ "in a zone that is not known", DAY, "at 13:30 IST", false },
	{ "with an offset", DAY, "10:00 (UTC-05:00)", false },
	{ "another day", DAY, "See you on June 23.", true },
	{ "another day before its month", DAY, "on the 23rd of June", true },
	{ "another day in digits", DAY, "on 2026-06-29", true },
	{ "the same in digits", DAY, "on 2026-06-22", false },
	{ "the same with dots", DAY, "am 22.06.2026 um 10:00", false },
	{ "the same in either order", DAY, "on 6/22/2026", false },
	{ "a month that is a word", DAY, "It may 5 times be so.", false },
	{ "a quoted line", DAY, "> at 15:00 on June 1", false },
	{ "how a message came", DAY, "Sent: Monday, June 1, 2026 15:12",
	    false },
	{ "an older message", DAY,
	    "At 10:00.\n-----Original Message-----\nat 15:00 on June 1",
	    false },
	{ "a log's time", DAY, "12:30:45 error", false },
	{ "a price", DAY, "It costs $15 and 3:4.", false },
	{ "days of one that recurs", DAY "RRULE:FREQ=WEEKLY\r\n",
	    "from June 29 on", false },
	{ "times of a whole day", "DTSTART;VALUE=DATE:20260622\r\n",
	    "breakfast at 08:00", false },
	{ "another day than the whole day", "DTSTART;VALUE=DATE:20260622\r\n",
	    "on June 24", true },
	{ "the same place", DAY "LOCATION:Room 4\\, Main St\r\n",
	    "Where: Room 4", false },
	{ "another place", DAY "LOCATION:Room 4\r\n", "Where: Harbour pier",
	    true },
	{ "a place where the invitation has none", DAY, "Where: Harbour pier",
	    false },
};

static void
differ(void **state)
{
	const struct differ_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct calendar c;

	calendar_read(a,
	    str_fmt(a, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n%sEND:VEVENT\r\n",
		r->event),
	    S(""), &zones, &c);
	assert_int_equal(c.n, 1);
	assert_int_equal(calendar_text_differs(a, str_of(r->text), &c.event[0]),
	    r->differs);
}

int
main(void)
{
	ROWS(times, time);
	ROWS(texts, text);
	ROWS(differs, differ);
	rows_add("people, exceptions, a cancelled occurrence", people, NULL);
	rows_add("no more than is shown, however it is written", caps, NULL);
	return cmocka_run_group_tests_name("mime/calendar", rows_tests, NULL,
	    NULL);
}
