/* SPDX-License-Identifier: Apache-2.0 */
/* emcli session show: one session, and its mailbox. */
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
session_show_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	session_args_close(c, &s);
	if (r < 0)
		return -1;
	session_args_put(out, c->arena, &x);
	session_args_say(c, &x);
	return 0;
}

const struct op desk_session_show = {
	.name = "session show",
	.shows = "emcli session list",
	.summary = "Show one session of an agent",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = session_show_run,
};
