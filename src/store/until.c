/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a call's waits for its database's server end.  Ordinary waits end before
 * the call does.  After that each of the few that remain gets a part of a
 * reserve: a rollback, a result, the last mark in the audit log.
 */
#include "store/until.h"

#include "base/clock.h"
#include "store/internal.h"

static int64_t
until_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t
until_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* An operator's command has no deadline: all its waits are of a reserve. */
static struct until
until_of_operator(void)
{
	return (struct until){ .bound = true,
		.spare_ms = UNTIL_OPERATOR_MS,
		.each_ms = UNTIL_OPERATOR_MS,
		.short_ms = UNTIL_SHORT_MS };
}

static struct until
until_of_call(int64_t now_ms, int64_t deadline_ms)
{
	const int64_t left = until_max(deadline_ms - now_ms, 0);
	const int64_t reserve = until_min(UNTIL_RESERVE_MS, left / 2);
	const int64_t spare = until_max(reserve, UNTIL_LEAST_MS);

	return (struct until){ .bound = true,
		.end_ms = deadline_ms - reserve,
		.deadline_ms = deadline_ms,
		.spare_ms = spare,
		.each_ms = spare / 4 };
}

void
store_until(struct store *s, int64_t deadline_ms)
{
	int64_t before;

	if (s == NULL)
		return;
	before = s->until.before_ms;
	if (s->role == STORE_ADMIN)
		s->until = until_of_operator();
	else if (deadline_ms == 0)
		s->until = (struct until){ 0 };
	else
		s->until = until_of_call(clock_mono_ms(), deadline_ms);
	s->until.before_ms = before;
}

void
store_until_opened(struct store *s, int64_t since_ms)
{
	s->until.before_ms = clock_mono_ms() - since_ms;
}

int64_t
store_until_begun(struct store *s)
{
	const int64_t before = s->until.before_ms;

	s->until.before_ms = 0;
	return clock_mono_ms() - before;
}

void
store_until_last(struct store *s)
{
	if (s != NULL && s->role != STORE_ADMIN && s->until.bound)
		s->until.end_ms =
		    until_max(s->until.end_ms, s->until.deadline_ms);
}

int64_t
until_by(const struct store *s, int64_t end_ms)
{
	const struct until *u = &s->until;
	int64_t spare;

	if (!u->bound)
		return end_ms;
	spare = until_max(until_min(u->each_ms, u->spare_ms), 0);
	return until_min(end_ms, until_max(u->end_ms, clock_mono_ms() + spare));
}

int
until_left(const struct store *s, int64_t most_ms)
{
	return clock_left_ms(until_by(s, clock_mono_ms() + most_ms));
}

void
until_waited(struct store *s, int64_t since_ms)
{
	const int64_t now = clock_mono_ms();
	struct until *u = &s->until;
	int64_t late = now - until_max(since_ms, u->end_ms);

	if (u->bound && late > 0 && late >= u->short_ms)
		u->spare_ms -= late;
}

bool
until_over(const struct store *s)
{
	const struct until *u = &s->until;

	return u->bound && s->role != STORE_ADMIN &&
	    clock_left_ms(u->end_ms) <= u->each_ms;
}

void
until_least(struct store *s, int64_t least_ms)
{
	struct until *u = &s->until;

	if (u->bound)
		u->end_ms = until_max(u->end_ms, clock_mono_ms() + least_ms);
}
