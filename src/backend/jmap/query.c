/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds messages, RFC 8620 section 5.5 and RFC 8621 section 4.4.
 *
 * The server only checks what it alone can: words in a body, time of arrival, a
 * Message-ID.  Sender, subject and day are checked in the headers, because
 * servers search by whole words, in one of two From fields, and do not know the
 * day that the writer wrote.
 */
#include "backend/jmap/query.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/row.h"

#define SAME_SECOND 50         /* messages before a position */
#define SAME_SECOND_MOST 20000 /* searched for it */

bool
jmap_query_needs(const struct query *q)
{
	return q->text.n > 0 || q->message_id.n > 0 || q->received_s != 0 ||
	    q->since_s != 0 || (q->with | q->without) != 0;
}

/* The folder: a known one, or one that is looked up in the request. */
struct where {
	const struct jmap_box *box; /* NULL: */
	struct jmap_first first;
};

static void
jmap_query_put_filter(struct jmap_call *c, const struct where *w,
    const struct query *q)
{
	/*
	 * RFC 6901 section 5: "" is the whole answer.  Cyrus 3.6 (2026-11)
	 * requires "/" for that, which elsewhere is a member without a name.
	 */
	if (w->box == NULL)
		jmap_call_ref(c, "filter", w->first.echo,
		    c->j->session.is_cyrus ? "/" : "");
	else
		jmap_filter_put(c, w->box, q);
}

/* In order of arrival, the newest first. */
static size_t
put_query(struct jmap_call *c, const struct where *w, const struct query *q,
    size_t at, size_t limit)
{
	size_t i = jmap_call_open(c, "Email/query", c->j->session.account);

	jmap_query_put_filter(c, w, q);
	json_open_array(c->out, "sort");
	json_open_object(c->out, NULL);
	json_put_text(c->out, "property", "receivedAt");
	json_put_bool(c->out, "isAscending", false);
	json_close_object(c->out);
	json_close_array(c->out);
	if (at > 0)
		json_put_int(c->out, "position", (int64_t)at);
	if (limit > 0)
		json_put_int(c->out, "limit", (int64_t)limit);
	jmap_call_close(c);
	return i;
}

/* Adds the ids of an answer; *more if the server applied its own limit. */
static int
jmap_query_take_ids(const struct jmap_call *c, size_t i, struct arena *a,
    struct strs *ids, bool *more, struct err *e)
{
	const struct json_value *args, *list;
	struct str id;
	int64_t limit;
	size_t n;
	int r = jmap_call_take(c, i, &args, e);

	if (r < 0)
		return r;
	list = json_parse_member(args, "ids");
	n = json_parse_count(list);
	if (list == NULL || n > JMAP_IDS - ids->n)
		return err_set(e, ERR_LIMIT,
		    "there are too many messages in that folder");
	for (size_t k = 0; k < n; k++) {
		if (!json_parse_str(json_parse_item(list, k), &id) ||
		    !jmap_id_ok(id))
			return jmap_wire_nonsense(e, "an id that is not valid");
		str_push(a, ids, str_dup(a, id));
	}
	*more = n > 0 &&
	    json_parse_int(json_parse_member(args, "limit"), &limit) &&
	    limit > 0 && (uint64_t)limit <= n;
	return 0;
}

/* The pages after the first. */
static int
jmap_query_rest(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, struct strs *ids, bool more, struct err *e)
{
	while (more) {
		CLEANUP(arena_close)
		struct arena *own = arena_open(LIMIT_ARENA);
		CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
		size_t i;
		int r;

		jmap_call_begin(j, own, &c);
		i = put_query(&c, &(struct where){ .box = box }, q, ids->n, 0);
		if ((r = jmap_call_send(&c, e)) < 0 ||
		    (r = jmap_query_take_ids(&c, i, a, ids, &more, e)) < 0)
			return r;
	}
	return 0;
}

