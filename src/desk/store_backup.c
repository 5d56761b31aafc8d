/* SPDX-License-Identifier: Apache-2.0 */
/* emcli store backup: a copy of the database, while others use it. */
#include <sys/stat.h>

#include "desk/desk.h"
#include "store/copy.h"
#include "store/transfer.h"

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

/* Of a server's, all rows; of a file, its pages. */
static int
store_backup_make(struct call *c, const char *to, uint64_t *bytes,
    struct err *e)
{
	const struct env *env = operate_env(c);
	const struct store_keys keys = { env->admin_key, env->agent_key };
	const struct store_transfer x = {
		.from = operate_store(c),
		.to = to,
		.keys = &keys,
		.progress = operate_door(c)->progress,
	};
	struct store_transferred done;
	struct stat st;

	if (!store_about_is_file(to)) {
		(void)err_set(e, ERR_USAGE, "store backup writes a file");
		return err_hint(e, "emcli store copy --to takes a URI");
	}
	if (store_about_is_file(env->db))
		return store_copy_make(x.from, to, x.progress, bytes, e);
	if (store_transfer(&x, c->arena, &done, e) < 0)
		return -1;
	*bytes = lstat(to, &st) == 0 ? (uint64_t)st.st_size : 0;
	return 0;
}

static int
store_backup_run(struct call *c, struct json *out, struct err *e)
{
	struct str to = args_text(c->args, "file");
	uint64_t bytes = 0;

	if (store_backup_make(c, str_c(c->arena, to), &bytes, e) < 0)
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
