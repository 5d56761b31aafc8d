/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mail sources in a policy document: a list, because their order counts.
 * An account that is not in it is no source.
 */
#include "desk/policy.h"
#include "desk/source_rules.h"
#include "source/role.h"

static bool
policy_sources_is_one(const struct store_source *x)
{
	return !str_eq(x->role, S("none"));
}

int
policy_sources_put(struct document_put *d, struct err *e)
{
	struct store_source *v;
	size_t n;

	if (store_source_list(operate_store(d->c), d->c->arena, &v, &n, e) < 0)
		return -1;
	yaml_put_list(d->y, "sources");
	for (size_t i = 0; i < n && policy_sources_is_one(&v[i]); i++) {
		yaml_put_map(d->y, NULL);
		yaml_put_plain(d->y, "account", v[i].name);
		yaml_put_word(d->y, "role", v[i].role);
		yaml_put_word(d->y, "mandatory",
		    v[i].mandatory ? S("on") : S("off"));
		yaml_put_list(d->y, "preferred_for");
		for (size_t k = 0; k < v[i].ops.n; k++)
			yaml_put_plain(d->y, NULL, v[i].ops.v[k]);
		yaml_put_end(d->y);
		yaml_put_end(d->y);
	}
	yaml_put_end(d->y);
	return 0;
}

/* "2. fallback, mandatory, preferred for read_thread"; empty: no source. */
static struct str
policy_sources_text(struct arena *a, const struct store_source *v, size_t at)
{
	const struct store_source *x = &v[at];
	struct strs ops = plan_sorted(a, &x->ops);
	struct buf b;

	buf_init(&b, a, 1 << 16);
	if (!policy_sources_is_one(x))
		return S("");
	buf_fmt(&b, "%zu. %.*s%s", at + 1, STR_ARG(x->role),
	    x->mandatory ? ", mandatory" : "");
	for (size_t i = 0; i < ops.n; i++)
		buf_fmt(&b, "%s%.*s", i == 0 ? ", preferred for " : ", ",
		    STR_ARG(ops.v[i]));
	return buf_view(&b);
}

static int
policy_sources_read_ops(struct policy_apply *p, const struct yaml_node *x,
    struct strs *out, struct err *e)
{
	struct strs given;
	enum role_op op;

	*out = (struct strs){ 0 };
	if (x == NULL)
		return 0;
	if (document_strs(&p->d, x, &given, e) < 0)
		return -1;
	for (size_t i = 0; i < given.n; i++) {
		if (role_op_read(p->c->arena, given.v[i], &op, e) < 0)
			return document_at(x, e);
		if (!str_among(out, str_of(role_op_name(op))))
			str_push(p->c->arena, out, str_of(role_op_name(op)));
	}
	return 0;
}

static int
policy_sources_read(struct policy_apply *p, const struct yaml_node *x,
    struct store_source *out, struct err *e)
{
	struct str keys[] = { S("account"), S("role"), S("mandatory"),
		S("preferred_for") };
	const struct strs known = { keys, sizeof(keys) / sizeof(keys[0]) };
	const struct yaml_node *m;
	enum role role;

	if (document_check_keys(&p->d, x, &known, e) < 0 ||
	    policy_take_text(p, x, "account", &out->name, e) < 0 ||
	    policy_take_text(p, x, "role", &out->role, e) < 0)
		return -1;
	if (!role_find(out->role, &role) || role == ROLE_NONE)
		return document_refuse(x, e,
		    "a source has the role optional, preferred, fallback or "
		    "primary");
	out->role = str_of(role_name(role));
	m = document_member(&p->d, x, "mandatory");
	if (m != NULL && document_switch(m, &out->mandatory, e) < 0)
		return -1;
	return policy_sources_read_ops(p,
	    document_member(&p->d, x, "preferred_for"), &out->ops, e);
}

struct policy_sources {
	struct policy_apply *p;
	const struct yaml_node *list;
};

/* Puts the account at this place; those before it have theirs. */
static int
policy_sources_place(struct policy_apply *p, const struct yaml_node *x,
    struct store_source *v, size_t n, size_t to, struct err *e)
{
	struct store_source one = { 0 };
	size_t at = 0;

	if (policy_sources_read(p, x, &one, e) < 0)
		return -1;
	while (at < n && !str_eq(v[at].name, one.name))
		at++;
	if (at == n)
		return document_refuse(x, e, "there is no account %.*s",
		    STR_ARG(str_first(one.name, 64)));
	if (at < to)
		return document_refuse(x, e, "%.*s is a source twice",
		    STR_ARG(one.name));
	one.account = v[at].account;
	one.backend = v[at].backend;
	memmove(v + to + 1, v + to, (at - to) * sizeof(*v));
	v[to] = one;
	if (source_rules_check(v, to + 1, to, e) < 0)
		return document_at(x, e);
	return 0;
}

static void
policy_sources_plan(struct policy_apply *p, const struct store_source *was,
    const struct store_source *is, size_t n)
{
	struct arena *a = p->c->arena;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (was[i].account == is[k].account)
				plan_value(&p->plan,
				    str_fmt(a, "source %.*s",
					STR_ARG(is[k].name)),
				    S("role"), policy_sources_text(a, was, i),
				    policy_sources_text(a, is, k));
}

static int
policy_sources_change(struct store_source *v, size_t n, void *ctx,
    struct err *e)
{
	const struct policy_sources *x = ctx;
	struct arena *a = x->p->c->arena;
	struct store_source *was = arena_array(a, n, sizeof(*was));
	const struct yaml_node *at = NULL;
	size_t to = 0;

	if (n > 0)
		memcpy(was, v, n * sizeof(*was));
	while ((at = document_next(&x->p->d, x->list, at)) != NULL)
		if (policy_sources_place(x->p, at, v, n, to++, e) < 0)
			return -1;
	for (; to < n; to++) {
		v[to].role = S("none");
		v[to].mandatory = false;
		v[to].ops = (struct strs){ 0 };
	}
	policy_sources_plan(x->p, was, v, n);
	return 0;
}

int
policy_sources_take(struct policy_apply *p, const struct yaml_node *list,
    struct err *e)
{
	struct policy_sources x = { p, list };
	const struct store_source_change ch = { policy_sources_change, &x };

	if (document_need(list, YAML_KIND_LIST, e) < 0)
		return -1;
	return store_source_set(p->s, p->c->arena, &ch, e);
}
