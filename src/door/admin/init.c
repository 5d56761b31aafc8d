/* emcli init: the database and the key it is sealed with. */
#include "door/admin/internal.h"
#include "door/out.h"

const struct arg_spec init_args[] = {
	{ 0 },
};

int
init_run(struct admin_call *c, struct err *e)
{
	struct store_keys keys = { c->env->admin_key, c->env->agent_key };
	struct str path = out_line(c->arena, str_of(c->env->db));
	bool created = false;

	if (keys.agent == NULL)
		return err_set(e, ERR_CONFIG, "EMCLI_KEY is not set");
	if (store_init(c->env->db, &keys, &created, e) < 0)
		return -1;
	buf_fmt(c->out, "%s %.*s\n", created ? "made" : "kept", STR_ARG(path));
	buf_fmt(c->out,
	    "\n"
	    "Give the agent's environment:\n"
	    "  EMCLI_KEY   the key you set just now\n"
	    "  EMCLI_DB    %.*s\n"
	    "Keep EMCLI_ADMIN_KEY to yourself: it is not for agents.\n"
	    "\n"
	    "Next: emcli account add --help\n",
	    STR_ARG(path));
	return 0;
}
