/* Calls on their way: places, marks, questions and counts in shared memory. */
#include "door/running.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"

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
	USES = UINT32_MAX / STATES + 1,
	TOLD = 2 /* what is added to a word: 0 is none, 1 that none will come */
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

struct place {
	_Atomic uint32_t state;
	_Atomic int64_t agent, since_ms;
	_Atomic uint64_t call;
	_Atomic uint64_t asked; /* the question that it waits for, or 0 */
	_Atomic uint32_t word;  /* the answer and TOLD; 0: there is none */
};

struct running {
	size_t places, all; /* of one server, and of all of them */
	struct list list[LISTS];
	_Atomic uint32_t count[COUNTS]; /* by session */
	struct place place[];
};

static struct list *
running_list_of(struct running *t, int64_t agent)
{
	return &t->list[(uint64_t)agent % LISTS];
}

struct running *
running_new(size_t servers, size_t places)
{
	struct running *t;
	size_t all = servers * places;
	void *p = mmap(NULL, sizeof(*t) + all * sizeof(t->place[0]),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	t = p; /* zeroes: all are free */
	t->places = places;
	t->all = all;
	return t;
}

static void
running_free(struct place *r)
{
	atomic_store(&r->state,
	    atomic_load(&r->state) / STATES * STATES + FREE);
}

void
running_clear(struct running *t, size_t server)
{
	for (size_t i = 0; i < t->places; i++)
		running_free(&t->place[server * t->places + i]);
}

struct running_place
running_take(struct running *t, size_t server, size_t place, int64_t since_ms)
{
	struct running_place p = { t, server * t->places + place, 0 };
	struct place *r = &t->place[p.at];

	p.use = (atomic_load(&r->state) / STATES + 1) % USES;
	atomic_store(&r->asked, 0);
	atomic_store(&r->since_ms, since_ms);
	atomic_store(&r->state, p.use * STATES + TAKEN);
	return p;
}

void
running_drop(const struct running_place *p)
{
	running_free(&p->table->place[p->at]);
}

/* From one state to the next, if the place is not another's by now. */
static bool
running_move(struct place *r, uint32_t use, enum state from, enum state to)
{
	uint32_t state = use * STATES + from;

	return atomic_compare_exchange_strong(&r->state, &state,
	    use * STATES + to);
}

/* What is in a place: a name that came too late is not the next one's. */
static uint64_t
running_name_of(uint64_t call, uint32_t use)
{
	return str_hash(call, (struct str){ (const char *)&use, sizeof(use) });
}

void
running_name(const struct running_place *p, int64_t agent, uint64_t call)
{
	struct place *r = &p->table->place[p->at];
	struct list *l = running_list_of(p->table, agent);
	int64_t since = atomic_load(&r->since_ms);

	/* Not of a server that died, whose place is another's. */
	if (atomic_load(&r->state) != p->use * STATES + TAKEN)
		return;
	atomic_store(&r->agent, agent);
	atomic_store(&r->call, running_name_of(call, p->use));
	if (!running_move(r, p->use, TAKEN, NAMED))
		return;
	/* Only now: whoever cancels leaves word here first, and looks there
	 * then. */
	for (size_t i = 0; i < EARLY; i++) {
		struct early *x = &l->early[i];

		/* An id may be used again once it was cancelled. */
		if (atomic_load(&x->call) == call &&
		    atomic_load(&x->agent) == agent &&
		    atomic_load(&x->at_ms) >= since)
			(void)running_move(r, p->use, NAMED, CANCELLED);
	}
}

void
running_cancel(struct running *t, int64_t agent, uint64_t call)
{
	struct list *l = running_list_of(t, agent);
	struct early *x = &l->early[atomic_fetch_add(&l->next, 1) % EARLY];

	atomic_store(&x->call, 0);
	atomic_store(&x->agent, agent);
	atomic_store(&x->at_ms, clock_mono_ms());
	atomic_store(&x->call, call);
	for (size_t i = 0; i < t->all; i++) {
		struct place *r = &t->place[i];
		uint32_t use = atomic_load(&r->state) / STATES;

		if (atomic_load(&r->agent) == agent &&
		    atomic_load(&r->call) == running_name_of(call, use))
			(void)running_move(r, use, NAMED, CANCELLED);
	}
}

bool
running_cancelled(const struct running_place *p)
{
	return atomic_load(&p->table->place[p->at].state) ==
	    p->use * STATES + CANCELLED;
}

/* Half of a server's places stay free for calls that wait for nobody. */
static bool
running_has_room(const struct running_place *p)
{
	struct running *t = p->table;
	struct place *mine = &t->place[p->at / t->places * t->places];
	size_t n = 0;

	for (size_t i = 0; i < t->places; i++)
		n += atomic_load(&mine[i].asked) != 0;
	return n < LIMIT_MCP_RUNNING / 2;
}

/* Never 0, which stands for none. */
static uint64_t
running_question_of(uint64_t question)
{
	return question | 1;
}

bool
running_ask(const struct running_place *p, uint64_t question)
{
	struct place *r = &p->table->place[p->at];

	if (!running_has_room(p))
		return false;
	atomic_store(&r->word, 0);
	atomic_store(&r->asked, running_question_of(question));
	return true;
}

bool
running_await(const struct running_place *p, int *word)
{
	struct place *r = &p->table->place[p->at];
	int64_t until_ms = clock_mono_ms() + LIMIT_MCP_ASK_MS;
	pid_t parent = getppid();
	uint32_t got = 0;

	/* Its parent may die, and its client cancel. */
	while (got == 0 && clock_left_ms(until_ms) > 0 && getppid() == parent &&
	    !running_cancelled(p)) {
		(void)usleep(LOOK_US);
		got = atomic_load(&r->word);
	}
	atomic_store(&r->asked, 0);
	if (got < TOLD)
		return false;
	*word = (int)(got - TOLD);
	return true;
}

void
running_told(struct running *t, int64_t agent, uint64_t question, int word)
{
	question = running_question_of(question);
	for (size_t i = 0; i < t->all; i++) {
		struct place *r = &t->place[i];

		if (atomic_load(&r->asked) == question &&
		    atomic_load(&r->agent) == agent)
			atomic_store(&r->word, (uint32_t)(word + TOLD));
	}
}

/* Sessions that share a number wait for less: nothing else depends on it. */
uint32_t
running_count(struct running *t, uint64_t session)
{
	return atomic_load(&t->count[session % COUNTS]);
}

void
running_counted(struct running *t, uint64_t session)
{
	(void)atomic_fetch_add(&t->count[session % COUNTS], 1);
}

void
running_hold(struct running *t, uint64_t session, uint32_t since)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_MCP_HOLD_MS;

	while (running_count(t, session) == since) {
		if (clock_left_ms(until_ms) == 0)
			return;
		(void)usleep(LOOK_US);
	}
	(void)usleep(LIMIT_MCP_SETTLE_MS * 1000);
}
