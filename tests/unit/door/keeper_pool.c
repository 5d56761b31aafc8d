/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper's pool of wires. */
#include "../rows.h"

#include "door/serve/keeper.h"

static const char old[SERVE_POOL_PRINT] = "old", new[SERVE_POOL_PRINT] = "new";

static enum serve_pool_what
choose_one(const struct serve_pool *p, int64_t account, const char *print,
    uint32_t worker, bool waits, int64_t now_ms, size_t *at)
{
	const struct serve_pool_ask q = { account, print, worker, worker, waits,
		false, 0, false };
	struct serve_pool_choice c = serve_pool_choose(p, &q, now_ms);

	if (at != NULL)
		*at = c.at;
	return c.what;
}

static enum serve_pool_what
choose(const struct serve_pool *p, int64_t account, const char *print,
    uint32_t worker, int64_t now_ms, size_t *at)
{
	return choose_one(p, account, print, worker, false, now_ms, at);
}

static void
add(struct serve_pool *p, int64_t account, uint32_t worker, int64_t now_ms)
{
	const struct serve_pool_ask q = { account, old, worker, worker, false,
		false, 0, false };
	struct serve_pool_wire *w = serve_pool_add(p, &q, now_ms);

	/* Nobody else gets it meanwhile; it had no lease yet. */
	assert_true(w->lent);
	assert_int_equal(w->leases, 0);
	serve_pool_lend(w, worker, worker, now_ms);
	assert_int_equal(w->leases, 1);
}

static void
a_wire_is_kept_for_the_next_call(void **state)
{
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	assert_int_equal(choose(&p, 1, old, 1, 0, NULL), SERVE_POOL_START);
	add(&p, 1, 1, 0);
	/* The same call: the same wire.  Another one: another. */
	assert_int_equal(choose(&p, 1, old, 1, 0, &at), SERVE_POOL_LEND);
	assert_int_equal(at, 0);
	assert_int_equal(choose(&p, 1, old, 2, 0, NULL), SERVE_POOL_START);
	add(&p, 1, 2, 0);
	/* No third one of an account; another account has its own. */
	assert_int_equal(choose(&p, 1, old, 3, 0, NULL), SERVE_POOL_WAIT);
	assert_int_equal(choose(&p, 2, old, 3, 0, NULL), SERVE_POOL_START);
	assert_true(serve_pool_done(&p, 0, false, 0, 5));
	assert_true(serve_pool_done(&p, 1, false, 0, 6));
	/* The one that was used last. */
	assert_int_equal(choose(&p, 1, old, 3, 7, &at), SERVE_POOL_LEND);
	assert_int_equal(at, 1);
	assert_int_equal(serve_pool_old(&p, 7), -1);
	assert_int_equal(serve_pool_old(&p, 6 + LIMIT_WIRE_IDLE_MS), 0);
}

static void
names_have_some_wires(void **state)
{
	struct serve_pool p = { 0 };
	uint32_t worker = 1;

	(void)state;
	for (; worker <= LIMIT_NAMES_WIRES; worker++) {
		assert_int_equal(choose(&p, 0, old, worker, 0, NULL),
		    SERVE_POOL_START);
		add(&p, 0, worker, 0);
	}
	assert_int_equal(choose(&p, 0, old, worker, 0, NULL), SERVE_POOL_WAIT);
	assert_int_equal(choose(&p, 1, old, worker, 0, NULL), SERVE_POOL_START);
}

/* One worker has its part of them, however many processes it forks. */
static void
names_are_left_to_other_workers(void **state)
{
	struct serve_pool_ask q = { 0, old, 1, 7, false, false, 0, false };
	struct serve_pool p = { 0 };

	(void)state;
	for (; q.worker <= LIMIT_NAMES_WIRES_OF; q.worker++) {
		assert_int_equal(serve_pool_choose(&p, &q, 0).what,
		    SERVE_POOL_START);
		serve_pool_lend(serve_pool_add(&p, &q, 0), q.worker, 7, 0);
	}
	assert_int_equal(serve_pool_choose(&p, &q, 0).what, SERVE_POOL_WAIT);
	/* Nor one that another worker gave back. */
	add(&p, 0, 99, 0);
	assert_true(serve_pool_done(&p, LIMIT_NAMES_WIRES_OF, false, 0, 0));
	assert_int_equal(serve_pool_choose(&p, &q, 0).what, SERVE_POOL_WAIT);
	assert_int_equal(choose(&p, 0, old, 98, 0, NULL), SERVE_POOL_LEND);
	/* Its own next question, before the end of the last was heard. */
	q.worker = 1;
	assert_int_equal(serve_pool_choose(&p, &q, 0).what, SERVE_POOL_LEND);
	assert_true(serve_pool_done(&p, 0, false, 0, 0));
	q.worker = 50;
	assert_int_equal(serve_pool_choose(&p, &q, 0).what, SERVE_POOL_LEND);
	/* Mail is another matter. */
	q.account = 1;
	assert_int_equal(serve_pool_choose(&p, &q, 0).what, SERVE_POOL_START);
}

