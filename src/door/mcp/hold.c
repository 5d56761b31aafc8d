/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host may continue after the answer to a load, and most hosts call their
 * model at once, with the old list.  So a host that will list again gets the
 * change first, and the answer after it has listed, or a moment later.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "door/mcp/stdio.h"
#include "door/out.h"

void
mcp_hold_take(struct mcp_hold *h, struct mcp_job *job)
{
	h->job = job;
	h->until_ms = clock_mono_ms() + LIMIT_MCP_HOLD_MS;
}

void
mcp_hold_settle(struct mcp_hold *h)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_MCP_SETTLE_MS;

	if (until_ms < h->until_ms)
		h->until_ms = until_ms;
}

int
mcp_hold_release(struct mcp_hold *h)
{
	int r = 0;

	if (h->job == NULL)
		return 0;
	r = out_write_line(STDOUT_FILENO, h->job->answer);
	mcp_job_drop(&h->job);
	return r;
}

bool
mcp_hold_cancel(struct mcp_hold *h, const struct mcp_id *id)
{
	if (h->job == NULL || !mcp_jsonrpc_same(&h->job->q.id, id))
		return false;
	mcp_job_drop(&h->job);
	return true;
}
