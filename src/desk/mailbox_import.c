/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox import: copies a root of protocol 1 or 3 into one. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ .name = "from",
	    .type = ARG_PATH,
	    .flags = ARG_REQUIRED,
	    .help = "the root to copy, which is not changed" },
	{ 0 },
};

static const struct field result[] = {
	MAILBOX_ARGS_PORTED_FIELDS,
	{ 0 },
};

static int
mailbox_import_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_ported p = { 0 };
	struct root r;
	int got = mailbox_args_open(c, false, &r, e);

	if (got == 0)
		got = root_import(&r, args_text(c->args, "from"), &p, e);
	mailbox_args_close(c, &r);
	if (got == 0)
		mailbox_args_tell_ported(c, out, &p);
	return got;
}

const struct op desk_mailbox_import = {
	.name = "mailbox import",
	.summary = "Copy another mailbox root into this one",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_import_run,
};
