/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The invitations of one message: its text/calendar parts and its attachments
 * that are calendars.  A copy of an event (programs send each twice) is left
 * out; one with other content is shown, with a warning.
 */
#include "op/get_calendar.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/zoneinfo.h"
#include "mime/address.h"
#include "mime/calendar.h"

enum {
	WINDOW_PEOPLE = 20, /* attendees shown to a model at once */
	WINDOW_TEXT = 1000, /* bytes of a description */
};

static const struct field calendar_person[] = {
	{ "name", FIELD_TEXT, .help = "name" },
	{ "address", FIELD_TEXT, .help = "address" },
	{ "status", FIELD_TEXT, .optional = true,
	    .help = "of an attendee: NEEDS-ACTION, ACCEPTED, DECLINED ..." },
	{ "role", FIELD_TEXT, .optional = true,
	    .help = "of an attendee: REQ-PARTICIPANT, OPT-PARTICIPANT ..." },
	{ "sent_by", FIELD_TEXT, .optional = true,
	    .help = "whoever acts for that person" },
	{ 0 },
};

static const struct field calendar_recurrence[] = {
	{ "rules", FIELD_TEXTS, .help = "RRULE, as written (RFC 5545)" },
	{ "dates", FIELD_TEXTS, .help = "further times" },
	{ "except", FIELD_TEXTS, .help = "excluded times" },
	{ "id", FIELD_TEXT, .nullable = true,
	    .help = "if this is about one occurrence: its original time" },
	{ 0 },
};

const struct field get_calendar_fields[] = {
	{ "method", FIELD_TEXT,
	    .help = "REQUEST, CANCEL, REPLY ... (RFC 5546); may be empty" },
	{ "uid", FIELD_TEXT, .help = "the event's id" },
	{ "sequence", FIELD_INT, .help = "its revision" },
	{ "status", FIELD_TEXT,
	    .help = "CONFIRMED, TENTATIVE, CANCELLED; may be empty" },
	{ "summary", FIELD_TEXT, .help = "its title" },
	{ "description", FIELD_TEXT, .help = "its description" },
	{ "start", FIELD_TEXT, .nullable = true,
	    .help = "in its zone (RFC 3339); without an offset if that is "
		    "unknown; a date if all_day" },
	{ "start_utc", FIELD_TEXT, .nullable = true,
	    .help = "the same in UTC" },
	{ "end", FIELD_TEXT, .nullable = true,
	    .help = "like start; if all_day: the day after the last" },
	{ "end_utc", FIELD_TEXT, .nullable = true, .help = "the same in UTC" },
	{ "all_day", FIELD_BOOL, .help = "days without times?" },
	{ "timezone", FIELD_TEXT, .nullable = true,
	    .help = "of start; null: none, so local time of the reader" },
	{ "location", FIELD_TEXT, .help = "where" },
	{ "url", FIELD_TEXT, .optional = true, .help = "URL in the event" },
	{ "organizer", FIELD_OBJECT, .nullable = true, .help = "who invites",
	    .sub = calendar_person },
	{ "attendees", FIELD_OBJECTS, .help = "who is invited",
	    .sub = calendar_person },
	{ "attendees_left", FIELD_INT, .optional = true,
	    .help = "how many more there are" },
	{ "recurrence", FIELD_OBJECT, .nullable = true,
	    .help = "when it recurs", .sub = calendar_recurrence },
	{ 0 },
};

struct calendar_found {
	struct str method;
	const struct calendar_event *event;
};

struct calendar_all {
	struct calendar_found v[LIMIT_CALENDAR_EVENTS];
	size_t n, parts, unseen;
	bool over, differs;
};

/* -- finding them ------------------------------------------------------------
 */

static bool
load_zone(void *ctx, struct arena *a, struct str name, struct str *out)
{
	(void)ctx;
	return zoneinfo_read(a, name, out);
}

/* In an embedded message: not for its reader to answer. */
static bool
get_calendar_is_within(const struct mime_message *m, const struct mime_part *p)
{
	for (int i = p->parent; i >= 0; i = m->part[i].parent)
		if (m->part[i].is_message)
			return true;
	return false;
}

static bool
is_called_calendar(struct call *c, const struct mime_part *p)
{
	struct str name = mime_part_name(c->arena, p);

	return str_eq(p->type, S("text/calendar")) ||
	    str_eq(p->type, S("application/ics")) ||
	    str_eq(p->type, S("text/x-vcalendar")) ||
	    str_ends_case(name, S(".ics")) || str_ends_case(name, S(".vcs"));
}

/* Do the two moments differ? */
static bool
get_calendar_is_other_moment(const struct calendar_moment *x,
    const struct calendar_moment *y)
{
	if (x->set != y->set || x->date_only != y->date_only)
		return true;
	if (x->has_utc && y->has_utc)
		return x->utc_s != y->utc_s;
	return x->local_s != y->local_s || !str_eq(x->zone, y->zone);
}

