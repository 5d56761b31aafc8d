/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli key rotate.  A key that is made here is printed before it takes effect:
 * if the process is killed in between, the old key still opens the store, and
 * the printed one is useless.  The reverse cannot happen.
 */
#include "base/secret.h"
#include "desk/desk.h"
#include "desk/key.h"
#include "desk/key_change.h"
#include "store/key.h"

static const struct arg_spec args[] = {
	{ "admin", ARG_FLAG,
	    .help = "replace the operator's key (EMCLI_ADMIN_KEY)" },
	{ "agent", ARG_FLAG, .help = "replace the agent's key (EMCLI_KEY)" },
	{ "generate", ARG_FLAG,
	    .help = "make a new key and print it; default: take it from "
		    "EMCLI_NEW_KEY, or from the file in EMCLI_NEW_KEY_FILE" },
	{ 0 },
};

/* Says which key is obsolete; standard output has only the new key. */
static void
key_rotate_note_stale(struct call *c, bool admin)
{
	operate_note(c, "%s",
	    admin ? "emcli: the old admin key opens nothing any more. Put "
		    "the new one wherever EMCLI_ADMIN_KEY, "
		    "EMCLI_ADMIN_KEY_FILE or EMCLI_ADMIN_KEY_COMMAND takes "
		    "the old from: your shell, its start files, a password "
		    "manager, systemd's credentials. Agents' keys have not "
		    "changed"
		  : "emcli: the agents' old key opens nothing any more. "
		    "Put the new one wherever EMCLI_KEY, EMCLI_KEY_FILE or "
		    "EMCLI_KEY_COMMAND takes the old from: the shell or "
		    "service that starts each agent, the settings of each "
		    "MCP host, a password manager. Restart "
		    "running processes, such as emcli mcp; tokens of emcli "
		    "agent add have not changed");
}

/* A key that is to be printed. */
struct printing {
	const struct call *call;
	const char *text;
};

static int
key_rotate_print(void *ctx, struct err *e)
{
	const struct printing *p = ctx;

	return key_hand_over(p->call, p->text, e);
}

static int
key_rotate_slot(struct call *c, enum store_slot which,
    const struct secret *fresh, const struct store_key_last *last,
    struct err *e)
{
	const struct env *env = operate_env(c);
	struct store_keys keys = { env->admin_key, env->agent_key };

	return store_key_rotate(operate_store(c), which, &keys, fresh, last, e);
}

/* The text stays on this stack and is wiped; arenas are not. */
static int
key_rotate_made(struct call *c, enum store_slot which, struct err *e)
{
	char text[KEY_TEXT];
	struct printing printing = { c, text };
	struct store_key_last last = { key_rotate_print, &printing };
	CLEANUP(secret_close) struct secret *fresh = NULL;
	int r = key_make(text, e);

	if (r == 0) {
		fresh = secret_new(text, KEY_TEXT - 1);
		r = key_rotate_slot(c, which, fresh, &last, e);
	}
	secret_wipe(text, sizeof(text));
	return r;
}

static int
key_rotate_run(struct call *c, struct json *out, struct err *e)
{
	const struct env *env = operate_env(c);
	bool admin = args_has(c->args, "admin");
	bool made = args_has(c->args, "generate");
	enum store_slot which = admin ? STORE_SLOT_ADMIN : STORE_SLOT_AGENT;

	(void)out;
	if (admin == args_has(c->args, "agent"))
		return err_set(e, ERR_USAGE, "give either --admin or --agent");
	if (made && env->new_key != NULL)
		return err_set(e, ERR_USAGE,
		    "--generate and EMCLI_NEW_KEY exclude each other");
	if (!made && env->new_key == NULL)
		return err_set(e, ERR_USAGE,
		    "give --generate, or the new key in EMCLI_NEW_KEY or "
		    "EMCLI_NEW_KEY_FILE");
	if (made ? key_rotate_made(c, which, e) < 0
		 : key_rotate_slot(c, which, env->new_key, NULL, e) < 0)
		return -1;
	key_change_note_log(c);
	key_change_note_kept(c);
	if (made)
		key_rotate_note_stale(c, admin);
	else {
		gate_tell(c,
		    "the new key is in use; the old one no longer opens "
		    "anything");
		gate_tell(c, "Next: put it wherever %s is kept",
		    admin ? "EMCLI_ADMIN_KEY" : "the agents' EMCLI_KEY");
	}
	return 0;
}

const struct op desk_key_rotate = {
	.name = "key rotate",
	.summary = "Replace a key by another",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.run = key_rotate_run,
};
