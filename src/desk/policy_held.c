/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that wait for the operator, and are bound to the policy of their
 * time. */
#include "base/limits.h"
#include "desk/policy.h"
#include "gate/outbox.h"
#include "store/outbox.h"

enum {
	ROWS_MAX = 10000
};

int
policy_held_load(struct call *c, struct policy_held *out, struct err *e)
{
	struct store *s = operate_store(c);
	struct store_outbox *v;
	size_t n;

	if (store_outbox_list(s, c->arena, 0, STORE_OUTBOX_HELD, true, ROWS_MAX,
		&v, &n, e) < 0)
		return -1;
	*out = (struct policy_held){ arena_array(c->arena, n, sizeof(*out->id)),
		0 };
	for (size_t i = 0; i < n; i++) {
		/* Of one message at a time: each can be large. */
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		int r = outbox_release_stands(s, a, v[i].id, e);

		if (r < 0)
			return -1;
		if (r == 1)
			out->id[out->n++] = v[i].id;
	}
	return 0;
}

struct policy_held
policy_held_lost(struct arena *a, const struct policy_held *before,
    const struct policy_held *now)
{
	struct policy_held out = { arena_array(a, before->n, sizeof(*out.id)),
		0 };

	for (size_t i = 0; i < before->n; i++) {
		bool still = false;

		for (size_t k = 0; k < now->n; k++)
			still = still || now->id[k] == before->id[i];
		if (!still)
			out.id[out.n++] = before->id[i];
	}
	return out;
}

bool
policy_held_same(const struct policy_held *x, const struct policy_held *y)
{
	size_t i = 0;

	if (x->n != y->n)
		return false;
	while (i < x->n && x->id[i] == y->id[i])
		i++;
	return i == x->n;
}
