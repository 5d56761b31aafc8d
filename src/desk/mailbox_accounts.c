/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox accounts: the addresses of a root. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ 0 },
};

static const struct field accounts[] = {
	MAILBOX_ARGS_REG_FIELDS,
	{ 0 },
};

static const struct field result[] = {
	{ "accounts", FIELD_OBJECTS, .help = "the registrations",
	    .sub = accounts },
	{ 0 },
};

static int
mailbox_accounts_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_regs l = { 0 };
	struct root r;
	int got = mailbox_args_open(c, false, &r, e);

	if (got == 0)
		got = root_list(&r, &l, e);
	mailbox_args_close(c, &r);
	if (got < 0)
		return -1;
	json_open_array(out, "accounts");
	for (size_t i = 0; i < l.n; i++) {
		json_open_object(out, NULL);
		mailbox_args_put_reg(out, &l.v[i]);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_mailbox_accounts = {
	.name = "mailbox accounts",
	.summary = "List the addresses that are registered in a root",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "address+ principal_id status kind created_at=REGISTERED",
	.run = mailbox_accounts_run,
};
