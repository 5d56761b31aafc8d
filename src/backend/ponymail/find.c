/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches a list.  Dates and Message-IDs of all messages are known; the
 * archive searches for whole words in messages, so "need" does not find
 * "needle" in a From, a Subject or a text.  The candidates are read, newest
 * first, and checked here.
 */
#include "backend/ponymail/internal.h"

/* The archive's time of a message may differ this much from its day. */
#define SLACK INT64_C(172800)

struct hunt {
	struct pony *p;
	struct arena *a;
	const struct query *q;
	size_t limit;
	struct strs found; /* by the archive's own search, sorted */
	bool asked;
	struct rows rows;
};

static int
ponymail_find_by_bytes(const void *x, const void *y)
{
	const struct str *s = x, *t = y;

	return str_cmp(*s, *t);
}

/* The criteria that can be checked without reading it. */
static bool
ponymail_find_may_fit(const struct hunt *h, const struct pony_entry *x)
{
	const struct query *q = h->q;

	if (q->received_s != 0 && x->epoch <= q->received_s)
		return false;
	if (q->since_s != 0 && x->epoch < q->since_s - SLACK)
		return false;
	if (q->before_s != 0 && x->epoch > q->before_s + SLACK)
		return false;
	if (str_find_case(x->message_id, q->message_id) < 0)
		return false;
	return !h->asked || h->found.n == 0
	    ? !h->asked
	    : bsearch(&x->mid, h->found.v, h->found.n, sizeof(x->mid),
		  ponymail_find_by_bytes) != NULL;
}

/* The body is requested only if its text is searched. */
static int
ponymail_find_look(struct hunt *h, const struct ref *ref, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct pony_head x;
	struct str raw;
	int found = 1;

	if (h->q->text.n > 0)
		found = ponymail_source(h->p, ref->id, LIMIT_MESSAGE, &raw, e);
	if (found > 0)
		found = ponymail_source_head(h->p, ref->id, scratch, &x, e);
	if (found <= 0)
		return found;
	if (h->q->text.n == 0)
		raw = x.head;
	if (ponymail_match(scratch, raw, h->q))
		ponymail_source_row(h->p, ref, &x, h->a, &h->rows);
	return 0;
}

/* One by its name, if it is in the list and a candidate. */
static int
ponymail_find_try(struct hunt *h, const struct ref *ref, struct err *e)
{
	const struct pony_entry *x = ponymail_list_get(&h->p->list, ref->id);

	return x != NULL && ponymail_find_may_fit(h, x)
	    ? ponymail_find_look(h, ref, e)
	    : 0;
}

/* The number of them that are older than the given position. */
static size_t
ponymail_find_end_of(const struct hunt *h, const struct pony_members *m)
{
	const struct query *q = h->q;
	size_t n = m->n;

	while (q->behind.n > 0 && n > 0 &&
	    (m->v[n - 1].epoch > q->behind_s ||
		(m->v[n - 1].epoch == q->behind_s &&
		    str_cmp(m->v[n - 1].mid, q->behind) >= 0)))
		n--;
	return n;
}

/* Oldest first; of too many, the newest. */
static int
ponymail_find_by_thread(struct hunt *h, const struct pony_members *m,
    struct err *e)
{
	size_t end = ponymail_find_end_of(h, m),
	       from = end > h->limit ? end - h->limit : 0;

	for (size_t i = from; i < end; i++) {
		const struct ref ref = { .id = m->v[i].mid };
		const struct pony_entry *x = h->q->outline && i > 0
		    ? ponymail_list_get(&h->p->list, ref.id)
		    : NULL;
		size_t had = h->rows.n;

		if (x != NULL) {
			ponymail_outline_row(&h->p->list, x, h->a, &h->rows);
			continue;
		}

		if (h->q->received_s != 0 && m->v[i].epoch <= h->q->received_s)
			continue;
		if (ponymail_find_look(h, &ref, e) < 0)
			return -1;
		if (h->rows.n == had)
			continue;
		h->rows.v[had].received_s = m->v[i].epoch;
		h->rows.v[had].thread = m->root;
	}
	return 0;
}

