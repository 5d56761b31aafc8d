/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli session pane: what session start has tmux run.  It needs no key, since
 * it becomes the program that a session start hands to it, and nothing else.
 */
#include "desk/desk.h"
#include "runtime/pane.h"

static const struct arg_spec args[] = {
	{ .name = "folder",
	    .type = ARG_PATH,
	    .flags = ARG_POSITIONAL | ARG_REQUIRED,
	    .help = "the folder of the session" },
	{ 0 },
};

static const struct field result[] = {
	{ 0 },
};

static int
session_pane_run(struct call *c, struct json *out, struct err *e)
{
	(void)out;
	return pane_run(args_text(c->args, "folder"), c->arena, e);
}

const struct op desk_session_pane = {
	.name = "session pane",
	.summary = "Become the program of a session that is being started",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = session_pane_run,
};
