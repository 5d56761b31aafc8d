/* SPDX-License-Identifier: Apache-2.0 */
/* emcli whitelist in list, whitelist out list. */
#include "desk/desk.h"
#include "desk/whitelist.h"

static const struct arg_spec args[] = {
	WHITELIST_ACCOUNT,
	{ 0 },
};

static const struct field result_in[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "list", FIELD_TEXT, .help = "in or out" },
	{ "in_force", FIELD_BOOL, .help = "is the list on?" },
	{ "entries", FIELD_TEXTS, .help = "all entries" },
	{ "dmarc", FIELD_TEXTS,
	    .help = "the entries only for authenticated senders" },
	{ 0 },
};

static const struct field result_out[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "list", FIELD_TEXT, .help = "in or out" },
	{ "in_force", FIELD_BOOL, .help = "is the list on?" },
	{ "entries", FIELD_TEXTS, .help = "all entries" },
	{ 0 },
};

/* Both kinds in one order. */
static int
whitelist_list_by_text(const void *x, const void *y)
{
	const struct str *p = x;
	const struct str *q = y;

	return str_cmp(*p, *q);
}

static struct strs
whitelist_list_merged(const struct call *c, const struct whitelist_entries *v)
{
	struct strs all = { 0 };

	for (size_t i = 0; i < v->plain.n; i++)
		str_push(c->arena, &all, v->plain.v[i]);
	for (size_t i = 0; i < v->dmarc.n; i++)
		str_push(c->arena, &all, v->dmarc.v[i]);
	if (all.n > 0)
		qsort(all.v, all.n, sizeof(*all.v), whitelist_list_by_text);
	return all;
}

/* Is the list in force?  If it is not, its entries have no effect. */
static void
whitelist_list_say_force(struct call *c, enum store_list which,
    const struct store_account *acct, size_t n)
{
	if (!whitelist_in_force(which, acct)) {
		whitelist_note_force(c, which, acct);
		return;
	}
	gate_tell(c, "note: whitelist %s is on for %.*s: %s%s",
	    whitelist_word(which), STR_ARG(acct->name),
	    which == STORE_LIST_IN ? "agents see mail from "
				   : "agents may write to ",
	    n == 0 ? "nobody" : "these only");
}

static int
whitelist_list(struct call *c, enum store_list which, struct json *out,
    struct err *e)
{
	struct store_account acct;
	struct whitelist_entries found;
	struct strs all;

	if (whitelist_find(c, &acct, e) < 0 ||
	    whitelist_load(c, which, &acct, &found, e) < 0)
		return -1;
	all = whitelist_list_merged(c, &found);
	json_put_str(out, "account", acct.name);
	json_put_text(out, "list", whitelist_word(which));
	json_put_bool(out, "in_force", whitelist_in_force(which, &acct));
	json_put_strs(out, "entries", &all);
	if (which == STORE_LIST_IN)
		json_put_strs(out, "dmarc", &found.dmarc);
	for (size_t i = 0; i < all.n; i++)
		gate_tell(c, "%.*s%s", STR_ARG(all.v[i]),
		    str_among(&found.dmarc, all.v[i]) ? " dmarc" : "");
	whitelist_list_say_force(c, which, &acct, all.n);
	if (found.dmarc.n > 0)
		whitelist_note_auth(c, &acct);
	return 0;
}

static int
whitelist_list_run_in(struct call *c, struct json *out, struct err *e)
{
	return whitelist_list(c, STORE_LIST_IN, out, e);
}

static int
whitelist_list_run_out(struct call *c, struct json *out, struct err *e)
{
	return whitelist_list(c, STORE_LIST_OUT, out, e);
}

const struct op desk_whitelist_list_in = {
	.name = "whitelist in list",
	.summary = "List the senders whose mail is visible",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result_in,
	.run = whitelist_list_run_in,
};

const struct op desk_whitelist_list_out = {
	.name = "whitelist out list",
	.summary = "List the recipients that agents may write to",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result_out,
	.run = whitelist_list_run_out,
};