static bool
is_same_event(const struct calendar_event *x, const struct calendar_event *y)
{
	return str_eq(x->uid, y->uid) &&
	    !get_calendar_is_other_moment(&x->recurrence_id, &y->recurrence_id);
}

static bool
get_calendar_is_other_list(const struct strs *x, const struct strs *y)
{
	for (size_t i = 0; i < x->n && i < y->n; i++)
		if (!str_eq(x->v[i], y->v[i]))
			return true;
	return x->n != y->n;
}

static bool
get_calendar_is_other_event(const struct calendar_found *x,
    const struct calendar_found *y)
{
	const struct calendar_event *p = x->event, *q = y->event;

	return get_calendar_is_other_moment(&p->start, &q->start) ||
	    get_calendar_is_other_moment(&p->end, &q->end) ||
	    !str_eq(p->location, q->location) ||
	    !str_eq(p->summary, q->summary) || p->sequence != q->sequence ||
	    !str_eq(x->method, y->method) ||
	    !str_eq_case(p->status, q->status) ||
	    get_calendar_is_other_list(&p->rules, &q->rules) ||
	    get_calendar_is_other_list(&p->dates, &q->dates) ||
	    get_calendar_is_other_list(&p->except, &q->except) ||
	    !str_eq_case(p->organizer.addr, q->organizer.addr) ||
	    !str_eq(p->url, q->url) || !str_eq(p->description, q->description);
}

static void
get_calendar_add_event(struct calendar_all *all, struct calendar_found f)
{
	for (size_t i = 0; i < all->n; i++) {
		if (!is_same_event(all->v[i].event, f.event))
			continue;
		if (!get_calendar_is_other_event(&all->v[i], &f))
			return;
		all->differs = true;
	}
	if (all->n == LIMIT_CALENDAR_EVENTS)
		all->over = true;
	else
		all->v[all->n++] = f;
}

static void
get_calendar_add_part(struct call *c, struct calendar_all *all,
    const struct mime_part *p)
{
	static const struct calendar_zones zones = { .load = load_zone };
	struct str bytes = mime_part_decode(c->arena, p);
	struct str said = mime_param_get(&p->ctype, "method");
	struct calendar cal;

	if (!calendar_is(bytes))
		return;
	if (all->parts++ == LIMIT_CALENDAR_PARTS) {
		all->over = true;
		all->parts--;
		return;
	}
	calendar_read(c->arena, bytes, mime_param_get(&p->ctype, "charset"),
	    &zones, &cal);
	if (cal.method.n > 0 && said.n > 0 && !str_eq_case(cal.method, said))
		all->differs = true; /* RFC 6047 section 2.4 */
	all->differs = all->differs || cal.methods;
	all->unseen += cal.unseen;
	all->over = all->over || cal.over;
	for (size_t i = 0; i < cal.n; i++)
		get_calendar_add_event(all,
		    (struct calendar_found){ cal.method, &cal.event[i] });
}

/* -- showing them ------------------------------------------------------------
 */

static void
get_calendar_put_moment(struct call *c, struct json *out, const char *name,
    const char *name_utc, const struct calendar_moment *m)
{
	if (m->set)
		json_put_str(out, name, calendar_time_text(c->arena, m));
	else
		json_put_null(out, name);
	if (m->set && m->has_utc)
		json_put_str(out, name_utc, clock_rfc3339(c->arena, m->utc_s));
	else
		json_put_null(out, name_utc);
}

static void
get_calendar_put_person(struct json *out, const char *key,
    const struct calendar_person *p)
{
	json_open_object(out, key);
	json_put_str(out, "name", p->name);
	json_put_str(out, "address", p->addr);
	if (p->status.n > 0)
		json_put_str(out, "status", p->status);
	if (p->role.n > 0)
		json_put_str(out, "role", p->role);
	if (p->sent_by.n > 0)
		json_put_str(out, "sent_by", p->sent_by);
	json_close_object(out);
}

static void
get_calendar_put_people(struct call *c, struct json *out,
    const struct calendar_event *ev)
{
	size_t n = ev->attendees;

	if (c->window > 0 && n > WINDOW_PEOPLE)
		n = WINDOW_PEOPLE;
	if (ev->has_organizer)
		get_calendar_put_person(out, "organizer", &ev->organizer);
	else
		json_put_null(out, "organizer");
	json_open_array(out, "attendees");
	for (size_t i = 0; i < n; i++)
		get_calendar_put_person(out, NULL, &ev->attendee[i]);
	json_close_array(out);
	if (ev->attendees + ev->attendees_left > n)
		json_put_int(out, "attendees_left",
		    (int64_t)(ev->attendees + ev->attendees_left - n));
}

