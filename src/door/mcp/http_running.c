/*
 * notifications/cancelled of the legacy revisions comes in a request of its
 * own, and to any worker.  So all of them share a table of the calls on their
 * way, in memory made before they were: the process of a call says whose it is,
 * that of a notification marks it, and the worker whose child it is ends it.
 *
 * Nothing but a mark passes between them: no process is signalled by others
 * than its parent, and so none that has taken over its number.
 */
#include <sys/mman.h>

#include "door/mcp/http.h"

/* The rest of a state counts the uses of the place. */
enum state {
	FREE,
	TAKEN, /* by a process that has not said yet whose call it is */
	NAMED,
	CANCELLED,
	STATES
};

int
mcp_http_running_make(struct mcp_http *h, struct err *e)
{
	size_t n = h->workers * (size_t)LIMIT_MCP_RUNNING * sizeof(*h->running);
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return err_set(e, ERR_INTERNAL, "no memory to share");
	h->running = p; /* zeroes: all are free */
	return 0;
}

void
mcp_http_running_take(struct mcp_http_running *r)
{
	uint32_t uses = atomic_load(&r->state) / STATES;

	atomic_store(&r->state, (uses + 1) * STATES + TAKEN);
}

void
mcp_http_running_drop(struct mcp_http_running *r)
{
	atomic_store(&r->state,
	    atomic_load(&r->state) / STATES * STATES + FREE);
}

/* FNV-1a: two ids that meet are of one agent, who harms nobody else by it. */
static uint64_t
mix(uint64_t sum, const void *p, size_t n)
{
	const unsigned char *byte = p;

	for (size_t i = 0; i < n; i++)
		sum = (sum ^ byte[i]) * 0x100000001b3;
	return sum;
}

static uint64_t
call_of(const struct mcp_request *q, const struct mcp_id *id)
{
	uint64_t sum = 0xcbf29ce484222325;

	sum = mix(sum, q->m->conversation, sizeof(q->m->conversation));
	sum = mix(sum, &id->kind, sizeof(id->kind));
	if (id->kind == MCP_ID_INT)
		return mix(sum, &id->n, sizeof(id->n));
	return mix(sum, id->text.p, id->text.n);
}

void
mcp_http_running_name(struct mcp_http_running *r, const struct mcp_request *q,
    const struct mcp_id *id)
{
	uint32_t state = atomic_load(&r->state);

	/* Not of a worker that died, whose place is another's. */
	if (state % STATES != TAKEN)
		return;
	atomic_store(&r->agent, q->m->agent->id);
	atomic_store(&r->call, call_of(q, id));
	(void)atomic_compare_exchange_strong(&r->state, &state,
	    state - TAKEN + NAMED);
}

void
mcp_http_running_cancel(const struct mcp_http *h, const struct mcp_request *q,
    const struct mcp_id *id)
{
	size_t n = h->workers * (size_t)LIMIT_MCP_RUNNING;
	uint64_t call = call_of(q, id);

	for (size_t i = 0; i < n; i++) {
		struct mcp_http_running *r = &h->running[i];
		uint32_t state = atomic_load(&r->state);

		/* The place may have become another's by now: then its state
		 * is not that one any more. */
		if (state % STATES == NAMED &&
		    atomic_load(&r->agent) == q->m->agent->id &&
		    atomic_load(&r->call) == call)
			(void)atomic_compare_exchange_strong(&r->state, &state,
			    state - NAMED + CANCELLED);
	}
}

bool
mcp_http_running_cancelled(const struct mcp_http_running *r)
{
	return atomic_load(&r->state) % STATES == CANCELLED;
}
