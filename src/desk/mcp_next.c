/* SPDX-License-Identifier: Apache-2.0 */
/* The steps from a client's file to the first mail: the key, a start, a yes. */
#include "desk/mcp_client.h"
#include "store/store.h"

/* With the key the server opens the store, or says why it cannot. */
static void
mcp_next_try_key(struct call *c, struct secret *key)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct env with = *operate_env(c);
	struct err why = { 0 };

	with.agent_key = key;
	if (!store_about_is_there(with.db))
		operate_note(c,
		    "emcli: warning: there is no database %s yet: emcli init "
		    "makes it",
		    with.db);
	else if (gate_open(&with, &g, &why) < 0)
		operate_note(c,
		    "emcli: warning: the server will not start with this "
		    "key: %s",
		    why.say);
}

int
mcp_next_check(struct call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;
	const struct env *env = operate_env(c);
	const char *token = getenv(MCP_CLIENT_TOKEN);

	if (s->url.n > 0) {
		if (token == NULL || token[0] == '\0')
			operate_note(c,
			    "emcli: warning: " MCP_CLIENT_TOKEN
			    " is not set here: start %s where it is, or every "
			    "call is refused (emcli agent add makes one)",
			    to->title);
		return 0;
	}
	if (s->key_file.n == 0 && env->agent_key == NULL) {
		operate_note(c,
		    "emcli: warning: " MCP_CLIENT_KEY
		    " is not set here: start %s where it is, or say "
		    "--key-file FILE; without the key no mail is read",
		    to->title);
		return 0;
	}
	if (s->key_file.n == 0 && secret_later_due(env->agent_key)) {
		operate_note(c,
		    "emcli: note: start %s where " MCP_CLIENT_KEY_COMMAND
		    " is set; it was not run here: emcli doctor tries it",
		    to->title);
		return 0;
	}
	if (s->key_file.n == 0) {
		mcp_next_try_key(c, env->agent_key);
		return 0;
	}
	if (env_key_read(MCP_CLIENT_KEY, str_c(c->arena, s->key_file), &key,
		e) < 0)
		return -1;
	mcp_next_try_key(c, key);
	return 0;
}

void
mcp_next_say(struct call *c, const struct mcp_client *to)
{
	gate_tell(c, "Next: %s.", to->next);
	gate_tell(c, "Then ask it: what is new in my mail?");
}
