/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which calls of a session use its connections: those that change no mail.  Any
 * other goes on when the session's process dies, which the connections do not.
 */
#include "door/lent.h"
#include "door/mcp/answers.h"
#include "door/mcp/stdio.h"

int
mcp_wires_join(const struct mcp_job *job)
{
	const struct mcp *m = job->q.m;
	const struct op *op = NULL;

	if (m->wires != NULL && (job->row->flags & MCP_CALLS))
		op = mcp_params_op(&job->q);
	if (op == NULL || !(op->needs & (NEED_ACCOUNT | NEED_SOURCE)) ||
	    (op->effect != EFFECT_READ && op->effect != EFFECT_STATE))
		return -1;
	return m->wires->join(m->env);
}

void
mcp_wires_use(const struct mcp *m)
{
	if (child_order() >= 0)
		m->wires->use(child_order());
}

void
mcp_wires_part(const struct mcp *m)
{
	if (m->wires != NULL)
		m->wires->part();
}

int
mcp_wires_fd(const struct mcp *m)
{
	return m->wires != NULL ? m->wires->fd() : -1;
}

void
mcp_wires_hear(const struct mcp *m)
{
	m->wires->hear();
}
