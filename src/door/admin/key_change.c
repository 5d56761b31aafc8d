/*
 * emcli key rotate, key rewrap.  A key that is made here is printed before it
 * is in force: killed in between, the old one still opens the store and the
 * printed one is waste paper, and never the other way round.
 */
#include "door/admin/internal.h"
#include "door/out.h"
#include "store/key.h"

const struct arg_spec key_change_rotate_args[] = {
	{ .name = "admin", .type = ARG_FLAG, .help = "EMCLI_ADMIN_KEY's" },
	{ .name = "agent", .type = ARG_FLAG, .help = "EMCLI_KEY's" },
	{ .name = "generate",
	    .type = ARG_FLAG,
	    .help = "make the new key and print it; else it is taken from "
		    "EMCLI_NEW_KEY or the file EMCLI_NEW_KEY_FILE names" },
	{ 0 },
};

const struct arg_spec key_change_rewrap_args[] = {
	{ .name = "dek",
	    .type = ARG_FLAG,
	    .help = "the data key, which seals what the accounts' servers "
		    "want to know; needs both keys" },
	{ 0 },
};

/* Standard output may be the new key's alone. */
static void
tell_log(struct admin_call *c)
{
	if (!store_key_scrub(c->store))
		(void)fputs("emcli: note: another process is using the "
			    "database; what the old key opened leaves its log "
			    "when that is over\n",
		    stderr);
}

/* What no longer opens anything, beside the key that standard output has. */
static void
tell_stale(bool admin)
{
	(void)fputs(admin
		? "emcli: the old admin key opens nothing any more. Put the "
		  "new one wherever EMCLI_ADMIN_KEY or EMCLI_ADMIN_KEY_FILE "
		  "holds the old: your shell, its start files, a password "
		  "manager, systemd's credentials. Agents' keys are as they "
		  "were\n"
		: "emcli: the agents' old key opens nothing any more. Put the "
		  "new one wherever EMCLI_KEY or EMCLI_KEY_FILE holds the "
		  "old: the shell or service that starts each agent, and the "
		  "settings of each model's host. Start again what runs, as "
		  "emcli mcp; tokens of emcli agent add are as they were\n",
	    stderr);
}

static int
print(void *ctx, struct err *e)
{
	return key_print(ctx, e);
}

static int
rotate(struct admin_call *c, enum store_slot which, const struct secret *fresh,
    const struct store_key_last *last, struct err *e)
{
	struct store_keys keys = { c->env->admin_key, c->env->agent_key };

	return store_key_rotate(c->store, which, &keys, fresh, last, e);
}

/* The text stays on this stack and is wiped; arenas are not. */
static int
rotate_made(struct admin_call *c, enum store_slot which, struct err *e)
{
	char text[KEY_TEXT];
	struct store_key_last last = { print, text };
	CLEANUP(secret_close) struct secret *fresh = NULL;
	int r = key_make(text, e);

	if (r == 0) {
		fresh = secret_new(text, KEY_TEXT - 1);
		r = rotate(c, which, fresh, &last, e);
	}
	secret_wipe(text, sizeof(text));
	return r;
}

int
key_change_rotate(struct admin_call *c, struct err *e)
{
	bool admin = args_has(c->args, "admin");
	bool made = args_has(c->args, "generate");
	enum store_slot which = admin ? STORE_SLOT_ADMIN : STORE_SLOT_AGENT;

	if (admin == args_has(c->args, "agent"))
		return err_set(e, ERR_USAGE, "say either --admin or --agent");
	if (made && c->env->new_key != NULL)
		return err_set(e, ERR_USAGE,
		    "--generate and EMCLI_NEW_KEY exclude each other");
	if (!made && c->env->new_key == NULL)
		return err_set(e, ERR_USAGE,
		    "say --generate, or give the new key in EMCLI_NEW_KEY or "
		    "EMCLI_NEW_KEY_FILE");
	if (made ? rotate_made(c, which, e) < 0
		 : rotate(c, which, c->env->new_key, NULL, e) < 0)
		return -1;
	tell_log(c);
	if (made)
		tell_stale(admin);
	else
		buf_fmt(c->out,
		    "the new key is in force, the old one opens nothing any "
		    "more\n"
		    "Next: put it where %s is kept\n",
		    admin ? "EMCLI_ADMIN_KEY" : "the agents' EMCLI_KEY");
	return 0;
}

int
key_change_rewrap(struct admin_call *c, struct err *e)
{
	struct store_keys keys = { c->env->admin_key, c->env->agent_key };
	size_t n;

	if (!args_has(c->args, "dek"))
		return err_set(e, ERR_USAGE, "say --dek");
	if (store_key_rewrap(c->store, &keys, &n, e) < 0)
		return -1;
	tell_log(c);
	buf_fmt(c->out,
	    "a new data key is in force; %zu sealed %s under it\n"
	    "What was copied from the database before still opens with the "
	    "keys: if it was, change the passwords too.\n",
	    n, n == 1 ? "value is" : "values are");
	return 0;
}
