/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of reading, planted words, and releases: what the store refuses. */
#include "fixture.h"

#include "base/limits.h"
#include "store/outbox.h"

static void
a_mark_is_the_agent_s_own_and_the_latest(void **state)
{
	struct fx *x = *state;
	int64_t at = 7;

	assert_ok(x, store_taint_at(x->s, S("a"), &at, &x->e));
	assert_int_equal(at, 0);
	assert_ok(x, store_taint_mark(x->s, S("a"), 1000, &x->e));
	assert_ok(x, store_taint_at(x->s, S("a"), &at, &x->e));
	assert_int_equal(at, 1000);
	assert_ok(x, store_taint_at(x->s, S("b"), &at, &x->e));
	assert_int_equal(at, 0);
	/*
	 * Within the minute it stays, later it advances, and never goes back.
	 */
	assert_ok(x, store_taint_mark(x->s, S("a"), 1059, &x->e));
	assert_ok(x, store_taint_at(x->s, S("a"), &at, &x->e));
	assert_int_equal(at, 1000);
	assert_ok(x, store_taint_mark(x->s, S("a"), 1060, &x->e));
	assert_ok(x, store_taint_at(x->s, S("a"), &at, &x->e));
	assert_int_equal(at, 1060);
	assert_ok(x, store_taint_mark(x->s, S("a"), 500, &x->e));
	assert_ok(x, store_taint_at(x->s, S("a"), &at, &x->e));
	assert_int_equal(at, 1060);
}

static void
an_agent_marks_but_plants_nothing(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);

	assert_ok(x, store_taint_mark(s, S("a"), 1000, &x->e));
	assert_err(x, store_canary_add(s, S("long enough"), &x->e), ERR_CONFIG);
	assert_err(x, store_canary_remove(s, S("long enough"), &x->e),
	    ERR_CONFIG);
	/* It does not release anything either. */
	assert_err(x, store_outbox_release(s, 1, S(""), 0, &x->e), ERR_CONFIG);
}

static void
canaries_have_bounds(void **state)
{
	struct fx *x = *state;
	char text[LIMIT_CANARY + 2];
	struct strs all;

	memset(text, 'x', sizeof(text));
	assert_err(x, store_canary_add(x->s, S("seven77"), &x->e), ERR_USAGE);
	assert_err(x, store_canary_add(x->s, S("a b c d e f g"), &x->e),
	    ERR_USAGE);
	assert_err(x, store_canary_add(x->s, S("line\nend there"), &x->e),
	    ERR_USAGE);
	assert_err(x,
	    store_canary_add(x->s, (struct str){ text, LIMIT_CANARY + 1 },
		&x->e),
	    ERR_LIMIT);
	assert_ok(x,
	    store_canary_add(x->s, (struct str){ text, LIMIT_CANARY }, &x->e));
	for (int i = 1; i < LIMIT_CANARIES; i++)
		assert_ok(x,
		    store_canary_add(x->s, str_fmt(x->a, "canary-%d", i),
			&x->e));
	assert_err(x, store_canary_add(x->s, S("one too many"), &x->e),
	    ERR_LIMIT);
	assert_ok(x, store_canary_list(x->s, x->a, &all, &x->e));
	assert_int_equal(all.n, LIMIT_CANARIES);
	assert_ok(x, store_canary_remove(x->s, S("canary-1"), &x->e));
	assert_err(x, store_canary_remove(x->s, S("canary-1"), &x->e),
	    ERR_NOT_FOUND);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a mark is the agent's own and the latest",
		    a_mark_is_the_agent_s_own_and_the_latest),
		TEST("an agent marks but plants nothing",
		    an_agent_marks_but_plants_nothing),
		TEST("canaries have bounds", canaries_have_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
