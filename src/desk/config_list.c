/* SPDX-License-Identifier: Apache-2.0 */
/* emcli config list. */
#include "desk/config_shown.h"
#include "desk/desk.h"

static const struct field result[] = {
	{ "settings", FIELD_OBJECTS, .help = "of the whole store",
	    .sub = config_shown_fields },
	{ 0 },
};

static int
config_list_run(struct call *c, struct json *out, struct err *e)
{
	struct str text;

	json_open_array(out, "settings");
	for (const struct setting *s = config_table; s->name != NULL; s++) {
		if (config_value(operate_store(c), c->arena, s, &text, e) < 0)
			return -1;
		json_open_object(out, NULL);
		config_shown_put(out, c->arena, s, text);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_config_list = {
	.name = "config list",
	.shows = "emcli config list",
	.summary = "List the settings",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = result,
	.columns = "key value default range means=MEANING",
	.run = config_list_run,
};
