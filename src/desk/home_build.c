/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli home build: makes an agent's home from a setup folder, skills, the text
 * of a role and files with credentials.  It only makes files of the user's own,
 * and needs no key.
 */
#include <fcntl.h>

#include "base/limits.h"
#include "base/path.h"
#include "desk/desk.h"
#include "desk/home_args.h"
#include "desk/home_hooks.h"
#include "desk/home_mailbox.h"
#include "desk/mcp_merge.h"

static const struct arg_spec args[] = {
	/* As in host_table.c. */
	{ .name = "tool",
	    .type = ARG_CHOICE,
	    .flags = ARG_REQUIRED,
	    .help = "the program that the agent runs in",
	    .choices = "claude|codex|gemini" },
	{ .name = "agent",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED,
	    .help = "the agent's name" },
	{ .name = "role", .type = ARG_TEXT, .help = "the name of its role" },
	{ .name = "role_file",
	    .type = ARG_PATH,
	    .help = "the text of its role, which the program reads at every "
		    "start" },
	{ .name = "setup",
	    .type = ARG_PATH,
	    .help = "folder whose files are copied first" },
	{ .name = "skill",
	    .type = ARG_PATH,
	    .flags = ARG_MANY,
	    .help = "folder of a skill, which is copied; the two on the "
		    "agent's own mailbox are always there" },
	{ .name = "auth_file",
	    .type = ARG_TEXT,
	    .flags = ARG_MANY,
	    .help = "SRC:DEST, a file with a credential and its place below "
		    "the home, where it is copied to" },
	{ .name = "link_auth",
	    .type = ARG_FLAG,
	    .help = "put links to those files there instead of copies" },
	HOME_MAILBOX_ARGS,
	{ .name = "home_id",
	    .type = ARG_TEXT,
	    .help = "the home's name; default: one made of tool and time" },
	{ .name = "reuse",
	    .type = ARG_FLAG,
	    .help = "build into the home of that name, if there is one; only "
		    "what differs is written" },
	{ .name = "mcp",
	    .type = ARG_FLAG,
	    .help = "name emcli as an MCP server in the program's settings" },
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field launch[] = {
	{ "env_var", FIELD_TEXT,
	    .help = "the variable that names the home to the program" },
	{ "executable", FIELD_TEXT, .help = "the program" },
	{ "args", FIELD_TEXTS, .help = "its arguments" },
	{ 0 },
};

static const struct field result[] = {
	{ "home_id", FIELD_TEXT, .help = "the home's name" },
	{ "home_path", FIELD_TEXT, .help = "its folder" },
	{ "manifest_path", FIELD_TEXT, .help = "its manifest" },
	{ "launch", FIELD_OBJECT, .help = "how it is started", .sub = launch },
	{ "skills", FIELD_TEXTS, .help = "the skills in it" },
	{ 0 },
};

/* The name is also part of an address and of paths. */
static int
home_build_check_name(struct str s, const char *option, struct err *e)
{
	if (s.n <= 64 && place_is_name(s) && !str_eq(s, S("operator")))
		return 0;
	return err_set(e, ERR_USAGE,
	    "%s: at most 64 of A-Z a-z 0-9 . _ -, a letter or digit first, and "
	    "not \"operator\"",
	    option);
}

static int
home_build_put_role(struct call *c, struct home *h, struct err *e)
{
	struct str path = args_text(c->args, "role_file"), text;
	struct err why = { 0 };
	int fd, r;

	if (path.n == 0)
		return 0;
	if (!args_has(c->args, "role"))
		return err_set(e, ERR_USAGE,
		    "--role-file needs --role, the role's name");
	fd = open(str_c(c->arena, path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "--role-file cannot be opened");
		return err_errno(e, "open");
	}
	r = path_read(fd, LIMIT_HOME_ROLE, c->arena, &text, &why);
	path_close(&fd);
	if (r < 0)
		return err_set(e, why.kind == ERR_LIMIT ? ERR_LIMIT : ERR_USAGE,
		    "--role-file: %s", why.say);
	if (home_plan_has(h, str_of(h->host->role)))
		operate_note(c,
		    "emcli: note: %s is the role's; the setup folder's is not "
		    "in the home",
		    h->host->role);
	return home_plan_put(h, str_of(h->host->role), text, e);
}

/* The last colon separates: a source may contain others. */
static int
home_build_put_auth(struct call *c, struct home *h, struct brain *b,
    struct err *e)
{
	const struct strs *list = args_list(c->args, "auth_file");
	bool link = args_has(c->args, "link_auth");
	struct brain_file *v = arena_array(c->arena, list->n, sizeof(*v));

	if (link && list->n == 0)
		return err_set(e, ERR_USAGE, "--link-auth needs --auth-file");
	for (size_t i = 0; i < list->n; i++) {
		struct str s = list->v[i];
		size_t at = s.n;

		while (at > 0 && s.p[at - 1] != ':')
			at--;
		if (at < 2 || at == s.n)
			return err_set(e, ERR_USAGE,
			    "--auth-file is SRC:DEST, a file and its place "
			    "below the home");
		v[i] = (struct brain_file){ str_first(s, at - 1),
			str_from(s, at), link };
		if (home_plan_auth(h, v[i].from, v[i].to, link, e) < 0)
			return -1;
	}
	b->file = v;
	b->files = list->n;
	return 0;
}

/* The server acts for the agent of this home. */
static int
home_build_put_mcp(struct call *c, struct home *h, struct err *e)
{
	const struct mcp_client *to = mcp_client_find(str_of(h->host->name));
	struct mcp_client_server s = { 0 };
	struct str text;

	if (!args_has(c->args, "mcp"))
		return 0;
	if (to == NULL)
		err_bug("a tool that is no client");
	if (mcp_server_local(c, to, S(""), &s, e) < 0 ||
	    home_plan_text(h, str_of(h->host->mcp), &text, e) < 0)
		return -1;
	s.agent = args_text(c->args, "agent");
	if (mcp_merge(to, &s, text, c->arena, &text, e) < 0)
		return -1;
	return home_plan_put(h, str_of(h->host->mcp), text, e);
}

static int
home_build_plan(struct call *c, struct home *h, struct brain *b, struct err *e)
{
	const struct strs *skills = args_list(c->args, "skill");

	b->setup = args_text(c->args, "setup");
	if (b->setup.n > 0 &&
	    home_tree_add(h, "the setup folder", b->setup, S(""), e) < 0)
		return -1;
	if (home_build_put_role(c, h, e) < 0 || project_ours(h, e) < 0)
		return -1;
	for (size_t i = 0; i < skills->n; i++)
		if (project_skill(h, skills->v[i], e) < 0)
			return -1;
	if (home_build_put_mcp(c, h, e) < 0 || home_hooks_put(c, h, e) < 0)
		return -1;
	return home_build_put_auth(c, h, b, e);
}

static void
home_build_put_reply(struct call *c, const struct home *h, struct json *out)
{
	json_put_str(out, "home_id", h->id);
	json_put_str(out, "home_path", h->path);
	json_put_str(out, "manifest_path", h->manifest);
	json_open_object(out, "launch");
	json_put_text(out, "env_var", h->host->variable);
	json_put_text(out, "executable", h->host->executable);
	json_open_array(out, "args");
	json_close_array(out);
	json_close_object(out);
	json_put_strs(out, "skills", &h->skills);
	gate_say_pair(c, "home", h->id);
	gate_say_pair(c, "folder", h->path);
	gate_say_pair(c, "manifest", h->manifest);
	gate_say_pair(c, "by hand",
	    str_fmt(c->arena, "%s=%.*s %s", h->host->variable, STR_ARG(h->path),
		h->host->executable));
	gate_say(c, GATE_NEXT, "emcli session start --home %.*s",
	    STR_ARG(h->id));
}

static int
home_build_run(struct call *c, struct json *out, struct err *e)
{
	const struct home_host *host =
	    host_table_find(args_text(c->args, "tool"));
	const struct home_name name = {
		.root = args_text(c->args, "runtime_root"),
		.id = args_text(c->args, "home_id"),
		.reuse = args_has(c->args, "reuse"),
	};
	struct brain b = {
		.agent = args_text(c->args, "agent"),
		.role = args_text(c->args, "role"),
	};
	struct home h;
	int r;

	if (host == NULL)
		err_bug("a tool that is not in the table");
	if (home_build_check_name(b.agent, "--agent", e) < 0 ||
	    (args_has(c->args, "role") &&
		home_build_check_name(b.role, "--role", e) < 0) ||
	    home_mailbox_read(c, &b.mailbox, e) < 0)
		return -1;
	r = home_begin(&h, host, &name, c->arena, e);
	if (r == 0)
		r = home_build_plan(c, &h, &b, e);
	if (r == 0)
		r = home_commit(&h, &b, e);
	if (r == 0)
		home_build_put_reply(c, &h, out);
	home_end(&h);
	return r;
}

const struct op desk_home_build = {
	.name = "home build",
	.summary = "Build a home for an agent's program",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = home_build_run,
};
