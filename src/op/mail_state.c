/* SPDX-License-Identifier: Apache-2.0 */
/* mail_state: the first way to mark a message as read, and no more. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	MAIL_ARG_REF,
	{ "read", ARG_CHOICE, ARG_REQUIRED, "true", .choices = "true",
	    .def = NULL },
	{ 0 },
};

static const struct field result[] = {
	MAIL_HEAD,
	{ "message_ref", FIELD_TEXT, false, false, "as it was given", NULL },
	{ "read", FIELD_BOOL, false, false, "true", NULL },
	{ 0 },
};

static int
mail_state_run(struct call *c, struct json *out, struct err *e)
{
	const struct flag_change read = { .set = FLAG_READ };
	struct mailbox_pick p;
	struct mail_box b;
	struct mails l;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_refs(c, &b, "message_ref", S(""), &p, e) < 0)
		return -1;
	if (mailbox_organise_mark(c->mailbox, &p, &read, &l, e) < 0)
		return mail_missing(e);
	mail_put_head(&b, out);
	json_put_str(out, "message_ref", args_text(c->args, "message_ref"));
	json_put_bool(out, "read", true);
	return 0;
}

const struct op op_mail_state = {
	.name = "mail_state",
	.summary = "Mark one message as read",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.run = mail_state_run,
};
