/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by token, and their sessions. */
#include "fixture.h"

#include "base/limits.h"
#include "store/agent.h"
#include "store/claim.h"
#include "store/outbox_row.h"

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

/* Users of the machine: the first that was added, unless one is named. */
static void
test_a_user_finds_its_agents(void **state)
{
	struct fx *x = *state;
	static const uint32_t ann[] = { 1001, 1000, 1001 }, bob[] = { 1001 };
	struct store_agent a = { .name = S("zed"), .uid = ann, .uids = 3 };
	struct store_agent b = { .name = S("bob"), .uid = bob, .uids = 1 };
	static const struct {
		uint32_t uid;
		struct str name;
		const char *found; /* or NULL */
	} asked[] = {
		{ 1001, SI(""), "zed" },
		{ 1001, SI("bob"), "bob" },
		{ 1001, SI("BOB"), "bob" },
		{ 1000, SI(""), "zed" },
		{ 1000, SI("bob"), NULL }, /* another user's */
		{ 1001, SI("cat"), NULL }, /* nobody's */
		{ 1001, SI("eve"), NULL },
		{ 0, SI(""), NULL },
	};
	struct store_agent out;

	(void)add(x, "cat", "one");
	assert_ok(x, store_agent_add(x->s, x->a, &a, S("two"), &x->e));
	assert_ok(x, store_agent_add(x->s, x->a, &b, S("three"), &x->e));
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		assert_int_equal(store_agent_by_uid(x->s, x->a, asked[i].uid,
				     asked[i].name, &out, &x->e),
		    asked[i].found != NULL);
		if (asked[i].found != NULL)
			assert_string_equal(str_c(x->a, out.name),
			    asked[i].found);
	}
	assert_int_equal(store_agent_by_name(x->s, x->a, S("zed"), &out, &x->e),
	    1);
	assert_ok(x, store_agent_uids(x->s, x->a, &out, &x->e));
	assert_int_equal(out.uids, 2);
	assert_int_equal(out.uid[0], 1000);
	assert_ok(x, store_agent_remove(x->s, S("zed"), &x->e));
	assert_int_equal(store_agent_by_uid(x->s, x->a, 1000, S(""), &out,
			     &x->e),
	    0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM agent_uid"), 1);
}

/* What one of a user's agents read, the others may know. */
static void
test_agents_of_a_user_share_their_marks(void **state)
{
	struct fx *x = *state;
	static const uint32_t one[] = { 1001 }, other[] = { 1002 };
	struct store_agent a = { .name = S("a"), .uid = one, .uids = 1 };
	struct store_agent b = { .name = S("b"), .uid = one, .uids = 1 };
	struct store_agent c = { .name = S("c"), .uid = other, .uids = 1 };
	int64_t at = 7;

	assert_ok(x, store_agent_add(x->s, x->a, &a, S("1"), &x->e));
	assert_ok(x, store_agent_add(x->s, x->a, &b, S("2"), &x->e));
	assert_ok(x, store_agent_add(x->s, x->a, &c, S("3"), &x->e));
	assert_ok(x, store_taint_mark(x->s, S("a"), 1000, &x->e));
	assert_ok(x, store_taint_at(x->s, S("b"), &at, &x->e));
	assert_int_equal(at, 1000);
	assert_ok(x, store_taint_at(x->s, S("c"), &at, &x->e));
	assert_int_equal(at, 0);
	/* Each has a mark of its own: one may cease to be the user's. */
	assert_ok(x, store_taint_mark(x->s, S("b"), 1001, &x->e));
	assert_ok(x, store_agent_remove(x->s, S("a"), &x->e));
	assert_ok(x, store_taint_at(x->s, S("b"), &at, &x->e));
	assert_int_equal(at, 1001);
}

static void
test_agents_of_a_user_share_its_limits(void **state)
{
	static const uint32_t uid[] = { 1001 };
	static const struct {
		struct str principal;
		int r;
	} sends[] = { { SI("a"), 0 }, { SI("b"), -1 }, { SI("c"), 0 } };
	const struct store_outbox_limits one = { .messages = 1 };
	struct fx *x = *state;
	struct store_agent a = { .name = S("a"), .uid = uid, .uids = 1 };
	struct store_agent b = { .name = S("b"), .uid = uid, .uids = 1 };
	struct store_outbox row = {
		.account = fx_account(x, "work"),
		.created_s = 1700000000,
		.message_id = S("<1@lab.example>"),
		.state = STORE_OUTBOX_SENDING,
	};

	assert_ok(x, store_agent_add(x->s, x->a, &a, S("1"), &x->e));
	assert_ok(x, store_agent_add(x->s, x->a, &b, S("2"), &x->e));
	for (size_t i = 0; i < 3; i++) {
		bool found = false;

		row.principal = sends[i].principal;
		assert_int_equal(store_outbox_add(x->s, x->a, &row, &one,
				     &found, &x->e),
		    sends[i].r);
		outbox_lock_drop(x->s);
	}
}

