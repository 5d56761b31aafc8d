/* SPDX-License-Identifier: Apache-2.0 */
/* mail_read: one message, which is read from then on. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = { MAIL_ARGS, MAIL_ARG_REF, MAIL_ARG_BOX,
	{ 0 } };

static int
mail_read_run(struct call *c, struct json *out, struct err *e)
{
	const struct flag_change read = { .set = FLAG_READ };
	struct mailbox_pick p;
	struct mail_box b;
	struct mails l;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_refs(c, &b, "message_ref", args_text(c->args, "box"), &p, e) <
		0)
		return -1;
	b.states = true;
	if (mailbox_organise_mark(c->mailbox, &p, &read, &l, e) < 0)
		return mail_missing(e);
	return mail_put_picked(c, &b, out, "read", &l, e);
}

const struct op op_mail_read = {
	.name = "mail_read",
	.summary = "Show one message and mark it as read",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = mail_put_action_fields,
	.heads = MAIL_HEADS,
	.body = "body_text",
	.run = mail_read_run,
};
