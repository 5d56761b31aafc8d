/* The server's own threads, RFC 8621 section 3. */
#include "backend/jmap/internal.h"

/* Its messages, oldest first; none when there is no such thread. */
static int
members(struct jmap *j, struct arena *a, struct str thread, struct strs *ids,
    struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args, *list;
	struct str id;
	size_t i;
	int r;

	jmap_call_begin(j, a, &c);
	i = jmap_call_open(&c, "Thread/get", j->session.account);
	json_open_array(c.out, "ids");
	json_put_str(c.out, NULL, thread);
	json_close_array(c.out);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (r = jmap_call_take(&c, i, &args, e)) < 0)
		return r;
	list = json_parse_item(json_parse_member(args, "list"), 0);
	if (!jmap_call_id(list, "id", &id) || !str_eq(id, thread))
		return 0;
	list = json_parse_member(list, "emailIds");
	if (json_parse_count(list) > LIMIT_THREAD_IDS)
		return err_set(e, ERR_LIMIT, "that thread is too long");
	for (size_t k = 0; k < json_parse_count(list); k++)
		if (json_parse_str(json_parse_item(list, k), &id) &&
		    jmap_call_id_ok(id))
			str_push(a, ids, str_dup(a, id));
	return 0;
}

static bool
fits(const struct row *r, const struct query *q)
{
	if (q->received_s != 0 && r->received_s != 0 &&
	    r->received_s <= q->received_s)
		return false;
	return jmap_row_fits(r, q);
}

/*
 * All of them are read, for only the rows tell which folder they are in; the
 * newest that match stay.
 */
int
jmap_thread(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	struct jmap_get g = { .box = box };
	struct strs ids = { 0 };
	struct rows all = { 0 };
	struct ref *ref;
	size_t kept = 0;
	int r;

	*out = (struct rows){ 0 };
	*st = (struct folder_state){ 0 };
	if (!jmap_call_id_ok(q->thread))
		return 0;
	if (q->text.n > 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server cannot search within a thread");
	if (jmap_session_need(j, e) < 0)
		return -1;
	if ((r = members(j, own, q->thread, &ids, e)) < 0)
		return r;
	ref = arena_array(own, ids.n, sizeof(*ref));
	for (size_t i = 0; i < ids.n; i++)
		ref[i].id = ids.v[i];
	all.v = arena_array(a, ids.n, sizeof(*all.v));
	if ((r = jmap_read_rows(j, a, &g, ref, ids.n, &all, e)) < 0)
		return r;
	for (size_t i = 0; i < all.n; i++)
		if (fits(&all.v[i], q))
			all.v[kept++] = all.v[i];
	if (kept > limit) {
		all.v += kept - limit;
		kept = limit;
	}
	*out = (struct rows){ all.v, kept };
	st->exists = g.exists;
	return 0;
}
