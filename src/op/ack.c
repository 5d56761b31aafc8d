/* SPDX-License-Identifier: Apache-2.0 */
/* emcli ack: the only command that advances what this agent has seen. */
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, .help = "folder the messages are in",
	    .def = "INBOX" },
	{ "uid", ARG_UIDS, ARG_REQUIRED | ARG_MANY,
	    .help = "messages dealt with: 7, or 1,2,5:9" },
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field result[] = {
	{ "acked", FIELD_INTS,
	    .help = "uids that list --new skips from now on" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
ack_run(struct call *c, struct json *out, struct err *e)
{
	const struct arg *uid = args_find(c->args, S("uid"));

	if (mailbox_ack(c->mailbox, args_text(c->args, "folder"), uid->uid,
		uid->uids, e) < 0)
		return -1;
	json_open_array(out, "acked");
	for (size_t i = 0; i < uid->uids; i++)
		json_put_int(out, NULL, uid->uid[i]);
	json_close_array(out);
	return 0;
}

const struct op op_ack = {
	.name = "ack",
	.summary = "Mark messages as dealt with, so that list --new skips them",
	.effect = EFFECT_STATE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-read",
	.args = args,
	.result = result,
	.run = ack_run,
};
