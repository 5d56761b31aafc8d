/*
 * emcli freeze: stops agents from their next call on.  It needs no key, for a
 * person in a hurry has none at hand; whoever should not have run it has done
 * no more than to stop.  emcli thaw wants the admin key.
 */
#include "store/freeze.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/limits.h"
#include "door/admin/internal.h"
#include "door/out.h"

#define WHO                                                                    \
	{ .name = "agent", .type = ARG_TEXT, .help = "this agent alone" },     \
	{                                                                      \
		.name = "account", .type = ARG_ACCOUNT,                        \
		.help = "on this account alone"                                \
	}

const struct arg_spec admin_freeze_args[] = {
	WHO,
	{ .name = "why",
	    .type = ARG_TEXT,
	    .help = "one line, shown by doctor and in the audit log" },
	{ 0 },
};

const struct arg_spec admin_freeze_thaw_args[] = {
	WHO,
	{ .name = "all", .type = ARG_FLAG, .help = "lift every freeze" },
	{ 0 },
};

static int
read_freeze(const struct admin_call *c, struct store_freeze *f, struct err *e)
{
	*f = (struct store_freeze){
		.agent = args_text(c->args, "agent"),
		.account = args_text(c->args, "account"),
	};
	if (!args_has(c->args, "agent") ||
	    env_is_agent(str_c(c->arena, f->agent)))
		return 0;
	return err_set(e, ERR_USAGE,
	    "an agent's name is 1 to 64 of A-Z a-z 0-9 . _ -, and not "
	    "operator");
}

/* "every agent", "agent bob on account work" */
static struct str
freeze_words(struct arena *a, const struct store_freeze *f)
{
	return str_fmt(a, "%s%.*s%s%.*s",
	    f->agent.n > 0 ? "agent " : "every agent", STR_ARG(f->agent),
	    f->account.n > 0 ? " on account " : "", STR_ARG(f->account));
}

int
admin_freeze(struct admin_call *c, struct err *e)
{
	struct store_keys keys = { c->env->admin_key, c->env->agent_key };
	struct store_freeze f;
	char *db;
	int r;

	if (read_freeze(c, &f, e) < 0)
		return -1;
	f.why = args_text(c->args, "why");
	/* Here and not from c->env: a key that cannot be read stops nobody
	 * from stopping. */
	db = env_db();
	if (db == NULL)
		return err_set(e, ERR_CONFIG,
		    "neither EMCLI_DB nor HOME is set");
	r = store_freeze_put(db, &keys, &f, e);
	free(db);
	if (r < 0)
		return -1;
	buf_fmt(c->out, "frozen: %.*s; emcli thaw ends it\n",
	    STR_ARG(freeze_words(c->arena, &f)));
	return 0;
}

/* What is stopped all the same. */
static int
put_rest(struct admin_call *c, struct err *e)
{
	struct store_freezes f;
	size_t shown;

	if (store_freeze_list(c->store, c->arena, S(""), &f, e) < 0)
		return -1;
	shown = f.n < LIMIT_FREEZES_SHOWN ? f.n : LIMIT_FREEZES_SHOWN;
	for (size_t i = 0; i < shown; i++)
		buf_fmt(c->out, "still frozen: %.*s, since %.*s%s%.*s\n",
		    STR_ARG(freeze_words(c->arena, &f.v[i])),
		    STR_ARG(clock_rfc3339(c->arena, f.v[i].at_s)),
		    f.v[i].why.n > 0 ? ": " : "",
		    STR_ARG(out_line(c->arena, f.v[i].why)));
	if (f.all > shown)
		buf_fmt(c->out,
		    "and %zu more; emcli thaw --all lifts every one\n",
		    f.all - shown);
	return 0;
}

static int
thaw_all(struct admin_call *c, struct err *e)
{
	size_t n;

	if (args_has(c->args, "agent") || args_has(c->args, "account"))
		return err_set(e, ERR_USAGE,
		    "--all goes without --agent and --account");
	if (store_freeze_lift_all(c->store, &n, e) < 0)
		return -1;
	c->done = str_fmt(c->arena, "%zu lifted", n);
	buf_fmt(c->out, "thawed: every freeze (%zu)\n", n);
	return 0;
}

int
admin_freeze_thaw(struct admin_call *c, struct err *e)
{
	struct store_freeze f;

	if (args_has(c->args, "all"))
		return thaw_all(c, e);
	if (read_freeze(c, &f, e) < 0)
		return -1;
	if (store_freeze_lift(c->store, f.agent, f.account, e) < 0) {
		/* What there is to thaw is the next step. */
		struct err unused = { 0 };

		c->report = put_rest(c, &unused) == 0;
		return -1;
	}
	buf_fmt(c->out, "thawed: %.*s\n", STR_ARG(freeze_words(c->arena, &f)));
	return put_rest(c, e);
}
