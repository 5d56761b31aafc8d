/* SPDX-License-Identifier: Apache-2.0 */
/* emcli home remove: removes a home and its manifest. */
#include "desk/desk.h"
#include "desk/home_args.h"

static const struct arg_spec args[] = {
	HOME_ARGS_HOME,
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field result[] = {
	{ "removed", FIELD_TEXT, .help = "the home's name" },
	{ 0 },
};

static int
home_remove_run(struct call *c, struct json *out, struct err *e)
{
	struct str id = args_text(c->args, "home");

	if (home_remove(args_text(c->args, "runtime_root"), id, c->arena, e) <
	    0)
		return -1;
	json_put_str(out, "removed", id);
	gate_say(c, GATE_PLAIN, "removed");
	return 0;
}

const struct op desk_home_remove = {
	.name = "home remove",
	.summary = "Remove a home of an agent with all that is in it",
	.effect = EFFECT_OPERATE,
	.needs = NEED_FILES,
	.shows = "emcli home list",
	.args = args,
	.result = result,
	.run = home_remove_run,
};
