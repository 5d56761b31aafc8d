/* SPDX-License-Identifier: Apache-2.0 */
/* mail_check: the inbox, newest first, with bodies.  Nothing is marked. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	{ "unread_only", ARG_FLAG, 0, "only those that are unread",
	    .def = NULL },
	MAIL_ARG_PAGE,
	{ 0 },
};

static const struct field result[] = {
	MAIL_HEAD,
	{ "unread_only", FIELD_BOOL, false, false, "as it was asked", NULL },
	{ "message_count", FIELD_INT, false, false, "messages here", NULL },
	{ "unread_count", FIELD_INT, false, false, "of these, unread ones",
	    NULL },
	{ "messages", FIELD_OBJECTS, false, false, "newest first",
	    mail_put_message_fields },
	MAIL_EXTENSIONS,
	{ 0 },
};

static int
mail_check_run(struct call *c, struct json *out, struct err *e)
{
	bool unread_only = args_has(c->args, "unread_only");
	struct mail_page p = { .without = unread_only ? FLAG_READ : 0,
		.body = true };
	struct mail_box b;
	struct mails l;
	int64_t unread = 0;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_box_folder(c, &b, S("inbox"), &p.folder, e) < 0 ||
	    mail_page_read(c, &b, &p, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		unread += !(l.v[i].flags & FLAG_READ);
	mail_put_head(&b, out);
	json_put_bool(out, "unread_only", unread_only);
	json_put_int(out, "message_count", (int64_t)l.n);
	json_put_int(out, "unread_count", unread);
	return mail_page_put(c, &b, &p, &l, out, e);
}

const struct op op_mail_check = {
	.name = "mail_check",
	.summary = "List the messages in the inbox, newest first",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.columns = MAIL_COLUMNS,
	.run = mail_check_run,
};
