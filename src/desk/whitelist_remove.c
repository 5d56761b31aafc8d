/* SPDX-License-Identifier: Apache-2.0 */
/* emcli whitelist in remove, whitelist out remove. */
#include "desk/desk.h"
#include "desk/whitelist.h"
#include "gate/rules.h"

static const struct arg_spec args[] = {
	WHITELIST_ACCOUNT,
	WHITELIST_ENTRY,
	{ 0 },
};

static const struct field result[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "removed", FIELD_TEXTS, .help = "the entries that were removed" },
	{ "in_force", FIELD_BOOL, .help = "is the list on?" },
	{ 0 },
};

static int
whitelist_remove(struct call *c, enum store_list which, struct json *out,
    struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };

	if (whitelist_find(c, &acct, e) < 0 ||
	    whitelist_read_entries(c, rules_entry_kept, &entries, e) < 0 ||
	    store_list_remove(operate_store(c), acct.id, which, &entries, e) <
		0)
		return -1;
	json_put_str(out, "account", acct.name);
	json_put_strs(out, "removed", &entries);
	json_put_bool(out, "in_force", whitelist_in_force(which, &acct));
	for (size_t i = 0; i < entries.n; i++)
		gate_tell(c, "removed %.*s", STR_ARG(entries.v[i]));
	whitelist_note_force(c, which, &acct);
	return 0;
}

static int
whitelist_remove_run_in(struct call *c, struct json *out, struct err *e)
{
	return whitelist_remove(c, STORE_LIST_IN, out, e);
}

static int
whitelist_remove_run_out(struct call *c, struct json *out, struct err *e)
{
	return whitelist_remove(c, STORE_LIST_OUT, out, e);
}

const struct op desk_whitelist_remove_in = {
	.name = "whitelist in remove",
	.shows = "emcli whitelist in list",
	.summary = "Remove senders from the list",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = whitelist_remove_run_in,
};

const struct op desk_whitelist_remove_out = {
	.name = "whitelist out remove",
	.shows = "emcli whitelist out list",
	.summary = "Remove recipients from the list",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = whitelist_remove_run_out,
};
