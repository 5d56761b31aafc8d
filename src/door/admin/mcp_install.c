/*
 * emcli mcp install: tells a client of us, by printing what goes into its file
 * or by putting it there.  Files hold no key and no token: they name a variable
 * or the file it is in.
 */
#include <limits.h>

#include "base/buf.h"
#include "base/limits.h"
#include "door/admin/internal.h"
#include "door/admin/mcp_client.h"
#include "door/admin/mcp_merge.h"
#include "door/admin/mcp_write.h"

const struct arg_spec mcp_install_args[] = {
	/* As mcp_client.c has them. */
	{ .name = "client",
	    .type = ARG_CHOICE,
	    .flags = ARG_REQUIRED,
	    .help = "the program that is to start emcli, or to connect to it",
	    .choices = "claude|claude-desktop|cline|codex|continue|copilot|"
		       "cursor|gemini|opencode|qwen|vscode|windsurf" },
	{ .name = "write",
	    .type = ARG_FLAG,
	    .help = "put it into the client's file, beside what is there" },
	{ .name = "file",
	    .type = ARG_PATH,
	    .help = "another file than where the client looks by itself" },
	{ .name = "http",
	    .type = ARG_TEXT,
	    .help = "of a server that runs: its address; the token comes from "
		    "EMCLI_TOKEN" },
	{ .name = "key_file",
	    .type = ARG_PATH,
	    .help = "the file with the agent's key; else EMCLI_KEY is "
		    "handed on" },
	{ 0 },
};

/* The client starts us from a folder of its own. */
static int
mcp_install_whole_path(struct admin_call *c, struct str path, struct str *out,
    struct err *e)
{
	char real[PATH_MAX];

	if (realpath(str_c(c->arena, path), real) == NULL) {
		(void)err_set(e, ERR_USAGE, "there is no such key file");
		return err_errno(e, "realpath");
	}
	*out = str_dup(c->arena, str_of(real));
	return 0;
}

/* An address of a server, with nothing in it that ends a line or a quote. */
static int
mcp_install_check_url(struct str url, struct err *e)
{
	static const struct str here[] = { SI("http://127.0.0.1"),
		SI("http://localhost"), SI("http://[::1]") };
	bool good = str_starts(url, S("https://")) && url.n > 8;

	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++) {
		struct str rest = str_from(url, here[i].n);

		good = good ||
		    (str_starts(url, here[i]) &&
			(rest.n == 0 || rest.p[0] == ':' || rest.p[0] == '/'));
	}
	for (size_t i = 0; i < url.n; i++)
		if ((unsigned char)url.p[i] <= ' ' || url.p[i] == 0x7f ||
		    str_has_char(S("\"'\\<>$@{}`"), url.p[i]))
			good = false;
	if (good && url.n <= LIMIT_URL)
		return 0;
	return err_set(e, ERR_USAGE,
	    "--http wants https://HOST[:PORT]/PATH, or http:// of this "
	    "machine: a token would be read on its way");
}

static int
mcp_install_describe_local(struct admin_call *c, const struct mcp_client *to,
    struct mcp_client_server *s, struct err *e)
{
	const struct env *env = c->env;
	struct str db = str_of(env->db), file = args_text(c->args, "key_file");
	const char *home = getenv("HOME");
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));

	if (n <= 0 || (size_t)n == sizeof(self))
		return err_set(e, ERR_CONFIG, "cannot tell where emcli is");
	s->command = str_dup(c->arena, (struct str){ self, (size_t)n });
	if (file.n == 0 && env->agent_from == ENV_FILE)
		file = str_of(env->agent_file);
	if (file.n > 0 && mcp_install_whole_path(c, file, &s->key_file, e) < 0)
		return -1;
	if (s->key_file.n == 0 && to->open == NULL && !to->inherits)
		return err_set(e, ERR_USAGE,
		    "%s fills in no variables: name the file with the agent's "
		    "key by --key-file",
		    to->title);
	if (db.n > 0 && db.p[0] == '/' &&
	    (home == NULL ||
		!str_eq(db,
		    str_fmt(c->arena, "%s/.config/emcli/emcli.db", home))))
		s->db = db;
	if (env->agent != NULL && !str_eq(str_of(env->agent), S("agent")))
		s->agent = str_of(env->agent);
	return 0;
}

