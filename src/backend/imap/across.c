/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A query of many folders: whether one question fits all of them, and what each
 * of them answered.
 */
#include "backend/imap/across_flight.h"
#include "backend/imap/search.h"
#include "base/limits.h"

/* Is it one command, sent without waiting, whose rows need no check? */
static bool
imap_across_may(const struct imap_session *s, const struct query *q)
{
	bool unasked = imap_search_is_ascii(q) || s->utf8 ||
	    (s->caps & IMAP_CAP_LITERAL_PLUS) != 0;

	return q->next.n > 0 && unasked && q->received_s == 0 &&
	    q->list.n == 0 &&
	    imap_search_some(&q->senders, 0) == q->senders.n &&
	    imap_across_flight_search_bytes(q) <= IMAP_ACROSS_BYTES;
}

static struct imap_across *
imap_across_new(const struct query *q, size_t limit)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct imap_across *x = arena_new(a, struct imap_across);
	size_t n =
	    q->next.n < LIMIT_SEARCH_FOLDERS ? q->next.n : LIMIT_SEARCH_FOLDERS;

	*x = (struct imap_across){ .a = a,
		.question = imap_search_sum(q),
		.limit = limit,
		.v = arena_array(a, n + 1, sizeof(*x->v)),
		.n = n + 1 };
	x->v[0].folder = str_dup(a, q->folder);
	x->v[0].top = q->uid_max;
	for (size_t i = 0; i < n; i++) {
		x->v[i + 1].folder = str_dup(a, q->next.v[i].folder);
		x->v[i + 1].top = q->next.v[i].uid_max;
	}
	for (size_t i = 0; i <= n; i++)
		x->v[i].set.a = a;
	return x;
}

/* The folder among those that were asked this; NULL: it is not. */
static struct folder_answer *
imap_across_place(const struct imap_session *s, const struct query *q,
    size_t limit)
{
	struct imap_across *x = s->across;

	if (x == NULL || x->limit != limit || x->question != imap_search_sum(q))
		return NULL;
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].top == q->uid_max &&
		    str_eq(x->v[i].folder, q->folder))
			return &x->v[i];
	return NULL;
}

static int
imap_across_ask(struct imap_session *s, const struct query *q, size_t limit,
    struct err *e)
{
	arena_close(&s->across_rows);
	arena_close(&s->across_a);
	s->across = NULL;
	if (imap_session_caps(s, e) < 0)
		return -1;
	if (!imap_across_may(s, q))
		return 0;
	s->across = imap_across_new(q, limit);
	s->across_a = s->across->a;
	return imap_across_flight_search(s, s->across, q, e);
}

/* Some of them may have gone meanwhile, and then others are further down. */
static bool
imap_across_rows(struct arena *a, const struct folder_answer *f,
    struct rows *out)
{
	const struct imap_fetch *g = &f->fetch;
	bool last = g->uids == NULL;

	*out = (struct rows){ arena_array(a, g->n, sizeof(*out->v)), 0 };
	for (size_t i = 0; i < g->n; i++) {
		size_t at = last ? g->n - 1 - i : i;
		uint32_t uid = g->row[at].ref.uid;

		if (g->full[at] && uid != UINT32_MAX &&
		    (out->n == 0 || uid < out->v[out->n - 1].ref.uid))
			imap_fetch_copy(a, &out->v[out->n++], &g->row[at]);
	}
	return (f->set.n == 0 && !last) || out->n == g->n;
}

int
imap_across_find(struct imap_session *s, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct folder_answer *f = imap_across_place(s, q, limit);

	/* One that gave no clear answer is asked alone. */
	if (q->next.n > 0 && (f == NULL || f->taken)) {
		if (imap_across_ask(s, q, limit, e) < 0)
			return -1;
		f = imap_across_place(s, q, limit);
	}
	if (f == NULL || !f->good || f->taken)
		return 0;
	if (imap_across_flight_needs_rows(f, q->even) &&
	    imap_across_flight_fetch(s, s->across, (size_t)(f - s->across->v),
		q->even, e) < 0)
		return -1;
	if (!f->good)
		return 0;
	*st = f->st;
	f->good = f->taken = imap_across_rows(a, f, out);
	return f->good ? 1 : 0;
}
