/* SPDX-License-Identifier: Apache-2.0 */
#include "base/limits.h"
#include "reader/shape.h"

#define SECONDS (INT64_C(400000000000)) /* beyond the year 9999 both ways */

static void
shape_moment(struct carry *c, struct calendar_moment *m)
{
	carry_bool(c, &m->set);
	carry_bool(c, &m->date_only);
	carry_i64(c, &m->local_s, -SECONDS, SECONDS);
	carry_utf8(c, &m->zone, LIMIT_CALENDAR);
	carry_bool(c, &m->has_utc);
	carry_i64(c, &m->utc_s, -SECONDS, SECONDS);
}

static void
shape_person(struct carry *c, struct calendar_person *p)
{
	carry_utf8(c, &p->name, LIMIT_CALENDAR);
	carry_utf8(c, &p->addr, LIMIT_CALENDAR);
	carry_utf8(c, &p->status, LIMIT_CALENDAR);
	carry_utf8(c, &p->role, LIMIT_CALENDAR);
	carry_utf8(c, &p->sent_by, LIMIT_CALENDAR);
}

static void
shape_people(struct carry *c, struct calendar_event *e)
{
	struct calendar_person *new =
	    carry_list(c, &e->attendees, LIMIT_CALENDAR_PEOPLE, sizeof(*new));

	carry_bool(c, &e->has_organizer);
	shape_person(c, &e->organizer);
	if (c->to == NULL)
		e->attendee = new;
	for (size_t i = 0; i < e->attendees; i++)
		shape_person(c, &e->attendee[i]);
	carry_size(c, &e->attendees_left, LIMIT_CALENDAR);
}

static void
shape_event(struct carry *c, struct calendar_event *e)
{
	carry_utf8(c, &e->uid, LIMIT_CALENDAR);
	carry_utf8(c, &e->summary, LIMIT_CALENDAR);
	carry_utf8(c, &e->description, LIMIT_CALENDAR);
	carry_utf8(c, &e->location, LIMIT_CALENDAR);
	carry_utf8(c, &e->status, LIMIT_CALENDAR);
	carry_utf8(c, &e->url, LIMIT_CALENDAR);
	carry_bool(c, &e->has_sequence);
	carry_i64(c, &e->sequence, INT64_MIN, INT64_MAX);
	shape_moment(c, &e->start);
	shape_moment(c, &e->end);
	shape_people(c, e);
	carry_strs(c, &e->rules, LIMIT_CALENDAR_DATES, LIMIT_CALENDAR);
	carry_strs(c, &e->dates, LIMIT_CALENDAR_DATES, LIMIT_CALENDAR);
	carry_strs(c, &e->except, LIMIT_CALENDAR_DATES, LIMIT_CALENDAR);
	shape_moment(c, &e->recurrence_id);
	carry_bool(c, &e->cut);
	carry_bool(c, &e->zone_differs);
	carry_bool(c, &e->twice);
	carry_size(c, &e->hidden_links, LIMIT_CALENDAR);
}

void
shape_event_calendar(struct carry *c, struct calendar *cal)
{
	struct calendar_event *new =
	    carry_list(c, &cal->n, LIMIT_CALENDAR_EVENTS, sizeof(*new));

	if (c->to == NULL)
		cal->event = new;
	for (size_t i = 0; i < cal->n; i++)
		shape_event(c, &cal->event[i]);
	carry_utf8(c, &cal->method, LIMIT_CALENDAR);
	carry_bool(c, &cal->methods);
	carry_bool(c, &cal->over);
	carry_size(c, &cal->unseen, LIMIT_CALENDAR * 2);
}

void
shape_event_signature(struct carry *c, struct dkim_signature *s)
{
	struct str head = { 0 };

	if (c->to == NULL)
		s->parts = arena_new(c->a, struct dkim);
	else
		head = (struct str){ (const char *)s->parts->head, DKIM_HASH };
	carry_text(c, &s->domain, LIMIT_ADDRESS);
	carry_text(c, &s->query, LIMIT_ADDRESS);
	carry_bool(c, &s->parts->ed25519);
	carry_bool(c, &s->parts->within);
	carry_text(c, &s->parts->b, LIMIT_MIME_HEAD);
	carry_text(c, &head, DKIM_HASH);
	if (c->to != NULL)
		return;
	c->bad = c->bad || head.n != DKIM_HASH;
	if (!c->bad)
		memcpy(s->parts->head, head.p, DKIM_HASH);
}
