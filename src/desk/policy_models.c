/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models of `ask` in a policy document; keys are in files of their own.  A
 * key stays only with the server that it went to, unless the file names it.
 */
#include "desk/file_arg.h"
#include "desk/model.h"
#include "desk/picture.h"
#include "desk/policy.h"
#include "gate/config.h"

static int
policy_models_load(struct policy_apply *p, struct store_model **v, size_t *n,
    struct err *e)
{
	return store_model_list(p->s, p->c->arena, v, n, e);
}

int
policy_models_put(struct document_put *d, struct err *e)
{
	struct store_model *v;
	size_t n;

	if (store_model_list(operate_store(d->c), d->c->arena, &v, &n, e) < 0)
		return -1;
	yaml_put_map(d->y, "models");
	for (size_t i = 0; i < n; i++) {
		yaml_put_map(d->y, str_c(d->c->arena, v[i].name));
		policy_put_text(d, "url", v[i].url);
		policy_put_text(d, "id", v[i].id);
		policy_put_text(d, "key_file", v[i].key_file);
		policy_put_text(d, "ca", v[i].ca_file);
		yaml_put_end(d->y);
	}
	yaml_put_end(d->y);
	return 0;
}

static struct str
policy_models_what(struct policy_apply *p, struct str name)
{
	return str_fmt(p->c->arena, "model %.*s", STR_ARG(name));
}

static int
policy_models_read(struct policy_apply *p, const struct yaml_node *x,
    struct store_model *m, struct err *e)
{
	struct str keys[] = { S("url"), S("id"), S("key_file"), S("ca") };
	const struct strs known = { keys, sizeof(keys) / sizeof(keys[0]) };

	if (document_check_keys(&p->d, x, &known, e) < 0 ||
	    policy_take_text(p, x, "url", &m->url, e) < 0 ||
	    policy_take_text(p, x, "id", &m->id, e) < 0 ||
	    policy_take_text(p, x, "key_file", &m->key_file, e) < 0)
		return -1;
	if (m->id.n == 0)
		m->id = m->name;
	return policy_take_text(p, x, "ca", &m->ca_file, e);
}

static bool
policy_models_same(const struct store_model *x, const struct store_model *y)
{
	return str_eq(x->url, y->url) && str_eq(x->id, y->id) &&
	    str_eq(x->key_file, y->key_file) && str_eq(x->ca_file, y->ca_file);
}

/* Would its key go elsewhere, or where other authorities say it belongs? */
static bool
policy_models_moved(const struct store_model *was, const struct store_model *is)
{
	return !str_eq(was->url, is->url) || !str_eq(was->ca_file, is->ca_file);
}

static void
policy_models_plan(struct policy_apply *p, const struct store_model *was,
    const struct store_model *is)
{
	struct str what = policy_models_what(p, is->name);
	struct plan *to = &p->plan;

	if (was == NULL) {
		plan_added(to, what);
		plan_given(to, what, S("url"), is->url);
		plan_given(to, what, S("id"), is->id);
		plan_given(to, what, S("key_file"), is->key_file);
		plan_given(to, what, S("ca"), is->ca_file);
		return;
	}
	plan_value(to, what, S("url"), was->url, is->url);
	plan_value(to, what, S("id"), was->id, is->id);
	plan_value(to, what, S("key_file"), was->key_file, is->key_file);
	plan_value(to, what, S("ca"), was->ca_file, is->ca_file);
	if (policy_models_moved(was, is) && is->key_file.n > 0 &&
	    str_eq(was->key_file, is->key_file))
		plan_given(to, what,
		    str_fmt(to->a, "key_file %.*s",
			STR_ARG(picture_text(to->a, is->key_file, false))),
		    str_fmt(to->a, "now sent to %.*s", STR_ARG(is->url)));
}

/* was: NULL for a new one. */
static int
policy_models_take_one(struct policy_apply *p, const struct yaml_node *x,
    const struct store_model *was, struct err *e)
{
	struct store_model m = { .name = x->key };
	struct arena *a = p->c->arena;

	if (was != NULL)
		m = *was;
	if (policy_models_read(p, x, &m, e) < 0)
		return -1;
	if (was != NULL && policy_models_same(was, &m))
		return 0;
	/* Otherwise its key would go where nobody sent it. */
	if (was != NULL && policy_models_moved(was, &m) &&
	    document_member(&p->d, x, "key_file") == NULL)
		m.key_file = S("");
	if (file_arg_path(a, m.key_file, "key-file", &m.key_file, e) < 0 ||
	    file_arg_path(a, m.ca_file, "ca", &m.ca_file, e) < 0 ||
	    (was != NULL ? model_check(a, &m, e) : model_check_new(a, &m, e)) <
		0 ||
	    (was != NULL ? store_model_change(p->s, &m, e)
			 : store_model_add(p->s, &m, e)) < 0)
		return document_at(x, e);
	policy_models_plan(p, was, &m);
	return 0;
}

/* A default model that is removed is none any more. */
static int
policy_models_remove(struct policy_apply *p, struct str name, struct err *e)
{
	struct arena *a = p->c->arena;
	const struct setting *of;
	struct str was, is;

	if (config_find(a, S(STORE_MODEL_DEFAULT), &of, e) < 0 ||
	    config_value(p->s, a, of, &was, e) < 0 ||
	    store_model_remove(p->s, name, e) < 0 ||
	    config_value(p->s, a, of, &is, e) < 0)
		return -1;
	plan_value(&p->plan, S("config"), S(STORE_MODEL_DEFAULT), was, is);
	return 0;
}

int
policy_models_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e)
{
	const struct yaml_node *x = NULL;
	struct store_model *v;
	size_t n;

	if (document_need(map, YAML_KIND_MAP, e) < 0 ||
	    policy_models_load(p, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (document_member(&p->d, map,
			str_c(p->c->arena, v[i].name)) == NULL &&
		    policy_prune(p, policy_models_what(p, v[i].name)) &&
		    policy_models_remove(p, v[i].name, e) < 0)
			return -1;
	while ((x = document_next(&p->d, map, x)) != NULL) {
		const struct store_model *was = NULL;

		for (size_t i = 0; i < n; i++)
			if (str_eq(v[i].name, x->key))
				was = &v[i];
		if (policy_models_take_one(p, x, was, e) < 0)
			return -1;
	}
	return 0;
}
