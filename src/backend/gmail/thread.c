/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every message of a thread in one request, oldest first.  Threads that are
 * needed next are read together and kept, because each is requested once per
 * folder.
 */
#include "backend/gmail/internal.h"
#include "backend/internal.h"

/* Is a thread longer than Gmail's limit (it splits at 100)? */
#define MESSAGES 1000
#define TOGETHER 20 /* threads; their messages are more */

struct gmail_thread {
	struct str id;
	struct json_doc *doc; /* NULL: the thread does not exist */
	const struct json_value *list;
	struct gmail_want *w; /* of each in the list */
	size_t n;
};

void
gmail_thread_drop(struct gmail *g)
{
	for (size_t i = 0; i < g->threads_n; i++)
		json_parse_close(&g->threads[i].doc);
	arena_close(&g->threads_a);
	g->threads = NULL;
	g->threads_n = 0;
}

static const struct gmail_thread *
gmail_thread_get_kept(const struct gmail *g, struct str id)
{
	for (size_t i = 0; i < g->threads_n; i++)
		if (str_eq(g->threads[i].id, id))
			return &g->threads[i];
	return NULL;
}

static int
gmail_thread_read_one(struct gmail *g, const struct json_value *msg,
    struct str thread, struct gmail_want *w, struct err *e)
{
	struct arena *a = g->threads_a;
	struct str id = S("");

	(void)json_parse_str(json_parse_member(msg, "id"), &id);
	if (!gmail_url_is_id(id))
		return gmail_call_garbled(e, "an id is none");
	w->id = str_dup(a, id);
	if (gmail_read_row(a, msg, w->id, g->conn.acct->trace, &w->row, &w->odd,
		e) < 0)
		return -1;
	if (!str_eq(w->row.thread, thread))
		return gmail_call_garbled(e, "another thread came");
	w->row.ref.id = w->id;
	gmail_flag_put(g, a, json_parse_member(msg, "labelIds"), &w->row);
	w->here = true;
	return 0;
}

static int
gmail_thread_read_thread(struct gmail *g, struct gmail_thread *t,
    struct str json, struct err *e)
{
	if (gmail_call_parse(json, &t->doc, e) < 0)
		return -1;
	t->list = json_parse_member(json_parse_root(t->doc), "messages");
	t->n = json_parse_count(t->list);
	if (t->n > MESSAGES)
		return err_set(e, ERR_LIMIT, "the thread is too long");
	t->w = arena_array(g->threads_a, t->n, sizeof(*t->w));
	for (size_t i = 0; i < t->n; i++)
		if (gmail_thread_read_one(g, json_parse_item(t->list, i), t->id,
			&t->w[i], e) < 0)
			return -1;
	return 0;
}

/* Corrects odd headers of all of them together. */
static int
mend_threads(struct gmail *g, struct err *e)
{
	struct gmail_want *all;
	size_t n = 0, at = 0;

	for (size_t i = 0; i < g->threads_n; i++)
		n += g->threads[i].n;
	all = arena_array(g->threads_a, n, sizeof(*all));
	for (size_t i = 0; i < g->threads_n; i++) {
		for (size_t k = 0; k < g->threads[i].n; k++)
			all[at++] = g->threads[i].w[k];
		g->threads[i].w = all + at - g->threads[i].n;
	}
	/* At least one request if its number must reveal nothing. */
	at = 0;
	do {
		size_t some = n - at < GMAIL_BATCH ? n - at : GMAIL_BATCH;

		if (gmail_rows_mend(g, g->threads_a, all + at, some, e) < 0)
			return -1;
		at += some;
	} while (at < n);
	return 0;
}

static int
ask_threads(struct gmail *g, struct err *e)
{
	struct gmail_bit bit[TOGETHER + 1] = { 0 };
	size_t bits = g->threads_n;

	for (size_t i = 0; i < g->threads_n; i++)
		bit[i].target = str_fmt(g->threads_a,
		    GMAIL_ME "/threads/%.*s?format=full&fields=messages(%s)",
		    STR_ARG(g->threads[i].id), GMAIL_ROW_FIELDS);
	if (bits > 0 && g->label == NULL)
		bit[bits++].target = S(GMAIL_LABELS);
	if (gmail_batch(g, g->threads_a, bit, bits, e) < 0)
		return -1;
	if (bits > g->threads_n)
		gmail_label_take(g, bit[g->threads_n].body);
	for (size_t i = 0; i < g->threads_n; i++)
		if (bit[i].found &&
		    gmail_thread_read_thread(g, &g->threads[i], bit[i].body,
			e) < 0)
			return -1;
	return mend_threads(g, e);
}