static int
jmap_query_ask_ids(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, struct strs *ids, uint32_t *exists, struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	bool more = false;
	size_t stands, i;
	int r;

	jmap_call_begin(j, own, &c);
	stands = jmap_folder_ask(&c, box);
	i = put_query(&c, &(struct where){ .box = box }, q, 0, 0);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (r = jmap_folder_check(&c, stands, box, exists, e)) < 0 ||
	    (r = jmap_query_take_ids(&c, i, a, ids, &more, e)) < 0)
		return r;
	return jmap_query_rest(j, a, box, q, ids, more, e);
}

int
jmap_query_ids(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, struct strs *ids, uint32_t *exists, struct err *e)
{
	bool nested = jmap_filter_is_nested(j, q);
	int r = jmap_query_ask_ids(j, a, box, q, ids, exists, e);

	if (r == 0 || !nested || e->kind != ERR_UNSUPPORTED)
		return r;
	*e = (struct err){ 0 };
	*ids = (struct strs){ 0 };
	j->flat = true;
	return jmap_query_ask_ids(j, a, box, q, ids, exists, e);
}

/* One page of ids; *more: the server returned its maximum. */
static int
jmap_query_ask_page(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t at, size_t limit, struct strs *ids,
    uint32_t *exists, bool *more, struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	size_t stands, i;
	int r;

	jmap_call_begin(j, own, &c);
	stands = jmap_folder_ask(&c, box);
	i = put_query(&c, &(struct where){ .box = box }, q, at, limit);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (r = jmap_folder_check(&c, stands, box, exists, e)) < 0)
		return r;
	return jmap_query_take_ids(&c, i, a, ids, more, e);
}

/* Drops the messages before the position, and the one at it. */
static void
jmap_query_pass(struct jmap_walk *w, struct strs *page)
{
	for (size_t i = 0; i < page->n; i++) {
		if (!str_eq(page->v[i], w->behind))
			continue;
		page->v += i + 1;
		page->n -= i + 1;
		w->behind = S("");
		return;
	}
	page->n = 0;
}

/*
 * Messages of one second come in an order that only the server knows.  If the
 * last message of a page is gone, all of its second are returned again; only
 * its second shows that it is gone.
 */
int
jmap_query_some(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct jmap_walk *w, struct strs *ids,
    uint32_t *exists, struct err *e)
{
	struct query second = *q;

	if (q->behind_s > q->received_s)
		second.received_s = q->behind_s;
	while (!w->ended && ids->n < limit) {
		size_t n, most = limit + (w->behind.n > 0 ? SAME_SECOND : 0);
		bool alone = w->behind.n > 0 && w->at > 0;
		struct strs page = { 0 };
		bool more = false;
		int r = jmap_query_ask_page(j, a, box, alone ? &second : q,
		    w->at, most, &page, exists, &more, e);

		if (r < 0)
			return r;
		n = page.n;
		w->ended = n == 0 || (n < most && !more);
		if (w->behind.n > 0)
			jmap_query_pass(w, &page);
		if (alone && w->behind.n == 0)
			w->ended = false;
		/* Ids that are not returned come again. */
		if (page.n > limit - ids->n) {
			n -= page.n - (limit - ids->n);
			page.n = limit - ids->n;
			w->ended = false;
		}
		for (size_t i = 0; i < page.n; i++)
			str_push(a, ids, page.v[i]);
		w->at += n;
		if (w->behind.n > 0 && w->ended)
			*w = (struct jmap_walk){ 0 };
		if (w->behind.n > 0 && w->at > SAME_SECOND_MOST)
			return err_set(e, ERR_LIMIT,
			    "too many messages arrived in the same second: "
			    "give another since");
	}
	return 0;
}

/* The newest rows, in the same request: a list requests them next. */
static size_t
jmap_query_put_ahead(struct jmap_call *c, const struct where *w)
{
	uint64_t max = c->j->session.max_get;
	size_t of = put_query(c, w, NULL, 0,
	    max < JMAP_AHEAD ? (size_t)max : JMAP_AHEAD);
	size_t i = jmap_call_open(c, "Email/get", c->j->session.account);

	jmap_call_ref(c, "ids", of, "/ids");
	jmap_row_properties(c->out, false);
	jmap_call_close(c);
	return i;
}

