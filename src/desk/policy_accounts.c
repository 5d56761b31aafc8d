/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of accounts in a policy document, and their whitelists. */
#include "desk/account_text.h"
#include "desk/policy.h"

int
policy_accounts_put(struct document_put *d, struct err *e)
{
	struct store_account *v;
	size_t n;

	if (store_account_list(operate_store(d->c), d->c->arena, &v, &n, e) < 0)
		return -1;
	yaml_put_map(d->y, "accounts");
	for (size_t i = 0; i < n; i++) {
		/* It comes and goes with a session. */
		if (v[i].bound == STORE_BOUND_YES)
			continue;
		yaml_put_map(d->y, str_c(d->c->arena, v[i].name));
		account_text_put(d, &v[i], true);
		if (policy_lists_put(d, v[i].id, e) < 0)
			return -1;
		yaml_put_end(d->y);
	}
	yaml_put_end(d->y);
	return 0;
}

static int
policy_accounts_change(struct store_account *v, void *ctx, struct err *e)
{
	(void)e;
	*v = *(const struct store_account *)ctx;
	return 0;
}

static int
policy_accounts_take_rules(struct policy_apply *p, const struct yaml_node *x,
    const struct store_account *was, struct err *e)
{
	struct setting_change v[SETTING_CHANGES];
	struct store_account is = *was;
	const struct store_change ch = { .change = policy_accounts_change,
		.ctx = &is };
	struct arena *a = p->c->arena;
	size_t n;

	if (account_text_take(&p->d, x, was, true, &is, e) < 0)
		return -1;
	n = setting_edit_changes(a, was, &is, v);
	for (size_t i = 0; i < n; i++)
		plan_value(&p->plan,
		    str_fmt(a, "account %.*s", STR_ARG(was->name)),
		    str_of(v[i].name), v[i].was, v[i].is);
	return n == 0 ? 0 : store_account_change(p->s, a, was->name, &ch, e);
}

static int
policy_accounts_take_one(struct policy_apply *p, const struct yaml_node *x,
    struct err *e)
{
	struct store_account was;
	struct strs keys = { 0 };

	account_text_keys(p->c->arena, true, &keys);
	policy_lists_keys(p->c->arena, &keys);
	if (document_check_keys(&p->d, x, &keys, e) < 0)
		return -1;
	if (store_account_get(p->s, p->c->arena, x->key, &was, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		return document_refuse(x, e,
		    "there is no account %.*s: add it first, or import it "
		    "with emcli account import",
		    STR_ARG(str_first(x->key, 64)));
	}
	if (policy_accounts_take_rules(p, x, &was, e) < 0)
		return -1;
	return policy_lists_take(p, x, &was, e);
}

int
policy_accounts_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e)
{
	const struct yaml_node *x = NULL;

	if (document_need(map, YAML_KIND_MAP, e) < 0)
		return -1;
	while ((x = document_next(&p->d, map, x)) != NULL)
		if (policy_accounts_take_one(p, x, e) < 0)
			return -1;
	return 0;
}
