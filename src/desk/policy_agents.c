/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Agents in a policy document, without their tokens: what each may use, and
 * which users and subjects are it.
 */
#include "desk/policy_agents.h"
#include "base/env.h"
#include "base/secret.h"
#include "desk/token.h"

static void
policy_agents_put_set(struct document_put *d, const char *key, struct str set)
{
	struct strs names = policy_agents_text_names(d->c->arena, set);

	if (set.p == NULL) {
		yaml_put_word(d->y, key, S(POLICY_AGENTS_ALL));
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
	for (enum agent_right i = 0; i < AGENT_RIGHTS; i++)
		policy_agents_put_set(d, policy_agents_text_key[i],
		    *policy_agents_text_set(x, i));
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

/* A value that is different, or one of a new agent. */
static void
policy_agents_plan_one(struct policy_apply *p, struct str what,
    const char *setting, const struct str *was, struct str is)
{
	if (was != NULL)
		plan_value(&p->plan, what, str_of(setting), *was, is);
	else
		plan_given(&p->plan, what, str_of(setting), is);
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
	for (enum agent_right i = 0; i < AGENT_RIGHTS; i++) {
		if (was != NULL)
			old = policy_agents_text(a,
			    *policy_agents_text_set(was, i));
		policy_agents_plan_one(p, what, policy_agents_text_key[i],
		    was != NULL ? &old : NULL,
		    policy_agents_text(a, *policy_agents_text_set(is, i)));
	}
	if (was != NULL)
		old = policy_agents_text_uids(a, was);
	policy_agents_plan_one(p, what, "uids", was != NULL ? &old : NULL,
	    policy_agents_text_uids(a, is));
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

/* was: NULL for a new one. */
static int
policy_agents_take_one(struct policy_apply *p, const struct yaml_node *x,
    struct store_agent *was, struct err *e)
{
	struct store_agent is = { .name = x->key };
	bool there = was != NULL;

	if (!there && !env_is_new_agent(x->key.p))
		return document_refuse(x, e,
		    "an agent's name is 1 to 64 of A-Z a-z 0-9 . _ -, does not "
		    "begin with -, and is not operator");
	if (there)
		is = *was;
	if (policy_agents_read(p, x, &is, e) < 0)
		return -1;
	if (policy_agents_plan(p, was, &is) == 0)
		return 0;
	if ((there ? store_agent_change(p->s, &is, e)
		   : policy_agents_add(p, &is, e)) < 0)
		return document_at(x, e);
	return 0;
}

/*
 * An agent that the file does not name.  One that it spells otherwise is the
 * same, as everywhere, and must not lose its token for that.
 */
static int
policy_agents_take_other(struct policy_apply *p, const struct yaml_node *map,
    struct str name, struct err *e)
{
	const struct yaml_node *x = NULL;

	while ((x = document_next(&p->d, map, x)) != NULL)
		if (str_eq_case(x->key, name))
			return document_refuse(x, e, "the agent is spelt %.*s",
			    STR_ARG(name));
	if (!policy_prune(p, str_fmt(p->c->arena, "agent %.*s", STR_ARG(name))))
		return 0;
	return store_agent_remove(p->s, name, e);
}

/* Names that differ only in case are one agent's. */
static int
policy_agents_check_names(struct policy_apply *p, const struct yaml_node *map,
    struct err *e)
{
	const struct yaml_node *x = NULL, *y;

	while ((x = document_next(&p->d, map, x)) != NULL) {
		y = x;
		while ((y = document_next(&p->d, map, y)) != NULL)
			if (str_eq_case(x->key, y->key))
				return document_refuse(y, e,
				    "the agent is there already, at line %zu, "
				    "spelt otherwise",
				    x->line);
	}
	return 0;
}

/* Agents may swap their subjects, so one that changes is free before. */
static int
policy_agents_free_subject(struct policy_apply *p, const struct yaml_node *x,
    const struct store_agent *was, struct err *e)
{
	struct store_agent is = *was;

	if (was->subject.n == 0 || x->kind != YAML_KIND_MAP)
		return 0;
	if (policy_take_text(p, x, "subject", &is.subject, e) < 0 ||
	    policy_take_text(p, x, "issuer", &is.issuer, e) < 0)
		return -1;
	if (str_eq(was->subject, is.subject) && str_eq(was->issuer, is.issuer))
		return 0;
	is.subject = is.issuer = (struct str){ 0 };
	return store_agent_change(p->s, &is, e);
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
	    policy_agents_check_names(p, map, e) < 0 ||
	    store_agent_list(p->s, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		x = document_member(&p->d, map, str_c(a, v[i].name));
		if (store_agent_uids(p->s, a, &v[i], e) < 0 ||
		    (x != NULL ? policy_agents_free_subject(p, x, &v[i], e)
			       : policy_agents_take_other(p, map, v[i].name,
				     e)) < 0)
			return -1;
	}
	x = NULL;
	while ((x = document_next(&p->d, map, x)) != NULL) {
		struct store_agent *was = NULL;

		for (size_t i = 0; i < n; i++)
			if (str_eq(v[i].name, x->key))
				was = &v[i];
		if (policy_agents_take_one(p, x, was, e) < 0)
			return -1;
	}
	return 0;
}
