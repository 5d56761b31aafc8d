/* SPDX-License-Identifier: Apache-2.0 */
/* emcli session refresh: the same mailbox in another root. */
#include "desk/desk.h"
#include "desk/session_args.h"

static const struct arg_spec args[] = {
	SESSION_ARGS_ONE,
	{ .name = "mailbox_root",
	    .type = ARG_PATH,
	    .flags = ARG_REQUIRED,
	    .help = "the other mailbox root, made if it is not there" },
	{ 0 },
};

static const struct field result[] = {
	SESSION_ARGS_FIELDS,
	SESSION_ARGS_REBOUND_FIELDS,
	{ 0 },
};

static int
session_refresh_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session_rebound was = { 0 };
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	if (r == 0)
		r = session_refresh(&s, &x, args_text(c->args, "mailbox_root"),
		    &was, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	session_args_put(out, c->arena, &x);
	session_args_put_rebound(out, &was);
	session_args_say(c, &x);
	session_args_say_rebound(c, &was);
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return 0;
}

const struct op desk_session_refresh = {
	.name = "session refresh",
	.shows = "emcli session list",
	.summary = "Give a session the same mailbox in another root",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = session_refresh_run,
};
