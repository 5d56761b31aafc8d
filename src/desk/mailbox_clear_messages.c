/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox clear-messages: empties mailboxes, and keeps them. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ .name = "address",
	    .type = ARG_TEXT,
	    .help = "only this mailbox; default: every one of the root" },
	AGREE_ARG_YES,
	{ 0 },
};

static const struct field result[] = {
	{ "address", FIELD_TEXT, .nullable = true,
	    .help = "the mailbox that was emptied; null: all of them" },
	{ "mailboxes", FIELD_INT, .help = "how many were emptied" },
	{ "messages", FIELD_INT, .help = "that were removed from them" },
	{ "removed", FIELD_INT,
	    .help = "messages that no other mailbox has: their files are "
		    "removed" },
	{ 0 },
};

/* Looks, or removes as many as were agreed to. */
static int
mailbox_clear_messages_do(struct call *c, bool look_only, size_t agreed,
    struct agentbox_cleared *out, struct err *e)
{
	const struct agentbox_clear want = {
		.address = args_text(c->args, "address"),
		.look_only = look_only,
		.agreed = agreed,
	};
	struct root r;
	int got = mailbox_args_open(c, false, &r, e);

	if (got == 0)
		got = root_clear(&r, &want, out, e);
	mailbox_args_close(c, &r);
	return got;
}

static struct str
mailbox_clear_messages_what(struct call *c, const struct agentbox_cleared *v)
{
	struct str n = mailbox_args_count(c, v->messages, "message");
	struct str address = args_text(c->args, "address");

	if (address.n == 0)
		return str_fmt(c->arena, "%.*s of all mailboxes (%zu)",
		    STR_ARG(n), v->mailboxes);
	return str_fmt(c->arena,
	    "%.*s of %.*s, of which other mailboxes keep %zu", STR_ARG(n),
	    STR_ARG(address), v->messages - v->removed);
}

static int
mailbox_clear_messages_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_cleared v = { 0 };
	struct str what, address = args_text(c->args, "address");

	if (mailbox_clear_messages_do(c, true, 0, &v, e) < 0)
		return -1;
	what = mailbox_clear_messages_what(c, &v);
	if (v.messages > 0 &&
	    agree(c, str_fmt(c->arena, "remove %.*s", STR_ARG(what)), e) < 0)
		return -1;
	if (mailbox_clear_messages_do(c, false,
		args_has(c->args, "yes") ? 0 : v.messages, &v, e) < 0)
		return -1;
	what = mailbox_clear_messages_what(c, &v);
	json_put_str_or_null(out, "address", address);
	json_put_int(out, "mailboxes", (int64_t)v.mailboxes);
	json_put_int(out, "messages", (int64_t)v.messages);
	json_put_int(out, "removed", (int64_t)v.removed);
	gate_say_line(c, str_fmt(c->arena, "removed %.*s", STR_ARG(what)));
	c->note = what;
	return 0;
}

const struct op desk_mailbox_clear_messages = {
	.name = "mailbox clear-messages",
	.summary = "Remove the messages of a root, and keep its mailboxes",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_clear_messages_run,
};
