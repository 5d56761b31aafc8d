/* SPDX-License-Identifier: Apache-2.0 */
/* An agent as a policy document has it. */
#include <stdlib.h>

#include "base/limits.h"
#include "desk/policy_agents.h"

/* Names that the agent has already are not looked up again. */
static int
policy_agents_read_set(struct policy_apply *p, const struct yaml_node *x,
    enum agent_right right, struct str *io, struct err *e)
{
	struct arena *a = p->c->arena;
	struct strs given, was = policy_agents_text_names(a, *io);

	if (x->kind == YAML_KIND_TEXT &&
	    str_eq(x->text, S(POLICY_AGENTS_ALL))) {
		*io = (struct str){ 0 };
		return 0;
	}
	if (document_strs(&p->d, x, &given, e) < 0)
		return -1;
	given = plan_sorted(a, &given);
	if (io->p != NULL && given.n == was.n) {
		size_t same = 0;

		while (same < was.n && str_eq(given.v[same], was.v[same]))
			same++;
		if (same == was.n)
			return 0;
	}
	return agent_rights_set(p->c, right, &given, io, e) < 0
	    ? document_at(x, e)
	    : 0;
}

static int
policy_agents_compare(const void *x, const void *y)
{
	uint32_t m = *(const uint32_t *)x, n = *(const uint32_t *)y;

	return m < n ? -1 : m > n;
}

static int
policy_agents_read_uids(struct policy_apply *p, const struct yaml_node *x,
    struct store_agent *out, struct err *e)
{
	struct strs given;
	uint32_t *v;
	size_t n = 0;

	if (document_strs(&p->d, x, &given, e) < 0)
		return -1;
	if (given.n > LIMIT_AGENT_UIDS)
		return document_refuse(x, e, "an agent has at most %d users",
		    LIMIT_AGENT_UIDS);
	v = arena_array(p->c->arena, LIMIT_AGENT_UIDS, sizeof(*v));
	for (size_t i = 0; i < given.n; i++)
		if (!str_to_u32(given.v[i], UINT32_MAX - 1, &v[i]))
			return document_refuse(x, e,
			    "a user's number is from 0 to %u", UINT32_MAX - 1);
	qsort(v, given.n, sizeof(*v), policy_agents_compare);
	for (size_t i = 0; i < given.n; i++)
		if (i == 0 || v[i] != v[i - 1])
			v[n++] = v[i];
	out->uid = v;
	out->uids = n;
	return 0;
}

/* A new agent has what the file says it has, and nothing by leaving it out. */
int
policy_agents_read(struct policy_apply *p, const struct yaml_node *map,
    struct store_agent *io, struct err *e)
{
	struct str keys[] = { S("accounts"), S("skills"), S("ops"), S("uids"),
		S("subject"), S("issuer") };
	const struct strs known = { keys, sizeof(keys) / sizeof(keys[0]) };
	const struct yaml_node *x;

	if (document_check_keys(&p->d, map, &known, e) < 0)
		return -1;
	for (enum agent_right i = 0; i < AGENT_RIGHTS; i++) {
		x = document_member(&p->d, map, policy_agents_text_key[i]);
		if (x == NULL && io->id == 0)
			return document_refuse(map, e,
			    "a new agent has the members accounts, skills and "
			    "ops: names, or all");
		if (x != NULL &&
		    policy_agents_read_set(p, x, i,
			policy_agents_text_set(io, i), e) < 0)
			return -1;
	}
	x = document_member(&p->d, map, "uids");
	if (x != NULL && policy_agents_read_uids(p, x, io, e) < 0)
		return -1;
	if (policy_take_text(p, map, "subject", &io->subject, e) < 0 ||
	    policy_take_text(p, map, "issuer", &io->issuer, e) < 0)
		return -1;
	if ((io->subject.n > 0) != (io->issuer.n > 0))
		return document_refuse(map, e,
		    "subject and issuer go together");
	if (io->subject.n > LIMIT_BEARER_SUBJECT ||
	    io->issuer.n > LIMIT_BEARER_TEXT)
		return document_refuse(map, e,
		    "a subject has at most %d bytes, an issuer %d",
		    LIMIT_BEARER_SUBJECT, LIMIT_BEARER_TEXT);
	return 0;
}
