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

#include "base/clock.h"
#include "door/mcp/http.h"

/* The rest of a state counts the uses of the place. */
enum state {
	FREE,
	TAKEN, /* by a process that has not said yet whose call it is */
	NAMED,
	CANCELLED,
	STATES
};

enum {
	EARLY = 64
};

/* What was cancelled of late: that call may still be waiting for its turn. */
struct early {
	_Atomic int64_t agent, at_ms;
	_Atomic uint64_t call;
};

struct mcp_http_shared {
	_Atomic uint32_t next; /* of the early ones, to be written over */
	struct early early[EARLY];
	struct mcp_http_running all[]; /* MCP_HTTP_PLACES a worker */
};

int
mcp_http_running_make(struct mcp_http *h, struct err *e)
{
	size_t n = h->workers * (size_t)MCP_HTTP_PLACES;
	void *p = mmap(NULL, sizeof(*h->shared) + n * sizeof(h->shared->all[0]),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return err_set(e, ERR_INTERNAL, "no memory to share");
	h->shared = p; /* zeroes: all are free */
	return 0;
}

struct mcp_http_running *
mcp_http_running_mine(const struct mcp_http *h, size_t number)
{
	struct mcp_http_running *mine =
	    h->shared->all + number * MCP_HTTP_PLACES;

	for (size_t i = 0; i < MCP_HTTP_PLACES; i++)
		mcp_http_running_drop(&mine[i]);
	return mine;
}

void
mcp_http_running_take(struct mcp_http_running *r, int64_t since_ms)
{
	uint32_t uses = atomic_load(&r->state) / STATES;

	atomic_store(&r->since_ms, since_ms);
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

/* From that state, if the place is not another's by now. */
static void
move(struct mcp_http_running *r, uint32_t state, enum state to)
{
	(void)atomic_compare_exchange_strong(&r->state, &state,
	    state / STATES * STATES + to);
}

void
mcp_http_running_name(const struct mcp_http *h, struct mcp_http_running *r,
    const struct mcp_request *q)
{
	uint32_t state = atomic_load(&r->state);
	int64_t agent = q->m->agent->id, since = atomic_load(&r->since_ms);
	uint64_t call = call_of(q, &q->id);

	/* Not of a worker that died, whose place is another's. */
	if (state % STATES != TAKEN)
		return;
	atomic_store(&r->agent, agent);
	atomic_store(&r->call, call);
	move(r, state, NAMED);
	/* Only now: who cancels leaves word here first, and looks there then.
	 */
	for (size_t i = 0; i < EARLY; i++) {
		struct early *x = &h->shared->early[i];

		/* An id may be used again once it was cancelled. */
		if (atomic_load(&x->call) == call &&
		    atomic_load(&x->agent) == agent &&
		    atomic_load(&x->at_ms) >= since)
			move(r, state - TAKEN + NAMED, CANCELLED);
	}
}

void
mcp_http_running_cancel(const struct mcp_http *h, const struct mcp_request *q,
    const struct mcp_id *id)
{
	struct mcp_http_shared *s = h->shared;
	size_t n = h->workers * (size_t)MCP_HTTP_PLACES;
	struct early *x = &s->early[atomic_fetch_add(&s->next, 1) % EARLY];
	int64_t agent = q->m->agent->id;
	uint64_t call = call_of(q, id);

	atomic_store(&x->call, 0);
	atomic_store(&x->agent, agent);
	atomic_store(&x->at_ms, clock_mono_ms());
	atomic_store(&x->call, call);
	for (size_t i = 0; i < n; i++) {
		struct mcp_http_running *r = &s->all[i];
		uint32_t state = atomic_load(&r->state);

		if (state % STATES == NAMED &&
		    atomic_load(&r->agent) == agent &&
		    atomic_load(&r->call) == call)
			move(r, state, CANCELLED);
	}
}

bool
mcp_http_running_cancelled(const struct mcp_http_running *r)
{
	return atomic_load(&r->state) % STATES == CANCELLED;
}
