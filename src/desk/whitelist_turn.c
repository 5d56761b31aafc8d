/* SPDX-License-Identifier: Apache-2.0 */
/* emcli whitelist in on, in off, out on, out off. */
#include "desk/desk.h"
#include "desk/whitelist.h"

static const struct arg_spec args[] = {
	WHITELIST_ACCOUNT,
	{ 0 },
};

static const struct field result[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "list", FIELD_TEXT, .help = "in or out" },
	{ "in_force", FIELD_BOOL, .help = "is the list on now?" },
	{ 0 },
};

static int
whitelist_turn(struct call *c, enum store_list which, bool on, struct json *out,
    struct err *e)
{
	struct store_account acct;
	struct whitelist_entries found;

	if (whitelist_find(c, &acct, e) < 0 ||
	    store_list_switch(operate_store(c), acct.id, which, on, e) < 0 ||
	    whitelist_load(c, which, &acct, &found, e) < 0)
		return -1;
	json_put_str(out, "account", acct.name);
	json_put_text(out, "list", whitelist_word(which));
	json_put_bool(out, "in_force", on);
	gate_tell(c, "whitelist %s is %s for %.*s", whitelist_word(which),
	    on ? "on" : "off", STR_ARG(acct.name));
	if (on && found.plain.n == 0 && found.dmarc.n == 0)
		gate_tell(c, "note: the list is empty, so it allows nobody");
	return 0;
}

static int
whitelist_turn_run_in_on(struct call *c, struct json *out, struct err *e)
{
	return whitelist_turn(c, STORE_LIST_IN, true, out, e);
}

static int
whitelist_turn_run_in_off(struct call *c, struct json *out, struct err *e)
{
	return whitelist_turn(c, STORE_LIST_IN, false, out, e);
}

static int
whitelist_turn_run_out_on(struct call *c, struct json *out, struct err *e)
{
	return whitelist_turn(c, STORE_LIST_OUT, true, out, e);
}

static int
whitelist_turn_run_out_off(struct call *c, struct json *out, struct err *e)
{
	return whitelist_turn(c, STORE_LIST_OUT, false, out, e);
}

const struct op desk_whitelist_turn_in_on = {
	.name = "whitelist in on",
	.shows = "emcli whitelist in list",
	.summary = "Show agents only mail from listed senders",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = whitelist_turn_run_in_on,
};

const struct op desk_whitelist_turn_in_off = {
	.name = "whitelist in off",
	.shows = "emcli whitelist in list",
	.summary = "Show agents mail from anybody",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = whitelist_turn_run_in_off,
};

const struct op desk_whitelist_turn_out_on = {
	.name = "whitelist out on",
	.shows = "emcli whitelist out list",
	.summary = "Let agents write to listed recipients only",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = whitelist_turn_run_out_on,
};

const struct op desk_whitelist_turn_out_off = {
	.name = "whitelist out off",
	.shows = "emcli whitelist out list",
	.summary = "Let agents write to anybody",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = whitelist_turn_run_out_off,
};
