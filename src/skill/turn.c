/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The turn: finds the boundary from the end, reads what follows, matches
 * results with calls by their ids, and keeps load_skill's answers.
 *
 * Transcripts have a megabyte and may be constructed to be slow: everything
 * here is linear except one sort of the calls' ids.
 */
#include "skill/turn.h"

#include "base/buf.h"
#include "base/limits.h"
#include "skill/turn_item.h"

enum {
	RESULT_MAX = 256 << 10 /* a load's answer, including its text */
};

static const char *const format_name[TURN_FORMATS] = {
	[TURN_OPENAI] = "openai",
	[TURN_RESPONSES] = "responses",
	[TURN_ANTHROPIC] = "anthropic",
};

static const struct turn_adapter *const adapters[TURN_FORMATS] = {
	[TURN_OPENAI] = &turn_openai,
	[TURN_RESPONSES] = &turn_responses,
	[TURN_ANTHROPIC] = &turn_anthropic,
};

bool
turn_format_find(struct str name, enum turn_format *out)
{
	for (int i = 0; i < TURN_FORMATS; i++)
		if (str_eq(str_of(format_name[i]), name)) {
			*out = (enum turn_format)i;
			return true;
		}
	return false;
}

struct str
turn_tool(struct str name)
{
	size_t n = name.n;

	while (n > 0 && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	if (n < name.n && str_ends(str_first(name, n), S("__dup")))
		return str_first(name, n - S("__dup").n);
	return name;
}

bool
turn_is_tool(struct str name, const char *tool)
{
	return str_eq(turn_tool(name), str_of(tool));
}

static bool
turn_begins(struct str text, const struct strs *prefixes)
{
	for (size_t i = 0; i < prefixes->n; i++)
		if (str_starts(str_trim(text), prefixes->v[i]))
			return true;
	return false;
}

/* Texts of a message, one after another; *at begins at 0. */
static bool
turn_next_text(struct arena *a, struct str content, size_t *at, struct str *out)
{
	struct str one;

	if (span_is_text(content) && (*at)++ == 0)
		return span_text(a, content, out);
	while (span_next(content, at, &one))
		if (span_text(a, turn_item_raw(one, S("text")), out))
			return true;
	return false;
}

static bool
turn_is_synthetic(struct arena *a, struct str item, const struct turn_opts *o)
{
	struct str content, name, text;
	size_t at = 0, texts = 0;

	if (o->names.n == 0 && o->prefixes.n == 0)
		return false;
	content = turn_item_raw(item, S("content"));
	name = turn_item_text(a, item, S("name"));
	if (name.n > 0 && str_among(&o->names, name))
		return true;
	while (turn_next_text(a, content, &at, &text)) {
		if (!turn_begins(text, &o->prefixes))
			return false;
		texts++;
	}
	return texts > 0;
}

static void
turn_put(struct buf *b, struct str s)
{
	buf_fmt(b, "%zu:", s.n);
	buf_str(b, s);
}

/*
 * Position and texts, not the message's bytes: harnesses rewrite a request for
 * each step and move cache markers.
 */
static struct str
turn_boundary_input(struct arena *a, size_t place, struct str content)
{
	struct str text;
	struct buf b;
	size_t at = 0;

	buf_init(&b, a, LIMIT_ARENA);
	(void)buf_reserve(&b, content.n + 64);
	buf_fmt(&b, "user %zu ", place);
	while (turn_next_text(a, content, &at, &text))
		turn_put(&b, text);
	return buf_view(&b);
}

/* Are the earlier messages at the provider, and only the rest here? */
static bool
turn_is_delta(struct str request)
{
	struct span_want v[] = { { .key = S("previous_response_id") },
		{ .key = S("conversation") } };

	span_members(request, v, 2);
	return (v[0].value.n > 0 && !span_is_null(v[0].value)) ||
	    (v[1].value.n > 0 && !span_is_null(v[1].value));
}

/* Finds the boundary; *from becomes where reading begins. */
static void
turn_find_boundary(struct arena *a, struct str request, struct str list,
    const struct turn_adapter *ad, const struct turn_opts *o,
    const struct strs *items, struct turn *t, size_t *from)
{
	*from = 0;
	if (span_is_text(list)) {
		t->why = TURN_FOUND;
		t->input = turn_boundary_input(a, 0, list);
	}
	for (size_t i = items->n; i-- > 0;) {
		struct str item = items->v[i];

		if (ad->kind(item) != TURN_KIND_USER ||
		    turn_is_synthetic(a, item, o))
			continue;
		t->why = TURN_FOUND;
		t->boundary = i;
		t->input = turn_boundary_input(a, i,
		    turn_item_raw(item, S("content")));
		*from = i + 1;
		break;
	}
	if (t->why != TURN_FOUND && ad->deltas && turn_is_delta(request))
		t->why = TURN_DELTA;
	if (o->id.n > 0) {
		t->why = TURN_NAMED;
		t->input = str_fmt(a, "named %.*s", STR_ARG(o->id));
	}
}

/*
 * An event and its sort key: ids are long and have common prefixes.  On a hash
 * collision, ids are compared byte by byte.
 */
struct sorted {
	uint64_t hash;
	struct turn_event *ev;
};

static int
turn_by_id(const void *x, const void *y)
{
	const struct sorted *a = x, *b = y;
	int r = (a->hash > b->hash) - (a->hash < b->hash);

	if (r == 0)
		r = str_cmp(a->ev->id, b->ev->id);
	return r != 0 ? r : (a->ev->at > b->ev->at) - (a->ev->at < b->ev->at);
}

/*
 * A result belongs to the waiting call with its id.  An id may be reused, but
 * if two calls with it are open, neither can be matched.
 */
static void
turn_pair(struct turn_events *ev, struct turn_event **answer)
{
	struct sorted *v = arena_array(ev->a, ev->n, sizeof(*v));
	struct turn_event *open = NULL;
	bool doubt = false;

	for (size_t i = 0; i < ev->n; i++)
		v[i] = (struct sorted){ str_hash(STR_HASH, ev->v[i].id),
			&ev->v[i] };
	qsort(v, ev->n, sizeof(*v), turn_by_id);
	for (size_t i = 0; i < ev->n; i++) {
		struct turn_event *x = v[i].ev;

		if (i > 0 &&
		    (v[i].hash != v[i - 1].hash ||
			!str_eq(x->id, v[i - 1].ev->id))) {
			open = NULL;
			doubt = false;
		}
		if (!x->is_result) {
			if (open != NULL) {
				doubt = true;
				open->call.twice = true;
			}
			x->call.twice = doubt;
			open = x;
			continue;
		}
		if (open == NULL)
			continue;
		open->call.answered = true;
		if (!doubt)
			answer[open->at] = x;
		open = NULL;
	}
}

/* A control tool's answer; the envelope's data, or the object itself. */
struct said {
	struct str status, skill, mark;
};

static bool
turn_read_said(struct arena *a, struct str text, struct said *out)
{
	struct span_want v[] = { { .key = S("status") }, { .key = S("skill") },
		{ .key = S("mark") } };
	struct str root = span_root(text), inner;
	struct err e = { 0 };

	*out = (struct said){ 0 };
	if (text.n > RESULT_MAX || span_check(text, &e) < 0)
		return false;
	if (span_member(root, "data", &inner))
		root = inner;
	span_members(root, v, 3);
	(void)span_text(a, v[0].value, &out->status);
	(void)span_text(a, v[1].value, &out->skill);
	(void)span_text(a, v[2].value, &out->mark);
	return out->skill.n > 0;
}

/* The end of a skill, and its position. */
struct end {
	struct str skill;
	size_t at;
};

static int
by_skill(const void *x, const void *y)
{
	const struct end *a = x, *b = y;

	return str_cmp(a->skill, b->skill);
}

/* The last one first. */
static int
turn_by_skill_and_place(const void *x, const void *y)
{
	const struct end *a = x, *b = y;
	int r = by_skill(x, y);

	return r != 0 ? r : (a->at < b->at) - (a->at > b->at);
}

/* Removes the loads that are followed by an end. */
static void
turn_drop(struct turn *t, struct end *v, size_t n)
{
	size_t kept = 0, ends = 0;

	if (n > 0)
		qsort(v, n, sizeof(*v), turn_by_skill_and_place);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || !str_eq(v[i].skill, v[ends - 1].skill))
			v[ends++] = v[i];
	for (size_t i = 0; i < t->loads; i++) {
		struct end key = { .skill = t->load[i].skill };
		const struct end *last = n == 0
		    ? NULL
		    : bsearch(&key, v, ends, sizeof(*v), by_skill);

		if (last == NULL || last->at < t->load[i].at)
			t->load[kept++] = t->load[i];
	}
	t->loads = kept;
}

