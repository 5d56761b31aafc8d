/* SPDX-License-Identifier: Apache-2.0 */
/* Reads messages by id: rows, and whole messages as blobs. */
#include "backend/jmap/internal.h"
#include "backend/jmap/row.h"
#include "backend/jmap/url.h"

static int
jmap_read_by_id(const void *x, const void *y)
{
	return str_cmp(((const struct jmap_mail *)x)->row.ref.id,
	    ((const struct jmap_mail *)y)->row.ref.id);
}

/* Email objects in any order; `most` limits them. */
static void
jmap_read_take(const struct jmap *j, struct arena *a, const struct jmap_get *g,
    const struct json_value *list, size_t most, struct jmap_mails *out)
{
	size_t n = json_parse_count(list);

	n = n < most ? n : most;
	out->v = arena_array(a, n, sizeof(*out->v));
	out->n = 0;
	for (size_t i = 0; i < n; i++)
		if (jmap_row_read(a, json_parse_item(list, i),
			g->box != NULL ? g->box->id : S(""),
			&out->v[out->n]) == 1)
			jmap_flag_add_boxes(j, &out->v[out->n++]);
	qsort(out->v, out->n, sizeof(*out->v), jmap_read_by_id);
}

static const struct jmap_mail *
jmap_read_look_up(const struct jmap_mails *m, struct str id)
{
	struct jmap_mail key = { .row.ref.id = id };

	return m->n == 0
	    ? NULL
	    : bsearch(&key, m->v, m->n, sizeof(*m->v), jmap_read_by_id);
}

int
jmap_read_some(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct str *ids, size_t n, struct jmap_mails *out, struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args;
	struct jmap_mails found;
	size_t box = 0, get;
	int r;

	jmap_call_begin(j, a, &c);
	if (g->box != NULL)
		box = jmap_folder_ask(&c, g->box);
	get = jmap_call_open(&c, "Email/get", j->session.account);
	json_open_array(c.out, "ids");
	for (size_t i = 0; i < n; i++)
		json_put_str(c.out, NULL, ids[i]);
	json_close_array(c.out);
	jmap_row_properties(c.out, g->light);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (g->box != NULL &&
		(r = jmap_folder_check(&c, box, g->box, &g->exists, e)) < 0) ||
	    (r = jmap_call_take(&c, get, &args, e)) < 0)
		return r;
	jmap_read_take(j, a, g, json_parse_member(args, "list"), n, &found);
	out->v = arena_array(a, n, sizeof(*out->v));
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct jmap_mail *m = jmap_read_look_up(&found, ids[i]);

		if (m != NULL)
			out->v[out->n++] = *m;
	}
	return 0;
}

/* The row that scan has already read in this folder, or NULL. */
static const struct jmap_mail *
jmap_read_ahead(const struct jmap *j, const struct jmap_box *box, struct str id)
{
	if (box == NULL || !str_eq(j->ahead_box, box->id))
		return NULL;
	for (size_t i = 0; i < j->ahead.n; i++)
		if (str_eq(j->ahead.v[i].row.ref.id, id))
			return &j->ahead.v[i];
	return NULL;
}

static void
jmap_read_add_row(const struct jmap *j, struct arena *a,
    const struct jmap_box *box, const struct jmap_mail *m, const struct ref *as,
    struct rows *out)
{
	const struct jmap_box *at =
	    box == NULL ? jmap_flag_place(j, &m->boxes) : NULL;
	struct row *r = &out->v[out->n++];

	*r = m->row;
	r->ref = (struct ref){ as->uid, str_dup(a, as->id) };
	r->head = str_dup(a, r->head);
	r->thread = str_dup(a, r->thread);
	r->labels = str_dup_all(a, &r->labels);
	r->places = str_dup_all(a, &r->places);
	if (at != NULL)
		r->folder = str_dup(a, at->path);
}