static void
get_calendar_put_recurrence(struct call *c, struct json *out,
    const struct calendar_event *ev)
{
	if (ev->rules.n + ev->dates.n + ev->except.n == 0 &&
	    !ev->recurrence_id.set) {
		json_put_null(out, "recurrence");
		return;
	}
	json_open_object(out, "recurrence");
	json_put_strs(out, "rules", &ev->rules);
	json_put_strs(out, "dates", &ev->dates);
	json_put_strs(out, "except", &ev->except);
	if (ev->recurrence_id.set)
		json_put_str(out, "id",
		    calendar_time_text(c->arena, &ev->recurrence_id));
	else
		json_put_null(out, "id");
	json_close_object(out);
}

static void
get_calendar_put_event(struct call *c, struct json *out,
    const struct calendar_found *f)
{
	const struct calendar_event *ev = f->event;

	json_open_object(out, NULL);
	json_put_str(out, "method", f->method);
	json_put_str(out, "uid", ev->uid);
	json_put_int(out, "sequence", ev->sequence);
	json_put_str(out, "status", ev->status);
	json_put_str(out, "summary", ev->summary);
	json_put_str(out, "description",
	    c->window > 0 ? utf8_first(ev->description, WINDOW_TEXT)
			  : ev->description);
	get_calendar_put_moment(c, out, "start", "start_utc", &ev->start);
	get_calendar_put_moment(c, out, "end", "end_utc", &ev->end);
	json_put_bool(out, "all_day", ev->start.date_only);
	json_put_str_or_null(out, "timezone", ev->start.zone);
	json_put_str(out, "location", ev->location);
	if (ev->url.n > 0)
		json_put_str(out, "url", ev->url);
	get_calendar_put_people(c, out, ev);
	get_calendar_put_recurrence(c, out, ev);
	json_close_object(out);
}

/* -- what to warn of ----------------------------------------------------------
 */

static bool
get_calendar_is_sender(struct call *c, const struct mail *mail, struct str addr)
{
	struct err none = { 0 };
	struct str x, y;

	if (mail->env.from.n != 1)
		return false;
	y = mail->env.from.v[0].addr;
	if (address_canonical(c->arena, addr, &x, &none) < 0 ||
	    address_canonical(c->arena, y, &y, &none) < 0)
		return str_eq_case(addr, mail->env.from.v[0].addr);
	return str_eq(x, y);
}

/*
 * RFC 5546 section 3.2: attendees send answers, organizers everything else.  An
 * answer is from one attendee (section 3.2.3): from another sender, it is in
 * that attendee's name.
 */
static bool
get_calendar_is_of_another(struct call *c, const struct mail *mail,
    const struct calendar_found *f)
{
	const struct calendar_event *ev = f->event;
	bool answer = str_eq(f->method, S("REPLY")) ||
	    str_eq(f->method, S("COUNTER")) || str_eq(f->method, S("REFRESH"));
	size_t own = 0;

	if (!answer)
		return ev->has_organizer &&
		    !get_calendar_is_sender(c, mail, ev->organizer.addr);
	for (size_t i = 0; i < ev->attendees; i++)
		own += get_calendar_is_sender(c, mail, ev->attendee[i].addr);
	if (str_eq(f->method, S("REPLY")))
		return own < ev->attendees;
	return ev->attendees > 0 && own == 0;
}

static void
get_calendar_warn_of(struct call *c, const struct mail *mail, struct str text,
    const struct calendar_found *f)
{
	const struct calendar_event *ev = f->event;
	bool cut = ev->cut || ev->attendees_left > 0 ||
	    (c->window > 0 &&
		(ev->description.n > WINDOW_TEXT ||
		    ev->attendees > WINDOW_PEOPLE));

	gate_warn(c, WARN_TRUNCATED, cut);
	gate_warn(c, WARN_CALENDAR_ORGANIZER,
	    get_calendar_is_of_another(c, mail, f));
	gate_warn(c, WARN_CALENDAR_DIFFERS,
	    ev->zone_differs || ev->twice ||
		(!str_eq(f->method, S("REPLY")) &&
		    calendar_text_differs(c->arena, text, ev)));
	gate_warn(c, WARN_CALENDAR_LINK, ev->hidden_links);
}

void
get_calendar_put(struct call *c, struct json *out, const struct mail *mail,
    const struct mime_message *m, struct str text)
{
	struct calendar_all *all = arena_new(c->arena, struct calendar_all);

	for (size_t i = 0; i < m->n; i++)
		if (!m->part[i].is_multipart && !m->part[i].is_message &&
		    is_called_calendar(c, &m->part[i]) &&
		    !get_calendar_is_within(m, &m->part[i]))
			get_calendar_add_part(c, all, &m->part[i]);
	gate_warn(c, WARN_TRUNCATED, all->over);
	gate_warn(c, WARN_UNSEEN_REMOVED, all->unseen);
	gate_warn(c, WARN_CALENDAR_DIFFERS, all->differs);
	if (all->n == 0)
		return;
	json_open_array(out, "calendar");
	for (size_t i = 0; i < all->n; i++) {
		get_calendar_warn_of(c, mail, text, &all->v[i]);
		get_calendar_put_event(c, out, &all->v[i]);
	}
	json_close_array(out);
}
