/* SPDX-License-Identifier: Apache-2.0 */
/* The operation itself, through a gate of our own: for whoever has a key. */
#include "base/env.h"
#include "base/limits.h"
#include "door/agents/internal.h"
#include "gate/operate.h"

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

/* The operator's operations have a gate of their own. */
static int
direct_open(struct agents_call *c, const struct env *env, struct gate **out,
    struct err *e)
{
	if (c->op->effect != EFFECT_OPERATE)
		return gate_open(env, out, e);
	return operate_allow(env, c->op, &c->args, false, c->a, e) < 0
	    ? -1
	    : operate_open(env, c->op, &c->args, c->a, out, e);
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

	if (arg != NULL)
		arg->text = account;
	if (direct_open(c, &env, &g, e) < 0)
		return -1;
	direct_bind(c, &binding);
	gate_caller_set(g, &who);
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
