/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the whole store in a policy document: all rows of its table.
 */
#include "desk/policy.h"
#include "gate/config.h"

static bool
policy_config_is_word(struct arena *a, const struct setting *s,
    struct str value)
{
	struct strs words = { 0 };
	uint64_t n;

	config_words(a, s, &words);
	return s->choices != NULL ? str_among(&words, value)
				  : str_to_u64(value, UINT64_MAX, &n);
}

int
policy_config_put(struct document_put *d, struct err *e)
{
	struct arena *a = d->c->arena;
	struct str value;

	yaml_put_map(d->y, "config");
	for (const struct setting *s = config_table; s->name != NULL; s++) {
		if (config_value(operate_store(d->c), a, s, &value, e) < 0)
			return -1;
		if (policy_config_is_word(a, s, value))
			yaml_put_word(d->y, s->name, value);
		else
			yaml_put_plain(d->y, s->name, value);
	}
	yaml_put_end(d->y);
	return 0;
}

static int
policy_config_take_one(struct policy_apply *p, const struct setting *s,
    const struct yaml_node *x, struct err *e)
{
	struct arena *a = p->c->arena;
	struct str was, is;

	if (document_need(x, YAML_KIND_TEXT, e) < 0 ||
	    config_value(p->s, a, s, &was, e) < 0)
		return -1;
	is = s->choices != NULL ? document_word(x) : x->text;
	/* What is set already may be of a place that is not there now. */
	if (str_eq(is, was))
		return 0;
	if (config_read(p->s, a, s, is, &is, e) < 0 ||
	    (!str_eq(is, was) &&
		store_setting_set(p->s, str_of(s->name), is, e) < 0))
		return document_at(x, e);
	plan_value(&p->plan, S("config"), str_of(s->name), was, is);
	return 0;
}

int
policy_config_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e)
{
	struct strs known = { 0 };

	for (const struct setting *s = config_table; s->name != NULL; s++)
		str_push(p->c->arena, &known, str_of(s->name));
	if (document_check_keys(&p->d, map, &known, e) < 0)
		return -1;
	for (const struct setting *s = config_table; s->name != NULL; s++) {
		const struct yaml_node *x =
		    document_member(&p->d, map, s->name);

		if (x != NULL && policy_config_take_one(p, s, x, e) < 0)
			return -1;
	}
	return 0;
}
