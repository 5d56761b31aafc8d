/* SPDX-License-Identifier: Apache-2.0 */
/* emcli home list: the homes below the runtime root. */
#include "desk/desk.h"
#include "desk/home_args.h"

static const struct arg_spec args[] = {
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field homes[] = {
	HOME_ARGS_FIELDS,
	{ 0 },
};

static const struct field result[] = {
	{ "homes", FIELD_OBJECTS, .help = "the homes", .sub = homes },
	{ 0 },
};

static int
home_list_run(struct call *c, struct json *out, struct err *e)
{
	struct home_entry *v;
	size_t n;

	if (home_list(args_text(c->args, "runtime_root"), c->arena, &v, &n, e) <
	    0)
		return -1;
	json_open_array(out, "homes");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		home_args_put(out, &v[i]);
		home_args_warn(c, &v[i]);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_home_list = {
	.name = "home list",
	.summary = "List the homes of agents",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.columns = "home_id+ tool agent role? address? state built_at@?",
	.run = home_list_run,
};
