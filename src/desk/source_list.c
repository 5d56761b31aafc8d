/* emcli source list: which account plays which part, and what each can do. */
#include "desk/desk.h"
#include "desk/source_known.h"

static const struct arg_spec args[] = {
	{ 0 },
};

const struct op desk_source_list = {
	.name = "source list",
	.summary = "Show which account is which source, and what it can",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = source_known_result,
	.columns = SOURCE_KNOWN_COLUMNS,
	.run = source_known_put,
};
