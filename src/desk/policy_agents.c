/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Agents in a policy document, without their tokens: what each may use, and
 * which users and subjects are it.
 */
#include "base/limits.h"
#include "desk/agent_rights.h"
#include "desk/policy.h"
#include "desk/token.h"

#define ALL "all"

static const struct {
	const char *key;
	size_t member; /* in struct store_agent: a set of names */
} rights[AGENT_RIGHTS] = {
	[AGENT_RIGHT_ACCOUNTS] = { "accounts",
	    offsetof(struct store_agent, accounts) },
	[AGENT_RIGHT_SKILLS] = { "skills",
	    offsetof(struct store_agent, skills) },
	[AGENT_RIGHT_OPS] = { "ops", offsetof(struct store_agent, ops) },
};

static struct str *
policy_agents_set(struct store_agent *x, size_t right)
{
	return (struct str *)(void *)((char *)x + rights[right].member);
}

/* " home work " as a list. */
static struct strs
policy_agents_names(struct arena *a, struct str set)
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

static void
policy_agents_put_set(struct document_put *d, const char *key, struct str set)
{
	struct strs names = policy_agents_names(d->c->arena, set);

	if (set.p == NULL) {
		yaml_put_word(d->y, key, S(ALL));
		return;
	}
	yaml_put_list(d->y, key);
	for (size_t i = 0; i < names.n; i++)
		yaml_put_plain(d->y, NULL, names.v[i]);
	yaml_put_end(d->y);
}

static int
policy_agents_put_one(struct document_put *d, struct store_agent *x,
    struct err *e)
{
	if (store_agent_uids(operate_store(d->c), d->c->arena, x, e) < 0)
		return -1;
	yaml_put_map(d->y, str_c(d->c->arena, x->name));
	for (size_t i = 0; i < AGENT_RIGHTS; i++)
		policy_agents_put_set(d, rights[i].key,
		    *policy_agents_set(x, i));
	yaml_put_list(d->y, "uids");
	for (size_t i = 0; i < x->uids; i++)
		yaml_put_int(d->y, NULL, x->uid[i]);
	yaml_put_end(d->y);
	policy_put_text(d, "subject", x->subject);
	policy_put_text(d, "issuer", x->issuer);
	yaml_put_end(d->y);
	return 0;
}

int
policy_agents_put(struct document_put *d, struct err *e)
{
	struct store_agent *v;
	size_t n;

	if (store_agent_list(operate_store(d->c), d->c->arena, &v, &n, e) < 0)
		return -1;
	yaml_put_map(d->y, "agents");
	for (size_t i = 0; i < n; i++)
		if (policy_agents_put_one(d, &v[i], e) < 0)
			return -1;
	yaml_put_end(d->y);
	return 0;
}

/* "home work", as a plan has it. */
static struct str
policy_agents_text(struct arena *a, struct str set)
{
	struct strs names = policy_agents_names(a, set);
	struct buf b;

	if (set.p == NULL)
		return S(ALL);
	buf_init(&b, a, 1 << 17);
	for (size_t i = 0; i < names.n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? " " : "", STR_ARG(names.v[i]));
	return buf_view(&b);
}

static struct str
policy_agents_uids_text(struct arena *a, const struct store_agent *x)
{
	struct buf b;

	buf_init(&b, a, 1 << 10);
	for (size_t i = 0; i < x->uids; i++)
		buf_fmt(&b, "%s%u", i > 0 ? " " : "", x->uid[i]);
	return buf_view(&b);
}

