/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a calendar: one pass collects zones and the lines of events,
 * since a zone may come later.  Alarms, tasks and free-busy times are skipped.
 */
#include "mime/calendar.h"

#include <string.h>

#include "base/clean.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/calendar_internal.h"
#include "mime/elsewhere.h"

#define CALENDAR_DEPTH 8
#define CALENDAR_EVENT_LINES 2000

enum calendar_place {
	PLACE_OTHER,
	PLACE_CALENDAR,
	PLACE_EVENT,
	PLACE_ZONE,
	PLACE_RULE,
};

/* An event's lines, in the order they came. */
struct calendar_raw {
	struct calendar_line *line;
	size_t n;
};

struct calendar_reader {
	struct arena *a;
	struct calendar *out;
	struct calendar_clock clock;
	struct calendar_zone *zone;
	size_t zones;
	struct calendar_raw event[LIMIT_CALENDAR_EVENTS];
	enum calendar_place place[CALENDAR_DEPTH];
	size_t depth, too_deep;
	bool kept; /* the open event or zone is kept */
};

bool
calendar_is(struct str bytes)
{
	if (str_starts(bytes, S("\xEF\xBB\xBF")))
		bytes = str_from(bytes, 3);
	return str_starts_case(str_trim(str_first(bytes, 200)),
	    S("BEGIN:VCALENDAR"));
}

/* -- texts ------------------------------------------------------------------
 */

static struct str
calendar_event_clean(struct calendar_reader *r, struct calendar_event *ev,
    struct str s, size_t max)
{
	struct str t = clean_text(r->a, s, &r->out->unseen);
	struct str cut = utf8_first(t, max);

	ev->cut = ev->cut || cut.n < t.n;
	return str_trim(cut);
}

/* A text of one line. */
static struct str
event_words(struct calendar_reader *r, struct calendar_event *ev, struct str s)
{
	return calendar_event_clean(r, ev,
	    word_clean(r->a, calendar_line_text(r->a, s)),
	    LIMIT_CALENDAR_WORDS);
}

static struct str
calendar_event_address(struct calendar_reader *r, struct calendar_event *ev,
    struct str s)
{
	s = str_trim(s);
	if (str_starts_case(s, S("mailto:")))
		s = str_from(s, 7);
	s = clean_address(r->a, word_clean(r->a, s), &r->out->unseen);
	if (s.n > LIMIT_ADDRESS)
		ev->cut = true;
	return utf8_first(s, LIMIT_ADDRESS);
}

static void
calendar_event_person(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l, struct calendar_person *out)
{
	struct str cn = calendar_line_param(l, "CN");
	struct str by = calendar_line_param(l, "SENT-BY");

	*out = (struct calendar_person){
		.name = calendar_event_clean(r, ev, word_clean(r->a, cn),
		    LIMIT_CALENDAR_WORDS),
		.addr = calendar_event_address(r, ev, l->value),
		.status =
		    event_words(r, ev, calendar_line_param(l, "PARTSTAT")),
		.role = event_words(r, ev, calendar_line_param(l, "ROLE")),
		.sent_by = calendar_event_address(r, ev, by),
	};
}

static void
calendar_event_attendee(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l)
{
	struct calendar_person *p;

	if (ev->attendees == LIMIT_CALENDAR_PEOPLE) {
		ev->attendees_left++;
		return;
	}
	if (ev->attendee == NULL)
		ev->attendee = arena_array(r->a, LIMIT_CALENDAR_PEOPLE,
		    sizeof(*ev->attendee));
	p = &ev->attendee[ev->attendees++];
	calendar_event_person(r, ev, l, p);
	/* Sections 3.2.12 and 3.2.16. */
	if (p->status.n == 0)
		p->status = S("NEEDS-ACTION");
	if (p->role.n == 0)
		p->role = S("REQ-PARTICIPANT");
}

static void
calendar_event_dates(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l, struct strs *out)
{
	struct str rest = l->value, one, slash, tail;
	struct calendar_moment m;
	bool more = true;

	while (more) {
		if (out->n == LIMIT_CALENDAR_DATES) {
			ev->cut = true;
			return;
		}
		more = str_cut(rest, ',', &one, &rest);
		(void)str_cut(one, '/', &slash, &tail); /* start of a period */
		calendar_time_read(&r->clock, l, slash, &m);
		if (m.set)
			str_push(r->a, out, calendar_time_text(r->a, &m));
	}
}

