/* SPDX-License-Identifier: Apache-2.0 */
/* emcli session stop: ends the program; mailbox and manifest stay. */
#include "desk/desk.h"
#include "desk/session_args.h"

static const struct arg_spec args[] = {
	SESSION_ARGS_ONE,
	{ 0 },
};

static const struct field result[] = {
	SESSION_ARGS_FIELDS,
	{ 0 },
};

static int
session_stop_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	if (r == 0)
		r = session_again_stop(&s, &x, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	session_args_put(out, c->arena, &x);
	session_args_say(c, &x);
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return 0;
}

const struct op desk_session_stop = {
	.name = "session stop",
	.shows = "emcli session list",
	.summary = "End the program of a session",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = session_stop_run,
};
