/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a client is told about the server: the paths of emcli and its key, or
 * the address that serves it.
 */
#include <limits.h>

#include "base/limits.h"
#include "desk/mcp_client.h"

/* The client starts emcli from another folder, so the path must be absolute. */
static int
mcp_server_whole_path(struct call *c, struct str path, struct str *out,
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

/* A server's address, without characters that end a line or a quote. */
static int
mcp_server_check_url(struct str url, struct err *e)
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

int
mcp_server_local(struct call *c, const struct mcp_client *to,
    struct str key_file, struct mcp_client_server *s, struct err *e)
{
	const struct env *env = operate_env(c);
	struct str db = str_of(env->db), file = key_file;
	const char *home = getenv("HOME");
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));

	if (n <= 0 || (size_t)n == sizeof(self))
		return err_set(e, ERR_CONFIG, "cannot tell where emcli is");
	s->command = str_dup(c->arena, (struct str){ self, (size_t)n });
	s->key_variable = env->agent_from == ENV_COMMAND
	    ? MCP_CLIENT_KEY_COMMAND
	    : MCP_CLIENT_KEY;
	if (file.n == 0 && env->agent_from == ENV_FILE)
		file = str_of(env->agent_file);
	if (file.n > 0 && mcp_server_whole_path(c, file, &s->key_file, e) < 0)
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

int
mcp_server_describe(struct call *c, const struct mcp_client *to,
    struct mcp_client_server *s, struct err *e)
{
	s->url = args_text(c->args, "http");
	if (!args_has(c->args, "http"))
		return mcp_server_local(c, to, args_text(c->args, "key_file"),
		    s, e);
	if (to->url == NULL)
		return err_set(e, ERR_USAGE,
		    "%s has no HTTP servers in its file, or none without "
		    "their token: let it start emcli",
		    to->title);
	if (args_has(c->args, "key_file"))
		return err_set(e, ERR_USAGE,
		    "--key-file is for a server the client starts, not for "
		    "--http");
	return mcp_server_check_url(s->url, e);
}
