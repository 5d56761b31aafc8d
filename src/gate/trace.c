/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of the communication with servers is only for the holder of the
 * operator's key.  It shows what policy hides, and writes to a file, so an
 * agent's variable is ignored.
 */
#include "base/trace.h"

#include "gate/internal.h"
#include "gate/trace.h"
#include "store/key.h"

bool
gate_trace_may(const struct env *env, struct store *s)
{
	struct store_keys keys = { env->admin_key, env->agent_key };
	struct err e = { 0 };

	/* An agents' call asks no program for the operator's key. */
	return env->admin_key != NULL && !secret_later_due(env->admin_key) &&
	    store_key_check(s, STORE_SLOT_ADMIN, &keys, &e) == 0;
}

int
gate_trace_begin(const struct env *env, struct store *s, struct err *e)
{
	if (env->trace == NULL)
		return 0;
	return gate_trace_may(env, s) ? trace_open(env->trace, e) : 0;
}

int
gate_trace_keep(struct call *c, struct err *e)
{
	const struct env *env = c->gate->env;

	if (gate_trace_may(env, c->gate->store))
		return trace_keep(e);
	(void)err_set(e, ERR_CONFIG,
	    "a trace requires EMCLI_ADMIN_KEY (admin privilege)");
	return secret_later_due(env->admin_key)
	    ? err_hint(e,
		  "an agents' command does not run EMCLI_ADMIN_KEY_COMMAND "
		  "beside an agents' key: unset EMCLI_KEY_COMMAND, and "
		  "whatever else gives that key")
	    : -1;
}
