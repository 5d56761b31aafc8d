/* SPDX-License-Identifier: Apache-2.0 */
/* How long a wait for a database's server may take. */
#include "../rows.h"

#include "base/clock.h"
#include "store/internal.h"

#define HOUR 3600000

/* A wait of an hour, after all of that: what it gets, in milliseconds. */
static struct row {
	const char *why;
	enum store_role role;
	int64_t time_ms;   /* the call has that long; 0: it ended */
	int64_t waited_ms; /* it was waited for so long already */
	bool last;
	int64_t least_ms;
	int64_t want_ms; /* or up to 100 less */
} rows[] = {
	{ "no call", STORE_AGENT, 0, 0, false, 0, HOUR },
	{ "a call of a minute keeps eight seconds", STORE_AGENT, 60000, 0,
	    false, 0, 52000 },
	{ "a short one half of its time", STORE_AGENT, 10000, 0, false, 0,
	    5000 },
	{ "its last mark has all of it", STORE_AGENT, 60000, 0, true, 0,
	    60000 },
	{ "a result of a send at least so much", STORE_AGENT, 10000, 0, false,
	    15000, 15000 },
	{ "which takes nothing away", STORE_AGENT, 60000, 0, false, 15000,
	    52000 },
	{ "after its end: a part of the reserve", STORE_AGENT, -10, 0, false, 0,
	    500 },
	{ "which is used up", STORE_AGENT, -2010, 2000, false, 0, 0 },
	{ "or nearly", STORE_AGENT, -2010, 1700, false, 0, 300 },
	{ "an operator's command", STORE_ADMIN, 0, 0, false, 0,
	    UNTIL_OPERATOR_MS },
	{ "for which short waits do not count", STORE_ADMIN, 0, 900, false, 0,
	    UNTIL_OPERATOR_MS },
	{ "but long ones", STORE_ADMIN, 0, 600000, false, 0,
	    UNTIL_OPERATOR_MS - 600000 },
	{ "to the end", STORE_ADMIN, 0, UNTIL_OPERATOR_MS + 5, false, 0, 0 },
	{ "and has no deadline", STORE_ADMIN, 1000, 0, true, 0,
	    UNTIL_OPERATOR_MS },
};

static void
gets(void **state)
{
	const struct row *r = *state;
	struct store s = { .role = r->role };
	const int64_t now = clock_mono_ms();
	int64_t left;

	store_until(&s, r->time_ms != 0 ? now + r->time_ms : 0);
	if (r->waited_ms > 0)
		until_waited(&s, now - r->waited_ms);
	if (r->last)
		store_until_last(&s);
	if (r->least_ms > 0)
		until_least(&s, r->least_ms);
	left = until_by(&s, clock_mono_ms() + HOUR) - clock_mono_ms();
	assert_in_range(left + 100, r->want_ms, r->want_ms + 101);
	assert_int_equal(until_left(&s, HOUR) > 0, r->want_ms > 0);
}

/* What opening took counts, once, and not what was between. */
static void
opening(void **state)
{
	struct store s = { 0 };
	int64_t begun;

	(void)state;
	store_until_opened(&s, clock_mono_ms() - 7000);
	begun = clock_mono_ms() - store_until_begun(&s);
	assert_in_range(begun, 7000, 7100);
	begun = clock_mono_ms() - store_until_begun(&s);
	assert_in_range(begun, 0, 100);
	store_until(NULL, 0);
}

/* A wait that is cut off by the end of the time is not made again. */
static void
over(void **state)
{
	struct store s = { 0 };

	(void)state;
	assert_false(until_over(&s));
	store_until(&s, clock_mono_ms() + 60000);
	assert_false(until_over(&s));
	store_until(&s, clock_mono_ms() + UNTIL_RESERVE_MS / 2);
	assert_false(until_over(&s));
	store_until(&s, clock_mono_ms() + 600);
	assert_true(until_over(&s));
	s.role = STORE_ADMIN;
	store_until(&s, 0);
	assert_false(until_over(&s));
}

int
main(void)
{
	ROWS(rows, gets);
	rows_add("what opening took counts once", opening, NULL);
	rows_add("the end of the time", over, NULL);
	return cmocka_run_group_tests_name("store until", rows_tests, NULL,
	    NULL);
}
