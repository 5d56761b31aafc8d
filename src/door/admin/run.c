/* One operator command: arguments, the store, the command, its output. */
#include <errno.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/admin/internal.h"
#include "door/argv.h"
#include "door/out.h"
#include "door/usage.h"
#include "gate/gate.h"
#include "store/audit.h"
#include "store/signed.h"

static int
put_usage(struct admin_call *c)
{
	const struct admin_command *cmd = c->command;
	struct usage u = { str_of(cmd->name), cmd->summary, cmd->args, NULL,
		false };

	usage_put(c->out, &u);
	return out_done(c->out);
}

/* Before a command line that cannot be read, nothing is written. */
static enum admin_needs
command_needs(const struct admin_call *c, bool parsed)
{
	enum admin_needs needs = c->command->needs;

	if (needs != ADMIN_WRITE)
		return needs;
	return parsed && args_has(c->args, "write") ? ADMIN_FILES
						    : ADMIN_NOTHING;
}

/*
 * The operator's half is closed to who holds only the agent's key, before a
 * word is said about what was wrong with the call.
 */
static int
privilege(const struct admin_call *c, enum admin_needs needs, struct err *e)
{
	if (needs == ADMIN_NOTHING || needs == ADMIN_ANYBODY ||
	    c->env->admin_key != NULL)
		return 0;
	if (needs == ADMIN_KEYS && init_makes_keys(c))
		return 0;
	return err_set(e, ERR_CONFIG,
	    "emcli: this command requires EMCLI_ADMIN_KEY (admin privilege)");
}

/* An agent that reached for the operator's half is worth knowing about. */
static void
note_attempt(const struct admin_call *c, const struct err *why)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct reply unused = { 0 };
	struct err e = { 0 };

	if (c->env->agent_key != NULL && gate_open(c->env, &g, &e) == 0)
		gate_refuse(g, c->command->name, why, c->arena, &unused);
}

/*
 * The operator's key is here: what was written since it last was is signed.
 * What is wrong with the log or the rows is said, and keeps the operator from
 * nothing.
 */
static void
sign(struct admin_call *c)
{
	struct store_chain chain;
	struct store_signed rows;
	struct err e = { 0 };

	if (store_chain_sign(c->store, &chain, &e) < 0 ||
	    store_signed_check(c->store, c->arena, &rows, &e) < 0) {
		out_complain(&e, true);
		return;
	}
	if (!chain.whole)
		(void)fprintf(stderr,
		    "emcli: warning: the audit log was tampered with: see "
		    "emcli audit verify\n");
	if (rows.n > 0)
		(void)fprintf(stderr,
		    "emcli: warning: accounts, policy or settings were changed "
		    "by somebody else: see emcli audit verify\n");
}

/* A store of an older emcli: what was in it is taken for the operator's. */
static void
tell_taken(const struct store *s)
{
	struct store_taken t;

	if (store_signed_taken(s, &t))
		(void)fprintf(stderr,
		    "emcli: note: this database is older than signatures over "
		    "accounts and policy: %lld accounts, %lld whitelist "
		    "entries and %lld agents were signed as they are. Look at "
		    "them once; emcli key rotate --admin makes it final\n",
		    (long long)t.accounts, (long long)t.entries,
		    (long long)t.agents);
}

void
admin_run_tell_open(const struct store *s)
{
	unsigned mode = store_open_mode(s);

	if (mode != 0)
		(void)fprintf(stderr,
		    "emcli: warning: others could read the database (mode "
		    "%04o); they cannot any more: see emcli key rotate\n",
		    mode);
	tell_taken(s);
}

/* A host may be told of a server elsewhere, on a machine without a store. */
static bool
has_store(const struct admin_call *c)
{
	return access(c->env->db, F_OK) == 0 || errno != ENOENT;
}

static int
run(struct admin_call *c, enum admin_needs needs, struct args *args,
    struct err *e)
{
	struct store_keys keys = { c->env->admin_key, c->env->agent_key };

	if (args_check(args, c->arena, e) < 0)
		return -1;
	if (needs == ADMIN_STORE || needs == ADMIN_CHANGE ||
	    (needs == ADMIN_FILES && has_store(c))) {
		if (store_open(c->env->db, STORE_ADMIN, &keys, &c->store, e) <
		    0)
			return -1;
		admin_run_tell_open(c->store);
		sign(c);
		if (sole_fill(c, args, e) < 0)
			return -1;
	}
	if (needs == ADMIN_CHANGE || (needs == ADMIN_FILES && c->store != NULL))
		return record_run(c, e);
	return c->command->run(c, e);
}

int
admin_run(const struct admin_command *cmd, int argc, char **argv,
    const struct env *env, const struct err *broken)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct admin_call c = { .env = env, .arena = a, .command = cmd };
	struct err e = { 0 }, bad = { 0 };
	enum admin_needs needs;
	struct args args;
	struct buf out;
	bool help;
	int parsed;

	buf_init(&out, a, LIMIT_MESSAGE);
	c.out = &out;
	c.args = &args;
	parsed = argv_parse(cmd->args, argc, argv, a, &args, &help, &bad);
	if (parsed == 0 && help)
		return put_usage(&c);
	needs = command_needs(&c, parsed == 0);
	if (broken != NULL && needs != ADMIN_NOTHING && needs != ADMIN_ANYBODY)
		e = *broken;
	else if (privilege(&c, needs, &e) < 0)
		note_attempt(&c, &e);
	else if (parsed < 0)
		e = bad;
	else if (run(&c, needs, &args, &e) < 0)
		sole_explain(&c, &args, &e);
	store_close(&c.store);
	if (e.kind == ERR_NONE)
		return out_done(&out);
	if (c.report && out_done(&out) != 0)
		return 1;
	out_help(&e, a, str_of(cmd->name));
	out_complain(&e, true);
	return out_status(&e);
}
