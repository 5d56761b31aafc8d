/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mail_wait: until something in the inbox may have changed, hidden mail
 * included.  So it is for the gateway's notifier alone, which then looks by
 * mail_unread; no route leads to it.
 */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	{ "timeout", ARG_COUNT, 0, "seconds to wait at most", .min = 1,
	    .max = LIMIT_WATCH_S, .def = "60" },
	{ 0 },
};

static const struct field result[] = {
	MAIL_HEAD,
	{ "changed", FIELD_BOOL, false, false,
	    "something may have changed; false: the time is over", NULL },
	{ 0 },
};

static int
mail_wait_run(struct call *c, struct json *out, struct err *e)
{
	int64_t wait_ms = (int64_t)args_count(c->args, "timeout", 60) * 1000;
	struct str folder;
	struct mail_box b;
	bool changed;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_box_folder(c, &b, S("inbox"), &folder, e) < 0 ||
	    mailbox_watch(c->mailbox, folder, wait_ms, &changed, e) < 0)
		return -1;
	mail_put_head(&b, out);
	json_put_bool(out, "changed", changed);
	return 0;
}

const struct op op_mail_wait = {
	.name = "mail_wait",
	.summary = "Wait until something in the inbox may have changed",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.run = mail_wait_run,
};
