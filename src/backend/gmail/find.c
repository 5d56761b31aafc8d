/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds messages: Gmail names candidates, their rows come in batches, and each
 * is checked here.
 */
#include <stdlib.h>

#include "backend/gmail/internal.h"

struct look {
	struct gmail *g;
	struct arena *a;
	const struct query *q; /* NULL: any message */
	struct gmail_label label;
	bool anywhere; /* `label` says nothing: in any folder */
	size_t limit;
	size_t missed; /* rows that did not match */
	bool asked;    /* rows were requested */
	bool counted;
	uint32_t exists;
	struct rows rows;
};

static void
gmail_find_keep(struct look *l, const struct gmail_want *w,
    const struct ref *ref)
{
	l->rows.v = arena_more(l->a, l->rows.v, l->rows.n, sizeof(*l->rows.v));
	l->rows.v[l->rows.n] = w->row;
	if (!l->anywhere)
		l->rows.v[l->rows.n].folder = (struct str){ 0 };
	l->rows.v[l->rows.n++].ref =
	    (struct ref){ ref->uid, str_dup(l->a, ref->id) };
}

/* Rows of at most a batch of messages. */
static int
gmail_find_some(struct look *l, const struct ref *ref, size_t n, struct err *e)
{
	struct gmail_want want[GMAIL_BATCH] = { 0 };

	for (size_t i = 0; i < n; i++)
		want[i].id = ref[i].id;
	if (gmail_rows(l->g, l->a, l->anywhere ? NULL : &l->label, want, n,
		l->counted ? NULL : &l->exists, e) < 0)
		return -1;
	l->counted = l->asked = true;
	for (size_t i = 0; i < n && l->rows.n < l->limit; i++) {
		if (!want[i].here)
			continue;
		if (l->q == NULL || gmail_query_fits(l->q, &want[i].row))
			gmail_find_keep(l, &want[i], &ref[i]);
		else
			l->missed++;
	}
	if (l->missed > GMAIL_LOOKS)
		return err_set(e, ERR_LIMIT,
		    "too many messages would have to be read: ask for less");
	return 0;
}

/* One batch after another until there are enough. */
static int
gmail_find_walk(struct look *l, const struct ref *ref, size_t n, struct err *e)
{
	for (size_t i = 0; i < n && l->rows.n < l->limit;) {
		size_t most = l->limit - l->rows.n;

		/* Some will not match. */
		if (l->q != NULL && most < 10)
			most = 10;
		if (most > GMAIL_BATCH)
			most = GMAIL_BATCH;
		if (most > n - i)
			most = n - i;
		if (gmail_find_some(l, ref + i, most, e) < 0)
			return -1;
		i += most;
	}
	return 0;
}

static int
gmail_find_by_text(const void *x, const void *y)
{
	const struct str *p = x, *q = y;

	return str_cmp(*p, *q);
}

/* Of these, the ones that Gmail finds. */
static int
gmail_find_narrow(struct look *l, struct str words, const struct refs *among,
    struct refs *out, struct err *e)
{
	struct gmail_list list = {
		.g = l->g,
		.a = l->a,
		.label = &l->label,
		.q = words,
	};
	struct strs ids = { 0 };

	while (!list.ended)
		if (gmail_list_more(&list, GMAIL_PAGE, &ids, e) < 0)
			return -1;
	*out = (struct refs){ arena_array(l->a, among->n, sizeof(*out->v)), 0 };
	if (ids.n == 0)
		return 0;
	qsort(ids.v, ids.n, sizeof(*ids.v), gmail_find_by_text);
	for (size_t i = 0; i < among->n; i++)
		if (bsearch(&among->v[i].id, ids.v, ids.n, sizeof(*ids.v),
			gmail_find_by_text) != NULL)
			out->v[out->n++] = among->v[i];
	return 0;
}

