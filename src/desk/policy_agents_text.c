/* SPDX-License-Identifier: Apache-2.0 */
/* What an agent may use and who it is, as words. */
#include "base/buf.h"
#include "desk/policy_agents.h"

const char *const policy_agents_text_key[AGENT_RIGHTS] = {
	[AGENT_RIGHT_ACCOUNTS] = "accounts",
	[AGENT_RIGHT_SKILLS] = "skills",
	[AGENT_RIGHT_OPS] = "ops",
};

struct str *
policy_agents_text_set(struct store_agent *x, enum agent_right right)
{
	struct str *const sets[AGENT_RIGHTS] = {
		[AGENT_RIGHT_ACCOUNTS] = &x->accounts,
		[AGENT_RIGHT_SKILLS] = &x->skills,
		[AGENT_RIGHT_OPS] = &x->ops,
	};

	return sets[right];
}

struct strs
policy_agents_text_names(struct arena *a, struct str set)
{
	struct str rest = str_trim(set), name;
	struct strs out = { 0 };

	while (rest.n > 0) {
		(void)str_cut(rest, ' ', &name, &rest);
		if (name.n > 0)
			str_push(a, &out, name);
	}
	return plan_sorted(a, &out);
}

struct str
policy_agents_text(struct arena *a, struct str set)
{
	struct strs names = policy_agents_text_names(a, set);
	struct buf b;

	if (set.p == NULL)
		return S(POLICY_AGENTS_ALL);
	/* An account may have that name. */
	if (names.n == 1 && str_eq(names.v[0], S(POLICY_AGENTS_ALL)))
		return S("[" POLICY_AGENTS_ALL "]");
	buf_init(&b, a, 1 << 17);
	for (size_t i = 0; i < names.n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? " " : "", STR_ARG(names.v[i]));
	return buf_view(&b);
}

struct str
policy_agents_text_uids(struct arena *a, const struct store_agent *x)
{
	struct buf b;

	buf_init(&b, a, 1 << 10);
	for (size_t i = 0; i < x->uids; i++)
		buf_fmt(&b, "%s%u", i > 0 ? " " : "", x->uid[i]);
	return buf_view(&b);
}
