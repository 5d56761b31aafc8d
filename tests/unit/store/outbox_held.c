/* SPDX-License-Identifier: Apache-2.0 */
/* The number of messages that may wait for approval, for each agent. */
#include "fixture.h"
#include "store/outbox.h"

#include "base/clock.h"
#include "base/limits.h"

static int
hold(struct fx *x, int64_t account, const char *agent, uint64_t bytes)
{
	static const struct store_outbox_limits none;
	struct store_outbox_rcpt to = { .address = S("b@lab.example"),
		.canonical = S("b@lab.example") };
	struct store_outbox row = {
		.account = account,
		.principal = str_of(agent),
		.request = S("r"),
		.message_id = S("<1@lab.example>"),
		.sender = S("a@lab.example"),
		.message = S("Subject: x\r\n\r\nwords\r\n"),
		.bytes = bytes,
		.digest = S("d"),
		.policy = S("p"),
		.state = STORE_OUTBOX_HELD,
		.expires_s = clock_now() + 100,
		.rcpt = &to,
		.n = 1,
	};
	bool found;

	x->e = (struct err){ 0 };
	return store_outbox_add(x->s, x->a, &row, &none, &found, &x->e);
}

/* However many one agent has; and there is a limit for all of them. */
static void
one_agent_holds_up_no_other(void **state)
{
	static const char *const agents[] = { "a", "b", "c", "d" };
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");
	int held = 0;

	for (size_t i = 0; i < 4; i++) {
		while (hold(x, work, agents[i], 22) == 0)
			held++;
		assert_int_equal(held, (int)(i + 1) * LIMIT_HELD);
		assert_int_equal(x->e.kind, ERR_LIMIT);
	}
	assert_err(x, hold(x, work, "e", 22), ERR_LIMIT);
	assert_int_equal(held, LIMIT_HELD_ALL);
	/* They cannot fill another account. */
	assert_ok(x, hold(x, fx_account(x, "home"), "a", 22));
}

/* Nor do few long ones fill the disk. */
static void
what_waits_has_a_size(void **state)
{
	static const char *const agents[] = { "a", "b", "c", "d" };
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");

	for (size_t i = 0; i < 4; i++) {
		for (uint64_t n = 0; n < LIMIT_HELD_BYTES; n += LIMIT_OUTGOING)
			assert_ok(x, hold(x, work, agents[i], LIMIT_OUTGOING));
		assert_err(x, hold(x, work, agents[i], 22), ERR_LIMIT);
		assert_string_equal(x->e.say,
		    "256 MiB of this agent already wait for approval");
	}
	assert_err(x, hold(x, work, "e", 22), ERR_LIMIT);
	assert_string_equal(x->e.say,
	    "1024 MiB of this account already wait for approval");
	assert_ok(x, hold(x, fx_account(x, "home"), "a", 22));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("one agent holds up no other",
		    one_agent_holds_up_no_other),
		TEST("what waits has a size", what_waits_has_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
