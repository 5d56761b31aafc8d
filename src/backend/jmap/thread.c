/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server's own threads, RFC 8621 section 3.  Threads that will be needed
 * next are read together and kept, since each is requested once per folder.
 */
#include "backend/internal.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/query.h"
#include "backend/jmap/row.h"

struct jmap_kept {
	struct str id;
	struct strs ids; /* its messages, oldest first */
	struct jmap_mails mails;
};

void
jmap_thread_drop(struct jmap *j)
{
	arena_close(&j->threads_a);
	j->threads = NULL;
	j->threads_n = 0;
}

static struct jmap_kept *
jmap_thread_get_kept(const struct jmap *j, struct str id)
{
	for (size_t i = 0; i < j->threads_n; i++)
		if (str_eq(j->threads[i].id, id))
			return &j->threads[i];
	return NULL;
}

static int
jmap_thread_take_members(struct jmap *j, const struct json_value *list,
    struct err *e)
{
	for (size_t i = 0; i < json_parse_count(list); i++) {
		const struct json_value *v = json_parse_item(list, i), *ids;
		struct jmap_kept *k;
		struct str id;

		if (!jmap_id(v, "id", &id) ||
		    (k = jmap_thread_get_kept(j, id)) == NULL || k->ids.n > 0)
			continue;
		ids = json_parse_member(v, "emailIds");
		if (json_parse_count(ids) > LIMIT_THREAD_IDS)
			return err_set(e, ERR_LIMIT, "that thread is too long");
		for (size_t n = 0; n < json_parse_count(ids); n++)
			if (json_parse_str(json_parse_item(ids, n), &id) &&
			    jmap_id_ok(id))
				str_push(j->threads_a, &k->ids,
				    str_dup(j->threads_a, id));
	}
	return 0;
}

/* If the folder comes from the cache, was it checked in this session? */
static bool
is_checked(const struct jmap *j, const struct jmap_box *box)
{
	return box == NULL || !j->boxes_kept || str_among(&j->checked, box->id);
}

/*
 * Requests the message ids of the threads to keep, and in the same request the
 * folder's state if it is needed.
 */
static int
jmap_thread_ask_members(struct jmap *j, const struct jmap_box *box,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	bool check = !is_checked(j, box);
	const struct json_value *args;
	size_t at = 0, i;
	uint32_t exists;
	int r;

	jmap_call_begin(j, own, &c);
	if (check)
		at = jmap_folder_ask(&c, box);
	i = jmap_call_open(&c, "Thread/get", j->session.account);
	json_open_array(c.out, "ids");
	for (size_t k = 0; k < j->threads_n; k++)
		json_put_str(c.out, NULL, j->threads[k].id);
	json_close_array(c.out);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (check && (r = jmap_folder_check(&c, at, box, &exists, e)) < 0) ||
	    (r = jmap_call_take(&c, i, &args, e)) < 0)
		return r;
	if (check)
		str_push(j->a, &j->checked, box->id);
	return jmap_thread_take_members(j, json_parse_member(args, "list"), e);
}

/* The messages of all threads, in batches. */
static int
jmap_thread_read_members(struct jmap *j, struct err *e)
{
	struct arena *a = j->threads_a;
	uint64_t most =
	    j->session.max_get < JMAP_ROWS ? j->session.max_get : JMAP_ROWS;
	struct jmap_mails all = { 0 };
	struct strs ids = { 0 };

	for (size_t i = 0; i < j->threads_n; i++)
		for (size_t n = 0; n < j->threads[i].ids.n; n++)
			str_push(a, &ids, j->threads[i].ids.v[n]);
	all.v = arena_array(a, ids.n, sizeof(*all.v));
	for (size_t i = 0; i < ids.n; i += most) {
		size_t n = ids.n - i < most ? ids.n - i : (size_t)most;
		struct jmap_get g = { 0 };
		struct jmap_mails some = { 0 };
		int r = jmap_read_some(j, a, &g, ids.v + i, n, &some, e);

		if (r < 0)
			return r;
		if (arena_used(a) > LIMIT_THREAD_KEPT)
			return err_set(e, ERR_LIMIT, "that thread is too long");
		for (size_t k = 0; k < some.n; k++)
			all.v[all.n++] = some.v[k];
	}
	for (size_t i = 0, at = 0; i < j->threads_n; i++) {
		struct jmap_kept *k = &j->threads[i];

		k->mails.v = all.v + at;
		for (size_t n = 0; n < k->ids.n && at < all.n; n++)
			if (str_eq(all.v[at].row.ref.id, k->ids.v[n]))
				at++;
		k->mails.n = (size_t)(all.v + at - k->mails.v);
	}
	return 0;
}

