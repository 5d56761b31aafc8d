/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mail_unread: which messages in the inbox are unread, and no word of them.  So
 * the gateway's notifier can look without the agent having read anything.
 */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = { MAIL_ARGS, { 0 } };

static const struct field result[] = {
	MAIL_HEAD,
	{ "message_refs", FIELD_TEXTS, false, false, "newest first", NULL },
	{ "more", FIELD_BOOL, false, false, "there are older ones", NULL },
	{ 0 },
};

static int
mail_unread_find(struct call *c, struct mailbox_query *q, struct strs *refs,
    const struct mail_box *b, struct err *e)
{
	do {
		struct mails l;

		if (mailbox_find(c->mailbox, q, &l, e) < 0)
			return -1;
		for (size_t i = 0; i < l.n; i++)
			str_push(c->arena, refs,
			    str_fmt(c->arena, "%.*s:%.*s",
				STR_ARG(b->binding->transport),
				STR_ARG(l.v[i].id)));
		q->before = l.next_before;
	} while (q->before != 0 && refs->n < LIMIT_NOTIFIER_REFS);
	return 0;
}

static int
mail_unread_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_query q = {
		.without = FLAG_READ,
		.limit = LIMIT_PAGE,
		.ids_only = true,
	};
	struct strs refs = { 0 };
	struct mail_box b;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_box_folder(c, &b, S("inbox"), &q.folder, e) < 0 ||
	    mail_unread_find(c, &q, &refs, &b, e) < 0)
		return -1;
	mail_put_head(&b, out);
	json_put_strs(out, "message_refs", &refs);
	json_put_bool(out, "more", q.before != 0);
	return 0;
}

const struct op op_mail_unread = {
	.name = "mail_unread",
	.summary = "List the refs of the unread messages in the inbox",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.run = mail_unread_run,
};
