/* Every message of a thread in one request, oldest first. */
#include "backend/gmail/internal.h"

/* Is a thread longer than Gmail makes one (it splits at 100)? */
#define MESSAGES 1000

static int
read_one(struct gmail *g, struct arena *a, const struct json_value *msg,
    struct str thread, struct gmail_want *w, struct err *e)
{
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
	w->here = true;
	return 0;
}

/* The place of a message among those asked for, or `n`. */
static size_t
place(const struct refs *among, struct str id)
{
	size_t i = 0;

	while (i < among->n && !str_eq(among->v[i].id, id))
		i++;
	return i;
}

static int
read_thread(struct gmail *g, struct arena *a, const struct query *q,
    const struct gmail_label *label, const struct json_value *list,
    struct rows *out, struct err *e)
{
	size_t n = json_parse_count(list);
	struct gmail_want *w;
	size_t kept = 0;

	if (n > MESSAGES)
		return err_set(e, ERR_LIMIT, "the thread is too long");
	w = arena_array(a, n, sizeof(*w));
	for (size_t i = 0; i < n; i++) {
		const struct json_value *msg = json_parse_item(list, i);

		if (label != NULL &&
		    !gmail_label_holds(label,
			json_parse_member(msg, "labelIds")))
			continue;
		if (read_one(g, a, msg, q->thread, &w[kept++], e) < 0)
			return -1;
	}
	for (size_t i = 0; i < kept; i += GMAIL_BATCH) {
		size_t some = kept - i < GMAIL_BATCH ? kept - i : GMAIL_BATCH;

		if (gmail_rows_mend(g, a, w + i, some, e) < 0)
			return -1;
	}
	out->v = arena_array(a, kept, sizeof(*out->v));
	for (size_t i = 0; i < kept; i++) {
		size_t at = 0;

		if (!w[i].here || !gmail_query_fits(q, &w[i].row))
			continue;
		if (q->among != NULL &&
		    (at = place(q->among, w[i].id)) == q->among->n)
			continue;
		if (q->among != NULL)
			w[i].row.ref.uid = q->among->v[at].uid;
		out->v[out->n++] = w[i].row;
	}
	return 0;
}

void
gmail_thread_drop(struct gmail *g)
{
	arena_close(&g->thread_a);
	g->thread = g->thread_json = (struct str){ 0 };
}

/* The thread as it was read last on this connection, or anew: it is asked for
 * folder by folder.  1; 0 when there is none. */
static int
fetch(struct gmail *g, struct str thread, struct err *e)
{
	struct gmail_ask ask = { 0 };
	struct http_reply r = { 0 };

	if (g->thread_a != NULL && str_eq(g->thread, thread))
		return 1;
	gmail_thread_drop(g);
	g->thread_a = arena_open(LIMIT_ARENA);
	ask.target = str_fmt(g->thread_a,
	    GMAIL_ME "/threads/%.*s?format=full&fields=messages(%s)",
	    STR_ARG(thread), GMAIL_ROW_FIELDS);
	if (gmail_call(g, &ask, &r, e) < 0) {
		gmail_thread_drop(g);
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	g->thread_json = str_dup(g->thread_a, r.body);
	g->thread = str_dup(g->thread_a, thread);
	return 1;
}

int
gmail_thread(struct gmail *g, struct arena *a, const struct query *q,
    size_t limit, struct rows *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct gmail_label label;
	int r;

	*out = (struct rows){ 0 };
	if (q->folder.n > 0 && gmail_label_find(g, a, q->folder, &label, e) < 0)
		return -1;
	/* What cannot be a thread of Gmail's has no messages. */
	if (!gmail_url_is_id(q->thread) || (r = fetch(g, q->thread, e)) == 0)
		return 0;
	if (r < 0 || gmail_call_parse(g->thread_json, &d, e) < 0 ||
	    read_thread(g, a, q, q->folder.n > 0 ? &label : NULL,
		json_parse_member(json_parse_root(d), "messages"), out, e) < 0)
		return -1;
	/* The newest `limit`, and of those the oldest first. */
	if (out->n > limit) {
		out->v += out->n - limit;
		out->n = limit;
	}
	return 0;
}
