/* Agents by token, and their sessions. */
#include "fixture.h"

#include "base/limits.h"
#include "store/agent.h"

#define NOW 1700000000000LL

static struct store_agent
add(struct fx *x, const char *name, const char *token)
{
	struct store_agent a = { .name = str_of(name),
		.accounts = S(" home work ") };
	struct store_agent out;

	assert_ok(x, store_agent_add(x->s, x->a, &a, str_of(token), &x->e));
	assert_int_equal(store_agent_by_token(x->s, x->a, str_of(token), &out,
			     &x->e),
	    1);
	return out;
}

static void
test_a_token_finds_its_agent(void **state)
{
	struct fx *x = *state;
	struct store_agent a = add(x, "bot", "one"), b = add(x, "cat", "two");
	struct store_agent out;

	assert_string_equal(str_c(x->a, a.name), "bot");
	assert_string_equal(str_c(x->a, a.accounts), " home work ");
	assert_null(a.skills.p);
	assert_null(a.ops.p);
	assert_string_equal(str_c(x->a, b.name), "cat");
	assert_int_equal(store_agent_by_token(x->s, x->a, S("three"), &out,
			     &x->e),
	    0);
	assert_int_equal(store_agent_by_token(x->s, x->a, S(""), &out, &x->e),
	    0);
	assert_ok(x, store_agent_remove(x->s, S("bot"), &x->e));
	assert_int_equal(store_agent_by_token(x->s, x->a, S("one"), &out,
			     &x->e),
	    0);
	assert_int_equal(store_agent_remove(x->s, S("bot"), &x->e), -1);
	assert_int_equal(x->e.kind, ERR_NOT_FOUND);
}

static void
test_names_are_taken_once(void **state)
{
	struct fx *x = *state;
	struct store_agent again = { .name = S("BOT") };

	(void)add(x, "bot", "one");
	assert_int_equal(store_agent_add(x->s, x->a, &again, S("two"), &x->e),
	    -1);
	assert_int_equal(x->e.kind, ERR_USAGE);
}

static void
test_only_the_operator_adds(void **state)
{
	struct fx *x = *state;
	struct store_agent a = { .name = S("bot") };
	struct store *s = fx_open(x, STORE_AGENT);

	assert_int_equal(store_agent_add(s, x->a, &a, S("one"), &x->e), -1);
	assert_int_equal(store_agent_remove(s, S("bot"), &x->e), -1);
	store_close(&s);
}

static int
has(struct fx *x, int64_t agent, const char *id, int64_t now)
{
	struct store_agent_session found;

	return store_agent_session_find(x->s, x->a, agent, str_of(id), now,
	    &found, &x->e);
}

static void
begin(struct fx *x, int64_t agent, const char *id, int64_t now)
{
	struct store_agent_session fresh = { .revision = S("2025-11-25"),
		.client = S("a host"),
		.asks = true };

	assert_ok(x,
	    store_agent_session_add(x->s, x->a, agent, str_of(id), &fresh, now,
		&x->e));
}

static void
test_sessions(void **state)
{
	struct fx *x = *state;
	int64_t bot = add(x, "bot", "one").id, cat = add(x, "cat", "two").id;

	begin(x, bot, "s", NOW);
	assert_int_equal(has(x, bot, "s", NOW), 1);
	assert_int_equal(has(x, cat, "s", NOW), 0);
	assert_int_equal(has(x, bot, "t", NOW), 0);
	assert_int_equal(store_agent_session_end(x->s, x->a, cat, S("s"),
			     &x->e),
	    0);
	assert_int_equal(store_agent_session_end(x->s, x->a, bot, S("s"),
			     &x->e),
	    1);
	assert_int_equal(has(x, bot, "s", NOW), 0);
	begin(x, bot, "u", NOW);
	assert_ok(x, store_agent_remove(x->s, S("bot"), &x->e));
	assert_int_equal(has(x, bot, "u", NOW), 0);
}

/* Over HTTP each request is another process: the row remembers the client. */
static void
test_a_session_keeps_what_its_client_said(void **state)
{
	struct fx *x = *state;
	int64_t bot = add(x, "bot", "one").id;
	struct store_agent_session found = { 0 };

	begin(x, bot, "s", NOW);
	assert_int_equal(store_agent_session_find(x->s, x->a, bot, S("s"), NOW,
			     &found, &x->e),
	    1);
	assert_true(str_eq(found.revision, S("2025-11-25")));
	assert_true(str_eq(found.client, S("a host")));
	assert_true(found.asks);
}

static void
test_a_session_lives_while_it_is_used(void **state)
{
	struct fx *x = *state;
	int64_t bot = add(x, "bot", "one").id;
	int64_t half = LIMIT_MCP_SESSION_MS / 2;

	begin(x, bot, "s", NOW);
	assert_int_equal(has(x, bot, "s", NOW + half), 1);
	assert_int_equal(has(x, bot, "s", NOW + 3 * half), 1);
	assert_int_equal(has(x, bot, "s", NOW + 5 * half + 1), 0);
}

static void
test_of_too_many_the_oldest_goes(void **state)
{
	struct fx *x = *state;
	int64_t bot = add(x, "bot", "one").id;
	char id[20];

	begin(x, bot, "first", NOW);
	begin(x, bot, "second", NOW + 1);
	for (int i = 1; i < LIMIT_MCP_SESSIONS; i++) {
		(void)snprintf(id, sizeof(id), "s%d", i);
		begin(x, bot, id, NOW + 2);
	}
	assert_int_equal(has(x, bot, "first", NOW + 2), 0);
	assert_int_equal(has(x, bot, "second", NOW + 2), 1);
	assert_int_equal(has(x, bot, id, NOW + 2), 1);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a token finds its agent", test_a_token_finds_its_agent),
		TEST("names are taken once", test_names_are_taken_once),
		TEST("only the operator adds", test_only_the_operator_adds),
		TEST("sessions are their agent's", test_sessions),
		TEST("a session keeps what its client said",
		    test_a_session_keeps_what_its_client_said),
		TEST("a session lives while it is used",
		    test_a_session_lives_while_it_is_used),
		TEST("of too many the oldest goes",
		    test_of_too_many_the_oldest_goes),
	};

	return cmocka_run_group_tests_name("store/agent", tests, NULL, NULL);
}