/* The list's own part of a thread, without another request. */
static void
ponymail_find_members_here(const struct hunt *h, struct pony_members *out)
{
	const struct pony_list *l = &h->p->list;
	const struct pony_entry *x = ponymail_list_get(l, h->q->thread);
	uint32_t first, n;

	*out = (struct pony_members){ 0 };
	if (x == NULL)
		return;
	out->root = str_dup(h->a, l->v[x->root].mid);
	n = ponymail_links_thread(l, x->root, &first);
	out->v = arena_array(h->a, n, sizeof(*out->v));
	for (; out->n < n; out->n++) {
		const struct pony_entry *one = &l->v[l->by_root[first++]];

		out->v[out->n] =
		    (struct pony_member){ str_dup(h->a, one->mid), one->epoch };
	}
}

static int
ponymail_find_in_thread(struct hunt *h, struct err *e)
{
	struct str list = h->p->conn.acct->list;
	struct pony_members m = { 0 };

	/*
	 * The account is a source for one list, so threads are limited to it.
	 */
	if (h->q->folder.n == 0 && list.n > 0 &&
	    ponymail_list_open(h->p, list, e) < 0)
		return -1;
	if (h->q->folder.n > 0 || list.n > 0)
		ponymail_find_members_here(h, &m);
	/* The archive's threads cross lists; as far as they are visible. */
	if (h->q->folder.n == 0 && m.n == 0 && (list.n == 0 || !h->q->even) &&
	    ponymail_thread(h->p, h->q->thread, h->a, &m, e) < 0)
		return -1;
	return ponymail_find_by_thread(h, &m, e);
}

static int
ponymail_find_from_newest(struct hunt *h, struct err *e)
{
	const struct pony_list *l = &h->p->list;
	uint32_t i = h->q->behind.n > 0
	    ? ponymail_list_before(l, h->q->behind_s, h->q->behind)
	    : l->n;

	for (; i > 0 && h->rows.n < h->limit; i--) {
		const struct pony_entry *x = &l->v[i - 1];
		const struct ref ref = { .id = x->mid };

		/* The rest is older. */
		if (h->q->received_s != 0 && x->epoch <= h->q->received_s)
			break;
		if (!h->q->outline) {
			if (ponymail_find_try(h, &ref, e) < 0)
				return -1;
		} else if (ponymail_find_may_fit(h, x)) {
			ponymail_outline_row(l, x, h->a, &h->rows);
		}
	}
	return 0;
}

static int
ponymail_find_in_list(struct hunt *h, struct err *e)
{
	const struct query *q = h->q;

	if (q->from.n + q->subject.n + q->text.n > 0) {
		int r = ponymail_stats_search(h->p, &h->p->list, q, h->a,
		    &h->found, e);

		if (r < 0)
			return -1;
		h->asked = r > 0;
	}
	if (q->among != NULL) {
		for (size_t i = 0; i < q->among->n && h->rows.n < h->limit; i++)
			if (ponymail_find_try(h, &q->among->v[i], e) < 0)
				return -1;
		return 0;
	}
	return ponymail_find_from_newest(h, e);
}

int
ponymail_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct hunt h = { .p = (struct pony *)c,
		.a = a,
		.q = q,
		.limit = limit };
	struct str asked = q->thread.n > 0 ? q->thread : q->message_id;
	size_t had = h.p->sources;

	if ((q->folder.n > 0 || q->thread.n == 0) &&
	    ponymail_list_open(h.p, q->folder, e) < 0)
		return -1;
	if ((q->thread.n > 0 ? ponymail_find_in_thread(&h, e)
			     : ponymail_find_in_list(&h, e)) < 0)
		return -1;
	/*
	 * If it were hidden it would have been read; the caller must not see
	 * the difference.
	 */
	if (q->even && q->threads.n == 0 && asked.n > 0 && h.p->sources == had)
		ponymail_source_even(h.p, asked);
	ponymail_source_state(h.p, st);
	*out = h.rows;
	return 0;
}