static int
mcp_install_describe(struct admin_call *c, const struct mcp_client *to,
    struct mcp_client_server *s, struct err *e)
{
	s->url = args_text(c->args, "http");
	if (!args_has(c->args, "http"))
		return mcp_install_describe_local(c, to, s, e);
	if (to->url == NULL)
		return err_set(e, ERR_USAGE,
		    "%s has no HTTP servers in its file, or none without "
		    "their token: let it start emcli",
		    to->title);
	if (args_has(c->args, "key_file"))
		return err_set(e, ERR_USAGE,
		    "--key-file is for a server the client starts, not for "
		    "--http");
	return mcp_install_check_url(s->url, e);
}

static int
mcp_install_where(struct admin_call *c, const struct mcp_client *to,
    const char **out, struct err *e)
{
	struct str given = args_text(c->args, "file"), file = str_of(to->file);
	const char *home = getenv("HOME");

	*out = str_c(c->arena, given.n > 0 ? given : file);
	if (given.n > 0 || !str_starts(file, S("~/")))
		return 0;
	if (home == NULL || home[0] != '/')
		return err_set(e, ERR_CONFIG,
		    "HOME is not set: say --file PATH");
	*out = str_fmt(c->arena, "%s%s", home, to->file + 1).p;
	return 0;
}

static int
mcp_install_merge(struct admin_call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, struct str text, struct str *out,
    struct err *e)
{
	if (to->format == MCP_CLIENT_TOML)
		return mcp_merge_toml(text, to->section,
		    mcp_client_toml(to, s, c->arena), c->arena, out, e);
	if (to->format == MCP_CLIENT_YAML)
		return mcp_merge_yaml(text, to->section,
		    mcp_client_yaml(to, s, c->arena), c->arena, out, e);
	return mcp_merge_json(text, to->section,
	    mcp_client_json(to, s, c->arena), c->arena, out, e);
}

static int
mcp_install_put(struct admin_call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, const char *path, struct err *e)
{
	struct mcp_write w;
	struct str text;
	int r;

	if (mcp_write_read(path, c->arena, &w, e) < 0)
		return -1;
	if (to->first != NULL && str_trim(w.text).n == 0) {
		mcp_write_done(&w);
		return err_set(e, ERR_CONFIG, "%s: %s", path, to->first);
	}
	r = mcp_install_merge(c, to, s, w.text, &text, e);
	if (r == 0 && str_eq(text, w.text))
		buf_fmt(c->out, "%s: it is there already\n", path);
	else if (r == 0)
		r = mcp_write_put(&w, text, c->arena, e);
	if (r == 0 && w.backup != NULL)
		buf_fmt(c->out, "%s: written; what was there is in %s\n", path,
		    w.backup);
	else if (r == 0 && w.written)
		buf_fmt(c->out, "%s: written\n", path);
	if (r == 0)
		mcp_next_put(c->out, to);
	mcp_write_done(&w);
	return r;
}

int
mcp_install(struct admin_call *c, struct err *e)
{
	struct mcp_client_server s = { 0 };
	const struct mcp_client *to =
	    mcp_client_find(args_text(c->args, "client"));
	const char *path;
	struct str text;

	if (to == NULL)
		err_bug("a client that is not in the table");
	if (mcp_install_describe(c, to, &s, e) < 0 ||
	    mcp_install_where(c, to, &path, e) < 0 ||
	    mcp_next_check(c->env, to, &s, c->arena, e) < 0)
		return -1;
	if (args_has(c->args, "write"))
		return mcp_install_put(c, to, &s, path, e);
	if (mcp_install_merge(c, to, &s, S(""), &text, e) < 0)
		return -1;
	buf_str(c->out, text);
	(void)fprintf(stderr,
	    "emcli: this goes into %s; --write puts it there; then %s\n", path,
	    to->next);
	return 0;
}