/* Names that the agent has already are not looked up again. */
static int
policy_agents_read_set(struct policy_apply *p, const struct yaml_node *x,
    size_t right, struct str *io, struct err *e)
{
	struct arena *a = p->c->arena;
	struct strs given, was = policy_agents_names(a, *io);

	if (x->kind == YAML_KIND_TEXT && str_eq(x->text, S(ALL))) {
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
	return agent_rights_set(p->c, (enum agent_right)right, &given, io, e) <
		0
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
static int
policy_agents_read(struct policy_apply *p, const struct yaml_node *map,
    struct store_agent *io, struct err *e)
{
	struct str keys[] = { S("accounts"), S("skills"), S("ops"), S("uids"),
		S("subject"), S("issuer") };
	const struct strs known = { keys, sizeof(keys) / sizeof(keys[0]) };
	const struct yaml_node *x;

	if (document_check_keys(&p->d, map, &known, e) < 0)
		return -1;
	for (size_t i = 0; i < AGENT_RIGHTS; i++) {
		x = document_member(&p->d, map, rights[i].key);
		if (x == NULL && io->id == 0)
			return document_refuse(map, e,
			    "a new agent has the members accounts, skills and "
			    "ops: names, or all");
		if (x != NULL &&
		    policy_agents_read_set(p, x, i, policy_agents_set(io, i),
			e) < 0)
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

/* A value that is different, or one of a new agent. */
static void
policy_agents_plan_one(struct policy_apply *p, struct str what,
    const char *setting, const struct str *was, struct str is)
{
	if (was != NULL)
		plan_value(&p->plan, what, str_of(setting), *was, is);
	else if (is.n > 0)
		plan_put(&p->plan,
		    &(struct plan_line){ '+', what, str_of(setting), S(""),
			is });
}

/* was: NULL for a new one. */
static size_t
policy_agents_plan(struct policy_apply *p, struct store_agent *was,
    struct store_agent *is)
{
	struct arena *a = p->c->arena;
	struct str what = str_fmt(a, "agent %.*s", STR_ARG(is->name)), old;
	size_t before = p->plan.n;

	if (was == NULL)
		plan_added(&p->plan, what);
	for (size_t i = 0; i < AGENT_RIGHTS; i++) {
		if (was != NULL)
			old = policy_agents_text(a, *policy_agents_set(was, i));
		policy_agents_plan_one(p, what, rights[i].key,
		    was != NULL ? &old : NULL,
		    policy_agents_text(a, *policy_agents_set(is, i)));
	}
	if (was != NULL)
		old = policy_agents_uids_text(a, was);
	policy_agents_plan_one(p, what, "uids", was != NULL ? &old : NULL,
	    policy_agents_uids_text(a, is));
	policy_agents_plan_one(p, what, "subject",
	    was != NULL ? &was->subject : NULL, is->subject);
	policy_agents_plan_one(p, what, "issuer",
	    was != NULL ? &was->issuer : NULL, is->issuer);
	return p->plan.n - before;
}

/* With a token that nobody was shown. */
static int
policy_agents_add(struct policy_apply *p, const struct store_agent *x,
    struct err *e)
{
	char text[TOKEN_TEXT];
	int r = token_make(text, e);

	if (r == 0)
		r = store_agent_add(p->s, p->c->arena, x,
		    (struct str){ text, TOKEN_TEXT - 1 }, e);
	secret_wipe(text, sizeof(text));
	str_push(p->c->arena, &p->needs,
	    str_fmt(p->c->arena, "emcli agent token %.*s", STR_ARG(x->name)));
	return r;
}

static int
policy_agents_take_one(struct policy_apply *p, const struct yaml_node *x,
    struct err *e)
{
	struct store_agent was = { 0 }, is = { .name = x->key };
	int there = store_agent_by_name(p->s, p->c->arena, x->key, &was, e);

	if (there < 0 ||
	    (there && store_agent_uids(p->s, p->c->arena, &was, e) < 0))
		return -1;
	if (!there && !env_is_agent(x->key.p))
		return document_refuse(x, e,
		    "an agent's name is 1 to 64 of A-Z a-z 0-9 . _ -, and not "
		    "operator");
	if (there)
		is = was;
	if (policy_agents_read(p, x, &is, e) < 0)
		return -1;
	if (policy_agents_plan(p, there ? &was : NULL, &is) == 0)
		return 0;
	if ((there ? store_agent_change(p->s, &is, e)
		   : policy_agents_add(p, &is, e)) < 0)
		return document_at(x, e);
	return 0;
}

int
policy_agents_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e)
{
	const struct yaml_node *x = NULL;
	struct arena *a = p->c->arena;
	struct store_agent *v;
	size_t n;

	if (document_need(map, YAML_KIND_MAP, e) < 0 ||
	    store_agent_list(p->s, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (document_member(&p->d, map, str_c(a, v[i].name)) == NULL &&
		    policy_prune(p,
			str_fmt(a, "agent %.*s", STR_ARG(v[i].name))) &&
		    store_agent_remove(p->s, v[i].name, e) < 0)
			return -1;
	while ((x = document_next(&p->d, map, x)) != NULL)
		if (policy_agents_take_one(p, x, e) < 0)
			return -1;
	return 0;
}
