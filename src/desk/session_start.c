/* SPDX-License-Identifier: Apache-2.0 */
/* emcli session start: a home's program with a mailbox of its own. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "desk/credential_args.h"
#include "desk/desk.h"
#include "desk/session_args.h"
#include "runtime/tmux.h"

static const struct arg_spec args[] = {
	{ .name = "home",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED,
	    .help = "the home's name, as home list has it" },
	{ .name = "workdir",
	    .type = ARG_PATH,
	    .help = "the folder it works in; default: this one" },
	{ .name = "mailbox_transport",
	    .type = ARG_CHOICE,
	    .help = "instead of the mailbox that is declared for the home",
	    .choices = "filesystem|stalwart|none" },
	{ .name = "mailbox_root",
	    .type = ARG_PATH,
	    .help = "filesystem: the mailbox root" },
	{ .name = "mailbox_principal_id",
	    .type = ARG_TEXT,
	    .help = "who the agent is among agents" },
	{ .name = "mailbox_address", .type = ARG_TEXT, .help = "its address" },
	{ .name = "tmux",
	    .type = ARG_FLAG,
	    .help = "run it in a new session of tmux; it is the default "
		    "where tmux is installed" },
	{ .name = "mailbox_stalwart_base_url",
	    .type = ARG_TEXT,
	    .help = "stalwart: the server; the next two are below it" },
	{ .name = "mailbox_stalwart_jmap_url",
	    .type = ARG_TEXT,
	    .help = "stalwart: where it speaks JMAP" },
	{ .name = "mailbox_stalwart_management_url",
	    .type = ARG_TEXT,
	    .help = "stalwart: where its accounts are managed" },
	{ .name = "mailbox_stalwart_login_identity",
	    .type = ARG_TEXT,
	    .help = "stalwart: the login; default: the address" },
	{ .name = "mailbox_password_file",
	    .type = ARG_PATH,
	    .help = "stalwart: the password of an account that exists" },
	{ .name = "reset_password",
	    .type = ARG_FLAG,
	    .help = "stalwart: give an account that exists another password" },
	{ .name = "detach",
	    .type = ARG_FLAG,
	    .help = "run it in the background, its output in the session's "
		    "log" },
	SESSION_ARGS_FOREGROUND,
	{ .name = "attach_dir",
	    .type = ARG_PATH,
	    .flags = ARG_MANY,
	    .help = "the only folders attachments may be sent from; default: "
		    "the workdir" },
	{ .name = "no_gateway",
	    .type = ARG_FLAG,
	    .help = "without a gateway to its mailbox" },
	HOME_ARGS_ROOT,
	{ .name = "arg",
	    .type = ARG_TEXT,
	    .flags = ARG_POSITIONAL | ARG_MANY | ARG_QUIET,
	    .help = "arguments of the program, after --" },
	{ 0 },
};

static const struct field result[] = {
	SESSION_ARGS_FIELDS,
	{ 0 },
};

/* The options of a start are those of a declaration. */
static void
session_start_given(struct call *c, struct declaration *out)
{
	struct str transport = args_text(c->args, "mailbox_transport");
	static const struct {
		const char *name;
		size_t at;
	} rows[] = {
		{ "mailbox_principal_id",
		    offsetof(struct declaration, principal_id) },
		{ "mailbox_address", offsetof(struct declaration, address) },
		{ "mailbox_root",
		    offsetof(struct declaration, filesystem_root) },
		{ "mailbox_stalwart_base_url",
		    offsetof(struct declaration, base_url) },
		{ "mailbox_stalwart_jmap_url",
		    offsetof(struct declaration, jmap_url) },
		{ "mailbox_stalwart_management_url",
		    offsetof(struct declaration, management_url) },
		{ "mailbox_stalwart_login_identity",
		    offsetof(struct declaration, login_identity) },
	};

	*out = (struct declaration){ .said = transport.n > 0 };
	(void)transport_find(transport, &out->transport);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (args_has(c->args, rows[i].name))
			*(struct str *)(void *)((char *)out + rows[i].at) =
			    str_dup(c->arena, args_text(c->args, rows[i].name));
}

static int
session_start_declared(struct call *c, const struct home_entry *h,
    struct declaration *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct strs warnings = { 0 };

	if (yaml_read(h->text, LIMIT_HOME_MANIFEST, &doc, e) < 0)
		return -1;
	if (declaration_read(json_parse_member(json_parse_root(doc), "mailbox"),
		c->arena, out, &warnings, e) < 0)
		return -1;
	for (size_t i = 0; i < warnings.n; i++)
		operate_note(c, "emcli: warning: the home's manifest: %.*s",
		    STR_ARG(warnings.v[i]));
	return 0;
}

static const char *
session_start_env(const char *name)
{
	return getenv(name);
}

static int
session_start_folder(struct call *c, struct str given, const char *option,
    struct str *out, struct err *e)
{
	char real[PATH_MAX];

	if (realpath(given.n > 0 ? str_c(c->arena, given) : ".", real) ==
		NULL ||
	    access(real, X_OK) < 0) {
		(void)err_set(e, ERR_USAGE, "%s is no folder to work in",
		    option);
		return err_errno(e, option);
	}
	*out = str_dup(c->arena, str_of(real));
	return 0;
}

