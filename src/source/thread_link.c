/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First puts each message below the one that it answers: that is its own
 * statement, and final.  Then nodes without a parent get the one in others'
 * References (step 1.A): for missing messages, or for messages that name no
 * parent and arrived before the one that does.  So a link, once made, is never
 * removed, and union and find gives a tree's root.
 */
#include "source/thread_link.h"

#include "base/limits.h"

/* A node for an id; THREAD_ID_NONE for none, or if there are too many. */
static uint32_t
thread_link_node_of(struct thread_link *l, struct str id)
{
	uint32_t k;

	if (id.n == 0)
		return THREAD_ID_NONE;
	if (l->ids->n >= l->n + LIMIT_THREAD_IDS) {
		k = thread_id_find(l->ids, id);
		l->over = l->over || k == THREAD_ID_NONE;
		return k;
	}
	return thread_id_add(l->ids, id);
}

/*
 * Assigns every message to its node; of several with one id the first holds it.
 */
static void
thread_link_seat(struct thread_link *l)
{
	l->node = arena_array(l->a, l->n, sizeof(*l->node));
	for (size_t i = 0; i < l->n; i++)
		l->node[i] = l->in[i].message_id.n > 0
		    ? thread_id_add(l->ids, l->in[i].message_id)
		    : thread_id_unnamed(l->ids);
}

/* Numbers all ids that messages name, each looked up once. */
static void
thread_link_number(struct thread_link *l)
{
	size_t total = 0;

	for (size_t i = 0; i < l->n; i++)
		total += l->in[i].references.n;
	l->ref = arena_array(l->a, total, sizeof(*l->ref));
	l->ref_end = arena_array(l->a, l->n, sizeof(*l->ref_end));
	l->up = arena_array(l->a, l->n, sizeof(*l->up));
	total = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct thread_in *m = &l->in[i];
		uint32_t up = THREAD_ID_NONE;

		for (size_t k = 0; k < m->references.n; k++) {
			uint32_t to =
			    thread_link_node_of(l, m->references.v[k]);

			/* A message cannot answer itself. */
			if (to == THREAD_ID_NONE || to == l->node[i])
				continue;
			l->ref[total++] = to;
			up = to;
		}
		l->ref_end[i] = total;
		if (up == THREAD_ID_NONE)
			up = thread_link_node_of(l, m->in_reply_to);
		l->up[i] = up == l->node[i] ? THREAD_ID_NONE : up;
	}
}

static bool
is_holder(const struct thread_link *l, size_t i)
{
	return l->holder[l->node[i]] == i;
}

/* Is x's message newer than y's?  One without a date is older than any. */
static bool
thread_link_is_newer(const struct thread_link *l, uint32_t x, uint32_t y)
{
	const struct thread_in *m = &l->in[l->holder[x]];
	const struct thread_in *o = &l->in[l->holder[y]];

	if (m->has_date != o->has_date)
		return m->has_date;
	if (m->has_date && m->date_s != o->date_s)
		return m->date_s > o->date_s;
	return l->holder[x] > l->holder[y];
}

/* Detaches the newest of a cycle from its parent. */
static void
thread_link_cut(struct thread_link *l, uint32_t on)
{
	uint32_t newest = on;

	for (uint32_t k = l->parent[on]; k != on; k = l->parent[k])
		if (thread_link_is_newer(l, k, newest))
			newest = k;
	l->parent[newest] = THREAD_ID_NONE;
}

/*
 * Each node has one parent.  A walk from every node continues until it meets a
 * visited node; if that is from the same walk, there is a cycle.
 */
static void
thread_link_cut_cycles(struct thread_link *l)
{
	uint32_t *walk = arena_array(l->a, l->ids->n, sizeof(*walk));

	for (uint32_t k = 0; k < l->ids->n; k++) {
		uint32_t at = k;

		while (at != THREAD_ID_NONE && walk[at] == 0) {
			walk[at] = k + 1;
			at = l->parent[at];
		}
		if (at != THREAD_ID_NONE && walk[at] == k + 1)
			thread_link_cut(l, at);
	}
}

uint32_t
thread_link_root(struct thread_link *l, uint32_t k)
{
	while (l->root[k] != k) {
		l->root[k] = l->root[l->root[k]];
		k = l->root[k];
	}
	return k;
}

/* May message `by` set the node's parent? */
static bool
thread_link_is_open(const struct thread_link *l, uint32_t node, size_t by)
{
	return l->parent[node] == THREAD_ID_NONE &&
	    (l->holder[node] == THREAD_ID_NONE || l->holder[node] < by);
}

/* Step 1.A: a message's References, each the parent of the next. */
static void
thread_link_claim(struct thread_link *l, size_t i)
{
	for (size_t k = i > 0 ? l->ref_end[i - 1] + 1 : 1; k < l->ref_end[i];
	     k++) {
		uint32_t up = l->ref[k - 1], down = l->ref[k];

		if (thread_link_is_open(l, down, i) &&
		    thread_link_root(l, up) != down) {
			l->parent[down] = up;
			l->root[down] = thread_link_root(l, up);
		}
	}
}

void
thread_link_make(struct thread_link *l)
{
	thread_link_seat(l);
	thread_link_number(l);
	l->holder = arena_array(l->a, l->ids->n, sizeof(*l->holder));
	l->parent = arena_array(l->a, l->ids->n, sizeof(*l->parent));
	l->root = arena_array(l->a, l->ids->n, sizeof(*l->root));
	for (uint32_t k = 0; k < l->ids->n; k++) {
		l->holder[k] = THREAD_ID_NONE;
		l->parent[k] = THREAD_ID_NONE;
	}
	for (size_t i = l->n; i > 0; i--)
		l->holder[l->node[i - 1]] = (uint32_t)(i - 1);
	for (size_t i = 0; i < l->n; i++)
		if (is_holder(l, i))
			l->parent[l->node[i]] = l->up[i];
	thread_link_cut_cycles(l);
	for (uint32_t k = 0; k < l->ids->n; k++)
		l->root[k] = l->parent[k] == THREAD_ID_NONE ? k : l->parent[k];
	for (size_t i = 0; i < l->n; i++)
		if (is_holder(l, i))
			thread_link_claim(l, i);
}