/* Whoever waits for a change looks by another wire meanwhile. */
static void
a_wait_has_a_wire_of_its_own(void **state)
{
	const struct serve_pool_ask q = { 1, old, 1, 1, true, false, 0, false };
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	add(&p, 1, 1, 0);
	add(&p, 1, 2, 0);
	assert_int_equal(choose_one(&p, 1, old, 1, true, 0, NULL),
	    SERVE_POOL_START);
	serve_pool_lend(serve_pool_add(&p, &q, 0), 1, 1, 0);
	assert_int_equal(choose_one(&p, 1, old, 1, true, 0, &at),
	    SERVE_POOL_LEND);
	assert_int_equal(at, 2);
	assert_int_equal(choose(&p, 1, old, 1, 0, &at), SERVE_POOL_LEND);
	assert_int_equal(at, 0);
	/* Idle, too, it is for nothing else. */
	assert_true(serve_pool_done(&p, 2, false, 0, 9));
	assert_int_equal(choose(&p, 1, old, 3, 9, NULL), SERVE_POOL_WAIT);
}

/* It is of what is now: others have the account's wires, and it failed. */
static void
a_test_has_a_wire_of_its_own(void **state)
{
	const struct serve_pool_ask q = { 1, old, 1, 1, false, false, 0, true };
	struct serve_pool p = { 0 };

	(void)state;
	add(&p, 1, 2, 0);
	assert_false(serve_pool_done(&p, 0, true, 0, 0));
	serve_pool_take(&p, 0);
	add(&p, 1, 2, 0);
	add(&p, 1, 3, 0);
	assert_int_equal(choose(&p, 1, old, 1, 0, NULL), SERVE_POOL_WAIT);
	for (size_t i = 0; i < LIMIT_WIRES_OF; i++) {
		struct serve_pool_ask one = q;

		one.worker += 10 * (uint32_t)i;
		assert_int_equal(serve_pool_choose(&p, &one, 0).what,
		    SERVE_POOL_START);
		serve_pool_lend(serve_pool_add(&p, &one, 0), one.worker, 1, 0);
	}
	/* It has one lease, even of the same call. */
	assert_int_equal(serve_pool_choose(&p, &q, 0).what, SERVE_POOL_WAIT);
	/* It ends; a good one says nothing of the server. */
	assert_false(serve_pool_done(&p, 2, false, 0, 1));
	assert_int_equal(p.fault[0].times, 1);
	assert_false(serve_pool_done(&p, 3, true, 0, 1));
	assert_int_equal(p.faults, 1);
	assert_int_equal(p.fault[0].times, 2);
}

static enum serve_pool_what
choose_test(const struct serve_pool *p, int64_t now_ms, int64_t *until_ms)
{
	const struct serve_pool_ask q = { 1, old, 1, 1, false, false, 0, true };
	struct serve_pool_choice c = serve_pool_choose(p, &q, now_ms);

	if (until_ms != NULL)
		*until_ms = c.until_ms;
	return c.what;
}

/* What becomes of a test: it leaves before it is refused, too. */
enum tested {
	TEST_GOOD,
	TEST_BAD,
	TEST_LEFT
};

static void
test(struct serve_pool *p, enum tested how, int64_t now_ms)
{
	const struct serve_pool_ask q = { 1, old, 1, 1, false, false, 0, true };

	assert_int_equal(choose_test(p, now_ms, NULL), SERVE_POOL_START);
	serve_pool_lend(serve_pool_add(p, &q, now_ms), 1, 1, now_ms);
	if (how != TEST_LEFT)
		assert_false(serve_pool_done(p, 0, how == TEST_BAD, 0, now_ms));
	serve_pool_take(p, 0);
}

