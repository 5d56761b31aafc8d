/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whitelists of an account in a policy document.  A sender is followed by
 * what is required of it: "me@example.org dmarc", "@example.org none".
 */
#include "desk/policy.h"
#include "gate/rules.h"

#define SENDERS "senders"
#define RECIPIENTS "recipients"

void
policy_lists_keys(struct arena *a, struct strs *out)
{
	str_push(a, out, S(SENDERS));
	str_push(a, out, S(RECIPIENTS));
}

/* The entries as a document has them. */
static int
policy_lists_load(struct store *s, struct arena *a, int64_t account, bool in,
    struct strs *out, struct err *e)
{
	static const struct {
		enum store_list list;
		const char *word;
	} halves[] = { { STORE_LIST_IN, " none" },
		{ STORE_LIST_IN_DMARC, " dmarc" } };
	struct strs v;

	*out = (struct strs){ 0 };
	if (!in)
		return store_list_get(s, a, account, STORE_LIST_OUT, out, e);
	for (size_t k = 0; k < sizeof(halves) / sizeof(halves[0]); k++) {
		if (store_list_get(s, a, account, halves[k].list, &v, e) < 0)
			return -1;
		for (size_t i = 0; i < v.n; i++)
			str_push(a, out,
			    str_fmt(a, "%.*s%s", STR_ARG(v.v[i]),
				halves[k].word));
	}
	return 0;
}

int
policy_lists_put(struct document_put *d, int64_t account, struct err *e)
{
	struct strs v;

	for (int in = 1; in >= 0; in--) {
		if (policy_lists_load(operate_store(d->c), d->c->arena, account,
			in, &v, e) < 0)
			return -1;
		v = plan_sorted(d->c->arena, &v);
		yaml_put_list(d->y, in ? SENDERS : RECIPIENTS);
		for (size_t i = 0; i < v.n; i++)
			yaml_put_plain(d->y, NULL, v.v[i]);
		yaml_put_end(d->y);
	}
	return 0;
}

/* The address of an entry, and what it requires. */
static struct str
policy_lists_address(struct str entry, bool *dmarc)
{
	*dmarc = str_ends(entry, S(" dmarc"));
	return str_ends(entry, S(" none")) ? str_first(entry, entry.n - 5)
	    : *dmarc                       ? str_first(entry, entry.n - 6)
					   : (struct str){ 0 };
}

/* was: sorted.  What is on the list may be of a more permissive version. */
static int
policy_lists_read_one(struct policy_apply *p, const struct yaml_node *x,
    bool in, const struct strs *was, struct str *out, struct err *e)
{
	struct str address = x->text, canonical;
	bool dmarc = false;

	if (document_need(x, YAML_KIND_TEXT, e) < 0)
		return -1;
	*out = x->text;
	if (plan_has(was, x->text))
		return 0;
	if (in)
		address = policy_lists_address(x->text, &dmarc);
	if (address.p == NULL)
		return document_refuse(x, e,
		    "a sender is followed by dmarc (it must be authenticated) "
		    "or none: \"me@example.org dmarc\"");
	if (rules_entry(p->c->arena, address, &canonical, e) < 0)
		return document_at(x, e);
	*out = !in ? canonical
		   : str_fmt(p->c->arena, "%.*s %s", STR_ARG(canonical),
			 dmarc ? "dmarc" : "none");
	return 0;
}

static int
policy_lists_read(struct policy_apply *p, const struct yaml_node *list, bool in,
    const struct strs *was, struct strs *out, struct err *e)
{
	struct arena *a = p->c->arena;
	const struct yaml_node *x = NULL;
	struct strs all = { 0 };
	struct str entry;
	bool unused;

	while ((x = document_next(&p->d, list, x)) != NULL) {
		if (policy_lists_read_one(p, x, in, was, &entry, e) < 0)
			return -1;
		str_push(a, &all, entry);
	}
	*out = plan_sorted(a, &all);
	for (size_t i = 1; in && i < out->n; i++)
		if (str_eq(policy_lists_address(out->v[i - 1], &unused),
			policy_lists_address(out->v[i], &unused)))
			return document_refuse(list, e,
			    "a sender is there twice, with dmarc and with "
			    "none");
	return 0;
}

/* Adds them or removes them, each on its half of the list. */
static int
policy_lists_write(struct policy_apply *p, int64_t account, bool in,
    const struct strs *entries,
    int (*fn)(struct store *s, int64_t account, enum store_list which,
	const struct strs *entries, struct err *e),
    struct err *e)
{
	struct strs half[2] = { { 0 }, { 0 } };
	bool dmarc;

	if (!in)
		return fn(p->s, account, STORE_LIST_OUT, entries, e);
	for (size_t i = 0; i < entries->n; i++) {
		struct str address =
		    policy_lists_address(entries->v[i], &dmarc);

		str_push(p->c->arena, &half[dmarc], address);
	}
	return fn(p->s, account, STORE_LIST_IN, &half[0], e) < 0
	    ? -1
	    : fn(p->s, account, STORE_LIST_IN_DMARC, &half[1], e);
}

static int
policy_lists_take_one(struct policy_apply *p, const struct yaml_node *list,
    const struct store_account *acct, bool in, struct err *e)
{
	struct arena *a = p->c->arena;
	struct strs was, is, added, dropped;

	if (document_need(list, YAML_KIND_LIST, e) < 0 ||
	    policy_lists_load(p->s, a, acct->id, in, &was, e) < 0)
		return -1;
	was = plan_sorted(a, &was);
	if (policy_lists_read(p, list, in, &was, &is, e) < 0)
		return -1;
	plan_strs(&p->plan, str_fmt(a, "account %.*s", STR_ARG(acct->name)),
	    list->key, &was, &is, &added, &dropped);
	/* One that only gets another requirement is removed and added. */
	return policy_lists_write(p, acct->id, in, &dropped, store_list_remove,
		   e) < 0
	    ? -1
	    : policy_lists_write(p, acct->id, in, &added, store_list_add, e);
}

int
policy_lists_take(struct policy_apply *p, const struct yaml_node *map,
    const struct store_account *acct, struct err *e)
{
	for (int in = 1; in >= 0; in--) {
		const struct yaml_node *list =
		    document_member(&p->d, map, in ? SENDERS : RECIPIENTS);

		if (list != NULL &&
		    policy_lists_take_one(p, list, acct, in, e) < 0)
			return -1;
	}
	return 0;
}
