/* SPDX-License-Identifier: Apache-2.0 */
/* Turns trees into threads: members by date, missing ids, dates, ids. */
#include "source/thread.h"

#include <stdlib.h>

#include "source/thread_link.h"

static const char *const kinds[] = {
	[THREAD_MESSAGE_ID] = "rfc5322-message-id",
	[THREAD_SHA256] = "sha256-raw",
};

/* A message or a thread to be sorted. */
struct item {
	int64_t by_s;
	bool lent; /* the date of the answered message */
	size_t index;
};

const char *
thread_kind_name(enum thread_kind k)
{
	return kinds[k];
}

/* Oldest first, then in order of arrival. */
static int
thread_oldest(const void *p, const void *q)
{
	const struct item *x = p, *y = q;

	if (x->by_s != y->by_s)
		return x->by_s < y->by_s ? -1 : 1;
	if (x->lent != y->lent)
		return x->lent ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Newest first, then in order of arrival. */
static int
thread_newest(const void *p, const void *q)
{
	const struct item *x = p, *y = q;

	if (x->by_s != y->by_s)
		return x->by_s > y->by_s ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/*
 * Each node's date, or that of its nearest ancestor with one; INT64_MIN if
 * there is none.
 */
static int64_t *
thread_node_dates(struct thread_link *l)
{
	int64_t *date = arena_array(l->a, l->ids->n, sizeof(*date));
	bool *known = arena_array(l->a, l->ids->n, sizeof(*known));

	for (uint32_t k = 0; k < l->ids->n; k++) {
		uint32_t h = l->holder[k];

		if (h == THREAD_ID_NONE || !l->in[h].has_date)
			continue;
		date[k] = l->in[h].date_s;
		known[k] = true;
	}
	for (uint32_t k = 0; k < l->ids->n; k++) {
		int64_t found = INT64_MIN;
		uint32_t at = k;

		while (at != THREAD_ID_NONE && !known[at])
			at = l->parent[at];
		if (at != THREAD_ID_NONE)
			found = date[at];
		for (at = k; at != THREAD_ID_NONE && !known[at];
		     at = l->parent[at]) {
			date[at] = found;
			known[at] = true;
		}
	}
	return date;
}

/* The thread of each node; only trees with a message count. */
static size_t *
number_threads(struct thread_link *l, struct threads *out)
{
	size_t *of = arena_array(l->a, l->ids->n, sizeof(*of));
	size_t *root = arena_array(l->a, l->ids->n, sizeof(*root));

	for (uint32_t k = 0; k < l->ids->n; k++)
		root[k] = of[k] = THREAD_NONE;
	for (size_t i = 0; i < l->n; i++) {
		uint32_t r = thread_link_root(l, l->node[i]);

		if (root[r] == THREAD_NONE)
			root[r] = out->n++;
	}
	for (uint32_t k = 0; k < l->ids->n; k++)
		of[k] = root[thread_link_root(l, k)];
	return of;
}

static void
name_thread(struct thread_link *l, struct thread *t, uint32_t root)
{
	uint32_t h = l->holder[root];

	t->root = h == THREAD_ID_NONE ? THREAD_NONE : h;
	t->id = l->ids->key[root];
	if (t->id.n == 0) {
		t->kind = THREAD_SHA256;
		t->id = l->in[h].sha256;
	}
}

static void
thread_add_dates(struct thread *t, const struct thread_in *m, bool *any)
{
	if (!m->has_date) {
		t->date_unknown = true;
		return;
	}
	if (!*any || m->date_s < t->first_s)
		t->first_s = m->date_s;
	if (!*any || m->date_s > t->last_s)
		t->last_s = m->date_s;
	*any = true;
}

/* Sorts members; `item` has room for all of them. */
static void
thread_sort_members(struct thread_link *l, struct thread *t,
    const int64_t *date, struct item *item)
{
	bool any = false;

	for (size_t i = 0; i < t->n; i++) {
		size_t m = t->member[i];
		const struct thread_in *in = &l->in[m];

		item[i] = (struct item){ .by_s = date[l->node[m]],
			.lent = !in->has_date,
			.index = m };
		if (in->has_date)
			item[i].by_s = in->date_s;
		thread_add_dates(t, in, &any);
	}
	qsort(item, t->n, sizeof(*item), thread_oldest);
	for (size_t i = 0; i < t->n; i++)
		t->member[i] = item[i].index;
}

/* Fills members and missing ids into one allocated block each. */
static void
thread_fill(struct thread_link *l, struct threads *out, const size_t *of)
{
	size_t *member = arena_array(l->a, l->n, sizeof(*member));
	struct str *missing;
	size_t absent = 0;

	for (size_t i = 0; i < l->n; i++)
		out->v[of[l->node[i]]].n++;
	for (uint32_t k = 0; k < l->ids->n; k++) {
		if (l->holder[k] == THREAD_ID_NONE && of[k] != THREAD_NONE) {
			out->v[of[k]].missing.n++;
			absent++;
		}
	}
	missing = arena_array(l->a, absent, sizeof(*missing));
	for (size_t t = 0; t < out->n; t++) {
		out->v[t].member = member;
		out->v[t].missing.v = missing;
		member += out->v[t].n;
		missing += out->v[t].missing.n;
		out->v[t].n = out->v[t].missing.n = 0;
	}
	for (size_t i = 0; i < l->n; i++) {
		struct thread *t = &out->v[of[l->node[i]]];

		t->member[t->n++] = i;
	}
	for (uint32_t k = 0; k < l->ids->n; k++) {
		if (l->holder[k] == THREAD_ID_NONE && of[k] != THREAD_NONE) {
			struct strs *to = &out->v[of[k]].missing;

			to->v[to->n++] = l->ids->key[k];
		}
	}
}

static void
sort_threads(struct thread_link *l, struct threads *out, size_t *of,
    struct item *item)
{
	struct thread *v = arena_array(l->a, out->n, sizeof(*v));
	size_t *to = arena_array(l->a, out->n, sizeof(*to));

	for (size_t i = 0; i < out->n; i++)
		item[i] = (struct item){ .by_s = out->v[i].last_s, .index = i };
	qsort(item, out->n, sizeof(*item), thread_newest);
	for (size_t i = 0; i < out->n; i++) {
		v[i] = out->v[item[i].index];
		to[item[i].index] = i;
	}
	for (uint32_t k = 0; k < l->ids->n; k++)
		if (of[k] != THREAD_NONE)
			of[k] = to[of[k]];
	out->v = v;
}

void
thread_make(struct arena *a, const struct thread_in *in, size_t n,
    struct threads *out)
{
	struct thread_ids *ids = arena_new(a, struct thread_ids);
	struct thread_link l = { .a = a, .in = in, .n = n, .ids = ids };
	struct item *item;
	int64_t *date;
	size_t *of;

	*out = (struct threads){ 0 };
	thread_id_init(ids, a, n);
	thread_link_make(&l);
	date = thread_node_dates(&l);
	of = number_threads(&l, out);
	out->v = arena_array(a, out->n, sizeof(*out->v));
	item = arena_array(a, n, sizeof(*item));
	thread_fill(&l, out, of);
	for (size_t t = 0; t < out->n; t++) {
		uint32_t any = l.node[out->v[t].member[0]];

		name_thread(&l, &out->v[t], thread_link_root(&l, any));
		thread_sort_members(&l, &out->v[t], date, item);
	}
	sort_threads(&l, out, of, item);
	out->over = l.over;
	out->ids = ids;
	out->of = of;
}

size_t
thread_of(const struct threads *t, struct str id)
{
	uint32_t k = id.n > 0 ? thread_id_find(t->ids, id) : THREAD_ID_NONE;

	if (k != THREAD_ID_NONE)
		return t->of[k];
	for (size_t i = 0; i < t->n && id.n > 0; i++)
		if (t->v[i].kind == THREAD_SHA256 && str_eq(t->v[i].id, id))
			return i;
	return THREAD_NONE;
}
