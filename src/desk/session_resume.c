/* SPDX-License-Identifier: Apache-2.0 */
/* emcli session resume: by its manifest alone. */
#include "desk/desk.h"
#include "desk/session_args.h"

static const struct arg_spec args[] = {
	SESSION_ARGS_ONE,
	SESSION_ARGS_FOREGROUND,
	{ 0 },
};

static const struct field result[] = {
	SESSION_ARGS_FIELDS,
	{ 0 },
};

static int
session_resume_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x = { 0 };
	int r = session_args_find(c, &s, &x, e);

	s.gateway = operate_door(c)->gateway->start;
	x.foreground = args_has(c->args, "foreground");
	if (r == 0)
		r = session_again(&s, &x, e);
	if (r > 0 && x.foreground)
		r = err_set(e, ERR_USAGE,
		    "the session runs already: stop it first");
	if (r > 0)
		operate_note(c, "emcli: note: the session runs already");
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	session_args_become(c, &x);
	session_args_put(out, c->arena, &x);
	session_args_say(c, &x);
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return 0;
}

const struct op desk_session_resume = {
	.name = "session resume",
	.shows = "emcli session list",
	.summary = "Launch the program of a session again",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.hosts = true,
	.args = args,
	.result = result,
	.run = session_resume_run,
};