static void
jmap_thread_want_thread(struct jmap *j, struct str id)
{
	if (jmap_id_ok(id) && jmap_thread_get_kept(j, id) == NULL &&
	    j->threads_n < j->session.max_get)
		j->threads[j->threads_n++] =
		    (struct jmap_kept){ .id = str_dup(j->threads_a, id) };
}

static int
jmap_thread_read_threads(struct jmap *j, const struct jmap_box *box,
    const struct query *q, struct err *e)
{
	int r;

	jmap_thread_drop(j);
	j->threads_a = arena_open(LIMIT_ARENA);
	j->threads =
	    arena_array(j->threads_a, q->threads.n + 1, sizeof(*j->threads));
	jmap_thread_want_thread(j, q->thread);
	for (size_t i = 0; i < q->threads.n; i++)
		jmap_thread_want_thread(j, q->threads.v[i]);
	if ((r = jmap_thread_ask_members(j, box, e)) < 0 ||
	    (r = jmap_thread_read_members(j, e)) < 0)
		jmap_thread_drop(j);
	return r;
}

static bool
jmap_thread_fits(const struct jmap_mail *m, const struct jmap_box *box,
    const struct query *q)
{
	const struct row *r = &m->row;

	if (box != NULL && !str_among(&m->boxes, box->id))
		return false;
	if (q->received_s != 0 && r->received_s != 0 &&
	    r->received_s <= q->received_s)
		return false;
	return backend_match_flags(r->flags, q) && jmap_row_fits(r, q);
}

static const struct row *
mails_row_at(const void *ctx, size_t i)
{
	const struct jmap_mails *m = ctx;

	return &m->v[i].row;
}

/* The newest that match, oldest first. */
static void
jmap_thread_put_rows(struct arena *a, const struct jmap_kept *k,
    const struct jmap_box *box, const struct query *q, size_t limit,
    struct rows *out)
{
	size_t i = backend_place_end(&k->mails, k->mails.n, q, mails_row_at);
	size_t from = i, n = 0;

	for (; from > 0 && n < limit; from--)
		n += jmap_thread_fits(&k->mails.v[from - 1], box, q);
	out->v = arena_array(a, n, sizeof(*out->v));
	for (size_t at = from; at < i; at++) {
		const struct row *r = &k->mails.v[at].row;
		struct row *to;

		if (!jmap_thread_fits(&k->mails.v[at], box, q))
			continue;
		to = &out->v[out->n++];
		*to = *r;
		to->ref.id = str_dup(a, r->ref.id);
		to->head = str_dup(a, r->head);
		to->thread = str_dup(a, r->thread);
	}
}

int
jmap_thread(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out, struct err *e)
{
	int r;

	*out = (struct rows){ 0 };
	*st = (struct folder_state){ 0 };
	if (!jmap_id_ok(q->thread))
		return 0;
	if (q->text.n > 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server cannot search within a thread");
	if (jmap_session_need(j, e) < 0)
		return -1;
	if ((jmap_thread_get_kept(j, q->thread) == NULL ||
		!is_checked(j, box)) &&
	    (r = jmap_thread_read_threads(j, box, q, e)) < 0)
		return r;
	jmap_thread_put_rows(a, jmap_thread_get_kept(j, q->thread), box, q,
	    limit, out);
	return 0;
}