/* So many whatever failed, and then one a minute, whatever calls find. */
static void
tests_that_fail_are_few(void **state)
{
	const int64_t late = 60 * LIMIT_WIRE_TEST_AGAIN_MS;
	struct serve_pool p = { 0 };
	int64_t until = 0;

	(void)state;
	for (int how = TEST_BAD; how <= TEST_LEFT; how++) {
		p = (struct serve_pool){ 0 };
		for (int i = 0; i < 100; i++)
			test(&p, TEST_GOOD, 0);
		assert_int_equal(p.faults, 0);
		for (int i = 0; i < LIMIT_WIRE_TESTS; i++)
			test(&p, (enum tested)how, 0);
		/* A loop of tests alone holds up calls, too. */
		assert_int_equal(choose(&p, 1, old, 1, 0, NULL),
		    how == TEST_BAD ? SERVE_POOL_WAIT : SERVE_POOL_START);
		add(&p, 1, 1, 0);
		assert_true(serve_pool_done(&p, 0, false, 0, 0));
		serve_pool_take(&p, 0);
		assert_int_equal(choose_test(&p, 0, &until), SERVE_POOL_WAIT);
		assert_int_equal(until, LIMIT_WIRE_TEST_AGAIN_MS);
		assert_int_equal(choose(&p, 1, old, 1, 0, NULL),
		    SERVE_POOL_START);
		test(&p, (enum tested)how, until);
		assert_int_equal(choose_test(&p, until, NULL), SERVE_POOL_WAIT);
		/* And later as before. */
		for (int i = 0; i < LIMIT_WIRE_TESTS; i++)
			test(&p, (enum tested)how, late);
		assert_int_equal(choose_test(&p, late, NULL), SERVE_POOL_WAIT);
	}
}

static void
a_changed_account_has_no_old_wire(void **state)
{
	const struct serve_pool_ask q = { 1, new, 3, 3, false, false, 0,
		false };
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	add(&p, 1, 1, 0);
	add(&p, 1, 2, 0);
	assert_true(serve_pool_done(&p, 1, false, 0, 0));
	serve_pool_renew(&p, &q);
	/* The idle one is dropped; the other ends when its call does. */
	assert_int_equal(choose(&p, 1, new, 3, 1, &at), SERVE_POOL_DROP);
	assert_int_equal(at, 1);
	serve_pool_take(&p, 1);
	assert_int_equal(choose(&p, 1, new, 3, 1, NULL), SERVE_POOL_START);
	assert_int_equal(choose(&p, 1, new, 1, 1, NULL), SERVE_POOL_START);
	assert_false(serve_pool_done(&p, 0, false, 0, 2));
}

/* What a call of that account asks for, whose mail is in files. */
static struct serve_pool_choice
choose_files(struct serve_pool *p, uint64_t paths, bool files, int64_t now_ms)
{
	const struct serve_pool_ask q = { 1, old, 1, 1, false, files,
		files ? paths : 0, false };

	serve_pool_renew(p, &q);
	return serve_pool_choose(p, &q, now_ms);
}

/* Files that were replaced end their wire, and a server's fault does not. */
static void
mail_in_files_has_a_wire_of_its_own(void **state)
{
	const struct serve_pool_ask q = { 1, old, 1, 1, false, true, 7, false };
	struct serve_pool p = { 0 };

	(void)state;
	add(&p, 1, 1, 0);
	assert_false(serve_pool_done(&p, 0, true, 0, 1));
	serve_pool_take(&p, 0);
	assert_int_equal(choose_files(&p, 0, false, 1).what, SERVE_POOL_WAIT);
	assert_int_equal(choose_files(&p, 7, true, 1).what, SERVE_POOL_START);
	serve_pool_lend(serve_pool_add(&p, &q, 1), 1, 1, 1);
	assert_int_equal(choose_files(&p, 7, true, 1).what, SERVE_POOL_LEND);
	/* It answers, which says nothing of the server. */
	assert_true(serve_pool_done(&p, 0, false, 0, 2));
	assert_int_equal(choose_files(&p, 0, false, 2).what, SERVE_POOL_WAIT);
	assert_int_equal(choose_files(&p, 0, false, 5000).what,
	    SERVE_POOL_START);
	assert_int_equal(choose_files(&p, 7, true, 2).what, SERVE_POOL_LEND);
	assert_int_equal(serve_pool_old(&p, 2 + LIMIT_WIRE_FILES_MS), -1);
	assert_int_equal(serve_pool_old(&p, 3 + LIMIT_WIRE_FILES_MS), 0);
	assert_int_equal(choose_files(&p, 8, true, 2).what, SERVE_POOL_DROP);
}

