/* SPDX-License-Identifier: Apache-2.0 */
/* emcli thaw: ends what emcli freeze began. */
#include "base/clock.h"
#include "base/limits.h"
#include "desk/desk.h"
#include "desk/freeze.h"

static const struct arg_spec args[] = {
	FREEZE_WHO,
	{ "all", ARG_FLAG, .help = "lift every freeze" },
	{ 0 },
};

static const struct field still[] = {
	{ "who", FIELD_TEXT, .help = "who is stopped" },
	{ "since", FIELD_TEXT, .help = "since when" },
	{ "why", FIELD_TEXT, .help = "the reason that was given" },
	{ 0 },
};

static const struct field result[] = {
	{ "thawed", FIELD_TEXT, .optional = true,
	    .help = "the agents and accounts that may go on" },
	{ "frozen", FIELD_OBJECTS, .optional = true,
	    .help = "what is still stopped", .sub = still },
	{ "more", FIELD_INT, .optional = true,
	    .help = "how many freezes there are beyond these" },
	{ 0 },
};

/* What is still stopped. */
static int
thaw_put_rest(struct call *c, struct json *out, struct err *e)
{
	struct store_freezes f;
	size_t shown;

	if (store_freeze_list(operate_store(c), c->arena, S(""), &f, e) < 0)
		return -1;
	shown = f.n < LIMIT_FREEZES_SHOWN ? f.n : LIMIT_FREEZES_SHOWN;
	json_open_array(out, "frozen");
	for (size_t i = 0; i < shown; i++) {
		struct str who = freeze_words(c->arena, &f.v[i]);
		struct str since = clock_rfc3339(c->arena, f.v[i].at_s);

		json_open_object(out, NULL);
		json_put_str(out, "who", who);
		json_put_str(out, "since", since);
		json_put_str(out, "why", f.v[i].why);
		json_close_object(out);
		gate_tell(c, "still frozen: %.*s, since %.*s%s%.*s",
		    STR_ARG(who), STR_ARG(since), f.v[i].why.n > 0 ? ": " : "",
		    STR_ARG(f.v[i].why));
	}
	json_close_array(out);
	if (f.all <= shown)
		return 0;
	json_put_int(out, "more", (int64_t)(f.all - shown));
	gate_tell(c, "and %zu more; emcli thaw --all lifts all", f.all - shown);
	return 0;
}

static int
thaw_all(struct call *c, struct json *out, struct err *e)
{
	size_t n;

	if (args_has(c->args, "agent") || args_has(c->args, "account"))
		return err_set(e, ERR_USAGE,
		    "give --all without --agent and --account");
	if (store_freeze_lift_all(operate_store(c), &n, e) < 0)
		return -1;
	c->note = str_fmt(c->arena, "%zu lifted", n);
	json_put_str(out, "thawed", S("every freeze"));
	gate_tell(c, "thawed: every freeze (%zu)", n);
	return 0;
}

static int
thaw_run(struct call *c, struct json *out, struct err *e)
{
	struct store_freeze f;

	if (args_has(c->args, "all"))
		return thaw_all(c, out, e);
	if (freeze_read(c, &f, e) < 0)
		return -1;
	if (store_freeze_lift(operate_store(c), f.agent, f.account, e) < 0) {
		/* The list of what can be thawed helps with the next step. */
		struct err unused = { 0 };

		(void)thaw_put_rest(c, out, &unused);
		return -1;
	}
	json_put_str(out, "thawed", freeze_words(c->arena, &f));
	gate_tell(c, "thawed: %.*s", STR_ARG(freeze_words(c->arena, &f)));
	return thaw_put_rest(c, out, e);
}

const struct op desk_thaw = {
	.name = "thaw",
	.summary = "Let stopped agents go on",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.report = true,
	.args = args,
	.result = result,
	.run = thaw_run,
};
