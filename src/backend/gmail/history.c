/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The changes in a folder since it was last read.  Reads the history of the
 * whole mailbox and not only of the label, because Gmail does not promise to
 * report removals under the label.  For each message the last event counts.
 */
#include <stdlib.h>

#include "backend/gmail/internal.h"
#include "backend/internal.h"

/* With more pages, starting again is faster. */
#define PAGES 40

struct event {
	struct str id;
	size_t seq;
	bool in;
};

struct events {
	struct arena *a;
	const struct gmail_label *label;
	struct event *v;
	size_t n;
};

static const char fields[] =
    "history(messagesAdded(message(id,labelIds)),messagesDeleted(message(id)),"
    "labelsAdded(message(id,labelIds),labelIds),"
    "labelsRemoved(message(id,labelIds),labelIds)),historyId,nextPageToken";

static bool
gmail_history_is_cursor(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0 && s.n <= 32;
}

static void
gmail_history_add(struct events *l, struct str id, bool in)
{
	l->v = arena_more(l->a, l->v, l->n, sizeof(*l->v));
	l->v[l->n] = (struct event){ str_dup(l->a, id), l->n, in };
	l->n++;
}

enum what {
	ADDED,
	LABELLED,
	UNLABELLED,
	DELETED,
};

static const char *const whats[] = {
	[ADDED] = "messagesAdded",
	[LABELLED] = "labelsAdded",
	[UNLABELLED] = "labelsRemoved",
	[DELETED] = "messagesDeleted",
};

/* Is the message in the folder after this event? */
static bool
gmail_history_is_in(const struct events *l, enum what what,
    const struct json_value *v)
{
	const struct json_value *now =
	    json_parse_member(json_parse_member(v, "message"), "labelIds");
	const struct json_value *moved = json_parse_member(v, "labelIds");
	struct str id = l->label->id;
	bool ours = id.n > 0 && gmail_label_in(moved, id);
	bool binned = !gmail_label_is_hidden(l->label) &&
	    (gmail_label_in(moved, S("TRASH")) ||
		gmail_label_in(moved, S("SPAM")));

	if (what == DELETED || (what == UNLABELLED && ours) ||
	    (what == LABELLED && binned))
		return false;
	/*
	 * Without that label in `now` it may have been removed again since; a
	 * later event says so.
	 */
	if (what == LABELLED && ours && json_parse_count(now) == 0)
		return true;
	return gmail_label_holds(l->label, now);
}

static int
gmail_history_read_record(struct events *l, const struct json_value *record,
    struct err *e)
{
	for (enum what w = ADDED; w <= DELETED; w++) {
		const struct json_value *list =
		    json_parse_member(record, whats[w]);
		size_t n = json_parse_count(list);

		for (size_t i = 0; i < n; i++) {
			const struct json_value *v = json_parse_item(list, i);
			struct str id = S("");

			(void)json_parse_str(
			    json_parse_member(json_parse_member(v, "message"),
				"id"),
			    &id);
			if (!gmail_url_is_id(id))
				return gmail_call_garbled(e, "an id is none");
			if (l->n >= GMAIL_IDS)
				return err_set(e, ERR_LIMIT,
				    "the folder changed too much");
			gmail_history_add(l, id, gmail_history_is_in(l, w, v));
		}
	}
	return 0;
}

static int
gmail_history_by_id(const void *x, const void *y)
{
	const struct event *p = x, *q = y;
	int c = str_cmp(p->id, q->id);

	return c != 0 ? c : (p->seq > q->seq) - (p->seq < q->seq);
}

static int
by_seq(const void *x, const void *y)
{
	const struct event *p = x, *q = y;

	return (p->seq > q->seq) - (p->seq < q->seq);
}

/* The last event of each message, sorted by id. */
static void
gmail_history_settle(struct events *l)
{
	size_t n = 0;

	if (l->n == 0)
		return;
	qsort(l->v, l->n, sizeof(*l->v), gmail_history_by_id);
	for (size_t i = 0; i < l->n; i++) {
		if (n > 0 && str_eq(l->v[n - 1].id, l->v[i].id))
			n--;
		l->v[n++] = l->v[i];
	}
	l->n = n;
}

