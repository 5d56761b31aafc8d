/* What is between a client's file and the first mail read: the key, a start, a
 * yes. */
#include <errno.h>
#include <unistd.h>

#include "door/admin/mcp_client.h"
#include "gate/gate.h"

/* With it the server opens the store, or says why it does not. */
static void
mcp_next_try_key(const struct env *env, struct secret *key)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct env with = *env;
	struct err why = { 0 };

	with.agent_key = key;
	if (access(env->db, F_OK) < 0 && errno == ENOENT)
		(void)fprintf(stderr,
		    "emcli: warning: there is no database %s yet: emcli init "
		    "makes it\n",
		    env->db);
	else if (gate_open(&with, &g, &why) < 0)
		(void)fprintf(stderr,
		    "emcli: warning: the server will not start with this "
		    "key: %s\n",
		    why.say);
}

int
mcp_next_check(const struct env *env, const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a, struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;
	const char *token = getenv(MCP_CLIENT_TOKEN);

	if (s->url.n > 0) {
		if (token == NULL || token[0] == '\0')
			(void)fprintf(stderr,
			    "emcli: warning: " MCP_CLIENT_TOKEN
			    " is not set here: start %s where it is, or every "
			    "call is refused (emcli agent add makes one)\n",
			    c->title);
		return 0;
	}
	if (s->key_file.n == 0 && env->agent_key == NULL) {
		(void)fprintf(stderr,
		    "emcli: warning: " MCP_CLIENT_KEY
		    " is not set here: start %s where it is, or say "
		    "--key-file FILE; without the key no mail is read\n",
		    c->title);
		return 0;
	}
	if (s->key_file.n == 0) {
		mcp_next_try_key(env, env->agent_key);
		return 0;
	}
	if (env_key_read(MCP_CLIENT_KEY, str_c(a, s->key_file), &key, e) < 0)
		return -1;
	mcp_next_try_key(env, key);
	return 0;
}

void
mcp_next_put(struct buf *b, const struct mcp_client *c)
{
	buf_fmt(b,
	    "Next: %s.\n"
	    "Then ask it: what is new in my mail?\n",
	    c->next);
}
