/* SPDX-License-Identifier: Apache-2.0 */
/* emcli's entry in TOML. */
#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"
#include "desk/mcp_client.h"

/* A TOML 1.0 basic string is the same as JSON's for the same text. */
static void
mcp_client_toml_put_basic_string(struct buf *b, struct str s)
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
	mcp_client_toml_put_basic_string(b, value);
}

/* Names the key's variable, which the client passes on. */
static void
put_toml_env(struct buf *b, const struct mcp_client_server *s)
{
	const struct {
		const char *name;
		struct str value;
	} vars[] = { { MCP_CLIENT_KEY "_FILE", s->key_file },
		{ "EMCLI_DB", s->db }, { "EMCLI_AGENT", s->agent } };
	const char *gap = "env = { ";

	if (s->key_file.n == 0)
		buf_fmt(b, "env_vars = [\"%s\"]\n", s->key_variable);
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
		buf_text(&b,
		    "\nbearer_token_env_var = \"" MCP_CLIENT_TOKEN "\"\n");
		return buf_view(&b);
	}
	put_pair(&b, "command", s->command);
	buf_text(&b, "\nargs = [\"mcp\"]\n");
	put_toml_env(&b, s);
	return buf_view(&b);
}