/* Page after page of Gmail's results. */
static int
gmail_find_pages(struct look *l, struct str words, struct err *e)
{
	struct gmail_list list = {
		.g = l->g,
		.a = l->a,
		.label = &l->label,
		.q = words,
	};
	size_t most =
	    l->q != NULL || l->limit > GMAIL_PAGE ? GMAIL_PAGE : l->limit;

	while (!list.ended && l->rows.n < l->limit) {
		bool behind = !list.begun && l->q != NULL && l->q->behind.n > 0;
		struct strs ids = { 0 };
		struct ref *ref;

		if ((behind ? gmail_list_behind(&list, l->q->behind, &ids, e)
			    : gmail_list_more(&list, most, &ids, e)) < 0)
			return -1;
		if (list.ended && list.pages == 1 && words.n == 0 &&
		    !l->counted) {
			l->counted = true;
			l->exists = (uint32_t)ids.n;
		}
		ref = arena_array(l->a, ids.n, sizeof(*ref));
		for (size_t i = 0; i < ids.n; i++)
			ref[i].id = ids.v[i];
		if (gmail_find_walk(l, ref, ids.n, e) < 0)
			return -1;
	}
	return 0;
}

static int
gmail_find_begin(struct look *l, struct str folder, struct err *e)
{
	if (gmail_label_find(l->g, l->a, folder, &l->label, e) < 0)
		return -1;
	if (l->g->known.p != NULL && str_eq(l->g->known, folder)) {
		l->counted = true;
		l->exists = l->g->exists;
	}
	return 0;
}

/* The folder's state, requested if nothing else was. */
static int
gmail_find_end(struct look *l, struct folder_state *st, struct rows *out,
    struct err *e)
{
	if ((!l->counted || (l->g->even && !l->asked)) &&
	    gmail_rows(l->g, l->a, &l->label, NULL, 0, &l->exists, e) < 0)
		return -1;
	*st = (struct folder_state){ .exists = l->exists };
	*out = l->rows;
	return 0;
}

/* The same after a search, with drafts under their own ids. */
static int
gmail_find_found(struct look *l, struct folder_state *st, struct rows *out,
    struct err *e)
{
	if (gmail_find_end(l, st, out, e) < 0)
		return -1;
	return l->label.role == FOLDER_DRAFTS
	    ? gmail_draft_id_put(l->g, l->a, out, e)
	    : 0;
}

int
gmail_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	struct look l = {
		.g = (struct gmail *)c,
		.a = a,
		.q = gmail_query_asks(q) ? q : NULL,
		.limit = limit,
	};
	struct str words = gmail_query_words(a, q);
	struct refs few;
	const struct refs *refs = q->among;

	l.g->even = (l.q != NULL || q->thread.n > 0) && q->even;
	if (q->thread.n > 0) {
		*st = (struct folder_state){ 0 };
		return gmail_thread(l.g, a, q, limit, out, e);
	}
	if (gmail_find_begin(&l, q->folder, e) < 0)
		return -1;
	if (refs == NULL) {
		if (gmail_find_pages(&l, words, e) < 0)
			return -1;
		return gmail_find_found(&l, st, out, e);
	}
	if (refs->n > 0 && words.n > 0) {
		if (gmail_find_narrow(&l, words, refs, &few, e) < 0)
			return -1;
		refs = &few;
	}
	if (gmail_find_walk(&l, refs->v, refs->n, e) < 0)
		return -1;
	return gmail_find_found(&l, st, out, e);
}

int
gmail_find_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct look l = { .g = (struct gmail *)c,
		.a = a,
		.limit = refs->n,
		.anywhere = folder.n == 0,
		.counted = folder.n == 0 };

	l.g->even = false;
	if ((!l.anywhere && gmail_find_begin(&l, folder, e) < 0) ||
	    gmail_find_walk(&l, refs->v, refs->n, e) < 0)
		return -1;
	return gmail_find_end(&l, st, out, e);
}
