/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox export: copies a root into a new one of protocol 1 or 3. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ .name = "to",
	    .type = ARG_PATH,
	    .flags = ARG_REQUIRED,
	    .help = "the new root, which must not exist" },
	{ .name = "protocol",
	    .type = ARG_CHOICE,
	    .help = "its protocol",
	    .choices = "1|3",
	    .def = "1" },
	{ 0 },
};

static const struct field result[] = {
	MAILBOX_ARGS_PORTED_FIELDS,
	{ 0 },
};

static int
mailbox_export_run(struct call *c, struct json *out, struct err *e)
{
	bool third = str_eq(args_text(c->args, "protocol"), S("3"));
	struct agentbox_ported p = { 0 };
	struct root r;
	int got = mailbox_args_open(c, false, &r, e);

	if (got == 0)
		got = root_export(&r, args_text(c->args, "to"), third ? 3 : 1,
		    &p, e);
	mailbox_args_close(c, &r);
	if (got == 0)
		mailbox_args_tell_ported(c, out, &p);
	return got;
}

const struct op desk_mailbox_export = {
	.name = "mailbox export",
	.summary = "Copy a mailbox root into a new one",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_export_run,
};
