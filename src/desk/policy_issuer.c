/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The identity provider in a policy document: "none", or what it is.  Its
 * client's secret stays only with the same client of the same provider, which
 * is known by the same authorities.
 */
#include "base/buf.h"
#include "desk/file_arg.h"
#include "desk/issuer.h"
#include "desk/policy.h"

int
policy_issuer_put(struct document_put *d, struct err *e)
{
	struct store_issuer x = { 0 };
	int r = store_issuer_get(operate_store(d->c), d->c->arena, &x, e);

	if (r < 0)
		return -1;
	if (r == 0) {
		yaml_put_word(d->y, "issuer", S("none"));
		return 0;
	}
	yaml_put_map(d->y, "issuer");
	policy_put_text(d, "issuer", x.issuer);
	policy_put_text(d, "resource", x.resource);
	policy_put_text(d, "audience", x.audience);
	policy_put_text(d, "scope", x.scope);
	yaml_put_word(d->y, "any_type", x.any_type ? S("on") : S("off"));
	policy_put_text(d, "ca", x.ca_file);
	policy_put_text(d, "client_id", x.client);
	if (x.client.n > 0)
		yaml_put_note(d->y,
		    S("Its client's secret is not in this file: emcli issuer "
		      "set"));
	yaml_put_end(d->y);
	return 0;
}

static int
policy_issuer_read(struct policy_apply *p, const struct yaml_node *map,
    struct store_issuer *out, struct err *e)
{
	struct str keys[] = { S("issuer"), S("resource"), S("audience"),
		S("scope"), S("any_type"), S("ca"), S("client_id") };
	const struct strs known = { keys, sizeof(keys) / sizeof(keys[0]) };
	const struct yaml_node *any = document_member(&p->d, map, "any_type");

	if (document_check_keys(&p->d, map, &known, e) < 0 ||
	    policy_take_text(p, map, "issuer", &out->issuer, e) < 0 ||
	    policy_take_text(p, map, "resource", &out->resource, e) < 0 ||
	    policy_take_text(p, map, "audience", &out->audience, e) < 0 ||
	    policy_take_text(p, map, "scope", &out->scope, e) < 0 ||
	    policy_take_text(p, map, "ca", &out->ca_file, e) < 0 ||
	    policy_take_text(p, map, "client_id", &out->client, e) < 0)
		return -1;
	if (out->issuer.n == 0 || out->resource.n == 0)
		return document_refuse(map, e,
		    "an issuer has the members issuer and resource");
	return any != NULL ? document_switch(any, &out->any_type, e) : 0;
}

static size_t
policy_issuer_plan(struct policy_apply *p, const struct store_issuer *was,
    const struct store_issuer *is)
{
	size_t before = p->plan.n;

	plan_value(&p->plan, S("issuer"), S("issuer"), was->issuer, is->issuer);
	plan_value(&p->plan, S("issuer"), S("resource"), was->resource,
	    is->resource);
	plan_value(&p->plan, S("issuer"), S("audience"), was->audience,
	    is->audience);
	plan_value(&p->plan, S("issuer"), S("scope"), was->scope, is->scope);
	plan_value(&p->plan, S("issuer"), S("any_type"),
	    was->any_type ? S("on") : S("off"),
	    is->any_type ? S("on") : S("off"));
	plan_value(&p->plan, S("issuer"), S("ca"), was->ca_file, is->ca_file);
	plan_value(&p->plan, S("issuer"), S("client_id"), was->client,
	    is->client);
	return p->plan.n - before;
}

/* The command that gives the secret, and says all the rest again. */
static struct str
policy_issuer_need(struct arena *a, const struct store_issuer *x)
{
	const struct {
		const char *option;
		struct str value;
	} all[] = { { " --resource=", x->resource },
		{ " --audience=", x->audience }, { " --scope=", x->scope },
		{ " --ca=", x->ca_file }, { " --client-id=", x->client } };
	struct buf b;

	buf_init(&b, a, 1 << 16);
	buf_text(&b, "emcli issuer set ");
	buf_shell(&b, x->issuer);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].value.n == 0)
			continue;
		buf_text(&b, all[i].option);
		buf_shell(&b, all[i].value);
	}
	buf_text(&b, " --client-secret-file FILE");
	return buf_view(&b);
}

static int
policy_issuer_write(struct policy_apply *p, const struct store_issuer *was,
    const struct store_issuer *is, struct err *e)
{
	CLEANUP(secret_close) struct secret *secret = NULL;

	if (was->has_secret && str_eq(was->issuer, is->issuer) &&
	    str_eq(was->client, is->client) &&
	    str_eq(was->ca_file, is->ca_file) && is->client.n > 0 &&
	    store_issuer_secret(p->s, &secret, e) < 0)
		return -1;
	if (is->client.n > 0 && secret == NULL)
		str_push(p->c->arena, &p->needs,
		    policy_issuer_need(p->c->arena, is));
	return store_issuer_set(p->s, is, secret, e);
}

static int
policy_issuer_remove(struct policy_apply *p, const struct store_issuer *was,
    struct err *e)
{
	if (was->issuer.n == 0)
		return 0;
	plan_removed(&p->plan,
	    str_fmt(p->c->arena, "issuer %.*s", STR_ARG(was->issuer)));
	return store_issuer_remove(p->s, e);
}

int
policy_issuer_take(struct policy_apply *p, const struct yaml_node *x,
    struct err *e)
{
	struct store_issuer was = { 0 }, is;

	if (store_issuer_get(p->s, p->c->arena, &was, e) < 0)
		return -1;
	if (x->kind == YAML_KIND_TEXT && str_eq(x->text, S("none")))
		return policy_issuer_remove(p, &was, e);
	is = was;
	if (policy_issuer_read(p, x, &is, e) < 0)
		return -1;
	if (!str_eq(is.ca_file, was.ca_file) &&
	    file_arg_path(p->c->arena, is.ca_file, "ca", &is.ca_file, e) < 0)
		return document_at(x, e);
	if (policy_issuer_plan(p, &was, &is) == 0)
		return 0;
	if (issuer_fits(&is, e) < 0 || policy_issuer_write(p, &was, &is, e) < 0)
		return document_at(x, e);
	return 0;
}
