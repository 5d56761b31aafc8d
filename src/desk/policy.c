/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a policy document, and what they share. */
#include "desk/policy.h"

/* A default model exists, and an agent's accounts do, before they are named. */
const struct policy_section policy_sections[] = {
	{ "models", policy_models_put, policy_models_take },
	{ "config", policy_config_put, policy_config_take },
	{ "accounts", policy_accounts_put, policy_accounts_take },
	{ "sources", policy_sources_put, policy_sources_take },
	{ "issuer", policy_issuer_put, policy_issuer_take },
	{ "agents", policy_agents_put, policy_agents_take },
	{ "canaries", policy_canaries_put, policy_canaries_take },
	{ 0 },
};

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
