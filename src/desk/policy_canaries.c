/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canaries in a policy document, only if they are asked for: whoever reads one
 * knows what to leave out of a message.  A plan counts them, because logs of
 * programs that apply a policy have many readers.
 */
#include "base/utf8.h"
#include "desk/policy.h"
#include "store/outbox.h"

int
policy_canaries_put(struct document_put *d, struct err *e)
{
	struct strs v;

	if (store_canary_list(operate_store(d->c), d->c->arena, &v, e) < 0)
		return -1;
	if (!args_has(d->c->args, "canaries")) {
		if (v.n > 0)
			yaml_put_note(d->y,
			    str_fmt(d->c->arena,
				"%zu canar%s not in this file: emcli policy "
				"export --canaries",
				v.n, v.n == 1 ? "y is" : "ies are"));
		return 0;
	}
	yaml_put_list(d->y, "canaries");
	for (size_t i = 0; i < v.n; i++)
		yaml_put_plain(d->y, NULL, v.v[i]);
	yaml_put_end(d->y);
	return 0;
}

static int
policy_canaries_each(struct policy_apply *p, const struct strs *words,
    char sign, int (*fn)(struct store *s, struct str word, struct err *e),
    struct err *e)
{
	for (size_t i = 0; i < words->n; i++)
		if (fn(p->s, words->v[i], e) < 0)
			return -1;
	if (words->n > 0)
		plan_put(&p->plan,
		    &(struct plan_line){
			.sign = sign,
			.what = str_fmt(p->c->arena, "canaries: %zu", words->n),
		    });
	return 0;
}

int
policy_canaries_take(struct policy_apply *p, const struct yaml_node *list,
    struct err *e)
{
	struct plan unseen = { .a = p->c->arena };
	struct strs was, is, added, dropped;

	if (document_strs(&p->d, list, &is, e) < 0 ||
	    store_canary_list(p->s, p->c->arena, &was, e) < 0)
		return -1;
	was = plan_sorted(p->c->arena, &was);
	is = plan_sorted(p->c->arena, &is);
	for (size_t i = 0; i < is.n; i++)
		if (!utf8_valid(is.v[i]))
			return document_refuse(list, e,
			    "a canary must be UTF-8");
	plan_strs(&unseen, S(""), S(""), &was, &is, &added, &dropped);
	if (policy_canaries_each(p, &dropped, '-', store_canary_remove, e) <
		0 ||
	    policy_canaries_each(p, &added, '+', store_canary_add, e) < 0)
		return document_at(list, e);
	return 0;
}
