/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli session hook: a hook of an agent's program says whether the agent
 * works.  It needs no key, and writes only into the folder of the session that
 * it runs in.
 */
#include <stdlib.h>

#include "desk/desk.h"
#include "runtime/activity.h"

static const struct arg_spec args[] = {
	{ .name = "state",
	    .type = ARG_CHOICE,
	    .flags = ARG_POSITIONAL | ARG_REQUIRED,
	    .help = "what the agent does now",
	    .choices = "idle|busy" },
	/* Codex adds what happened, which is nobody's business here. */
	{ .name = "event",
	    .type = ARG_TEXT,
	    .flags = ARG_POSITIONAL | ARG_MANY | ARG_QUIET,
	    .help = "not looked at" },
	{ 0 },
};

static const struct field result[] = {
	{ 0 },
};

static int
session_hook_run(struct call *c, struct json *out, struct err *e)
{
	const char *path = getenv("HOUMAO_MANIFEST_PATH");

	(void)out;
	if (path == NULL)
		return err_set(e, ERR_CONFIG,
		    "HOUMAO_MANIFEST_PATH is not set: this is not in a "
		    "session");
	return activity_say(str_of(path),
	    str_eq(args_text(c->args, "state"), S("idle")), c->arena, e);
}

const struct op desk_session_hook = {
	.name = "session hook",
	.summary = "Say, for a hook, that an agent works or waits",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = session_hook_run,
};
