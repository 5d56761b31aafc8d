/* SPDX-License-Identifier: Apache-2.0 */
/* mail_move: into another box. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	MAIL_ARG_REFS,
	{ "destination_box", ARG_FOLDER, ARG_REQUIRED | ARG_BOX,
	    "the box to move them to; one that is not there is made",
	    .def = NULL },
	{ 0 },
};

static int
mail_move_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_pick p;
	struct mail_box b;
	struct str to;
	struct mails l;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_refs(c, &b, "message_refs", S(""), &p, e) < 0 ||
	    mail_box_folder(c, &b, args_text(c->args, "destination_box"), &to,
		e) < 0)
		return -1;
	b.states = true;
	if (mailbox_organise_move(c->mailbox, &p, to, &l, e) < 0)
		return mail_missing(e);
	return mail_put_changed(c, &b, out, "move", &l, e);
}

const struct op op_mail_move = {
	.name = "mail_move",
	.summary = "Move messages into another box",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = mail_put_changed_fields,
	.columns = "message_ref+ box subject<",
	.run = mail_move_run,
};
