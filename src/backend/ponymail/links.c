/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of each message of a list: the archive's listing says what each
 * message answers, so a thread's first message is found without a request, and
 * belongs to the whole list, whatever part is requested.
 *
 * A thread is named by its first message.  If the archive never had that one,
 * the messages that answer it still form a thread, named by the oldest of them:
 * by time, and within one second by name.  If an older answer arrives late, it
 * becomes the first; the previous name is still one of the thread's messages,
 * and leads to it.
 *
 * Messages hidden from the caller connect others here, as in the threads of any
 * store: only the gate knows what is hidden.
 */
#include "backend/internal.h"
#include "backend/ponymail/internal.h"

/* For qsort(3), which takes no context. */
static const struct pony_entry *sorting;

struct str
ponymail_links_id(struct arena *a, struct str raw)
{
	struct str before, id, rest;
	struct buf b;

	if (!str_cut(raw, '<', &before, &rest))
		return str_dup(a, str_trim(raw));
	(void)str_cut(rest, '>', &id, &rest);
	buf_init(&b, a, id.n + 2);
	buf_char(&b, '<');
	/* Archives keep the folding of long ids. */
	for (size_t i = 0; i < id.n; i++)
		if (!str_has_char(S(" \t\r\n"), id.p[i]))
			buf_char(&b, id.p[i]);
	buf_char(&b, '>');
	return buf_view(&b);
}

struct str
ponymail_links_parent(struct arena *a, struct str raw)
{
	struct strs ids = { 0 };

	mime_header_answered(a, raw, &ids);
	return ids.n > 0 ? str_dup(a, ids.v[0]) : ponymail_links_id(a, raw);
}

static int
ponymail_links_by_mid(const void *x, const void *y)
{
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	int c = str_cmp(sorting[i].mid, sorting[k].mid);

	return c != 0 ? c : (i > k) - (i < k);
}

static int
ponymail_links_by_id(const void *x, const void *y)
{
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	int c = str_cmp(sorting[i].message_id, sorting[k].message_id);

	return c != 0 ? c : (i > k) - (i < k);
}

static int
ponymail_links_by_time(const void *x, const void *y)
{
	const struct pony_entry *s = x, *t = y;

	if (s->epoch != t->epoch)
		return s->epoch < t->epoch ? -1 : 1;
	return str_cmp(s->mid, t->mid);
}

static int
ponymail_links_by_parent(const void *x, const void *y)
{
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	int c = str_cmp(sorting[i].parent, sorting[k].parent);

	return c != 0 ? c : (i > k) - (i < k);
}

static int
ponymail_links_by_root(const void *x, const void *y)
{
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;

	if (sorting[i].root != sorting[k].root)
		return sorting[i].root < sorting[k].root ? -1 : 1;
	return (i > k) - (i < k);
}

static uint32_t *
ponymail_links_sorted(struct pony_list *l,
    int (*order)(const void *, const void *))
{
	uint32_t *v = arena_array(l->a, l->n, sizeof(*v));

	for (uint32_t i = 0; i < l->n; i++)
		v[i] = i;
	sorting = l->v;
	if (l->n > 0)
		qsort(v, l->n, sizeof(*v), order);
	return v;
}

/* If an archive gives two messages the same name, one is dropped. */
static void
ponymail_links_drop_twins(struct pony_list *l)
{
	uint32_t kept = 0, *v = ponymail_links_sorted(l, ponymail_links_by_mid);
	bool *twin = arena_array(l->a, l->n, sizeof(*twin));

	for (uint32_t i = 1; i < l->n; i++)
		twin[v[i]] = str_eq(l->v[v[i]].mid, l->v[v[i - 1]].mid);
	for (uint32_t i = 0; i < l->n; i++)
		if (!twin[i])
			l->v[kept++] = l->v[i];
	l->n = kept;
}

static struct str
ponymail_links_id_at(const void *ctx, size_t i)
{
	const struct pony_list *l = ctx;

	return l->v[l->by_id[i]].message_id;
}

/* The first message with that Message-ID; UINT32_MAX. */
static uint32_t
first_of(const struct pony_list *l, struct str id)
{
	size_t i = backend_place(l, l->n, id, ponymail_links_id_at);

	return i < l->n ? l->by_id[i] : UINT32_MAX;
}

/* The parent of a message: the first of its copies, or what it answers. */
static uint32_t
ponymail_links_above(const struct pony_list *l, uint32_t i)
{
	const struct pony_entry *x = &l->v[i];
	uint32_t up = x->message_id.n > 0 ? first_of(l, x->message_id) : i;

	if (up != i && up != UINT32_MAX)
		return up;
	return x->parent.n > 0 ? first_of(l, x->parent) : UINT32_MAX;
}

/* Messages that answer a missing one are attached to the oldest of them. */
static void
ponymail_links_join_orphans(struct pony_list *l, uint32_t *up)
{
	uint32_t *v = ponymail_links_sorted(l, ponymail_links_by_parent),
		 first = UINT32_MAX;

	for (uint32_t i = 0; i < l->n; i++) {
		struct str parent = l->v[v[i]].parent;

		if (up[v[i]] != UINT32_MAX || parent.n == 0)
			continue;
		if (first != UINT32_MAX && str_eq(l->v[first].parent, parent))
			up[v[i]] = first;
		else
			first = v[i];
	}
}

/*
 * Walks up to a message whose root is known, or that has no parent, or that was
 * visited on this walk: messages that answer each other in a cycle have its
 * oldest as their root.  Each message is visited at most twice.
 */
static void
ponymail_links_find_root(struct pony_list *l, uint32_t *walk, uint32_t *up,
    uint32_t from)
{
	uint32_t at = from, n = 0, root, ring;

	while (l->v[at].root == UINT32_MAX) {
		l->v[at].root = UINT32_MAX - 1; /* on this walk */
		walk[n++] = at;
		if (up[at] == UINT32_MAX)
			break;
		at = up[at];
	}
	root = l->v[at].root;
	if (root == UINT32_MAX - 1) {
		root = at;
		for (ring = up[at]; ring != UINT32_MAX && ring != at;
		     ring = up[ring])
			root = ring < root ? ring : root;
	}
	while (n > 0)
		l->v[walk[--n]].root = root;
}

void
ponymail_links_make(struct pony_list *l)
{
	uint32_t *walk = arena_array(l->a, l->n, sizeof(*walk));
	uint32_t *up = arena_array(l->a, l->n, sizeof(*up));

	if (l->n > 0)
		qsort(l->v, l->n, sizeof(*l->v), ponymail_links_by_time);
	ponymail_links_drop_twins(l);
	l->by_mid = ponymail_links_sorted(l, ponymail_links_by_mid);
	l->by_id = ponymail_links_sorted(l, ponymail_links_by_id);
	for (uint32_t i = 0; i < l->n; i++) {
		up[i] = ponymail_links_above(l, i);
		l->v[i].root = UINT32_MAX;
	}
	ponymail_links_join_orphans(l, up);
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].root == UINT32_MAX)
			ponymail_links_find_root(l, walk, up, i);
	l->by_root = ponymail_links_sorted(l, ponymail_links_by_root);
}

uint32_t
ponymail_links_thread(const struct pony_list *l, uint32_t root, uint32_t *first)
{
	uint32_t low = 0, high = l->n;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;

		if (l->v[l->by_root[at]].root < root)
			low = at + 1;
		else
			high = at;
	}
	*first = low;
	while (high < l->n && l->v[l->by_root[high]].root == root)
		high++;
	return high - low;
}
