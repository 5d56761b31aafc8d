/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of a legacy session and its calls, for all processes of a server:
 * door/running.h.
 */
#include "door/mcp/streamable.h"

static uint64_t
mcp_session_mix(uint64_t sum, const void *p, size_t n)
{
	return str_hash(sum, (struct str){ p, n });
}

uint64_t
mcp_session(const struct mcp *m)
{
	return mcp_session_mix(STR_HASH, m->conversation,
	    strlen(m->conversation));
}

uint64_t
mcp_session_call(const struct mcp *m, const struct mcp_id *id)
{
	uint64_t sum = mcp_session(m);

	sum = mcp_session_mix(sum, &id->kind, sizeof(id->kind));
	if (id->kind == MCP_ID_INT)
		return mcp_session_mix(sum, &id->n, sizeof(id->n));
	return mcp_session_mix(sum, id->text.p, id->text.n);
}
