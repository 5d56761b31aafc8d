/* SPDX-License-Identifier: Apache-2.0 */
/* Freezes: whom one stops, what it refuses, and what it restores. */
#include "fixture.h"

#include "base/limits.h"
#include "store/freeze.h"
#include "store/opening.h"
#include "store/outbox.h"

static void
freeze(struct fx *x, const char *agent, const char *account)
{
	const struct store_freeze f = { .agent = str_of(agent),
		.account = str_of(account),
		.why = S("a reason") };

	assert_ok(x,
	    store_freeze_put(x->path, &(struct store_keys){ 0 }, &f, &x->e));
}

static void
a_row_stops_whom_it_names(void **state)
{
	static const struct {
		const char *agent, *account; /* of the freeze */
		bool bob_here, bob_there, eve_here;
	} rows[] = {
		{ "", "", true, true, true },
		{ "bob", "", true, true, false },
		{ "BOB", "", true, true, false },
		{ "", "work", true, false, true },
		{ "bob", "work", true, false, false },
		{ "bobby", "", false, false, false },
	};
	struct fx *x = *state;
	int64_t work = fx_account(x, "work"), home = fx_account(x, "home");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		freeze(x, rows[i].agent, rows[i].account);
		assert_int_equal(store_freeze_has(x->s, S("bob"), work, &x->e),
		    rows[i].bob_here);
		assert_int_equal(store_freeze_has(x->s, S("bob"), home, &x->e),
		    rows[i].bob_there);
		assert_int_equal(store_freeze_has(x->s, S("eve"), work, &x->e),
		    rows[i].eve_here);
		assert_ok(x,
		    store_freeze_lift(x->s, str_of(rows[i].agent),
			str_of(rows[i].account), &x->e));
	}
	assert_int_equal(store_freeze_has(x->s, S("bob"), work, &x->e), 0);
}

static void
only_the_operator_lifts(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);

	freeze(x, "", "");
	assert_err(x, store_freeze_lift(s, S(""), S(""), &x->e), ERR_CONFIG);
	assert_int_equal(store_freeze_has(s, S("a"), 0, &x->e), 1);
	assert_ok(x, store_freeze_lift(x->s, S(""), S(""), &x->e));
	assert_err(x, store_freeze_lift(x->s, S(""), S(""), &x->e),
	    ERR_NOT_FOUND);
}

static void
what_is_frozen_stays_as_it_was(void **state)
{
	struct fx *x = *state;
	const struct store_freeze again = { .why = S("another reason") };
	struct store_freezes f;

	freeze(x, "", "");
	assert_ok(x, store_freeze_put(x->path, &x->keys, &again, &x->e));
	assert_ok(x, store_freeze_list(x->s, x->a, S(""), &f, &x->e));
	assert_int_equal(f.n, 1);
	assert_true(str_eq(f.v[0].why, S("a reason")));
	assert_true(f.v[0].at_s > 0);
}

static void
what_cannot_be_shown_is_no_reason(void **state)
{
	struct fx *x = *state;
	char text[LIMIT_FREEZE_WHY + 1];
	const struct store_freeze bad[] = {
		{ .why = S("two\nlines") },
		{ .why = S("\033[2J") },
		{ .why = S("\xff") },
		{ .why = { text, sizeof(text) } },
	};

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_err(x,
		    store_freeze_put(x->path, &x->keys, &bad[i], &x->e),
		    ERR_USAGE);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"), 0);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM audit_log WHERE action ="
			     " 'freeze'"),
	    0);
}

static void
fill_table(struct fx *x)
{
	fx_sql(x,
	    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c"
	    " WHERE i < 1000) INSERT INTO freeze SELECT 'a' || i, 0, '', 1"
	    " FROM c");
}

/* With a full table, all can still be stopped. */
static void
there_is_always_room_for_all(void **state)
{
	struct fx *x = *state;
	const struct store_freeze one = { .agent = S("one-too-many") };

	fill_table(x);
	assert_err(x,
	    store_freeze_put(x->path, &(struct store_keys){ 0 }, &one, &x->e),
	    ERR_LIMIT);
	assert_int_equal(store_freeze_has(x->s, one.agent, 0, &x->e), 0);
	freeze(x, "", "");
	assert_int_equal(store_freeze_has(x->s, one.agent, 0, &x->e), 1);
}