/* In the order they were called. */
static void
turn_read_loads(struct arena *a, const struct turn_events *ev,
    struct turn_event **answer, struct turn *t)
{
	struct end *end = arena_array(a, ev->n, sizeof(*end));
	size_t ends = 0;

	t->load = arena_array(a, ev->n, sizeof(*t->load));
	for (size_t i = 0; i < ev->n; i++) {
		const struct turn_event *x = &ev->v[i];
		struct str tool = turn_tool(x->call.name);
		bool loads = str_eq(tool, S("load_skill"));
		struct said s;

		if (answer[i] == NULL ||
		    (!loads && !str_eq(tool, S("unload_skill"))) ||
		    !turn_read_said(a, turn_item_sole(a, answer[i]->content),
			&s))
			continue;
		if (!loads && str_eq(s.status, S("unloaded")))
			end[ends++] = (struct end){ s.skill, x->at };
		else if (loads && s.mark.n > 0 &&
		    (str_eq(s.status, S("loaded")) ||
			str_eq(s.status, S("already_active"))))
			t->load[t->loads++] = (struct turn_load){
				.skill = s.skill,
				.call = x->id,
				.mark = s.mark,
				.at = x->at,
			};
	}
	turn_drop(t, end, ends);
}

static void
turn_read_calls(struct arena *a, const struct turn_adapter *ad,
    const struct turn_events *ev, struct turn *t)
{
	size_t last = 0;

	for (size_t i = 0; ad->one_step_an_item && i < ev->n; i++)
		if (!ev->v[i].is_result)
			last = ev->v[i].item;
	t->call = arena_array(a, ev->n, sizeof(*t->call));
	for (size_t i = 0; i < ev->n; i++)
		if (!ev->v[i].is_result && ev->v[i].item >= last &&
		    !ev->v[i].call.answered)
			t->call[t->calls++] = ev->v[i].call;
}

