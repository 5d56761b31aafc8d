/* SPDX-License-Identifier: Apache-2.0 */
/* emcli archive: out of the inbox, to where they are kept. */
#include "op/internal.h"
#include "op/organise.h"

static const struct arg_spec args[] = {
	ORGANISE_ARGS,
	ORGANISE_ARGS_END,
};

static int
archive_run(struct call *c, struct json *out, struct err *e)
{
	return organise_move_role(c, FOLDER_ARCHIVE, FOLDER_ALL, out, e);
}

const struct op op_archive = {
	.name = "archive",
	.summary = "Move messages into the archive",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-organize",
	.args = args,
	.result = organise_fields,
	.columns = ORGANISE_COLUMNS,
	.run = archive_run,
	.put_change = organise_put,
};