static void
the_least_used_makes_room(void **state)
{
	struct serve_pool p = { 0 };
	size_t at = 9;

	(void)state;
	for (size_t i = 0; i < LIMIT_WIRES; i++)
		add(&p, (int64_t)i + 1, 1, 0);
	assert_int_equal(choose(&p, 99, old, 2, 0, NULL), SERVE_POOL_WAIT);
	assert_true(serve_pool_done(&p, 8, false, 0, 20));
	assert_true(serve_pool_done(&p, 5, false, 0, 30));
	assert_int_equal(choose(&p, 99, old, 2, 40, &at), SERVE_POOL_DROP);
	assert_int_equal(at, 8);
	serve_pool_take(&p, at);
	assert_int_equal(p.v[8].account, LIMIT_WIRES);
	assert_int_equal(choose(&p, 99, old, 2, 40, NULL), SERVE_POOL_START);
}

static void
a_wire_serves_so_many_calls(void **state)
{
	struct serve_pool p = { 0 };

	(void)state;
	add(&p, 1, 1, 0);
	for (int i = 1; i < LIMIT_WIRE_LEASES; i++) {
		assert_true(serve_pool_done(&p, 0, false, 0, i));
		serve_pool_lend(&p.v[0], 2, 2, i);
	}
	assert_false(serve_pool_done(&p, 0, false, 0, 0));
}

/* One failure after the other, and then none. */
static void
a_server_that_fails_is_left_alone(void **state)
{
	static const int64_t waits[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 300,
		300 };
	struct serve_pool p = { 0 };
	int64_t now = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		int64_t ms = 1000 * waits[i];

		add(&p, 1, 1, now);
		assert_false(serve_pool_done(&p, 0, true, 0, now));
		serve_pool_take(&p, 0);
		assert_int_equal(choose(&p, 1, old, 1, now + ms - 1, NULL),
		    SERVE_POOL_WAIT);
		assert_int_equal(choose(&p, 2, old, 1, now, NULL),
		    SERVE_POOL_START);
		now += ms;
		assert_int_equal(choose(&p, 1, old, 1, now, NULL),
		    SERVE_POOL_START);
	}
	add(&p, 1, 1, now);
	assert_true(serve_pool_done(&p, 0, false, 0, now));
	assert_int_equal(p.faults, 0);
	/* Chance makes it shorter, by a quarter at most. */
	assert_false(serve_pool_done(&p, 0, true, 250, now));
	assert_int_equal(p.fault[0].not_before_ms, now + 750);
	/* There is no end of accounts. */
	for (int64_t i = 0; i < 3 * LIMIT_WIRES; i++) {
		p.n = 0;
		add(&p, 100 + i, 1, i);
		assert_false(serve_pool_done(&p, 0, true, 0, i));
	}
	assert_int_equal(p.faults, LIMIT_WIRES);
}

int
main(void)
{
	rows_add("a wait", a_wait_has_a_wire_of_its_own, NULL);
	rows_add("a test", a_test_has_a_wire_of_its_own, NULL);
	rows_add("tests that fail", tests_that_fail_are_few, NULL);
	rows_add("a wire is kept", a_wire_is_kept_for_the_next_call, NULL);
	rows_add("names have some wires", names_have_some_wires, NULL);
	rows_add("names of one worker", names_are_left_to_other_workers, NULL);
	rows_add("a changed account", a_changed_account_has_no_old_wire, NULL);
	rows_add("mail in files", mail_in_files_has_a_wire_of_its_own, NULL);
	rows_add("the least used", the_least_used_makes_room, NULL);
	rows_add("so many calls", a_wire_serves_so_many_calls, NULL);
	rows_add("a server that fails", a_server_that_fails_is_left_alone,
	    NULL);
	return cmocka_run_group_tests_name("keeper_pool", rows_tests, NULL,
	    NULL);
}
