/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads out of 100,000 messages that are in memory: a list of long and short
 * threads, one chain, and ids at random; milliseconds of the processor, best
 * of five.  Built and run by bench/thread.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/limits.h"
#include "source/thread.h"

#define MANY 100000

static struct arena *a;
static unsigned seed = 1;

static unsigned
chance(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % n;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Answers one of the last thousand three times in four, citing its chain. */
static void
like_a_list(struct thread_in *m, size_t i)
{
	size_t up;

	if (i == 0 || chance(4) == 0)
		return;
	up = i - 1 - chance(i < 1000 ? (unsigned)i : 1000);
	for (size_t k = m[up].references.n > 30 ? m[up].references.n - 30 : 0;
	     k < m[up].references.n; k++)
		str_push(a, &m[i].references, m[up].references.v[k]);
	str_push(a, &m[i].references, m[up].message_id);
}

static void
as_a_chain(struct thread_in *m, size_t i)
{
	if (i > 0)
		m[i].in_reply_to = m[i - 1].message_id;
}

static void
at_random(struct thread_in *m, size_t i)
{
	for (int k = 0; k < 8; k++)
		str_push(a, &m[i].references, m[chance(MANY)].message_id);
}

static void
measure(const char *what, void (*make)(struct thread_in *m, size_t i))
{
	struct thread_in *m;
	double best = 1e9;
	struct threads t;
	size_t used = 0;

	a = arena_open(4UL << 30);
	m = arena_array(a, MANY, sizeof(*m));
	for (size_t i = 0; i < MANY; i++)
		m[i] =
		    (struct thread_in){ .message_id = str_fmt(a,
					    "<%08x.%zu.%08x@mail.lab.example>",
					    chance(~0U), i, chance(~0U)),
			    .date_s = (int64_t)i * 60,
			    .has_date = true };
	for (size_t i = 0; i < MANY; i++)
		make(m, i);
	for (int k = 0; k < 5; k++) {
		struct arena *own = arena_open(4UL << 30);
		double since = now();

		thread_make(own, m, MANY, &t);
		since = now() - since;
		best = since < best ? since : best;
		used = arena_used(own);
		if (k == 4)
			printf("%-14s %8.1f ms %6zu threads %6.1f MiB\n", what,
			    best, t.n, (double)used / (1 << 20));
		arena_close(&own);
	}
	arena_close(&a);
}

int
main(void)
{
	measure("list", like_a_list);
	measure("chain", as_a_chain);
	measure("random", at_random);
	return 0;
}