int
turn_read(struct arena *a, struct str request, enum turn_format format,
    const struct turn_opts *o, struct turn *out, struct err *e)
{
	const struct turn_adapter *ad = adapters[format];
	struct turn_events ev = { .a = a };
	struct turn_event **answer;
	struct strs items = { 0 };
	struct turn t = { 0 };
	struct str list, one;
	size_t from, at = 0;

	request = span_root(request);
	list = turn_item_raw(request, str_of(ad->list));
	while (span_next(list, &at, &one))
		str_push(a, &items, one);
	if (items.n == 0 && !(ad->deltas && span_is_text(list)))
		return err_set(e, ERR_USAGE,
		    "the request has no \"%s\" in the form of %s", ad->list,
		    format_name[format]);
	turn_find_boundary(a, request, list, ad, o, &items, &t, &from);
	for (size_t i = from; i < items.n; i++) {
		ev.item = i;
		ad->read(items.v[i], &ev);
	}
	answer = arena_array(a, ev.n, sizeof(struct turn_event *));
	turn_pair(&ev, answer);
	if (t.why == TURN_FOUND || t.why == TURN_NAMED)
		turn_read_loads(a, &ev, answer, &t);
	turn_read_calls(a, ad, &ev, &t);
	*out = t;
	return 0;
}