static void
test_agents_of_a_user_share_its_claims(void **state)
{
	static const uint32_t one[] = { 1001 }, other[] = { 1002 }, uid = 5;
	static const struct {
		const char *by;
		int64_t now;
		bool won;
	} takes[] = {
		{ "a", 1000, true },
		{ "b", 1999, false }, /* a has it */
		{ "c", 1999, true },  /* another user's agent */
		{ "b", 2000, true },  /* a has it no longer */
		{ "a", 2001, false },
		{ "d", 2001, true }, /* it has no user */
		{ "e", 2001, true },
	};
	struct fx *x = *state;
	struct store_agent a = { .name = S("a"), .uid = one, .uids = 1 };
	struct store_agent b = { .name = S("b"), .uid = one, .uids = 1 };
	struct store_agent c = { .name = S("c"), .uid = other, .uids = 1 };
	struct store_folder f = { fx_account(x, "work"), S(""), S("INBOX"), 7 };

	assert_ok(x, store_agent_add(x->s, x->a, &a, S("1"), &x->e));
	assert_ok(x, store_agent_add(x->s, x->a, &b, S("2"), &x->e));
	assert_ok(x, store_agent_add(x->s, x->a, &c, S("3"), &x->e));
	(void)add(x, "d", "4");
	(void)add(x, "e", "5");
	for (size_t i = 0; i < sizeof(takes) / sizeof(takes[0]); i++) {
		uint32_t floor, *v;
		bool won = false, reset;
		size_t n;

		f.principal = str_of(takes[i].by);
		assert_ok(x,
		    store_seen_meet(x->s, &f, 1, &floor, &reset, &x->e));
		assert_ok(x,
		    store_claim_take(x->s, &f, &uid, 1, takes[i].now,
			takes[i].now + 1000, &won, &x->e));
		assert_int_equal(won, takes[i].won);
		/* Whoever did not win it sees who holds it. */
		assert_ok(x,
		    store_claim_held(x->s, x->a, &f, takes[i].now, &v, &n,
			&x->e));
		assert_int_equal(n, 1);
	}
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

static void
test_a_changed_agent_keeps_its_token(void **state)
{
	struct fx *x = *state;
	static const uint32_t users[] = { 7, 1001 };
	struct store_agent bot = add(x, "bot", "one"), out = { 0 };
	struct store_agent cat = add(x, "cat", "two");

	bot.accounts = (struct str){ 0 };
	bot.ops = S(" ");
	bot.issuer = S("https://id.example");
	bot.subject = S("s");
	bot.uid = users;
	bot.uids = 2;
	assert_ok(x, store_agent_change(x->s, &bot, &x->e));
	assert_int_equal(store_agent_by_token(x->s, x->a, S("one"), &out,
			     &x->e),
	    1);
	assert_null(out.accounts.p);
	assert_string_equal(str_c(x->a, out.ops), " ");
	assert_string_equal(str_c(x->a, out.subject), "s");
	assert_ok(x, store_agent_uids(x->s, x->a, &out, &x->e));
	assert_int_equal(out.uids, 2);
	/* A token of the provider is one agent's. */
	cat.issuer = bot.issuer;
	cat.subject = bot.subject;
	assert_err(x, store_agent_change(x->s, &cat, &x->e), ERR_USAGE);
	/* It may keep its own. */
	bot.uids = 0;
	assert_ok(x, store_agent_change(x->s, &bot, &x->e));
	assert_ok(x, store_agent_uids(x->s, x->a, &out, &x->e));
	assert_int_equal(out.uids, 0);
	bot.id = 99;
	bot.subject = bot.issuer = S("");
	assert_err(x, store_agent_change(x->s, &bot, &x->e), ERR_NOT_FOUND);
}

static void
test_a_new_token_ends_the_old_one(void **state)
{
	struct fx *x = *state;
	struct store_agent out;
	int64_t bot = add(x, "bot", "one").id, cat = add(x, "cat", "two").id;

	begin(x, bot, "s", NOW);
	begin(x, cat, "t", NOW);
	assert_ok(x,
	    store_agent_change_token(x->s, x->a, S("bot"), S("three"), &x->e));
	assert_int_equal(store_agent_by_token(x->s, x->a, S("one"), &out,
			     &x->e),
	    0);
	assert_int_equal(store_agent_by_token(x->s, x->a, S("three"), &out,
			     &x->e),
	    1);
	assert_int_equal(out.id, bot);
	assert_int_equal(has(x, bot, "s", NOW), 0);
	assert_int_equal(has(x, cat, "t", NOW), 1);
	assert_err(x,
	    store_agent_change_token(x->s, x->a, S("dog"), S("four"), &x->e),
	    ERR_NOT_FOUND);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a token finds its agent", test_a_token_finds_its_agent),
		TEST("names are taken once", test_names_are_taken_once),
		TEST("a user finds its agents", test_a_user_finds_its_agents),
		TEST("agents of a user share its limits",
		    test_agents_of_a_user_share_its_limits),
		TEST("agents of a user share its claims",
		    test_agents_of_a_user_share_its_claims),
		TEST("agents of a user share their marks",
		    test_agents_of_a_user_share_their_marks),
		TEST("a changed agent keeps its token",
		    test_a_changed_agent_keeps_its_token),
		TEST("a new token ends the old one",
		    test_a_new_token_ends_the_old_one),
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
