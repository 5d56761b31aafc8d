/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deliveries to a full disk, and by many processes at once of which some are
 * killed: each message is delivered whole or not at all, and once.
 */
#include "agentbox_turn.h"

#include "backend/agentbox/view.h"

/* Runs it in a child whose disk is full from its n-th call on; its status. */
static int
fills(struct site *s, long n)
{
	struct agentbox_sent out;
	int status;
	pid_t pid;

	site_close(s);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
		room = n;
		status = send_one(s, &out) < 0 ? room < 0 ? 1 : 8 : 0;
		agentbox_root_close(&s->r);
		_exit(room > 0 ? 2 : status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
on_a_full_disk_is_whole_or_not_at_all(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	bool seen[2] = { false, false };
	int how = 0;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	/* Each third call, and under sanitizers each ninth: a full disk comes
	 * back at the next one too. */
	for (turn = 1; how != 2; turn++) {
		long n;

		how = fills(s, turn * 3 * (SPARSE > 1 ? 3 : 1));
		assert_true(how <= 2);
		assert_false(site_has(s, "locks/index.lock"));
		site_open(s);
		n = delivered(s);
		/* Exactly the messages reported as delivered are there. */
		assert_int_equal(n, how != 1);
		seen[n] = true;
		is_tidy(s);
		site_ok(s, send_one(s, &out));
		assert_int_equal(out.again, n == 1);
		assert_int_equal(delivered(s), 1);
	}
	assert_true(seen[0] && seen[1]);
}

/* Some children send and some mark; each third is killed meanwhile. */
static void
one_of_many(struct site *s, long n)
{
	struct agentbox_want w = { .read = AGENTBOX_NO, .limit = 2 };
	struct agentbox_change c = { .read = AGENTBOX_YES };
	struct agentbox_entries got;
	struct agentbox_sent out;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	turn = n;
	left = n % 3 == 2 ? 1 + n * 7 % 90 : 0;
	must(send_one(s, &out));
	must(agentbox_view_list(s->r, S(WRITER), &w, s->a, &got, NULL, &s->e));
	for (size_t i = 0; i < got.n; i++) {
		struct strs ids = { 0 };

		str_push(s->a, &ids, got.v[i].id);
		must(agentbox_state_change(s->r, S(WRITER), &ids, &c, &s->e));
	}
	_exit(0);
}

#define MANY (SPARSE > 1 ? 12 : 64)

static void
of_many_at_once_happens_once_each(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	pid_t pid[MANY];
	int status;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	site_close(s);
	for (long i = 0; i < MANY; i++) {
		pid[i] = fork();
		assert_true(pid[i] >= 0);
		if (pid[i] == 0)
			one_of_many(s, i);
	}
	for (long i = 0; i < MANY; i++) {
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	}
	site_open(s);
	for (turn = 0; turn < MANY; turn++) {
		assert_true(delivered(s) == 1 || turn % 3 == 2);
		site_ok(s, send_one(s, &out));
		assert_int_equal(delivered(s), 1);
	}
	is_tidy(s);
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages",
	    str_fmt(s->a, "%d", MANY).p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(on_a_full_disk_is_whole_or_not_at_all),
		SITE_TEST(of_many_at_once_happens_once_each),
	};

	return cmocka_run_group_tests_name("backend/agentbox_full", tests, NULL,
	    NULL);
}
