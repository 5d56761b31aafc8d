/* SPDX-License-Identifier: Apache-2.0 */
/* emcli store backup: a copy of the database, while others use it. */
#include "desk/desk.h"
#include "store/copy.h"

static const struct arg_spec args[] = {
	{ "file", ARG_PATH, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "the new file, in a folder that exists" },
	{ 0 },
};

static const struct field result[] = {
	{ "file", FIELD_TEXT, .help = "the copy, readable by you alone" },
	{ "bytes", FIELD_INT, .help = "its size" },
	{ 0 },
};

static int
store_backup_run(struct call *c, struct json *out, struct err *e)
{
	struct str to = args_text(c->args, "file");
	uint64_t bytes;

	if (store_about_need_file(operate_env(c)->db, "store backup",
		"copy the database with pg_dump: the copy opens with the keys "
		"of today",
		e) < 0 ||
	    store_copy_make(operate_store(c), str_c(c->arena, to),
		operate_door(c)->progress, &bytes, e) < 0)
		return -1;
	json_put_str(out, "file", to);
	json_put_int(out, "bytes", (int64_t)bytes);
	gate_tell(c, "%.*s is a copy of the database as it is now",
	    STR_ARG(to));
	gate_tell(c,
	    "It opens with the keys of today; keep EMCLI_ADMIN_KEY "
	    "elsewhere");
	return 0;
}

const struct op desk_store_backup = {
	.name = "store backup",
	.summary = "Copy the database into a file, while others use it",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = store_backup_run,
};
