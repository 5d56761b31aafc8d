/* SPDX-License-Identifier: Apache-2.0 */
/* emcli canary remove. */
#include "desk/canary.h"
#include "desk/desk.h"
#include "store/outbox.h"

static const struct field result[] = {
	{ "removed", FIELD_INT, .help = "number of words" },
	{ 0 },
};

static int
canary_remove_run(struct call *c, struct json *out, struct err *e)
{
	if (canary_each(c, "removed", store_canary_remove, e) < 0)
		return -1;
	json_put_int(out, "removed", (int64_t)args_list(c->args, "word")->n);
	return 0;
}

const struct op desk_canary_remove = {
	.name = "canary remove",
	.shows = "emcli canary list",
	.summary = "Remove planted words",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = canary_args,
	.result = result,
	.run = canary_remove_run,
};
