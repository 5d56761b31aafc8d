/* SPDX-License-Identifier: Apache-2.0 */
/* Running calls: places, marks, questions and counts in shared memory. */
#include "door/running.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"

/* The other bits of a state count the uses of the place. */
enum state {
	FREE,
	TAKEN, /* by a process that has not named its call yet */
	NAMED,
	CANCELLED,
	STATES
};

enum {
	EARLY = 64, /* a client that cancels more at once harms only itself */
	LISTS = 64,
	COUNTS = 1024,
	KNOWN_SET_BITS = 8,
	KNOWN_OF = 4,   /* of one set */
	LOOK_US = 5000, /* how often a waiting call checks */
	USES = UINT32_MAX / STATES + 1,
	TOLD = 2 /* added to a word: 0 is none, 1 that none will come */
};

/* Recent cancellations: the call may still be queued. */
struct early {
	_Atomic int64_t agent, at_ms;
	_Atomic uint64_t call;
};

/* For one agent, or a few: agents are numbered consecutively. */
struct list {
	_Atomic uint32_t next; /* the next to be overwritten */
	struct early early[EARLY];
};

struct place {
	_Atomic uint32_t state;
	_Atomic int64_t agent, since_ms;
	_Atomic uint64_t caller; /* 0: it is not known */
	_Atomic uint64_t call;
	_Atomic uint64_t asked; /* the question it waits for, or 0 */
	_Atomic uint32_t word;  /* the answer plus TOLD; 0: none */
};

struct running {
	size_t places, all; /* of one server, and of all servers */
	struct list list[LISTS];
	_Atomic uint32_t count[COUNTS]; /* by session */
	/* Callers that were accepted, or 0.  One more than a set has places
	 * takes an older one's. */
	_Atomic uint64_t known[1 << KNOWN_SET_BITS][KNOWN_OF];
	_Atomic uint32_t known_next;
	uint64_t seed; /* odd */
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
	uint64_t seed;
	void *p;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		return NULL;
	p = mmap(NULL, sizeof(*t) + all * sizeof(t->place[0]),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	t = p; /* all zero: all are free */
	t->seed = seed | 1;
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
	atomic_store(&r->caller, 0);
	atomic_store(&r->since_ms, since_ms);
	atomic_store(&r->state, p.use * STATES + TAKEN);
	return p;
}

void
running_drop(const struct running_place *p)
{
	running_free(&p->table->place[p->at]);
}

void
running_is(const struct running_place *p, uint64_t caller)
{
	atomic_store(&p->table->place[p->at].caller, caller);
}

/* The seed is secret: a caller chooses its number, but not its set. */
static size_t
running_known_set(const struct running *t, uint64_t caller)
{
	return (size_t)((caller * t->seed) >> (64 - KNOWN_SET_BITS));
}

bool
running_knows(const struct running *t, uint64_t caller)
{
	const _Atomic uint64_t *set = t->known[running_known_set(t, caller)];
	bool is = false;

	for (size_t i = 0; caller != 0 && i < KNOWN_OF; i++)
		is = is || atomic_load(&set[i]) == caller;
	return is;
}

void
running_learn(struct running *t, uint64_t caller)
{
	_Atomic uint64_t *set = t->known[running_known_set(t, caller)];

	if (running_knows(t, caller))
		return;
	for (size_t i = 0; i < KNOWN_OF; i++) {
		uint64_t none = 0;

		if (atomic_compare_exchange_strong(&set[i], &none, caller))
			return;
	}
	atomic_store(&set[atomic_fetch_add(&t->known_next, 1) % KNOWN_OF],
	    caller);
}

void
running_unlearn(struct running *t, uint64_t caller)
{
	_Atomic uint64_t *set = t->known[running_known_set(t, caller)];

	for (size_t i = 0; i < KNOWN_OF; i++) {
		uint64_t is = caller;

		(void)atomic_compare_exchange_strong(&set[i], &is, 0);
	}
}

size_t
running_of(const struct running *t, uint64_t caller)
{
	size_t n = 0;

	for (size_t i = 0; i < t->all; i++) {
		const struct place *r = &t->place[i];

		n += atomic_load(&r->state) % STATES != FREE &&
		    (caller == 0 || atomic_load(&r->caller) == caller);
	}
	return n;
}

/* Changes the state, unless the place has been used again. */
static bool
running_move(struct place *r, uint32_t use, enum state from, enum state to)
{
	uint32_t state = use * STATES + from;

	return atomic_compare_exchange_strong(&r->state, &state,
	    use * STATES + to);
}

/* The name in a place: a late name cannot match the place's next use. */
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

	/* The server may have died, and its place been used again. */
	if (atomic_load(&r->state) != p->use * STATES + TAKEN)
		return;
	atomic_store(&r->agent, agent);
	atomic_store(&r->call, running_name_of(call, p->use));
	if (!running_move(r, p->use, TAKEN, NAMED))
		return;
	/*
	 * Only after naming the call: whoever cancels marks this list first,
	 * and then looks at the places.
	 */
	for (size_t i = 0; i < EARLY; i++) {
		struct early *x = &l->early[i];

		/* An id may be used again after it was cancelled. */
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

/* Half of a server's places are free for calls that wait for nobody. */
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

/* Never 0, which means none. */
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

	/* Its parent may die, and its client may cancel. */
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

/* Sessions with the same number wait less; nothing else depends on it. */
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
