/* SPDX-License-Identifier: Apache-2.0 */
/* mail_peek: one message, and nothing is marked. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = { MAIL_ARGS, MAIL_ARG_REF, MAIL_ARG_BOX,
	{ 0 } };

static int
mail_peek_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_pick p;
	struct mail_box b;
	struct mails l;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_refs(c, &b, "message_ref", args_text(c->args, "box"), &p, e) <
		0)
		return -1;
	b.states = true;
	if (mailbox_pick(c->mailbox, &p, &l, e) < 0)
		return mail_missing(e);
	return mail_put_picked(c, &b, out, "peek", &l, e);
}

const struct op op_mail_peek = {
	.name = "mail_peek",
	.summary = "Show one message and leave it unread",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = mail_put_action_fields,
	.heads = MAIL_HEADS,
	.body = "body_text",
	.run = mail_peek_run,
};
