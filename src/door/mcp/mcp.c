/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mcp: reads its command line, and runs a session. */
#include "door/mcp/mcp.h"

#include "base/limits.h"
#include "door/argv.h"
#include "door/fence.h"
#include "door/mcp/bearer.h"
#include "door/mcp/sight.h"
#include "door/mcp/stdio.h"
#include "door/mcp/streamable.h"
#include "door/out.h"
#include "door/usage.h"

enum {
	PREFIX_MAX = 32 /* all hosts show names of up to 64 bytes */
};

const char mcp_summary[] =
    "Serve the operations to an MCP client, on stdio or HTTP";

const struct arg_spec mcp_args[] = {
	{ "always", ARG_FLAG,
	    .help = "turn skills off: every tool is shown from the start" },
	{ "legacy_tools", ARG_CHOICE,
	    .help =
		"tools shown to hosts of the revisions of 2025: filter: those "
		"of the loaded skills; all: every tool; auto: filter for hosts "
		"that are known to reread the list, otherwise all",
	    .choices = "auto|filter|all", .def = "auto" },
	{ "tool_prefix", ARG_TEXT, ARG_EMPTY,
	    .help = "prefix of the tools' names, such as mail_, so that the "
		    "tools of two servers have different names" },
	{ "structured", ARG_FLAG,
	    .help = "also give results as structuredContent, for programs that "
		    "read only that" },
	SELECTOR_ARGS,
	{ "http", ARG_TEXT,
	    .help = "serve over HTTP on this address and port, to agents with "
		    "a token" },
	{ "host", ARG_TEXT, ARG_MANY,
	    .help =
		"with http: a further accepted Host, such as a proxy's name" },
	{ "origin", ARG_TEXT, ARG_MANY,
	    .help = "with http: origin of a web page that may call, such as "
		    "https://app.example" },
	{ "workers", ARG_COUNT,
	    .help = "with http: number of processes that serve requests",
	    .min = 1, .max = LIMIT_MCP_WORKERS, .def = "4" },
	{ "public", ARG_FLAG,
	    .help = "with http: listen where other machines can reach it; "
		    "there is no TLS, so put a proxy in front" },
	{ 0 },
};

/* Separates the grants of two sessions of one agent. */
static void
mcp_name_session(struct mcp *m, struct arena *a)
{
	struct err e = { 0 };
	struct str word;

	if (fence_word(a, &word, &e) < 0)
		err_bug("%s", e.say);
	(void)snprintf(m->conversation, sizeof(m->conversation), "mcp-%.*s",
	    STR_ARG(word));
}

static bool
mcp_is_prefix(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= 'a' && s.p[i] <= 'z') &&
		    !(s.p[i] >= '0' && s.p[i] <= '9') && s.p[i] != '_')
			return false;
	return s.n <= PREFIX_MAX;
}

/* Rejects HTTP options without --http. */
static int
mcp_check(const struct args *args, struct err *e)
{
	static const char *const of_http[] = { "host", "origin", "workers",
		"public" };

	for (size_t i = 0; i < sizeof(of_http) / sizeof(of_http[0]); i++)
		if (args_has(args, of_http[i]) && !args_has(args, "http"))
			return err_set(e, ERR_USAGE, "--%s needs --http",
			    of_http[i]);
	if (!mcp_is_prefix(args_text(args, "tool_prefix")))
		return err_set(e, ERR_USAGE,
		    "--tool-prefix takes at most %d of a to z, 0 to 9 and _, "
		    "such as mail_",
		    PREFIX_MAX);
	return 0;
}

static int
mcp_put_usage(struct arena *a)
{
	struct usage u = { .name = S("mcp"),
		.summary = mcp_summary,
		.args = mcp_args };
	struct buf b;

	buf_init(&b, a, 1 << 20);
	usage_put(&b, &u);
	return out_done(&b);
}

void
mcp_tell_person(void)
{
	if (isatty(STDIN_FILENO))
		(void)fputs("emcli: waiting for an MCP client on standard "
			    "input, one line of JSON per message\n"
			    "emcli: next: emcli mcp install --client NAME sets "
			    "up a client; Ctrl-D ends this\n",
		    stderr);
}

static int
mcp_serve(struct mcp *m, const struct args *args, struct arena *a,
    route_serve *serve)
{
	struct route_table t = {
		.row = mcp_route_rows,
		.arg = m,
		.env = m->env,
		.command = "emcli mcp",
		.no_path = "the only path is /mcp",
		.no_method = "there is no stream: use POST",
		.refuse = mcp_streamable_refuse,
	};
	struct err e = { 0 };

	if (mcp_bearer_begin(m, a, &t.challenge, &e) < 0) {
		out_complain(&e, false);
		return out_status(&e);
	}
	return serve(&t, args, a);
}

int
mcp_run(int argc, char **argv, const struct env *env, const struct err *broken,
    route_serve *serve, const struct lent_wires *wires)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct env own = *env;
	struct mcp m = { .env = &own, .broken = broken, .wires = wires };
	struct err e = { 0 };
	struct args args;
	bool help = false;

	if (argv_parse(mcp_args, argc, argv, a, &args, &help, &e) < 0 ||
	    (!help &&
		(args_check(&args, a, &e) < 0 || mcp_check(&args, &e) < 0))) {
		out_complain(&e, false);
		return out_status(&e);
	}
	if (help)
		return mcp_put_usage(a);
	env_command_for_agents(&own);
	m.always = args_has(&args, "always");
	m.prefix = args_text(&args, "tool_prefix");
	m.prefixes = args_has(&args, "tool_prefix");
	m.structured = args_has(&args, "structured");
	m.boxes = selector_opts(&args);
	m.tools = args_text(&args, "legacy_tools");
	if (args_has(&args, "http"))
		return mcp_serve(&m, &args, a, serve);
	mcp_name_session(&m, a);
	mcp_tell_person();
	return mcp_stdio(&m);
}
