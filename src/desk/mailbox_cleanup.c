/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox cleanup: removes what is left over, after a yes. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ .name = "inactive",
	    .type = ARG_FLAG,
	    .help = "also the mailboxes whose registration ended" },
	{ .name = "stashed",
	    .type = ARG_FLAG,
	    .help = "also the mailboxes that were put aside for another" },
	AGREE_ARG_YES,
	{ 0 },
};

static const struct field result[] = {
	{ "quarantined", FIELD_INT,
	    .help = "files of undelivered messages, removed" },
	{ "locks", FIELD_INT, .help = "of ended processes, removed" },
	{ "mailboxes", FIELD_TEXTS,
	    .help = "the mailboxes that were removed, with what was read in "
		    "them; messages stay in the root" },
	{ 0 },
};

/* Looks, or removes the mailboxes that were agreed to. */
static int
mailbox_cleanup_do(struct call *c, const struct strs *agreed,
    struct agentbox_cleaned *out, struct err *e)
{
	const struct agentbox_clean want = {
		.inactive = args_has(c->args, "inactive"),
		.stashed = args_has(c->args, "stashed"),
		.look_only = agreed == NULL,
		.only = agreed,
	};
	struct root r;
	int got = mailbox_args_open(c, false, &r, e);

	if (got == 0)
		got = root_clean(&r, &want, out, e);
	mailbox_args_close(c, &r);
	return got;
}

static struct str
mailbox_cleanup_what(struct call *c, const struct agentbox_cleaned *v)
{
	struct str s = str_fmt(c->arena, "%.*s",
	    STR_ARG(mailbox_args_count(c, v->quarantined, "quarantined file")));

	for (size_t i = 0; i < v->mailboxes.n; i++)
		s = str_fmt(c->arena, "%.*s%s%.*s", STR_ARG(s),
		    i == 0 ? " and the mailboxes " : ", ",
		    STR_ARG(v->mailboxes.v[i]));
	return s;
}

static int
mailbox_cleanup_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_cleaned v = { 0 };
	struct strs agreed;
	struct str what;

	if (mailbox_cleanup_do(c, NULL, &v, e) < 0)
		return -1;
	agreed = v.mailboxes;
	what = mailbox_cleanup_what(c, &v);
	if ((v.quarantined > 0 || v.mailboxes.n > 0) &&
	    agree(c, str_fmt(c->arena, "remove %.*s", STR_ARG(what)), e) < 0)
		return -1;
	if (mailbox_cleanup_do(c, &agreed, &v, e) < 0)
		return -1;
	what = mailbox_cleanup_what(c, &v);
	json_put_int(out, "quarantined", (int64_t)v.quarantined);
	json_put_int(out, "locks", (int64_t)v.locks);
	json_put_strs(out, "mailboxes", &v.mailboxes);
	gate_say_line(c, str_fmt(c->arena, "removed %.*s", STR_ARG(what)));
	c->note = what;
	return 0;
}

const struct op desk_mailbox_cleanup = {
	.name = "mailbox cleanup",
	.summary = "Remove what a mailbox root does not need any more",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_cleanup_run,
};
