/* SPDX-License-Identifier: Apache-2.0 */
/* emcli source list: the part each account plays, and what it can do. */
#include "desk/desk.h"
#include "desk/source_known.h"

const struct op desk_source_list = {
	.name = "source list",
	.summary = "List the mail sources, and what each supports",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = source_known_result,
	.columns = SOURCE_KNOWN_COLUMNS,
	.run = source_known_put,
};