/* A table that is filled without a key has room for holders of a key. */
static void
a_full_table_keeps_out_who_has_no_key(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);
	const struct store_freeze one = { .agent = S("bob") };
	struct store_freezes f;

	fill_table(x);
	assert_ok(x, store_freeze_put(x->path, &x->keys, &one, &x->e));
	assert_ok(x, store_freeze_self(s, S("eve"), S(""), &x->e));
	assert_int_equal(store_freeze_has(s, S("bob"), 0, &x->e), 1);
	assert_int_equal(store_freeze_has(s, S("eve"), 0, &x->e), 1);
	/* Eve is told of her freeze, however many precede it. */
	assert_ok(x, store_freeze_list(s, x->a, S("EVE"), &f, &x->e));
	assert_int_equal(f.n, 1);
	assert_ok(x, store_freeze_list(s, x->a, S(""), &f, &x->e));
	assert_int_equal(f.n, LIMIT_FREEZES);
	assert_int_equal(f.all, LIMIT_FREEZES + 2);
}

static void
all_are_lifted_at_once(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);
	size_t n;

	(void)fx_account(x, "work");
	fill_table(x);
	freeze(x, "", "");
	assert_err(x, store_freeze_lift_all(s, &n, &x->e), ERR_CONFIG);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"), 1001);
	assert_ok(x, store_freeze_lift_all(x->s, &n, &x->e));
	assert_int_equal(n, 1001);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"), 0);
	assert_err(x, store_freeze_lift_all(x->s, &n, &x->e), ERR_NOT_FOUND);
}

static void
it_goes_with_its_account(void **state)
{
	struct fx *x = *state;

	(void)fx_account(x, "work");
	(void)fx_account(x, "home");
	freeze(x, "", "work");
	freeze(x, "bob", "work");
	freeze(x, "", "home");
	freeze(x, "bob", "");
	assert_ok(x, store_account_remove(x->s, S("work"), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"), 2);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM freeze WHERE account_id ="
			     " (SELECT id FROM accounts) OR agent = 'bob'"),
	    2);
}

static void
hold_of(struct fx *x, int64_t account, const char *agent)
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
		.bytes = 22,
		.digest = S("d"),
		.policy = S("p"),
		.state = STORE_OUTBOX_HELD,
		.expires_s = INT64_C(1) << 40,
		.rcpt = &to,
		.n = 1,
	};
	bool found;

	assert_ok(x, store_outbox_add(x->s, x->a, &row, &none, &found, &x->e));
}

/* Upper case freezes, lower case lifts; x lifts all; a dot is a long time. */
static void
play(struct fx *x, const char *steps)
{
	static const struct {
		char letter;
		const char *agent, *account;
	} who[] = {
		{ 'E', "", "" },
		{ 'B', "BOB", "" },
		{ 'W', "", "work" },
		{ 'P', "bob", "work" },
	};
	size_t n;

	for (; *steps != '\0'; steps++) {
		if (*steps == 'x')
			assert_ok(x, store_freeze_lift_all(x->s, &n, &x->e));
		if (*steps == '.')
			fx_sql(x,
			    "UPDATE freeze SET at_s = at_s - 1000000;"
			    "UPDATE outbox SET created_s = created_s"
			    " - 1000000");
		for (size_t i = 0; i < sizeof(who) / sizeof(who[0]); i++) {
			if (*steps == who[i].letter)
				freeze(x, who[i].agent, who[i].account);
			if (*steps == who[i].letter + ('a' - 'A'))
				assert_ok(x,
				    store_freeze_lift(x->s,
					str_of(who[i].agent),
					str_of(who[i].account), &x->e));
		}
	}
}