/* Other ids cannot be threads of Gmail. */
static void
gmail_thread_want_thread(struct gmail *g, struct str id)
{
	if (gmail_url_is_id(id) && g->threads_n < TOGETHER &&
	    gmail_thread_get_kept(g, id) == NULL)
		g->threads[g->threads_n++] =
		    (struct gmail_thread){ .id = str_dup(g->threads_a, id) };
}

static int
gmail_thread_read_threads(struct gmail *g, const struct query *q, struct err *e)
{
	gmail_thread_drop(g);
	g->threads_a = arena_open(LIMIT_ARENA);
	g->threads = arena_array(g->threads_a, TOGETHER, sizeof(*g->threads));
	gmail_thread_want_thread(g, q->thread);
	for (size_t i = 0; i < q->threads.n; i++)
		gmail_thread_want_thread(g, q->threads.v[i]);
	if (ask_threads(g, e) == 0)
		return 0;
	gmail_thread_drop(g);
	return -1;
}

/* The index of a message among the requested ones, or `n`. */
static size_t
gmail_thread_place(const struct refs *among, struct str id)
{
	size_t i = 0;

	while (i < among->n && !str_eq(among->v[i].id, id))
		i++;
	return i;
}

static bool
gmail_thread_is_wanted(const struct gmail_thread *t, size_t i,
    const struct query *q, const struct gmail_label *label)
{
	const struct json_value *ids =
	    json_parse_member(json_parse_item(t->list, i), "labelIds");

	return t->w[i].here &&
	    (label == NULL || gmail_label_holds(label, ids)) &&
	    (q->among == NULL ||
		gmail_thread_place(q->among, t->w[i].id) < q->among->n) &&
	    gmail_query_fits(q, &t->w[i].row);
}

static const struct row *
thread_row_at(const void *ctx, size_t i)
{
	const struct gmail_thread *t = ctx;

	return &t->w[i].row;
}

static void
gmail_thread_put_row(struct arena *a, const struct gmail_want *w,
    const struct query *q, struct rows *out)
{
	struct row *to = &out->v[out->n++];

	*to = w->row;
	to->ref.id = str_dup(a, w->id);
	to->head = str_dup(a, w->row.head);
	to->thread = str_dup(a, w->row.thread);
	to->labels = (struct strs){ 0 };
	for (size_t i = 0; i < w->row.labels.n; i++)
		str_push(a, &to->labels, str_dup(a, w->row.labels.v[i]));
	if (q->folder.n > 0)
		to->folder = (struct str){ 0 };
	if (q->among != NULL)
		to->ref.uid =
		    q->among->v[gmail_thread_place(q->among, w->id)].uid;
}

int
gmail_thread(struct gmail *g, struct arena *a, const struct query *q,
    size_t limit, struct rows *out, struct err *e)
{
	const struct gmail_thread *t;
	struct gmail_label label, *in = q->folder.n > 0 ? &label : NULL;
	size_t end, from, n = 0;

	*out = (struct rows){ 0 };
	if (in != NULL && gmail_label_find(g, a, q->folder, in, e) < 0)
		return -1;
	if (!gmail_url_is_id(q->thread))
		return 0;
	if (gmail_thread_get_kept(g, q->thread) == NULL &&
	    gmail_thread_read_threads(g, q, e) < 0)
		return -1;
	/* The newest `limit`, ordered oldest first. */
	t = gmail_thread_get_kept(g, q->thread);
	end = from = backend_place_end(t, t->n, q, thread_row_at);
	for (; from > 0 && n < limit; from--)
		n += gmail_thread_is_wanted(t, from - 1, q, in);
	out->v = arena_array(a, n, sizeof(*out->v));
	for (; from < end; from++)
		if (gmail_thread_is_wanted(t, from, q, in))
			gmail_thread_put_row(a, &t->w[from], q, out);
	return 0;
}
