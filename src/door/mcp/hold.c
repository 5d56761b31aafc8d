/*
 * The answer to a load is the host's leave to go on, and most hosts ask their
 * model at once: with the list they had.  So a host that will list again is
 * given the change first, and the answer when it has listed, or a moment later.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "door/mcp/internal.h"
#include "door/out.h"

#define CHANGED "\"method\":\"notifications/tools/list_changed\""

bool
mcp_hold_wants(const struct mcp_request *q)
{
	const struct op *op = mcp_call_op(q);

	return op != NULL && mcp_sight_filters(q) && mcp_sight_control(op) &&
	    op->effect == EFFECT_STATE;
}

bool
mcp_hold_take(struct mcp_hold *h, struct mcp_job *job)
{
	struct str all = buf_view(&job->kept), change, rest;

	if (!str_cut(all, '\n', &change, &rest) ||
	    str_find(change, S(CHANGED)) < 0 ||
	    out_write(STDOUT_FILENO, str_first(all, change.n + 1)) < 0)
		return false;
	buf_init(&job->kept, job->a, LIMIT_MCP_LINE);
	buf_str(&job->kept, rest);
	h->job = job;
	h->until_ms = clock_mono_ms() + LIMIT_MCP_HOLD_MS;
	return true;
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
	r = out_write(STDOUT_FILENO, buf_view(&h->job->kept));
	mcp_worker_drop(&h->job);
	return r;
}

bool
mcp_hold_cancel(struct mcp_hold *h, const struct mcp_id *id)
{
	if (h->job == NULL || !mcp_jsonrpc_same(&h->job->q.id, id))
		return false;
	mcp_worker_drop(&h->job);
	return true;
}