/* A second counts once, however many freezes it had. */
static void
time_is_given_back_once(void **state)
{
	static const struct {
		const char *steps;
		int bob, eve; /* each has a message in progress */
	} rows[] = {
		{ ".E..e.", 2, 2 },
		{ "B..b.", 2, 0 },
		/* disjoint */
		{ "E.e..W..w.B.b", 4, 3 },
		{ "E.e.E.e", 2, 2 },
		/* they touch */
		{ "E.eW.w", 2, 2 },
		{ "E.We.w", 2, 2 },
		/* one in another */
		{ "E.W.w.e", 3, 3 },
		{ "E.B.b.W.w.e", 5, 5 },
		{ "W.E.B.P.pbe.w", 5, 5 },
		/* they overlap */
		{ "E.W.e.w", 3, 3 },
		{ "E.W.e.E.w.e", 5, 5 },
		{ "B.E.b.W.e.P.w.p", 7, 5 },
		/* at the same time */
		{ "EW..ew", 2, 2 },
		{ "EBWP..pwbe", 2, 2 },
		/* a gap for one is not a gap for the other */
		{ "E.B.e.W.b.w", 5, 4 },
		/* all at once, after some */
		{ "E.W.B..x", 4, 4 },
		{ "B..W.x", 3, 1 },
		{ "E.W.e.B.x.W.x", 5, 5 },
	};
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");

	FX_FILE();
	hold_of(x, work, "bob");
	hold_of(x, work, "eve");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fx_sql(x,
		    "UPDATE outbox SET frozen_s = 0,"
		    " created_s = unixepoch()");
		play(x, rows[i].steps);
		assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"),
		    0);
		if (fx_number(x,
			"SELECT frozen_s / 1000000 FROM outbox"
			" WHERE principal = 'bob'") != rows[i].bob ||
		    fx_number(x,
			"SELECT frozen_s / 1000000 FROM outbox"
			" WHERE principal = 'eve'") != rows[i].eve)
			fail_msg("%s", rows[i].steps);
	}
}

static void
an_account_must_be_there(void **state)
{
	struct fx *x = *state;
	const struct store_freeze f = { .account = S("nosuch") };

	assert_err(x, store_freeze_put(x->path, &x->keys, &f, &x->e),
	    ERR_NOT_FOUND);
	assert_err(x,
	    store_freeze_put("/nonexistent/emcli.db", &x->keys, &f, &x->e),
	    ERR_CONFIG);
}

enum {
	SINCE = 17, /* the version with the first freezes */
	VERSIONS = 100
};

/* A store as the emcli of that version made it; false: there is none. */
static bool
older(struct fx *x, int version)
{
	CLEANUP(store_close) struct store *s = NULL;
	struct migration list[VERSIONS + 1] = { 0 };
	int n = 0;

	while (n < version && migrations_all[n].version != 0) {
		list[n] = migrations_all[n];
		n++;
	}
	if (n < version)
		return false;
	(void)unlink(x->path);
	(void)unlink(str_fmt(x->a, "%s-wal", x->path).p);
	(void)unlink(str_fmt(x->a, "%s-shm", x->path).p);
	assert_ok(x, store_file_make(x->path, &x->e));
	assert_ok(x, store_connect_open(x->path, &s, &x->e));
	assert_ok(x, migrate_run(s, list, &x->e));
	return true;
}

/* An emergency waits for no copy, and nobody without a key has one made. */
static void
an_older_store_stays_as_it_is(void **state)
{
	struct fx *x = *state;
	int n;

	FX_FILE();
	for (n = SINCE; older(x, n); n++) {
		freeze(x, "bob", "");
		assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"),
		    1);
		assert_int_equal(fx_number(x,
				     "SELECT count(*) FROM audit_log WHERE"
				     " action = 'freeze' AND outcome = 'ok'"),
		    1);
		assert_int_equal(fx_number(x,
				     "SELECT max(version) FROM migration"),
		    n);
	}
	/* One that is too old for it gets the rows first. */
	assert_true(older(x, SINCE - 1));
	freeze(x, "bob", "");
	assert_int_equal(fx_number(x, "SELECT count(*) FROM freeze"), 1);
	assert_int_equal(fx_number(x, "SELECT max(version) FROM migration"),
	    n - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a row stops whom it names", a_row_stops_whom_it_names),
		TEST("only the operator lifts", only_the_operator_lifts),
		TEST("what is frozen stays as it was",
		    what_is_frozen_stays_as_it_was),
		TEST("what cannot be shown is no reason",
		    what_cannot_be_shown_is_no_reason),
		TEST("there is always room for all",
		    there_is_always_room_for_all),
		TEST("a full table keeps out who has no key",
		    a_full_table_keeps_out_who_has_no_key),
		TEST("all are lifted at once", all_are_lifted_at_once),
		TEST("it goes with its account", it_goes_with_its_account),
		TEST("time is given back once", time_is_given_back_once),
		TEST("an account must be there", an_account_must_be_there),
		TEST_EMPTY("an older store stays as it is",
		    an_older_store_stays_as_it_is),
	};

	return cmocka_run_group_tests_name("store/freeze", tests, NULL, NULL);
}
