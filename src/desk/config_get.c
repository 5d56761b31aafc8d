/* SPDX-License-Identifier: Apache-2.0 */
/* emcli config get. */
#include "desk/config_shown.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ CONFIG_SHOWN_KEY },
	{ 0 },
};

static int
config_get_run(struct call *c, struct json *out, struct err *e)
{
	const struct setting *s;
	struct str text;

	if (config_find(c->arena, args_text(c->args, "key"), &s, e) < 0 ||
	    config_value(operate_store(c), c->arena, s, &text, e) < 0)
		return -1;
	config_shown_put(out, c->arena, s, text);
	gate_say_line(c, text);
	return 0;
}

const struct op desk_config_get = {
	.name = "config get",
	.shows = "emcli config list",
	.summary = "Print a setting",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = config_shown_fields,
	.run = config_get_run,
};
