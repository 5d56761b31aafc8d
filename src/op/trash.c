/* SPDX-License-Identifier: Apache-2.0 */
/* emcli trash: into the trash, and never further. */
#include "op/internal.h"
#include "op/organise.h"

static const struct arg_spec args[] = {
	ORGANISE_ARGS,
	ORGANISE_ARGS_END,
};

static int
trash_run(struct call *c, struct json *out, struct err *e)
{
	return organise_move_role(c, FOLDER_TRASH, FOLDER_TRASH, out, e);
}

const struct op op_trash = {
	.name = "trash",
	.summary = "Move messages into the trash, and no further",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.discards = true,
	.skill = "mail-organize",
	.args = args,
	.result = organise_fields,
	.columns = ORGANISE_COLUMNS,
	.run = trash_run,
	.put_change = organise_put,
};
