/* The table of clients, and the entry for us that each of them understands. */
#include "door/admin/mcp_client.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"

/* The variable a client finds a token for HTTP in. */
#define TOKEN "EMCLI_TOKEN"
#define KEY "EMCLI_KEY"

static const struct mcp_client table[] = {
	{ .name = "claude",
	    .title = "Claude Code",
	    .file = ".mcp.json",
	    .section = "mcpServers",
	    .open = "${",
	    .close = "}",
	    .local = "stdio",
	    .remote = "http",
	    .url = "url" },
	{ .name = "claude-desktop",
	    .title = "Claude Desktop",
	    .file = "~/.config/Claude/claude_desktop_config.json",
	    .section = "mcpServers" },
	{ .name = "codex",
	    .title = "Codex",
	    .file = "~/.codex/config.toml",
	    .format = MCP_CLIENT_TOML,
	    .section = "mcp_servers",
	    .open = "",
	    .close = "",
	    .url = "url" },
	{ .name = "cursor",
	    .title = "Cursor",
	    .file = "~/.cursor/mcp.json",
	    .section = "mcpServers",
	    .open = "${env:",
	    .close = "}",
	    .url = "url" },
	{ .name = "gemini",
	    .title = "Gemini CLI",
	    .file = "~/.gemini/settings.json",
	    .section = "mcpServers",
	    .open = "${",
	    .close = "}",
	    .url = "httpUrl" },
	{ .name = "opencode",
	    .title = "OpenCode",
	    .file = "~/.config/opencode/opencode.json",
	    .section = "mcp",
	    .open = "{env:",
	    .close = "}",
	    .local = "local",
	    .remote = "remote",
	    .url = "url",
	    .words = true },
	{ .name = "vscode",
	    .title = "VS Code",
	    .file = ".vscode/mcp.json",
	    .section = "servers",
	    .open = "${env:",
	    .close = "}",
	    .local = "stdio",
	    .remote = "http",
	    .url = "url" },
	{ .name = "windsurf",
	    .title = "Windsurf",
	    .file = "~/.codeium/windsurf/mcp_config.json",
	    .section = "mcpServers",
	    .open = "${env:",
	    .close = "}",
	    .url = "serverUrl" },
};

enum {
	CLIENTS = sizeof(table) / sizeof(table[0])
};

const struct mcp_client *
mcp_client_find(struct str name)
{
	for (size_t i = 0; i < CLIENTS; i++)
		if (str_eq(str_of(table[i].name), name))
			return &table[i];
	return NULL;
}

static struct str
filled_in(const struct mcp_client *c, const char *name, struct arena *a)
{
	return str_fmt(a, "%s%s%s", c->open, name, c->close);
}

/* What our process is to find in its environment. */
static void
put_env(struct json *j, const char *key, const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a)
{
	json_open_object(j, key);
	if (s->key_file.n > 0)
		json_put_str(j, KEY "_FILE", s->key_file);
	else
		json_put_str(j, KEY, filled_in(c, KEY, a));
	if (s->db.n > 0)
		json_put_str(j, "EMCLI_DB", s->db);
	if (s->agent.n > 0)
		json_put_str(j, "EMCLI_AGENT", s->agent);
	json_close_object(j);
}

static void
put_local(struct json *j, const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a)
{
	if (c->local != NULL)
		json_put_text(j, "type", c->local);
	if (c->words) {
		json_open_array(j, "command");
		json_put_str(j, NULL, s->command);
	} else {
		json_put_str(j, "command", s->command);
		json_open_array(j, "args");
	}
	json_put_text(j, NULL, "mcp");
	json_close_array(j);
	put_env(j, c->words ? "environment" : "env", c, s, a);
}

static void
put_remote(struct json *j, const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a)
{
	struct str token = filled_in(c, TOKEN, a);

	if (c->remote != NULL)
		json_put_text(j, "type", c->remote);
	json_put_str(j, c->url, s->url);
	json_open_object(j, "headers");
	json_put_str(j, "Authorization",
	    str_fmt(a, "Bearer %.*s", STR_ARG(token)));
	json_close_object(j);
}

struct str
mcp_client_json(const struct mcp_client *c, const struct mcp_client_server *s,
    struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	if (s->url.n > 0)
		put_remote(j, c, s, a);
	else
		put_local(j, c, s, a);
	json_close_object(j);
	return json_text(j, a);
}

/* A basic string of TOML 1.0 is what JSON writes for the same text. */
static void
put_quoted(struct buf *b, struct str s)
{
	struct json *j = json_new(b->a);
	struct str list;

	json_open_array(j, NULL);
	json_put_str(j, NULL, s);
	json_close_array(j);
	list = json_text(j, b->a);
	buf_add(b, list.p + 1, list.n - 2);
}

static void
put_pair(struct buf *b, const char *key, struct str value)
{
	buf_fmt(b, "%s = ", key);
	put_quoted(b, value);
}

/* The key goes by the name of its variable, which the client hands on. */
static void
put_toml_env(struct buf *b, const struct mcp_client_server *s)
{
	const struct {
		const char *name;
		struct str value;
	} vars[] = { { KEY "_FILE", s->key_file }, { "EMCLI_DB", s->db },
		{ "EMCLI_AGENT", s->agent } };
	const char *gap = "env = { ";

	if (s->key_file.n == 0)
		buf_text(b, "env_vars = [\"" KEY "\"]\n");
	for (size_t i = 0; i < sizeof(vars) / sizeof(vars[0]); i++) {
		if (vars[i].value.n == 0)
			continue;
		buf_text(b, gap);
		put_pair(b, vars[i].name, vars[i].value);
		gap = ", ";
	}
	if (gap[0] == ',')
		buf_text(b, " }\n");
}

struct str
mcp_client_toml(const struct mcp_client *c, const struct mcp_client_server *s,
    struct arena *a)
{
	struct buf b;

	buf_init(&b, a, LIMIT_ARGV);
	buf_fmt(&b, "[%s.emcli]\n", c->section);
	if (s->url.n > 0) {
		put_pair(&b, c->url, s->url);
		buf_text(&b, "\nbearer_token_env_var = \"" TOKEN "\"\n");
		return buf_view(&b);
	}
	put_pair(&b, "command", s->command);
	buf_text(&b, "\nargs = [\"mcp\"]\n");
	put_toml_env(&b, s);
	return buf_view(&b);
}
