/* SPDX-License-Identifier: Apache-2.0 */
/* emcli whitelist in add, whitelist out add. */
#include "desk/desk.h"
#include "desk/whitelist.h"
#include "gate/rules.h"

static const struct arg_spec args_in[] = {
	WHITELIST_ACCOUNT,
	{ "auth", ARG_CHOICE,
	    .help = "dmarc: the sender must be authenticated; none: only the "
		    "From line counts; default: the account's setting "
		    "(--whitelist-auth)",
	    .choices = "none|dmarc" },
	WHITELIST_ENTRY,
	{ 0 },
};

static const struct arg_spec args_out[] = {
	WHITELIST_ACCOUNT,
	WHITELIST_ENTRY,
	{ 0 },
};

static const struct field result[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "added", FIELD_TEXTS, .help = "the entries, as stored" },
	{ "dmarc", FIELD_BOOL,
	    .help = "are they only for authenticated senders?" },
	{ "in_force", FIELD_BOOL, .help = "is the list on?" },
	{ 0 },
};

/* What is required of the added senders, and where that is set. */
struct asking {
	bool in;    /* of the list in: nothing is required of recipients */
	bool dmarc; /* required to be authenticated */
	bool said;  /* given in this call; else the account's setting */
};

static struct asking
whitelist_add_asking(const struct call *c, enum store_list which,
    const struct store_account *acct)
{
	struct asking x = { .in = which == STORE_LIST_IN };

	x.said = x.in && args_has(c->args, "auth");
	x.dmarc = x.in && acct->in_dmarc;
	if (x.said)
		x.dmarc = str_eq(args_text(c->args, "auth"), S("dmarc"));
	return x;
}

static void
whitelist_add_note_asking(struct call *c, const struct store_account *acct,
    const struct asking *x)
{
	if (!x->in)
		return;
	if (!x->said)
		gate_tell(c, "note: --auth %s, the account's default",
		    x->dmarc ? "dmarc" : "none");
	if (x->dmarc)
		whitelist_note_auth(c, acct);
	else
		gate_tell(c,
		    "note: only the From line is compared, which anybody can "
		    "write; --auth dmarc requires proof");
}

static void
whitelist_add_tell(struct call *c, const struct strs *entries,
    const struct whitelist_entries *was, const struct asking *x)
{
	for (size_t i = 0; i < entries->n; i++) {
		bool before = str_among(&was->dmarc, entries->v[i]);

		gate_tell(c, "added %.*s%s", STR_ARG(entries->v[i]),
		    x->dmarc     ? " (dmarc)"
			: before ? ", which no longer requires dmarc"
				 : "");
	}
}

static int
whitelist_add(struct call *c, enum store_list which, struct json *out,
    struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };
	struct whitelist_entries was;
	struct asking x;

	if (whitelist_find(c, &acct, e) < 0 ||
	    whitelist_read_entries(c, rules_entry, &entries, e) < 0 ||
	    whitelist_load(c, which, &acct, &was, e) < 0)
		return -1;
	x = whitelist_add_asking(c, which, &acct);
	if (store_list_add(operate_store(c), acct.id,
		x.dmarc ? STORE_LIST_IN_DMARC : which, &entries, e) < 0)
		return -1;
	json_put_str(out, "account", acct.name);
	json_put_strs(out, "added", &entries);
	json_put_bool(out, "dmarc", x.dmarc);
	json_put_bool(out, "in_force", whitelist_in_force(which, &acct));
	whitelist_add_tell(c, &entries, &was, &x);
	whitelist_note_force(c, which, &acct);
	whitelist_add_note_asking(c, &acct, &x);
	return 0;
}

static int
whitelist_add_run_in(struct call *c, struct json *out, struct err *e)
{
	return whitelist_add(c, STORE_LIST_IN, out, e);
}

static int
whitelist_add_run_out(struct call *c, struct json *out, struct err *e)
{
	return whitelist_add(c, STORE_LIST_OUT, out, e);
}

const struct op desk_whitelist_add_in = {
	.name = "whitelist in add",
	.shows = "emcli whitelist in list",
	.summary = "Add senders whose mail is visible",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args_in,
	.result = result,
	.run = whitelist_add_run_in,
};

const struct op desk_whitelist_add_out = {
	.name = "whitelist out add",
	.shows = "emcli whitelist out list",
	.summary = "Add recipients that agents may write to",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args_out,
	.result = result,
	.run = whitelist_add_run_out,
};
