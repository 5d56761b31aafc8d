/* SPDX-License-Identifier: Apache-2.0 */
/* mail_status: whose mailbox it is.  No server is asked. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = { MAIL_ARGS, { 0 } };

static const struct field result[] = {
	MAIL_HEAD,
	{ "bindings_version", FIELD_TEXT, false, false,
	    "another one: resolve the binding again", NULL },
	{ 0 },
};

static int
mail_status_run(struct call *c, struct json *out, struct err *e)
{
	struct mail_box b;

	if (mail_begin(c, &b, e) < 0)
		return -1;
	mail_put_head(&b, out);
	json_put_str(out, "bindings_version", b.binding->version);
	return 0;
}

const struct op op_mail_status = {
	.name = "mail_status",
	.summary = "Whose mailbox this is, and the version of its binding",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.run = mail_status_run,
};
