/* SPDX-License-Identifier: Apache-2.0 */
/* emcli's entry in JSON. */
#include "base/json.h"
#include "desk/mcp_client.h"

static struct str
filled_in(const struct mcp_client *c, const char *name, struct arena *a)
{
	return str_fmt(a, "%s%s%s", c->open, name, c->close);
}

/* The environment of emcli's process. */
static void
mcp_client_json_put_env(struct json *j, const char *key,
    const struct mcp_client *c, const struct mcp_client_server *s,
    struct arena *a)
{
	json_open_object(j, key);
	if (s->key_file.n > 0)
		json_put_str(j, MCP_CLIENT_KEY "_FILE", s->key_file);
	else if (c->open != NULL)
		json_put_str(j, s->key_variable,
		    filled_in(c, s->key_variable, a));
	if (s->db.n > 0)
		json_put_str(j, "EMCLI_DB", s->db);
	if (s->agent.n > 0)
		json_put_str(j, "EMCLI_AGENT", s->agent);
	json_close_object(j);
}

static void
mcp_client_json_put_local(struct json *j, const struct mcp_client *c,
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
	mcp_client_json_put_env(j, c->words ? "environment" : "env", c, s, a);
}

static void
mcp_client_json_put_remote(struct json *j, const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a)
{
	struct str token = filled_in(c, MCP_CLIENT_TOKEN, a);

	if (c->remote != NULL)
		json_put_text(j, c->kind != NULL ? c->kind : "type", c->remote);
	json_put_str(j, c->url, s->url);
	if (c->options != NULL)
		json_open_object(j, c->options);
	json_open_object(j, "headers");
	json_put_str(j, "Authorization",
	    str_fmt(a, "Bearer %.*s", STR_ARG(token)));
	json_close_object(j);
	if (c->options != NULL)
		json_close_object(j);
}

struct str
mcp_client_json(const struct mcp_client *c, const struct mcp_client_server *s,
    struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	if (s->url.n > 0)
		mcp_client_json_put_remote(j, c, s, a);
	else
		mcp_client_json_put_local(j, c, s, a);
	if (c->asks_tools) {
		json_open_array(j, "tools");
		json_put_text(j, NULL, "*");
		json_close_array(j);
	}
	json_close_object(j);
	return json_text(j, a);
}
