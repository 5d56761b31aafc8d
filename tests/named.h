/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_NAMED_H
#define TESTS_NAMED_H

/* Which messages of a folder name an id, by what `links` tells. */
#include <stdlib.h>

#include "backend/backend.h"

struct named {
	struct arena *a;
	struct str id;
	struct refs *out;
};

static inline int
named_add(void *ctx, const struct ref *ref, const struct strs *ids,
    struct err *e)
{
	struct named *n = ctx;
	struct refs *l = n->out;

	(void)e;
	if (!str_among(ids, n->id))
		return 0;
	l->v = arena_grow(n->a, l->v, l->n * sizeof(*l->v),
	    (l->n + 1) * sizeof(*l->v));
	l->v[l->n++] = (struct ref){ ref->uid, str_dup(n->a, ref->id) };
	return 0;
}

static inline int
named_order(const void *x, const void *y)
{
	const struct ref *r = x, *s = y;

	if (r->uid != s->uid)
		return r->uid > s->uid ? -1 : 1;
	return str_cmp(s->id, r->id);
}

/* The newest first.  As `links` answers: 0 or -1. */
static inline int
named_find(struct conn *c, struct arena *a, struct str folder, struct str id,
    struct refs *out, struct err *e)
{
	struct named n = { a, id, out };
	const struct link_sink to = { named_add, &n };
	bool over = true;

	*out = (struct refs){ 0 };
	if (c->be->links(c, a, folder, &to, &over, e) < 0)
		return -1;
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), named_order);
	return over ? -1 : 0;
}

#endif
