/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers that were read once.  A name identifies a message's bytes, so its
 * header never changes; listing again needs only a request for what is new.
 * Each is stored as
 *
 *         <bytes of the name> <bytes of the header> <size> <attachments: 0 or
 * 1>
 *
 * in a line, followed by the two texts.
 */
#include "backend/internal.h"
#include "backend/ponymail/internal.h"

#define HEADS_MAX (32UL << 20)
#define HEADS_NEW 12000 /* of one connection: a long thread */
#define HEADS_ONE (64UL << 10)

/* For qsort(3), which takes no context. */
static const struct pony_head *sorting;

static int
ponymail_heads_by_mid(const void *x, const void *y)
{
	const uint32_t *i = x, *k = y;

	return str_cmp(sorting[*i].mid, sorting[*k].mid);
}

static void
ponymail_heads_push(struct pony_heads *h, const struct pony_head *x)
{
	h->v = arena_more(h->a, h->v, h->n, sizeof(*x));
	h->v[h->n++] = *x;
}

static bool
ponymail_heads_take(struct str *s, size_t n, struct str *out)
{
	if (n > s->n)
		return false;
	*out = str_first(*s, n);
	*s = str_from(*s, n);
	return true;
}

static bool
ponymail_heads_read_one(struct str *text, struct pony_head *x)
{
	struct str line, word[4] = { 0 };
	uint32_t mid, head, files;

	if (!str_cut(*text, '\n', &line, text))
		return false;
	for (size_t i = 0; i < 4; i++)
		(void)str_cut(line, ' ', &word[i], &line);
	return line.n == 0 && str_to_u32(word[0], PONY_MID, &mid) &&
	    str_to_u32(word[1], HEADS_ONE, &head) &&
	    str_to_u64(word[2], LIMIT_MESSAGE, &x->size) &&
	    str_to_u32(word[3], 1, &files) &&
	    ponymail_heads_take(text, mid, &x->mid) &&
	    ponymail_heads_take(text, head, &x->head) &&
	    (x->has_attachments = files, true);
}

void
ponymail_heads_load(const struct pony *p, struct pony_list *l)
{
	struct pony_heads *h = &l->heads;
	struct str text;

	h->a = l->a;
	if (!ponymail_cache_file_get(p, l, ".heads", HEADS_MAX, l->a, &text))
		return;
	while (text.n > 0) {
		struct pony_head x = { 0 };

		if (!ponymail_heads_read_one(&text, &x))
			break;
		ponymail_heads_push(h, &x);
	}
	h->sorted = h->n;
	h->by_mid = arena_array(l->a, h->n, sizeof(*h->by_mid));
	for (uint32_t i = 0; i < h->n; i++)
		h->by_mid[i] = i;
	sorting = h->v;
	if (h->n > 0)
		qsort(h->by_mid, h->n, sizeof(*h->by_mid),
		    ponymail_heads_by_mid);
}

static struct str
ponymail_heads_mid_at(const void *ctx, size_t i)
{
	const struct pony_heads *h = ctx;

	return h->v[h->by_mid[i]].mid;
}

static const struct pony_head *
get_sorted(const struct pony_heads *h, struct str mid)
{
	size_t i = backend_place(h, h->sorted, mid, ponymail_heads_mid_at);

	return i < h->sorted ? &h->v[h->by_mid[i]] : NULL;
}

bool
ponymail_heads_get(const struct pony_heads *h, struct str mid,
    struct pony_head *out)
{
	const struct pony_head *x = get_sorted(h, mid);

	/* Those of this connection are a page or some, a long thread at most.
	 */
	for (uint32_t i = h->n; x == NULL && i > h->sorted; i--)
		if (str_eq(h->v[i - 1].mid, mid))
			x = &h->v[i - 1];
	if (x == NULL)
		return false;
	*out = *x;
	return true;
}

void
ponymail_heads_add(struct pony_heads *h, const struct pony_head *x)
{
	const struct pony_head own = {
		.mid = h->a == NULL ? x->mid : str_dup(h->a, x->mid),
		.head = h->a == NULL ? x->head : str_dup(h->a, x->head),
		.size = x->size,
		.has_attachments = x->has_attachments,
	};

	/* No list is open: a thread is read across lists. */
	if (h->a == NULL || x->head.n > HEADS_ONE || x->mid.n > PONY_MID ||
	    h->n - h->sorted >= HEADS_NEW)
		return;
	ponymail_heads_push(h, &own);
}

void
ponymail_heads_keep(const struct pony *p, const struct pony_list *l)
{
	const struct pony_heads *h = &l->heads;
	CLEANUP(arena_close) struct arena *a = NULL;
	uint32_t from = h->n;
	size_t sum = 0;
	struct buf b;

	if (l->a == NULL || h->n == h->sorted || p->conn.acct->cache_dir.n == 0)
		return;
	/* The most recent ones; a line is shorter than 60. */
	for (; from > 0; from--) {
		const struct pony_head *x = &h->v[from - 1];

		sum += x->head.n + x->mid.n + 60;
		if (sum > HEADS_MAX)
			break;
	}
	a = arena_open(2 * HEADS_MAX + (1 << 20));
	buf_init(&b, a, HEADS_MAX);
	for (; from < h->n; from++) {
		const struct pony_head *x = &h->v[from];

		buf_fmt(&b, "%zu %zu %llu %d\n", x->mid.n, x->head.n,
		    (unsigned long long)x->size, x->has_attachments);
		buf_str(&b, x->mid);
		buf_str(&b, x->head);
	}
	if (!b.over)
		ponymail_cache_file_put(p, l, ".heads", buf_view(&b));
}