static struct str
gmail_history_id_at(const void *ctx, size_t i)
{
	return ((const struct event *)ctx)[i].id;
}

static struct event *
gmail_history_find(const struct events *l, struct str id)
{
	size_t i = backend_place(l->v, l->n, id, gmail_history_id_at);

	return i < l->n ? &l->v[i] : NULL;
}

/* Removes what left, and appends what came. */
static bool
gmail_history_apply(struct events *l, struct arena *a, struct strs *ids)
{
	struct strs out = { arena_array(a, ids->n + l->n, sizeof(*out.v)), 0 };
	bool changed = false;
	size_t before;

	gmail_history_settle(l);
	for (size_t i = 0; i < ids->n; i++) {
		struct event *v = gmail_history_find(l, ids->v[i]);

		if (v != NULL && !v->in) {
			changed = true;
			continue;
		}
		if (v != NULL)
			v->in = false; /* it is already there */
		out.v[out.n++] = ids->v[i];
	}
	if (l->v != NULL)
		qsort(l->v, l->n, sizeof(*l->v), by_seq);
	before = out.n;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].in)
			out.v[out.n++] = str_dup(a, l->v[i].id);
	changed = changed || out.n != before;
	*ids = out;
	return changed;
}

/* One page; *token becomes the next one's. */
static int
gmail_history_page(struct gmail *g, struct events *l, struct str from,
    struct str *token, struct str *cursor, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *root, *list;
	struct str now = S(""), next = S("");
	struct gmail_ask q = { 0 };
	struct buf b;

	buf_init(&b, l->a, LIMIT_URL);
	buf_text(&b, GMAIL_ME "/history");
	gmail_url_param(&b, "startHistoryId", from);
	gmail_url_param(&b, "maxResults", S("500"));
	gmail_url_param(&b, "fields", str_of(fields));
	if (token->n > 0)
		gmail_url_param(&b, "pageToken", *token);
	q.target = buf_view(&b);
	if (gmail_call_json(g, &q, &d, e) < 0)
		return -1;
	root = json_parse_root(d);
	list = json_parse_member(root, "history");
	for (size_t i = 0; i < json_parse_count(list); i++)
		if (gmail_history_read_record(l, json_parse_item(list, i), e) <
		    0)
			return -1;
	(void)json_parse_str(json_parse_member(root, "historyId"), &now);
	(void)json_parse_str(json_parse_member(root, "nextPageToken"), &next);
	if (!gmail_history_is_cursor(now) || next.n > 1024)
		return gmail_call_garbled(e, "a history without its place");
	*cursor = str_dup(l->a, now);
	*token = str_dup(l->a, next);
	return 0;
}

int
gmail_history(struct gmail *g, struct arena *a, const struct gmail_label *label,
    struct gmail_kept *k, bool *changed, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct events l = { .a = scratch, .label = label };
	struct str token = S(""), now = S("");

	*changed = false;
	for (size_t i = 0; i == 0 || token.n > 0; i++) {
		if (i == PAGES)
			return 0;
		if (gmail_history_page(g, &l, k->cursor, &token, &now, e) < 0) {
			if (e->kind != ERR_NOT_FOUND)
				return -1;
			*e = (struct err){ 0 };
			return 0;
		}
	}
	*changed = gmail_history_apply(&l, a, &k->ids);
	k->cursor = str_dup(a, now);
	return 1;
}

int
gmail_history_now(struct gmail *g, struct arena *a, struct str *cursor,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct gmail_ask q = {
		.target = S(GMAIL_ME "/profile?fields=historyId"),
	};
	struct str now = S("");

	if (gmail_call_json(g, &q, &d, e) < 0)
		return -1;
	(void)json_parse_str(json_parse_member(json_parse_root(d), "historyId"),
	    &now);
	if (!gmail_history_is_cursor(now))
		return gmail_call_garbled(e, "a profile without its place");
	*cursor = str_dup(a, now);
	return 0;
}
