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
#include "gate/outbox_ask.h"

/* The rest of a state counts the uses of the place. */
enum state {
	FREE,
	TAKEN, /* by a process that has not said yet whose call it is */
	NAMED,
	CANCELLED,
	STATES
};

enum {
	EARLY = 64, /* who cancels more at once harms itself */
	LISTS = 64,
	COUNTS = 1024,
	LOOK_US = 5000, /* how often it is looked at while a call waits */
	USES = UINT32_MAX / STATES + 1
};

/* What was cancelled of late: that call may still be waiting for its turn. */
struct early {
	_Atomic int64_t agent, at_ms;
	_Atomic uint64_t call;
};

/* Of an agent, and of few others: they are numbered one by one. */
struct list {
	_Atomic uint32_t next; /* to be written over */
	struct early early[EARLY];
};

/* What stands for an answer in memory: a word's number and this. */
enum {
	WORDS = 1,
	SILENT = 100
};

/* A process has one call. */
static struct {
	const struct mcp_http *h;
	struct mcp_http_running *running;
	uint32_t use;
} self;

struct mcp_http_shared {
	struct list list[LISTS];
	_Atomic uint32_t lists[COUNTS]; /* given, by session */
	struct mcp_http_running all[];  /* MCP_HTTP_PLACES a worker */
};

static struct list *
list_of(struct mcp_http_shared *s, int64_t agent)
{
	return &s->list[(uint64_t)agent % LISTS];
}

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

uint32_t
mcp_http_running_take(struct mcp_http_running *r, int64_t since_ms)
{
	uint32_t use = (atomic_load(&r->state) / STATES + 1) % USES;

	atomic_store(&r->asked, 0);
	atomic_store(&r->since_ms, since_ms);
	atomic_store(&r->state, use * STATES + TAKEN);
	return use;
}

void
mcp_http_running_drop(struct mcp_http_running *r)
{
	atomic_store(&r->state,
	    atomic_load(&r->state) / STATES * STATES + FREE);
}

/* Two ids that meet are of one agent, who harms nobody else by it. */
static uint64_t
mix(uint64_t sum, const void *p, size_t n)
{
	return str_hash(sum, (struct str){ p, n });
}

static uint64_t
call_of(const struct mcp_request *q, const struct mcp_id *id)
{
	uint64_t sum = STR_HASH;

	sum = mix(sum, q->m->conversation, sizeof(q->m->conversation));
	sum = mix(sum, &id->kind, sizeof(id->kind));
	if (id->kind == MCP_ID_INT)
		return mix(sum, &id->n, sizeof(id->n));
	return mix(sum, id->text.p, id->text.n);
}

/* From one state to the next, if the place is not another's by now. */
static bool
move(struct mcp_http_running *r, uint32_t use, enum state from, enum state to)
{
	uint32_t state = use * STATES + from;

	return atomic_compare_exchange_strong(&r->state, &state,
	    use * STATES + to);
}

/* What stands in a place: a name that came too late is not the next one's. */
static uint64_t
name_of(uint64_t call, uint32_t use)
{
	return mix(call, &use, sizeof(use));
}

void
mcp_http_running_name(const struct mcp_http *h, struct mcp_http_running *r,
    uint32_t use, const struct mcp_request *q)
{
	int64_t agent = q->m->agent->id, since = atomic_load(&r->since_ms);
	struct list *l = list_of(h->shared, agent);
	uint64_t call = call_of(q, &q->id);

	self.h = h;
	self.running = r;
	self.use = use;
	/* Not of a worker that died, whose place is another's. */
	if (atomic_load(&r->state) != use * STATES + TAKEN)
		return;
	atomic_store(&r->agent, agent);
	atomic_store(&r->call, name_of(call, use));
	if (!move(r, use, TAKEN, NAMED))
		return;
	/* Only now: who cancels leaves word here first, and looks there then.
	 */
	for (size_t i = 0; i < EARLY; i++) {
		struct early *x = &l->early[i];

		/* An id may be used again once it was cancelled. */
		if (atomic_load(&x->call) == call &&
		    atomic_load(&x->agent) == agent &&
		    atomic_load(&x->at_ms) >= since)
			(void)move(r, use, NAMED, CANCELLED);
	}
}

