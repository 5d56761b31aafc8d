/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli freeze: stops agents from their next call on.  It needs no key, because
 * a person in a hurry may not have one at hand, and whoever runs it without
 * right has only stopped agents.  emcli thaw needs the admin key.
 */
#include "desk/freeze.h"

#include <stdlib.h>
#include <unistd.h>

#include "desk/desk.h"
#include "store/store.h"

static const struct arg_spec args[] = {
	FREEZE_WHO,
	{ "why", ARG_TEXT,
	    .help = "one line, shown by doctor and in the audit log" },
	{ 0 },
};

static const struct field result[] = {
	{ "frozen", FIELD_TEXT,
	    .help = "the agent or account that is stopped" },
	{ 0 },
};

int
freeze_read(const struct call *c, struct store_freeze *f, struct err *e)
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

struct str
freeze_words(struct arena *a, const struct store_freeze *f)
{
	return str_fmt(a, "%s%.*s%s%.*s",
	    f->agent.n > 0 ? "agent " : "every agent", STR_ARG(f->agent),
	    f->account.n > 0 ? " on account " : "", STR_ARG(f->account));
}

/* A program that prints it may ask a person, fail, or take a minute. */
static const struct secret *
freeze_key(const struct secret *s)
{
	return secret_later_due(s) ? NULL : s;
}

/*
 * There are too many freezes of callers without a key.  The program is asked
 * after all, but not as another user than the one that called emcli.
 */
static bool
freeze_ask_key(const struct secret *admin, uid_t caller)
{
	struct err unused = { 0 };

	return caller == geteuid() && secret_later_due(admin) &&
	    secret_later_get(admin, &unused) == 0;
}

static int
freeze_put(const struct env *env, const char *db, const struct store_freeze *f,
    struct err *e)
{
	const uid_t caller = geteuid();
	struct store_keys keys = {
		.admin = freeze_key(env->admin_key),
		.agent = freeze_key(env->agent_key),
	};

	if (operate_owner_become(db, e) < 0)
		return -1;
	if (store_freeze_put(db, &keys, f, e) == 0)
		return 0;
	if (e->kind != ERR_LIMIT || !freeze_ask_key(env->admin_key, caller))
		return -1;
	*e = (struct err){ 0 };
	keys.admin = env->admin_key;
	return store_freeze_put(db, &keys, f, e);
}

static int
freeze_run(struct call *c, struct json *out, struct err *e)
{
	struct store_freeze f;
	char *db;
	int r;

	if (freeze_read(c, &f, e) < 0)
		return -1;
	f.why = args_text(c->args, "why");
	/*
	 * Not from the environment that was read before: an unreadable key must
	 * not prevent a freeze.
	 */
	db = env_db();
	if (db == NULL)
		return err_set(e, ERR_CONFIG,
		    "neither EMCLI_DB nor HOME is set");
	r = freeze_put(operate_env(c), db, &f, e);
	free(db);
	if (r < 0 && e->kind == ERR_CONFIG && e->hint == NULL)
		return err_hint(e,
		    "if a broker has the database, root or the broker's user "
		    "freezes; an agent stops itself: emcli freeze-self");
	if (r < 0)
		return -1;
	json_put_str(out, "frozen", freeze_words(c->arena, &f));
	gate_tell(c, "frozen: %.*s; emcli thaw ends it",
	    STR_ARG(freeze_words(c->arena, &f)));
	return 0;
}

const struct op desk_freeze = {
	.name = "freeze",
	.summary = "Stop every agent, or one, at once; needs no key",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = freeze_run,
};
