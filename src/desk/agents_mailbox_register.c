/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agents mailbox register: a mailbox for a session that runs already. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "desk/agents_mailbox_args.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	AGENTS_MAILBOX_ARGS_ONE,
	{ .name = "mailbox_root",
	    .type = ARG_PATH,
	    .help = "the mailbox root; default: as for a start" },
	{ .name = "mailbox_principal_id",
	    .type = ARG_TEXT,
	    .help = "who the agent is among agents" },
	{ .name = "mailbox_address", .type = ARG_TEXT, .help = "its address" },
	{ 0 },
};

static const struct field result[] = {
	AGENTS_MAILBOX_ARGS_FIELDS,
	SESSION_ARGS_REBOUND_FIELDS,
	{ 0 },
};

static const char *
agents_mailbox_env(const char *name)
{
	return getenv(name);
}

/* What is not said is NULL, not blank. */
static struct str
agents_mailbox_said(struct call *c, const char *name)
{
	return args_has(c->args, name) ? args_text(c->args, name)
				       : (struct str){ 0 };
}

static int
agents_mailbox_binding(struct call *c, const struct sessions *s,
    const struct session *x, struct binding *out, struct err *e)
{
	const struct declaration none = { 0 },
				 given = {
					 .said = true,
					 .transport = TRANSPORT_FILESYSTEM,
					 .principal_id = agents_mailbox_said(c,
					     "mailbox_principal_id"),
					 .address = agents_mailbox_said(c,
					     "mailbox_address"),
					 .filesystem_root =
					     agents_mailbox_said(c,
						 "mailbox_root"),
				 };
	const struct manifest *m = &x->manifest;
	char here[PATH_MAX];
	struct effective_in in = {
		.declared = &none,
		.given = &given,
		.agent = m->agent,
		.tool = m->tool,
		.role = m->role,
		.runtime_root = s->place.root,
		.env = agents_mailbox_env,
	};

	if (getcwd(here, sizeof(here)) == NULL) {
		(void)err_set(e, ERR_CONFIG, "the current folder has no path");
		return err_errno(e, "getcwd");
	}
	in.workdir = str_of(here);
	return effective_binding(&in, c->arena, out, e);
}

static int
agents_mailbox_register_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session_rebound was = { 0 };
	struct binding next = { 0 };
	struct session x;
	int r = agents_mailbox_args_find(c, &s, &x, e);

	if (r == 0)
		r = agents_mailbox_binding(c, &s, &x, &next, e);
	if (r == 0)
		r = session_rebind(&s, &x, &next, &was, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	agents_mailbox_args_put(out, &x);
	session_args_put_rebound(out, &was);
	agents_mailbox_args_say(c, &x);
	session_args_say_rebound(c, &was);
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return 0;
}

const struct op desk_agents_mailbox_register = {
	.name = "agents mailbox register",
	.shows = "emcli session list",
	.summary = "Give a session a mailbox, or another one",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = agents_mailbox_register_run,
};
