/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mail_post: the operator writes into an agent's mailbox.  It is the operator's
 * alone: whoever could post as the operator could tell every agent what to do.
 */
#include "op/mail.h"

#include "gate/post.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	{ "subject", ARG_TEXT, ARG_REQUIRED, "subject", .def = NULL },
	MAIL_ARG_BODY,
	{ "reply_policy", ARG_CHOICE, 0, "may the agent answer?",
	    .choices = "none|operator_mailbox", .def = "operator_mailbox" },
	MAIL_ARG_FILES,
	{ 0 },
};

static int
mail_post_run(struct call *c, struct json *out, struct err *e)
{
	struct post p = {
		.account = args_text(c->args, "account"),
		.subject = str_trim(args_text(c->args, "subject")),
		.body = args_text(c->args, "body_content"),
		.policy = args_text(c->args, "reply_policy"),
		.attach = args_list(c->args, "attachments"),
		.labels = args_list(c->args, "attachment_labels"),
		.key = args_text(c->args, "idempotency_key"),
	};
	struct mail_box b;
	struct mail m;
	struct str raw;

	if (mail_begin(c, &b, e) < 0 || fields_key(p.key, e) < 0)
		return -1;
	if (p.subject.n == 0)
		return err_set(e, ERR_USAGE, "subject is blank");
	p.address = b.binding->address;
	if (post_deliver(c, &p, &m, &raw, e) < 0)
		return -1;
	mail_put_head(&b, out);
	json_put_text(out, "operation", "post");
	mail_put_raw(c, &b, out, "message", &m, raw);
	return 0;
}

const struct op op_mail_post = {
	.name = "mail_post",
	.summary = "As the operator, write into this mailbox",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = mail_put_action_fields,
	.heads = MAIL_HEADS,
	.body = "body_text",
	.run = mail_post_run,
};
