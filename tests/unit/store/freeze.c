/* Freezes: whom one stops, what it refuses, and what it gives back. */
#include "fixture.h"

#include "base/limits.h"
#include "store/freeze.h"
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
	struct store_freeze *v;
	size_t n;

	freeze(x, "", "");
	assert_ok(x, store_freeze_put(x->path, &x->keys, &again, &x->e));
	assert_ok(x, store_freeze_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 1);
	assert_true(str_eq(v[0].why, S("a reason")));
	assert_true(v[0].at_s > 0);
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

/* However many there are, all can be stopped. */
static void
there_is_always_room_for_all(void **state)
{
	struct fx *x = *state;
	const struct store_freeze one = { .agent = S("one-too-many") };

	fx_sql(x,
	    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c"
	    " WHERE i < 1000) INSERT INTO freeze SELECT 'a' || i, 0, '', 1"
	    " FROM c");
	assert_err(x, store_freeze_put(x->path, &x->keys, &one, &x->e),
	    ERR_LIMIT);
	assert_int_equal(store_freeze_has(x->s, one.agent, 0, &x->e), 0);
	freeze(x, "", "");
	assert_int_equal(store_freeze_has(x->s, one.agent, 0, &x->e), 1);
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
		TEST("an account must be there", an_account_must_be_there),
	};

	return cmocka_run_group_tests_name("store/freeze", tests, NULL, NULL);
}
