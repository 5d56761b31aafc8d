/* SPDX-License-Identifier: Apache-2.0 */
/* mail_send: from this mailbox, to all recipients or to none. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	{ "to", ARG_ADDRESS, ARG_REQUIRED | ARG_MANY, "recipients",
	    .def = NULL },
	{ "cc", ARG_ADDRESS, ARG_MANY, "copies", .def = NULL },
	{ "subject", ARG_TEXT, ARG_REQUIRED, "subject", .def = NULL },
	MAIL_ARG_BODY,
	MAIL_ARG_FILES,
	{ 0 },
};

static int
mail_send_run(struct call *c, struct json *out, struct err *e)
{
	struct outgoing m = {
		.to = args_list(c->args, "to"),
		.cc = args_list(c->args, "cc"),
		.subject = str_trim(args_text(c->args, "subject")),
	};
	struct mail_box b;
	int r;

	if (mail_begin(c, &b, e) < 0 || mail_out_take(c, &m, e) < 0)
		return -1;
	if (m.subject.n == 0)
		return err_set(e, ERR_USAGE, "subject is blank");
	r = mail_out_again(c, &b, &m, "send", out, e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	return mail_out_send(c, &b, &m, "send", out, e);
}

const struct op op_mail_send = {
	.name = "mail_send",
	.summary = "Send a message from this mailbox",
	.effect = EFFECT_SEND,
	.needs = NEED_ACCOUNT | NEED_READ | NEED_SUBMIT,
	.args = args,
	.result = mail_put_action_fields,
	.heads = MAIL_HEADS,
	.body = "body_text",
	.run = mail_send_run,
	.put_sent = mail_out_put_sent,
};
