/* SPDX-License-Identifier: Apache-2.0 */
/* emcli key rewrap. */
#include "desk/desk.h"
#include "desk/key_change.h"
#include "store/key.h"

static const struct arg_spec args[] = {
	{ "dek", ARG_FLAG,
	    .help = "the data key, which seals the accounts' credentials; "
		    "needs both keys" },
	{ 0 },
};

static const struct field result[] = {
	{ "sealed", FIELD_INT, .help = "number of values sealed under it now" },
	{ 0 },
};

static int
key_rewrap_run(struct call *c, struct json *out, struct err *e)
{
	const struct env *env = operate_env(c);
	struct store_keys keys = { env->admin_key, env->agent_key };
	size_t n;

	if (!args_has(c->args, "dek"))
		return err_set(e, ERR_USAGE, "say --dek");
	if (store_key_rewrap(operate_store(c), &keys, &n, e) < 0)
		return -1;
	key_change_note_log(c);
	key_change_note_kept(c);
	json_put_int(out, "sealed", (int64_t)n);
	gate_tell(c, "a new data key is in use; %zu sealed %s under it", n,
	    n == 1 ? "value is" : "values are");
	gate_tell(c,
	    "An earlier copy of the database still opens with its keys: if "
	    "there is one, change the passwords too.");
	return 0;
}

const struct op desk_key_rewrap = {
	.name = "key rewrap",
	.summary = "Seal everything under a new data key",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = key_rewrap_run,
};