/* They are optional: errors in them show when they are requested. */
static void
jmap_query_take_ahead(struct jmap_call *c, size_t i, const struct jmap_box *box)
{
	struct jmap *j = c->j;
	const struct json_value *args, *list;
	struct err ignored = { 0 };
	size_t n;

	j->ahead = (struct jmap_mails){ 0 };
	j->ahead_box = box->id;
	if (jmap_call_take(c, i, &args, &ignored) < 0)
		return;
	list = json_parse_member(args, "list");
	n = json_parse_count(list);
	n = n < JMAP_AHEAD ? n : JMAP_AHEAD;
	j->ahead.v = arena_array(j->a, n, sizeof(*j->ahead.v));
	for (size_t k = 0; k < n; k++)
		if (jmap_row_read(j->a, json_parse_item(list, k), box->id,
			&j->ahead.v[j->ahead.n]) == 1)
			jmap_flag_add_boxes(j, &j->ahead.v[j->ahead.n++]);
}

static void
jmap_query_reverse(struct strs *ids)
{
	for (size_t i = 0, k = ids->n; i + 1 < k; i++) {
		struct str s = ids->v[i];

		ids->v[i] = ids->v[--k];
		ids->v[k] = s;
	}
}

/* The calls of a scan. */
struct scan {
	struct where in;
	size_t stands, ids, ahead;
};
#define SCAN_CALLS 3 /* besides those about the folder */

static int
jmap_query_ask_scan(struct jmap_call *c, struct scan *s, struct str folder,
    bool first, struct err *e)
{
	if (first)
		jmap_folder_ask_first(c, folder, &s->in.first);
	else
		s->stands = jmap_folder_ask(c, s->in.box);
	s->ids = put_query(c, &s->in, NULL, 0, 0);
	s->ahead = jmap_query_put_ahead(c, &s->in);
	return jmap_call_send(c, e);
}

/* 1; 0 if it must be repeated now that the folder is known. */
static int
jmap_query_take_scan(struct jmap_call *c, struct scan *s, struct arena *a,
    bool first, struct strs *ids, bool *more, struct err *e)
{
	struct err ignored = { 0 };
	uint32_t exists;
	bool found = true;
	int r;

	if (first)
		r = jmap_folder_take_first(c, &s->in.first, &s->in.box, &exists,
		    &found, e);
	else
		r = jmap_folder_check(c, s->stands, s->in.box, &exists, e);
	if (r < 0 || !found)
		return r;
	r = jmap_query_take_ids(c, s->ids, a, ids, more, first ? &ignored : e);
	if (r < 0 && !first)
		return r;
	/* Or the server may have made a different filter. */
	if (first && (r < 0 || (!*more && ids->n != exists)))
		return 0;
	jmap_query_take_ahead(c, s->ahead, s->in.box);
	return 1;
}

static int
jmap_query_scan_all(struct jmap *j, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct scan s = { 0 };
	bool more, first;
	int r;

	do {
		CLEANUP(arena_close)
		struct arena *own = arena_open(LIMIT_ARENA);
		CLEANUP(jmap_call_done) struct jmap_call c = { 0 };

		if (jmap_session_need(j, e) < 0)
			return -1;
		first = !j->boxes_known &&
		    j->session.max_calls >= JMAP_FIRST_CALLS + SCAN_CALLS;
		if (!first &&
		    (r = jmap_folder_find(j, folder, &s.in.box, e)) < 0)
			return r;
		*ids = (struct strs){ 0 };
		more = false;
		jmap_call_begin(j, own, &c);
		if ((r = jmap_query_ask_scan(&c, &s, folder, first, e)) == 0)
			r = jmap_query_take_scan(&c, &s, a, first, ids, &more,
			    e);
	} while (r == 0);
	if (r < 0 ||
	    (r = jmap_query_rest(j, a, s.in.box, NULL, ids, more, e)) < 0)
		return r;
	jmap_query_reverse(ids);
	j->ahead_exists = (uint32_t)ids->n;
	*st = (struct folder_state){ .exists = (uint32_t)ids->n };
	return 0;
}

int
jmap_query_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	int r;

	do
		r = jmap_query_scan_all(j, a, folder, st, ids, e);
	while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}