/* A second link of a line besides its value. */
static void
calendar_event_links(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l, struct str shown)
{
	struct str other = calendar_line_param(l, "ALTREP");

	ev->hidden_links += calendar_text_links(r->a, shown);
	if (other.n == 0)
		return;
	ev->hidden_links++;
	if (ev->url.n == 0)
		ev->url = event_words(r, ev, other);
}

static void
calendar_event_alt_html(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l)
{
	struct html_found f = { 0 };
	struct str text;

	if (!str_eq_case(calendar_line_param(l, "FMTTYPE"), S("text/html")))
		return;
	text = html_text(r->a, calendar_line_text(r->a, l->value),
	    LIMIT_CALENDAR, &f);
	for (size_t i = 0; i < f.links; i++)
		ev->hidden_links += f.link[i].mismatch;
	if (ev->description.n == 0)
		ev->description =
		    calendar_event_clean(r, ev, text, LIMIT_CALENDAR_TEXT);
}

static void
calendar_event_text_line(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l)
{
	if (str_eq_case(l->name, S("SUMMARY"))) {
		ev->summary = event_words(r, ev, l->value);
		calendar_event_links(r, ev, l, ev->summary);
	} else if (str_eq_case(l->name, S("LOCATION"))) {
		ev->location = event_words(r, ev, l->value);
		calendar_event_links(r, ev, l, ev->location);
	} else if (str_eq_case(l->name, S("DESCRIPTION"))) {
		ev->description = calendar_event_clean(r, ev,
		    calendar_line_text(r->a, l->value), LIMIT_CALENDAR_TEXT);
		calendar_event_links(r, ev, l, ev->description);
	} else if (str_eq_case(l->name, S("X-ALT-DESC"))) {
		calendar_event_alt_html(r, ev, l);
	} else if (str_eq_case(l->name, S("UID"))) {
		ev->uid = event_words(r, ev, l->value);
	} else if (str_eq_case(l->name, S("STATUS"))) {
		ev->status = event_words(r, ev, l->value);
	} else if (str_eq_case(l->name, S("URL")) ||
	    str_eq_case(l->name, S("CONFERENCE"))) {
		ev->url = event_words(r, ev, l->value);
	}
}

static void
calendar_event_other_line(struct calendar_reader *r, struct calendar_event *ev,
    const struct calendar_line *l)
{
	uint64_t n;

	if (str_eq_case(l->name, S("SEQUENCE"))) {
		ev->has_sequence =
		    str_to_u64(str_trim(l->value), INT32_MAX, &n);
		ev->sequence = ev->has_sequence ? (int64_t)n : 0;
	} else if (str_eq_case(l->name, S("ORGANIZER"))) {
		/* With two organizers, a program may show either. */
		if (!ev->has_organizer)
			calendar_event_person(r, ev, l, &ev->organizer);
		ev->has_organizer = true;
	} else if (str_eq_case(l->name, S("ATTENDEE"))) {
		calendar_event_attendee(r, ev, l);
	} else if (str_eq_case(l->name, S("RRULE"))) {
		if (ev->rules.n == LIMIT_CALENDAR_DATES)
			ev->cut = true;
		else
			str_push(r->a, &ev->rules,
			    event_words(r, ev, l->value));
	} else if (str_eq_case(l->name, S("RDATE"))) {
		calendar_event_dates(r, ev, l, &ev->dates);
	} else if (str_eq_case(l->name, S("EXDATE"))) {
		calendar_event_dates(r, ev, l, &ev->except);
	} else if (str_eq_case(l->name, S("RECURRENCE-ID"))) {
		if (!ev->recurrence_id.set)
			calendar_time_read(&r->clock, l, l->value,
			    &ev->recurrence_id);
	} else {
		calendar_event_text_line(r, ev, l);
	}
}

