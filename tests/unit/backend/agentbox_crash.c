/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process killed before its system calls that deliver a message: whoever
 * opens the root next finds each message delivered whole or not at all, and
 * once.  STEP=1 takes each of its 240 calls.
 */
#include "agentbox_turn.h"

static void
open_and_send(struct site *s)
{
	struct agentbox_sent out;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(send_one(s, &out));
}

static void
of_a_message_is_whole_or_not_at_all(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	struct agentbox_loaded got;
	bool seen[2] = { false, false }, lived = false;
	const char *given = getenv("STEP");
	long step = given != NULL ? strtol(given, NULL, 10) : 4;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	for (turn = 1; !lived; turn += step) {
		long n;

		lived = survives(s, turn, open_and_send);
		site_open(s);
		n = delivered(s);
		assert_true(n == 0 || n == 1);
		assert_true(!lived || n == 1);
		seen[n] = true;
		is_tidy(s);
		/* Nothing is lost: the same key delivers it, or knows it. */
		site_ok(s, send_one(s, &out));
		assert_int_equal(out.again, n == 1);
		assert_int_equal(delivered(s), 1);
		assert_int_equal(agentbox_load(s->r, out.id, s->a, &got, &s->e),
		    1);
		assert_true(got.authentic);
		is_tidy(s);
	}
	assert_true(seen[0] && seen[1]);
	assert_true(turn * SPARSE > 60);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_a_message_is_whole_or_not_at_all),
	};

	return cmocka_run_group_tests_name("backend/agentbox_crash", tests,
	    NULL, NULL);
}