static int
jmap_read_chunk(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct ref *ref, size_t n, struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	struct jmap_mails got = { 0 };
	struct strs ids = { 0 };
	int r = 0;

	for (size_t i = 0; i < n; i++)
		if (jmap_id_ok(ref[i].id) &&
		    jmap_read_ahead(j, g->box, ref[i].id) == NULL)
			str_push(own, &ids, ref[i].id);
	/* Sent even without ids if `even` is set. */
	if (ids.n > 0 || g->even)
		r = jmap_read_some(j, own, g, ids.v, ids.n, &got, e);
	if (r < 0)
		return r;
	for (size_t i = 0, k = 0; i < n; i++) {
		const struct jmap_mail *m =
		    jmap_read_ahead(j, g->box, ref[i].id);

		if (m == NULL && k < got.n &&
		    str_eq(got.v[k].row.ref.id, ref[i].id))
			m = &got.v[k++];
		if (m != NULL)
			jmap_read_add_row(j, a, g->box, m, &ref[i], out);
	}
	return 0;
}

int
jmap_read_rows(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct ref *ref, size_t n, struct rows *out, struct err *e)
{
	size_t most =
	    j->session.max_get < JMAP_ROWS ? j->session.max_get : JMAP_ROWS;

	size_t i = 0;

	if (n == 0 && !g->even)
		return 0;
	do {
		size_t some = n - i < most ? n - i : most;
		int r = jmap_read_chunk(j, a, g, &ref[i], some, out, e);

		if (r < 0)
			return r;
		i += some;
	} while (i < n);
	return 0;
}

static int
jmap_read_ask_headers(struct jmap *j, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct jmap_get g = { .exists = j->ahead_exists };
	int r = folder.n > 0 ? jmap_folder_find(j, folder, &g.box, e)
			     : jmap_folder_need_fresh(j, e);

	if (r < 0)
		return r;
	*out = (struct rows){ 0 };
	out->v = arena_array(a, refs->n, sizeof(*out->v));
	r = jmap_read_rows(j, a, &g, refs->v, refs->n, out, e);
	*st = (struct folder_state){ .exists = g.exists };
	return r;
}

int
jmap_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	int r;

	do
		r = jmap_read_ask_headers(j, a, folder, refs, st, out, e);
	while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}

static int
jmap_read_download(struct jmap *j, struct arena *a, const struct jmap_mail *m,
    size_t max, struct str *out, struct err *e)
{
	const struct jmap_url_var vars[] = {
		{ "accountId", j->session.account },
		{ "blobId", m->blob },
		{ "name", S("message.eml") },
		{ "type", S("message/rfc822") },
	};
	struct jmap_request q = {
		.url = jmap_url_fill(a, j->session.download, vars, 4),
		.max = max,
		.redirects = 3,
	};
	struct http_reply r = { 0 };
	int got;

	if (m->row.size > max)
		return err_set(e, ERR_LIMIT,
		    "the message has more than %zu bytes", max);
	got = jmap_wire_ask(j, &q, &r, e);
	if (got < 0 && r.status == 404 && !j->kept)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (got == 0)
		*out = str_dup(a, r.body);
	return got;
}

static int
jmap_read_ask_body(struct jmap *j, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct jmap_get g = { 0 };
	struct jmap_mails got = { 0 };
	const struct jmap_mail *m;
	int r = folder.n > 0 ? jmap_folder_find(j, folder, &g.box, e)
			     : jmap_session_need(j, e);

	if (r < 0)
		return r;
	m = jmap_read_ahead(j, g.box, ref->id);
	if (m == NULL && jmap_id_ok(ref->id)) {
		r = jmap_read_some(j, a, &g, &ref->id, 1, &got, e);
		if (r < 0)
			return r;
		m = got.n == 1 ? &got.v[0] : NULL;
	}
	if (m == NULL || m->blob.n == 0)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	return jmap_read_download(j, a, m, max, out, e);
}

int
jmap_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	int r;

	do
		r = jmap_read_ask_body(j, a, folder, ref, max, out, e);
	while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}
