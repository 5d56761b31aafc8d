/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The newest messages that match.  The server finds candidates; criteria on
 * headers are checked here, first with only the few fields involved.
 */
#include "backend/jmap/internal.h"
#include "backend/jmap/query.h"
#include "backend/jmap/row.h"

struct finding {
	struct jmap *j;
	struct arena *a, *own; /* for results, for this call */
	const struct query *q;
	struct jmap_get g;
	struct ref *ref; /* to be checked, in order */
	size_t n;
	struct strs found; /* by the server, sorted by bytes */
	bool asked;        /* `found` applies */
};

static int
jmap_find_by_bytes(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static bool
is_found(const struct finding *f, struct str id)
{
	return f->found.n > 0 &&
	    bsearch(&id, f->found.v, f->found.n, sizeof(id),
		jmap_find_by_bytes) != NULL;
}

/* The candidates. */
static int
jmap_find_candidates(struct finding *f, struct err *e)
{
	const struct refs *among = f->q->among;
	struct strs ids = { 0 };
	int r;

	f->asked = jmap_query_needs(f->q);
	if (f->asked || among == NULL) {
		r = jmap_query_ids(f->j, f->own, f->g.box, f->q, &ids,
		    &f->g.exists, e);
		if (r < 0)
			return r;
	}
	f->n = among != NULL ? among->n : ids.n;
	f->ref = arena_array(f->own, f->n, sizeof(*f->ref));
	if (among == NULL) {
		for (size_t i = 0; i < ids.n; i++)
			f->ref[i].id = ids.v[i];
		return 0;
	}
	f->found = ids;
	if (ids.n > 0)
		qsort(ids.v, ids.n, sizeof(*ids.v), jmap_find_by_bytes);
	f->n = 0;
	for (size_t i = 0; i < among->n; i++)
		if (!f->asked || is_found(f, among->v[i].id))
			f->ref[f->n++] = among->v[i];
	return 0;
}

/*
 * Only the relevant fields, for many at once; matching ones move to the front.
 */
static int
jmap_find_sift(struct finding *f, size_t from, size_t n, size_t *left,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	struct jmap_get g = { .box = f->g.box, .light = true };
	struct jmap_mails got = { 0 };
	struct strs ids = { 0 };
	int r;

	for (size_t i = 0; i < n; i++)
		if (jmap_id_ok(f->ref[from + i].id))
			str_push(own, &ids, f->ref[from + i].id);
	*left = 0;
	if (ids.n == 0 && !f->q->even)
		return 0;
	r = jmap_read_some(f->j, own, &g, ids.v, ids.n, &got, e);
	if (r < 0)
		return r;
	f->g.exists = g.exists;
	for (size_t i = 0, k = 0; i < n && k < got.n; i++) {
		const struct ref *ref = &f->ref[from + i];

		if (!str_eq(got.v[k].row.ref.id, ref->id))
			continue;
		if (jmap_row_fits(&got.v[k++].row, f->q))
			f->ref[from + (*left)++] = *ref;
	}
	return 0;
}

static bool
asks_headers(const struct query *q)
{
	return q->from.n > 0 || q->to.n > 0 || q->subject.n > 0 ||
	    q->since_s != 0 || q->before_s != 0 || q->message_id.n > 0;
}

/* The next few rows; *from moves after what was read. */
static int
jmap_find_step(struct finding *f, size_t *from, size_t limit, struct rows *out,
    struct err *e)
{
	size_t n = f->n - *from, left = limit - out->n, kept = out->n;
	int r;

	n = n < left ? n : left;
	r = jmap_read_rows(f->j, f->a, &f->g, &f->ref[*from], n, out, e);
	*from += n;
	for (size_t i = kept; r == 0 && i < out->n; i++)
		if (backend_match_flags(out->v[i].flags, f->q))
			out->v[kept++] = out->v[i];
	if (r == 0)
		out->n = kept;
	return r;
}

/*
 * Matching candidates, as many as needed, move to the front before the first
 * row is read, so that the cost does not depend on whether any matches.
 */
static int
jmap_find_sift_all(struct finding *f, size_t limit, struct err *e)
{
	uint64_t most = f->j->session.max_get;
	size_t at = 0, kept = 0;

	most = most < JMAP_SIFTED ? most : JMAP_SIFTED;
	do {
		size_t n = f->n - at, left;
		int r;

		n = n < most ? n : (size_t)most;
		r = jmap_find_sift(f, at, n, &left, e);
		if (r < 0)
			return r;
		for (size_t i = 0; i < left; i++)
			f->ref[kept++] = f->ref[at + i];
		at += n;
	} while (at < f->n && kept < limit);
	f->n = kept;
	return 0;
}

/* The newest that the server finds, if only it must check. */
static int
jmap_find_newest(struct finding *f, size_t limit, struct rows *out,
    struct err *e)
{
	struct jmap_walk w = { .behind = f->q->behind };

	while (!w.ended && out->n < limit) {
		struct strs ids = { 0 };
		size_t from = 0;
		int r = jmap_query_some(f->j, f->own, f->g.box, f->q,
		    limit - out->n, &w, &ids, &f->g.exists, e);

		if (r < 0)
			return r;
		f->n = ids.n;
		f->ref = arena_array(f->own, f->n, sizeof(*f->ref));
		for (size_t i = 0; i < ids.n; i++)
			f->ref[i].id = ids.v[i];
		if ((r = jmap_find_step(f, &from, limit, out, e)) < 0)
			return r;
	}
	return 0;
}

/* Only the newest are requested, and they were read ahead. */
static bool
jmap_find_is_list(const struct query *q)
{
	return !asks_headers(q) && !jmap_query_needs(q);
}

static int
jmap_find_find(struct jmap *j, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *own = arena_open(LIMIT_ARENA);
	struct finding f = { .j = j, .a = a, .own = own, .q = q };
	size_t from = 0;
	int r = 0;

	if (q->thread.n == 0 || q->folder.n > 0)
		r = jmap_folder_find(j, q->folder, &f.g.box, e);
	if (r < 0)
		return r;
	if (q->thread.n > 0)
		return jmap_thread(j, a, f.g.box, q, limit, st, out, e);
	f.g.exists = j->ahead_exists;
	*out = (struct rows){ 0 };
	out->v = arena_array(a, limit, sizeof(*out->v));
	if (q->among == NULL && !asks_headers(q)) {
		f.g.even = q->even && !jmap_find_is_list(q);
		r = jmap_find_newest(&f, limit, out, e);
		*st = (struct folder_state){ .exists = f.g.exists };
		return r;
	}
	if ((r = jmap_find_candidates(&f, e)) < 0)
		return r;
	if (asks_headers(q) && (r = jmap_find_sift_all(&f, limit, e)) < 0)
		return r;
	f.g.even = q->even && !jmap_find_is_list(q);
	do
		if ((r = jmap_find_step(&f, &from, limit, out, e)) < 0)
			return r;
	while (from < f.n && out->n < limit);
	*st = (struct folder_state){ .exists = f.g.exists };
	return 0;
}

int
jmap_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	int r;

	do
		r = jmap_find_find(j, a, q, limit, st, out, e);
	while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}
