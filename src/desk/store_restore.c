/*
 * emcli store restore: the database as it was when a copy was made.  The row of
 * the audit log is written into the copy, since the log is in it.
 */
#include "desk/desk.h"
#include "store/copy.h"

static const struct arg_spec args[] = {
	{ "file", ARG_PATH, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "a copy that store backup made" },
	{ 0 },
};

static const struct field result[] = {
	{ "taken", FIELD_TEXT, .nullable = true,
	    .help = "when the copy's last call was recorded" },
	{ "before", FIELD_TEXT, .nullable = true,
	    .help = "a copy of the database that was there; null: there was "
		    "none" },
	{ 0 },
};

static int
store_restore_record(struct store *s, void *ctx, struct err *e)
{
	struct call *c = ctx;
	int64_t audit = 0;

	if (operate_record(s, c->arena, "store restore", c->args, &audit, e) <
	    0)
		return -1;
	operate_recorded(s, audit, S(""), e);
	return e->kind == ERR_NONE ? 0 : -1;
}

static int
store_restore_run(struct call *c, struct json *out, struct err *e)
{
	const struct env *env = operate_env(c);
	const struct store_keys keys = { env->admin_key, env->agent_key };
	const struct store_restore r = { env->db,
		str_c(c->arena, args_text(c->args, "file")), &keys,
		store_restore_record, c };
	struct store_restored done;

	if (store_restore(&r, c->arena, &done, e) < 0)
		return -1;
	json_put_str_or_null(out, "taken", done.taken);
	json_put_str_or_null(out, "before", done.before);
	gate_tell(c, "the database is as it was in the copy%s%.*s",
	    done.taken.n > 0 ? ", whose last call is of " : "",
	    STR_ARG(done.taken));
	if (done.before.n > 0)
		gate_tell(c, "the one that was there is in %.*s",
		    STR_ARG(done.before));
	gate_tell(c,
	    "Every agent is stopped: agents and rules that were taken away "
	    "since are back");
	gate_tell(c,
	    "Next: emcli agent list, emcli account list; then emcli thaw");
	return 0;
}

const struct op desk_store_restore = {
	.name = "store restore",
	.summary =
	    "Put a copy in the place of the database; agents are stopped",
	.effect = EFFECT_OPERATE,
	.needs = NEED_KEY,
	.args = args,
	.result = result,
	.run = store_restore_run,
};
