/* SPDX-License-Identifier: Apache-2.0 */
/* The call that a cancellation means, shared by workers and their processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/limits.h"
#include "door/running.h"

enum {
	WORKERS = 2
};

/* Two servers, and a call of the second. */
static struct running *
begin(void)
{
	struct running *t = running_new(WORKERS, 2);

	assert_non_null(t);
	running_clear(t, 1);
	return t;
}

static void
test_which(void **state)
{
	struct running *t = begin();
	struct running_place p = running_take(t, 1, 0, clock_mono_ms());

	(void)state;
	running_name(&p, 3, 100);
	running_cancel(t, 3, 200);
	running_cancel(t, 4, 100);
	assert_false(running_cancelled(&p));
	running_cancel(t, 3, 100);
	assert_true(running_cancelled(&p));
	running_drop(&p);
	assert_false(running_cancelled(&p));
}

/* Other cancellations, however many, do not revoke one. */
static void
test_early(void **state)
{
	struct running *t = begin();
	struct running_place p;

	(void)state;
	running_cancel(t, 3, 1);
	for (uint64_t n = 0; n < 1000; n++)
		running_cancel(t, 4, n);
	p = running_take(t, 1, 0, clock_mono_ms() - 60000);
	running_name(&p, 3, 1);
	assert_true(running_cancelled(&p));
	running_drop(&p);
	/* A later call has the number again. */
	p = running_take(t, 1, 0, clock_mono_ms() + 60000);
	running_name(&p, 3, 1);
	assert_false(running_cancelled(&p));
}

/* A process whose server died cannot name its call in a place used again. */
static void
test_orphan(void **state)
{
	struct running *t = begin();
	struct running_place old, now;

	(void)state;
	old = running_take(t, 1, 1, clock_mono_ms());
	running_clear(t, 1);
	now = running_take(t, 1, 1, clock_mono_ms());
	running_name(&old, 3, 1);
	running_cancel(t, 3, 1);
	assert_false(running_cancelled(&now));
	running_name(&now, 3, 2);
	running_cancel(t, 3, 1);
	assert_false(running_cancelled(&now));
	running_cancel(t, 3, 2);
	assert_true(running_cancelled(&now));
	assert_false(running_cancelled(&old));
}

/* An answer is for the agent that was asked, and for that question. */
static void
test_questions(void **state)
{
	struct running *t = begin();
	struct running_place p = running_take(t, 1, 0, clock_mono_ms());
	int word = 7;

	(void)state;
	running_name(&p, 3, 1);
	assert_true(running_ask(&p, 50));
	running_told(t, 4, 50, 1);
	running_told(t, 3, 60, 1);
	running_told(t, 3, 50, 0);
	assert_true(running_await(&p, &word));
	assert_int_equal(word, 0);
	word = 7;
	assert_true(running_ask(&p, 50));
	running_told(t, 3, 50, RUNNING_SILENT);
	assert_false(running_await(&p, &word));
	assert_true(running_ask(&p, 50));
	running_cancel(t, 3, 1);
	assert_false(running_await(&p, &word));
	/* Without an answer the word is unchanged. */
	assert_int_equal(word, 7);
}

/* At most half of a server's places wait for a person. */
static void
test_questions_leave_room(void **state)
{
	struct running *t = running_new(WORKERS, LIMIT_MCP_RUNNING);
	struct running_place p;
	size_t n;

	(void)state;
	assert_non_null(t);
	for (n = 0; n < LIMIT_MCP_RUNNING; n++) {
		p = running_take(t, 0, n, clock_mono_ms());
		running_name(&p, 3, n);
		if (!running_ask(&p, n))
			break;
	}
	assert_int_equal(n, LIMIT_MCP_RUNNING / 2);
	p = running_take(t, 1, 0, clock_mono_ms());
	assert_true(running_ask(&p, 1));
}

/* Each by itself, and as the same caller for every server. */
static void
test_known(void **state)
{
	struct running *t = begin();

	(void)state;
	assert_false(running_knows(t, 0));
	assert_false(running_knows(t, 101));
	running_learn(t, 101);
	running_learn(t, 103);
	running_clear(t, 0);
	assert_true(running_knows(t, 101) && running_knows(t, 103));
	/* One more is in the place of an older one, or not. */
	assert_false(running_knows(t, 101 + (1 << 20)));
	running_unlearn(t, 101 + (1 << 20));
	assert_true(running_knows(t, 101));
	running_unlearn(t, 101);
	assert_false(running_knows(t, 101));
	assert_true(running_knows(t, 103));
}

enum {
	MANY = 500
};

static size_t
learn_many(struct running *t, bool known[MANY])
{
	size_t n = 0;

	for (uint64_t i = 0; i < MANY; i++)
		running_learn(t, str_hash(i, S("token")) | 1);
	for (uint64_t i = 0; i < MANY; i++) {
		known[i] = running_knows(t, str_hash(i, S("token")) | 1);
		n += known[i];
	}
	return n;
}

/* Half as many as there are places seldom meet, and nobody can tell who does.
 */
static void
test_known_many(void **state)
{
	bool here[MANY], there[MANY];

	(void)state;
	assert_true(learn_many(begin(), here) >= 450);
	assert_true(learn_many(begin(), there) >= 450);
	assert_memory_not_equal(here, there, sizeof(here));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_orphan),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_questions_leave_room),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_known_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
