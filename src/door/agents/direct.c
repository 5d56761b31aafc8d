/* The operation itself, through a gate of our own: for whoever has a key. */
#include "base/env.h"
#include "base/limits.h"
#include "door/agents/internal.h"

#define NAME_UNSET "agent" /* what EMCLI_AGENT is without a value */

bool
agents_direct_can(const struct agents_call *c)
{
	const struct env *v = c->env;

	return c->broken == NULL && v != NULL &&
	    (v->agent_key != NULL || v->admin_key != NULL) && c->session.ours &&
	    c->session.state.account.n > 0;
}

/*
 * The session's agent, with the limits that the operator gave it, unless the
 * caller says who it is.
 */
static struct env
direct_env(const struct agents_call *c)
{
	struct env v = *c->env;
	char *agent = str_c(c->a, c->session.manifest.agent);

	if (str_eq(str_of(v.agent), S(NAME_UNSET)) && env_is_agent(agent))
		v.agent = agent;
	return v;
}

static void
direct_bind(const struct agents_call *c, struct gate_binding *out)
{
	const struct binding *b = &c->session.manifest.mailbox;

	*out = (struct gate_binding){
		.transport = str_of(transport_name(b->transport)),
		.principal = b->principal_id,
		.address = b->address,
		.version = b->bindings_version,
	};
}

int
agents_direct_call(struct agents_call *c, struct agents_answer *out,
    struct err *e)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	const struct env env = direct_env(c);
	struct strs account = { &c->session.state.account, 1 };
	struct gate_binding binding;
	struct gate_caller who = { .accounts = &account, .binding = &binding };
	struct arg *arg = args_find(&c->args, S("account"));
	struct reply r = { 0 };

	if (gate_open(&env, &g, e) < 0)
		return -1;
	direct_bind(c, &binding);
	gate_caller_set(g, &who);
	if (arg != NULL)
		arg->text = account;
	gate_call(g, c->op, &c->args, c->a, &r);
	out->path = "manager_direct";
	if (r.err.kind != ERR_NONE) {
		out->detail = r.detail;
		*e = r.err;
		return -1;
	}
	out->model = json_text(r.data, c->a);
	return 0;
}
