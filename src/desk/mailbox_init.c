/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox init: makes a mailbox root, or completes one. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ 0 },
};

static const struct field result[] = {
	{ "root", FIELD_TEXT, .help = "its absolute path" },
	{ "registrations", FIELD_INT,
	    .help = "how many are active, the operator's too" },
	{ 0 },
};

static int
mailbox_init_put(struct call *c, struct root *r, struct json *out,
    struct err *e)
{
	struct agentbox_regs l;
	size_t n = 0;

	if (root_list(r, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		n += l.v[i].status == AGENTBOX_ACTIVE;
	json_put_str(out, "root", root_path(r));
	json_put_int(out, "registrations", (int64_t)n);
	gate_say(c, GATE_GOOD, "the mailbox root is ready: %.*s",
	    STR_ARG(root_path(r)));
	gate_say(c, GATE_NEXT,
	    "register addresses with emcli mailbox register, or start sessions "
	    "with it");
	return 0;
}

static int
mailbox_init_run(struct call *c, struct json *out, struct err *e)
{
	struct root r;
	int got = mailbox_args_open(c, true, &r, e);

	if (got == 0)
		got = mailbox_init_put(c, &r, out, e);
	mailbox_args_close(c, &r);
	return got;
}

const struct op desk_mailbox_init = {
	.name = "mailbox init",
	.summary = "Make a mailbox root for agents",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_init_run,
};
