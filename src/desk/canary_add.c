/* SPDX-License-Identifier: Apache-2.0 */
/* emcli canary add. */
#include "desk/canary.h"
#include "desk/desk.h"
#include "store/outbox.h"

static const struct field result[] = {
	{ "added", FIELD_INT, .help = "number of words" },
	{ 0 },
};

static int
canary_add_run(struct call *c, struct json *out, struct err *e)
{
	if (canary_each(c, "added", store_canary_add, e) < 0)
		return -1;
	json_put_int(out, "added", (int64_t)args_list(c->args, "word")->n);
	return 0;
}

const struct op desk_canary_add = {
	.name = "canary add",
	.shows = "emcli canary list",
	.summary = "Plant words; a message that contains one is held",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = canary_args,
	.result = result,
	.run = canary_add_run,
};
