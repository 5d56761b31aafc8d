/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the wire formats. */
#include "skill/turn_item.h"

enum {
	ID_MAX = 1024 /* of a call; a longer one matches nothing */
};

struct str
turn_item_raw(struct str v, struct str key)
{
	struct span_want want = { .key = key };

	span_members(v, &want, 1);
	return want.value;
}

struct str
turn_item_text(struct arena *a, struct str v, struct str key)
{
	struct str s = { 0 };

	(void)span_text(a, turn_item_raw(v, key), &s);
	return s;
}

bool
turn_item_is(struct str v, struct str key, struct str value)
{
	return span_says(turn_item_raw(v, key), value);
}

struct str
turn_item_sole(struct arena *a, struct str content)
{
	struct str s = { 0 }, block, more;
	size_t at = 0;

	if (span_text(a, content, &s) || !span_next(content, &at, &block) ||
	    span_next(content, &at, &more))
		return s;
	return turn_item_text(a, block, S("text"));
}

static struct turn_event *
turn_item_add(struct turn_events *ev)
{
	struct turn_event *p;

	ev->v = arena_more(ev->a, ev->v, ev->n, sizeof(*ev->v));
	p = &ev->v[ev->n];
	p->at = ev->n++;
	p->item = ev->item;
	return p;
}

void
turn_item_call(struct turn_events *ev, const struct turn_call *call)
{
	struct turn_event *p;

	if (call->id.n == 0 || call->id.n > ID_MAX || call->name.n == 0)
		return;
	p = turn_item_add(ev);
	p->id = call->id;
	p->call = *call;
	p->call.at = p->at;
}

void
turn_item_result(struct turn_events *ev, struct str id, struct str content)
{
	struct turn_event *p;
	struct str text = { 0 };

	(void)span_text(ev->a, id, &text);
	if (text.n == 0 || text.n > ID_MAX)
		return;
	p = turn_item_add(ev);
	p->id = text;
	p->is_result = true;
	p->content = content;
}