static const struct calendar_line *
calendar_event_find(const struct calendar_raw *raw, const char *name)
{
	for (size_t i = 0; i < raw->n; i++)
		if (str_eq_case(raw->line[i].name, str_of(name)))
			return &raw->line[i];
	return NULL;
}

/* Section 3.6.1: an end, a duration, or neither. */
static void
calendar_event_times(struct calendar_reader *r, const struct calendar_raw *raw,
    struct calendar_event *ev)
{
	const struct calendar_line *start = calendar_event_find(raw, "DTSTART");
	const struct calendar_line *end = calendar_event_find(raw, "DTEND");
	const struct calendar_line *length =
	    calendar_event_find(raw, "DURATION");

	if (start == NULL)
		return;
	calendar_time_read(&r->clock, start, start->value, &ev->start);
	if (end != NULL)
		calendar_time_read(&r->clock, end, end->value, &ev->end);
	else if (length != NULL)
		calendar_time_add(&r->clock, start, &ev->start, length->value,
		    &ev->end);
	else if (ev->start.set) {
		ev->end = ev->start;
		if (ev->end.date_only)
			ev->end.local_s += CALENDAR_DAY_S;
	}
}

/*
 * Section 3.6.1 allows these once: programs differ in which of two they show.
 */
static bool
calendar_event_is_twice(const struct calendar_raw *raw)
{
	static const char *const once[] = { "DTSTART", "DTEND", "DURATION",
		"SUMMARY", "LOCATION", "DESCRIPTION", "ORGANIZER", "STATUS",
		"URL", "UID", "SEQUENCE", "RECURRENCE-ID", "RRULE" };

	for (size_t k = 0; k < sizeof(once) / sizeof(once[0]); k++) {
		const struct calendar_line *first =
		    calendar_event_find(raw, once[k]);

		for (size_t i = 0; first != NULL && i < raw->n; i++)
			if (str_eq_case(raw->line[i].name, first->name) &&
			    !str_eq(raw->line[i].value, first->value))
				return true;
	}
	return false;
}

static void
calendar_event_read(struct calendar_reader *r, const struct calendar_raw *raw,
    struct calendar_event *ev)
{
	r->clock.differs = false;
	calendar_event_times(r, raw, ev);
	for (size_t i = 0; i < raw->n; i++)
		calendar_event_other_line(r, ev, &raw->line[i]);
	ev->zone_differs = r->clock.differs;
	ev->twice = calendar_event_is_twice(raw);
}

/* -- components --------------------------------------------------------------
 */

static enum calendar_place
calendar_place_of(const struct calendar_reader *r)
{
	return r->depth > 0 && r->too_deep == 0 ? r->place[r->depth - 1]
						: PLACE_OTHER;
}

static void
begin_event(struct calendar_reader *r)
{
	r->kept = r->out->n < LIMIT_CALENDAR_EVENTS;
	r->out->over = r->out->over || !r->kept;
	r->out->n += r->kept;
}

static enum calendar_place
calendar_begin_component(struct calendar_reader *r, struct str name)
{
	enum calendar_place in = calendar_place_of(r);

	if (r->depth == 0 && str_eq_case(name, S("VCALENDAR")))
		return PLACE_CALENDAR;
	if (in == PLACE_CALENDAR && str_eq_case(name, S("VEVENT"))) {
		begin_event(r);
		return PLACE_EVENT;
	}
	if (in == PLACE_CALENDAR && str_eq_case(name, S("VTIMEZONE"))) {
		r->kept = r->zones < CALENDAR_ZONES;
		r->zones += r->kept;
		return PLACE_ZONE;
	}
	if (in == PLACE_ZONE && r->kept) {
		struct calendar_zone *z = &r->zone[r->zones - 1];

		if (z->n < CALENDAR_RULES)
			z->n++;
		else
			z->bad = true;
		return PLACE_RULE;
	}
	return PLACE_OTHER;
}

static void
calendar_take_event_line(struct calendar_reader *r,
    const struct calendar_line *l)
{
	struct calendar_raw *raw = &r->event[r->out->n - 1];

	if (!r->kept)
		return;
	if (raw->n == CALENDAR_EVENT_LINES) {
		r->out->over = true;
		return;
	}
	raw->line = arena_more(r->a, raw->line, raw->n, sizeof(*raw->line));
	raw->line[raw->n++] = *l;
}

