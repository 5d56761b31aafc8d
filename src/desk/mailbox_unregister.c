/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox unregister: ends the registration of an address. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	MAILBOX_ARGS_ADDRESS,
	{ .name = "mode",
	    .type = ARG_CHOICE,
	    .help = "deactivate keeps the mailbox, purge removes it; messages "
		    "stay in the root",
	    .choices = "deactivate|purge",
	    .def = "deactivate" },
	AGREE_ARG_YES,
	{ 0 },
};

static const struct field result[] = {
	{ "address", FIELD_TEXT, .help = "whose registration ended" },
	{ "purged", FIELD_BOOL, .help = "its mailbox was removed" },
	{ 0 },
};

static int
mailbox_unregister_run(struct call *c, struct json *out, struct err *e)
{
	struct str address = args_text(c->args, "address");
	bool purge = str_eq(args_text(c->args, "mode"), S("purge"));
	struct root r = { 0 };
	int got;

	if (purge &&
	    agree(c,
		str_fmt(c->arena,
		    "remove the mailbox of %.*s, and what was read in it",
		    STR_ARG(address)),
		e) < 0)
		return -1;
	got = mailbox_args_open(c, false, &r, e);
	if (got == 0)
		got = root_end(&r, address, purge, e);
	mailbox_args_close(c, &r);
	if (got < 0)
		return -1;
	json_put_str(out, "address", address);
	json_put_bool(out, "purged", purge);
	gate_tell(c, "%.*s is not registered any more%s", STR_ARG(address),
	    purge ? ", and its mailbox is removed" : "");
	return 0;
}

const struct op desk_mailbox_unregister = {
	.name = "mailbox unregister",
	.summary = "End the registration of an address",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_unregister_run,
};