static int
session_start_attach_dir(struct call *c, struct str *out, struct err *e)
{
	const struct strs *given = args_list(c->args, "attach_dir");
	struct str one = { 0 };

	for (size_t i = 0; i < given->n; i++)
		if (session_start_folder(c, given->v[i], "--attach-dir", &one,
			e) < 0 ||
		    path_among_add(c->arena, out, one, e) < 0)
			return -1;
	return 0;
}

static int
session_start_binding(struct call *c, const struct home_entry *h,
    struct str workdir, struct binding *out, struct err *e)
{
	struct declaration declared = { 0 }, given;
	struct effective_in in = {
		.declared = &declared,
		.given = &given,
		.agent = h->brain.agent,
		.tool = h->brain.tool,
		.role = h->brain.role,
		.runtime_root = h->brain.root,
		.workdir = workdir,
		.env = session_start_env,
	};

	session_start_given(c, &given);
	if (session_start_declared(c, h, &declared, e) < 0 ||
	    effective_binding(&in, c->arena, out, e) < 0)
		return -1;
	if (out->transport != TRANSPORT_STALWART &&
	    (args_has(c->args, "mailbox_password_file") ||
		args_has(c->args, "reset_password")))
		return err_set(e, ERR_USAGE,
		    "--mailbox-password-file and --reset-password are for a "
		    "mailbox on a stalwart server");
	return 0;
}

/* One of three, or the first where it can be. */
static int
session_start_way(struct call *c, enum session_way *out, struct err *e)
{
	bool tmux = args_has(c->args, "tmux");
	bool detach = args_has(c->args, "detach");
	bool foreground = args_has(c->args, "foreground");

	if (tmux + detach + foreground > 1)
		return err_set(e, ERR_USAGE,
		    "--tmux, --detach and --foreground exclude each other");
	if (tmux && !tmux_is_there(c->arena))
		return err_set(e, ERR_CONFIG,
		    "tmux is not installed: install it, or say --detach");
	*out = SESSION_DETACHED;
	if (foreground)
		*out = SESSION_FOREGROUND;
	else if (tmux || (!detach && tmux_is_there(c->arena)))
		*out = SESSION_TMUX;
	return 0;
}

/* All that can be refused before anything is made. */
static int
session_start_plan(struct call *c, struct session_plan *p, struct err *e)
{
	static const struct str handed[] = { SI("HOUMAO_AGENT_ID"),
		SI("HOUMAO_MANIFEST_PATH") };
	struct manifest *m = &p->manifest;
	struct home_entry h;

	if (session_start_way(c, &p->way, e) < 0)
		return -1;
	if (home_list_find(args_text(c->args, "runtime_root"),
		args_text(c->args, "home"), c->arena, &h, e) < 0)
		return -1;
	if (h.state != HOME_READY)
		return err_set(e, ERR_CONFIG,
		    "the home cannot be used: %.*s: build it again",
		    STR_ARG(str_first(h.why, 80)));
	m->tool = h.brain.tool;
	m->role = h.brain.role;
	m->agent = h.brain.agent;
	m->home = h.path;
	m->home_variable = h.brain.variable;
	m->home_manifest = h.manifest;
	m->executable = h.brain.executable;
	m->args = *args_list(c->args, "arg");
	for (size_t i = 0; i < sizeof(handed) / sizeof(handed[0]); i++)
		str_push(c->arena, &m->variables, handed[i]);
	str_push(c->arena, &m->variables, m->home_variable);
	if (session_start_folder(c, args_text(c->args, "workdir"), "--workdir",
		&m->workdir, e) < 0 ||
	    session_start_binding(c, &h, m->workdir, &m->mailbox, e) < 0 ||
	    session_start_attach_dir(c, &p->attach_dir, e) < 0)
		return -1;
	if (p->attach_dir.n == 0)
		p->attach_dir = m->workdir;
	return process_find(m->executable, m->workdir, c->arena, &p->program,
	    e);
}

/* Whoever names the agent from now on has to say which session is meant. */
static void
session_start_note(struct call *c, struct sessions *s, struct str agent)
{
	struct session *v;
	struct err none = { 0 };
	size_t n;

	if (session_list(s, &v, &n, &none) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (v[i].is == SESSION_IS_RUNNING &&
		    str_eq(v[i].manifest.agent, agent)) {
			operate_note(c,
			    "emcli: note: the agent has a session that runs: "
			    "%.*s; --agent-name does not say which is meant "
			    "until one of them ended",
			    STR_ARG(v[i].id));
			return;
		}
}

static int
session_start_run(struct call *c, struct json *out, struct err *e)
{
	struct session_plan p = { 0 };
	struct sessions s;
	struct session x = { 0 };
	int r;

	if (session_start_plan(c, &p, e) < 0 ||
	    credential_args_provision(c, &p.manifest.mailbox, e) < 0)
		return -1;
	r = session_args_open(c, true, &s, e);
	if (!args_has(c->args, "no_gateway"))
		s.gateway = operate_door(c)->gateway->start;
	if (r == 0) {
		session_start_note(c, &s, p.manifest.agent);
		r = session_start(&s, &p, &x, e);
	}
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	session_args_become(c, &x);
	session_args_put(out, c->arena, &x);
	session_args_say(c, &x);
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return 0;
}

const struct op desk_session_start = {
	.name = "session start",
	.shows = "emcli home list",
	.summary = "Start an agent's program with a mailbox of its own",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.hosts = true,
	.alone = "no_gateway",
	.args = args,
	.result = result,
	.run = session_start_run,
};
