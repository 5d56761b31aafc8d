/* SPDX-License-Identifier: Apache-2.0 */
/* emcli model remove. */
#include "desk/desk.h"
#include "store/model.h"

static const struct arg_spec args[] = {
	{ "model", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name, as emcli model list shows it" },
	{ 0 },
};

static const struct field result[] = {
	{ "removed", FIELD_TEXT, .help = "the model's name" },
	{ 0 },
};

static int
model_remove_run(struct call *c, struct json *out, struct err *e)
{
	struct str name = args_text(c->args, "model");

	if (store_model_remove(operate_store(c), name, e) < 0)
		return -1;
	json_put_str(out, "removed", name);
	gate_tell(c, "removed %.*s", STR_ARG(name));
	return 0;
}

const struct op desk_model_remove = {
	.name = "model remove",
	.shows = "emcli model list",
	.summary = "Remove a model from ask",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = model_remove_run,
};
