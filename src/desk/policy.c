/* SPDX-License-Identifier: Apache-2.0 */
/* What the sections of a policy document share. */
#include "desk/policy.h"

void
policy_put_text(struct document_put *d, const char *key, struct str s)
{
	if (s.n > 0)
		yaml_put_plain(d->y, key, s);
}

int
policy_take_text(struct policy_apply *p, const struct yaml_node *map,
    const char *key, struct str *io, struct err *e)
{
	const struct yaml_node *x = document_member(&p->d, map, key);

	return x == NULL ? 0 : document_text(x, io, e);
}

bool
policy_prune(struct policy_apply *p, struct str what)
{
	if (p->prune)
		plan_removed(&p->plan, what);
	else
		str_push(p->c->arena, &p->kept, what);
	return p->prune;
}