/* RFC 5545 section 3.6: one.  Programs differ in which of two they use. */
static void
calendar_take_method(struct calendar_reader *r, struct str s)
{
	if (r->out->method.n == 0)
		r->out->method = s;
	else if (!str_eq_case(r->out->method, s))
		r->out->methods = true;
}

static void
calendar_take_property(struct calendar_reader *r, const struct calendar_line *l)
{
	struct calendar_zone *z =
	    r->zones > 0 ? &r->zone[r->zones - 1] : r->zone;

	switch (calendar_place_of(r)) {
	case PLACE_CALENDAR:
		if (str_eq_case(l->name, S("METHOD")))
			calendar_take_method(r,
			    str_first(str_trim(l->value), 32));
		break;
	case PLACE_EVENT:
		calendar_take_event_line(r, l);
		break;
	case PLACE_ZONE:
		if (r->kept && str_eq_case(l->name, S("TZID")))
			z->id = str_trim(l->value);
		break;
	case PLACE_RULE:
		calendar_zone_line(r->a, &z->rule[z->n - 1], l);
		break;
	case PLACE_OTHER:
		break;
	}
}

static void
calendar_take_line(struct calendar_reader *r, const struct calendar_line *l)
{
	if (str_eq_case(l->name, S("BEGIN"))) {
		enum calendar_place p =
		    calendar_begin_component(r, str_trim(l->value));

		if (r->depth == CALENDAR_DEPTH)
			r->too_deep++;
		else
			r->place[r->depth++] = p;
	} else if (str_eq_case(l->name, S("END"))) {
		if (r->too_deep > 0)
			r->too_deep--;
		else if (r->depth > 0)
			r->depth--;
	} else {
		calendar_take_property(r, l);
	}
}

static struct str
calendar_upper_words(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n);

	for (size_t i = 0; i < s.n; i++)
		p[i] = (char)(s.p[i] >= 'a' && s.p[i] <= 'z' ? s.p[i] - 32
							     : s.p[i]);
	return (struct str){ p, s.n };
}

static void
calendar_read_lines(struct calendar_reader *r, struct str rest)
{
	struct str line;
	size_t lines = 0;

	while (rest.n > 0) {
		struct calendar_line l;

		if (++lines > LIMIT_CALENDAR_LINES) {
			r->out->over = true;
			return;
		}
		(void)str_cut(rest, '\n', &line, &rest);
		if (str_ends(line, S("\r")))
			line.n--;
		if (calendar_line_read(r->a, line, &l))
			calendar_take_line(r, &l);
	}
}

void
calendar_here(struct arena *a, struct str bytes, struct str charset,
    const struct calendar_zones *z, struct calendar *out)
{
	struct calendar_reader *r = arena_new(a, struct calendar_reader);
	struct str text;

	*out = (struct calendar){ .over = bytes.n > LIMIT_CALENDAR };
	r->a = a;
	r->out = out;
	r->zone = arena_array(a, CALENDAR_ZONES, sizeof(*r->zone));
	text = calendar_line_unfold(a, str_first(bytes, LIMIT_CALENDAR));
	if (str_starts(text, S("\xEF\xBB\xBF")))
		text = str_from(text, 3);
	text = charset.n > 0 ? mime_charset_decode(a, charset, text, NULL)
			     : charset_guess(a, text);
	calendar_read_lines(r, text);
	r->clock = (struct calendar_clock){ .a = a,
		.zones = z,
		.own = r->zone,
		.n = r->zones };
	out->method = calendar_upper_words(a,
	    clean_text(a, word_clean(a, out->method), &out->unseen));
	out->event = arena_array(a, out->n, sizeof(*out->event));
	for (size_t i = 0; i < out->n; i++)
		calendar_event_read(r, &r->event[i], &out->event[i]);
}

void
calendar_read(struct arena *a, struct str bytes, struct str charset,
    const struct calendar_zones *z, struct calendar *out)
{
	(mime_elsewhere_by != NULL ? mime_elsewhere_by->calendar
				   : calendar_here)(a, bytes, charset, z, out);
}
