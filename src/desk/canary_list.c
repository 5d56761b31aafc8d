/* SPDX-License-Identifier: Apache-2.0 */
/* emcli canary list. */
#include "desk/desk.h"
#include "desk/picture.h"
#include "store/outbox.h"

static const struct field result[] = {
	{ "canaries", FIELD_TEXTS, .help = "the words" },
	{ 0 },
};

static int
canary_list_run(struct call *c, struct json *out, struct err *e)
{
	struct strs words;

	if (store_canary_list(operate_store(c), c->arena, &words, e) < 0)
		return -1;
	json_open_array(out, "canaries");
	for (size_t i = 0; i < words.n; i++) {
		json_put_str(out, NULL, words.v[i]);
		gate_say_text(c, picture_text(c->arena, words.v[i], false));
	}
	json_close_array(out);
	return 0;
}

const struct op desk_canary_list = {
	.name = "canary list",
	.shows = "emcli canary list",
	.summary = "List the planted words",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = result,
	.run = canary_list_run,
};
