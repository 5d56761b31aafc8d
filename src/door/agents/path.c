/* SPDX-License-Identifier: Apache-2.0 */
/* Which way a call takes to the mailbox. */
#include "door/agents/internal.h"

static int
path_nowhere(const struct agents_call *c, struct err *e)
{
	if (c->broken != NULL) {
		*e = *c->broken;
		return -1;
	}
	(void)err_set(e, ERR_UNSUPPORTED,
	    "the mailbox cannot be reached: the session has no live gateway, "
	    "and this caller has no key of emcli's");
	e->reason = "unsupported";
	return -1;
}

/* A session without a mailbox has none by any way. */
static int
path_check_mailbox(const struct agents_call *c, struct err *e)
{
	if (c->session.manifest.mailbox.transport != TRANSPORT_NONE)
		return 0;
	(void)err_set(e, ERR_CONFIG, "this session has no mailbox");
	e->reason = "no_mailbox";
	return -1;
}

/* What only the operator may do is done with the operator's key. */
static bool
path_is_operators(const struct agents_call *c)
{
	return c->op->effect == EFFECT_OPERATE && agents_direct_can(c);
}

int
agents_path_take(struct agents_call *c, struct agents_answer *out,
    struct err *e)
{
	CLEANUP(agents_gateway_close)
	struct agents_gateway g = { .folder = -1 };

	if (path_check_mailbox(c, e) < 0)
		return -1;
	if (c->verb->op == NULL)
		return agents_resolve(c, out, e);
	if (!path_is_operators(c) && agents_gateway_find(c, &g))
		return agents_gateway_call(c, &g, out, e);
	/* No gateway has the operator's key. */
	if (c->op->effect == EFFECT_OPERATE && agents_direct_can(c) &&
	    c->env->admin_key != NULL)
		return agents_direct_call(c, out, e);
	if (agents_direct_can(c))
		return agents_direct_call(c, out, e);
	if (c->verb->prompts && c->broken == NULL && c->session.ours)
		return agents_typed_call(c, out, e);
	return path_nowhere(c, e);
}