void
mcp_http_running_cancel(const struct mcp_http *h, const struct mcp_request *q,
    const struct mcp_id *id)
{
	struct mcp_http_shared *s = h->shared;
	size_t n = h->workers * (size_t)MCP_HTTP_PLACES;
	int64_t agent = q->m->agent->id;
	struct list *l = list_of(s, agent);
	struct early *x = &l->early[atomic_fetch_add(&l->next, 1) % EARLY];
	uint64_t call = call_of(q, id);

	atomic_store(&x->call, 0);
	atomic_store(&x->agent, agent);
	atomic_store(&x->at_ms, clock_mono_ms());
	atomic_store(&x->call, call);
	for (size_t i = 0; i < n; i++) {
		struct mcp_http_running *r = &s->all[i];
		uint32_t use = atomic_load(&r->state) / STATES;

		if (atomic_load(&r->agent) == agent &&
		    atomic_load(&r->call) == name_of(call, use))
			(void)move(r, use, NAMED, CANCELLED);
	}
}

/* Half of a worker's places stay free for calls that wait for nobody. */
static bool
is_room(void)
{
	size_t at = (size_t)(self.running - self.h->shared->all), n = 0;
	struct mcp_http_running *mine =
	    self.h->shared->all + at / MCP_HTTP_PLACES * MCP_HTTP_PLACES;

	for (size_t i = 0; i < MCP_HTTP_PLACES; i++)
		n += atomic_load(&mine[i].asked) != 0;
	return n < LIMIT_MCP_RUNNING / 2;
}

static uint64_t
question_of(const struct mcp_request *q, struct str id)
{
	struct mcp_id asked = { .kind = MCP_ID_TEXT, .text = id };

	/* Never 0, which stands for none. */
	return call_of(q, &asked) | 1;
}

bool
mcp_http_running_ask(const struct mcp_request *q, struct str id)
{
	if (self.running == NULL || !is_room())
		return false;
	atomic_store(&self.running->word, 0);
	atomic_store(&self.running->asked, question_of(q, id));
	return true;
}

bool
mcp_http_running_await(int *word)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_MCP_ASK_MS;
	pid_t parent = getppid();
	uint32_t got = 0;

	/* Its worker may die, and its client cancel. */
	while (got == 0 && clock_left_ms(until_ms) > 0 && getppid() == parent &&
	    !mcp_http_running_cancelled(self.running, self.use)) {
		(void)usleep(LOOK_US);
		got = atomic_load(&self.running->word);
	}
	atomic_store(&self.running->asked, 0);
	if (got == 0 || got == SILENT)
		return false;
	*word = (int)(got - WORDS);
	return true;
}

void
mcp_http_running_told(const struct mcp_http *h,
    const struct mcp_request *answer)
{
	size_t n = h->workers * (size_t)MCP_HTTP_PLACES;
	int word = OUTBOX_ASK_DONE;
	uint64_t asked;

	if (answer->id.kind != MCP_ID_TEXT)
		return;
	asked = question_of(answer, answer->id.text);
	(void)mcp_elicit_word(answer->params, &word);
	for (size_t i = 0; i < n; i++) {
		struct mcp_http_running *r = &h->shared->all[i];

		if (atomic_load(&r->asked) == asked &&
		    atomic_load(&r->agent) == answer->m->agent->id)
			atomic_store(&r->word,
			    answer->params == NULL ? SILENT
						   : (uint32_t)word + WORDS);
	}
}

/* Sessions that share a number wait for less: nothing else depends on it. */
static _Atomic uint32_t *
count_of(const struct mcp_http *h, const struct mcp_request *q)
{
	uint64_t sum =
	    mix(STR_HASH, q->m->conversation, strlen(q->m->conversation));

	return &h->shared->lists[sum % COUNTS];
}

uint32_t
mcp_http_running_lists(const struct mcp_http *h, const struct mcp_request *q)
{
	return atomic_load(count_of(h, q));
}

void
mcp_http_running_listed(const struct mcp_http *h, const struct mcp_request *q)
{
	(void)atomic_fetch_add(count_of(h, q), 1);
}

void
mcp_http_running_hold(const struct mcp_http *h, const struct mcp_request *q,
    uint32_t since)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_MCP_HOLD_MS;

	while (mcp_http_running_lists(h, q) == since) {
		if (clock_left_ms(until_ms) == 0)
			return;
		(void)usleep(LOOK_US);
	}
	(void)usleep(LIMIT_MCP_SETTLE_MS * 1000);
}

bool
mcp_http_running_cancelled(const struct mcp_http_running *r, uint32_t use)
{
	return atomic_load(&r->state) == use * STATES + CANCELLED;
}
