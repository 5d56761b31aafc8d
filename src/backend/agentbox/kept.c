/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that were read for their header are kept, because a list with bodies
 * asks for the whole of each next.  A message file never changes.
 */
#include "backend/agentbox/contract.h"

void
agentbox_kept_drop(struct agentbox *b)
{
	arena_close(&b->kept.a);
	b->kept.n = b->kept.bytes = 0;
}

void
agentbox_kept_put(struct agentbox *b, struct str id, struct str raw)
{
	struct agentbox_kept *k = &b->kept;

	if (k->n == LIMIT_PAGE || id.n + raw.n > LIMIT_AGENTBOX_KEPT - k->bytes)
		return;
	if (k->a == NULL)
		k->a = arena_open(LIMIT_ARENA);
	k->bytes += id.n + raw.n;
	k->v[k->n++] =
	    (struct agentbox_kept_one){ str_dup(k->a, id), str_dup(k->a, raw) };
}

bool
agentbox_kept_find(const struct agentbox *b, struct str id, struct arena *a,
    struct str *raw)
{
	for (size_t i = 0; i < b->kept.n; i++)
		if (str_eq(b->kept.v[i].id, id)) {
			*raw = str_dup(a, b->kept.v[i].raw);
			return true;
		}
	return false;
}
