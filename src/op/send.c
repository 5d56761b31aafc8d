/* SPDX-License-Identifier: Apache-2.0 */
/* emcli send: plain text, to all recipients or to none. */
#include "gate/outbox.h"

#include "op/internal.h"
#include "op/send_out.h"
#include "op/send_reply.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT,
	    .help = "account to send from; optional if there is only one" },
	{ "to", ARG_ADDRESS, ARG_REQUIRED | ARG_MANY, .help = "recipients",
	    .unless = "reply_all" },
	{ "cc", ARG_ADDRESS, ARG_MANY, .help = "copies" },
	{ "bcc", ARG_ADDRESS, ARG_MANY,
	    .help = "Bcc recipients: nobody else sees them" },
	{ "subject", ARG_TEXT,
	    .help = "subject; a reply without one uses the original's" },
	{ "body", ARG_LONG_TEXT, ARG_REQUIRED, .help = "text of the message" },
	{ "attach", ARG_PATH, ARG_MANY | ARG_FILE,
	    .help = "files below the account's attach_dir" },
	{ "reply_to", ARG_UID, .help = "uid of the message this answers" },
	{ "reply_all", ARG_FLAG,
	    .help = "with reply_to: to its author and its other recipients, "
		    "besides to and cc" },
	{ "quote", ARG_FLAG,
	    .help = "with reply_to: quote its text below the body" },
	{ "folder", ARG_FOLDER, .help = "folder that uid is in",
	    .def = "INBOX" },
	SEND_OUT_ARGS_LAST,
	{ 0 },
};

static int
send_run(struct call *c, struct json *out, struct err *e)
{
	struct outgoing m = {
		.to = args_list(c->args, "to"),
		.cc = args_list(c->args, "cc"),
		.bcc = args_list(c->args, "bcc"),
		.subject = args_text(c->args, "subject"),
		.body = args_text(c->args, "body"),
		.attach = args_list(c->args, "attach"),
		.key = args_text(c->args, "idempotency_key"),
		.as_is = args_has(c->args, "as_is"),
	};

	if (!args_has(c->args, "subject") && !args_has(c->args, "reply_to"))
		return err_set(e, ERR_USAGE, "subject is missing");
	return send_out(c, &m, send_reply, out, e);
}

const struct op op_send = {
	.name = "send",
	.summary = "Send a plain-text message, or a reply",
	.effect = EFFECT_SEND,
	.needs = NEED_ACCOUNT | NEED_SUBMIT,
	.signs = true,
	.skill = "mail-send",
	.args = args,
	.result = send_out_result,
	.run = send_run,
	.put_sent = send_out_put,
};
