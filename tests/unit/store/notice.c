/* SPDX-License-Identifier: Apache-2.0 */
/* What waits to be told, who tells it, and how often. */
#include "fixture.h"

#include "base/limits.h"
#include "store/keeper.h"
#include "store/key.h"
#include "store/mark.h"
#include "store/notice.h"

#define NOW INT64_C(1800000000)
#define MIN INT64_C(60)

static void
set_way(struct fx *x, const char *way)
{
	assert_ok(x, store_setting_set(x->s, S("notify"), str_of(way), &x->e));
}

/* Something that happened at that minute. */
static void
add(struct fx *x, enum store_notice_kind kind, int64_t account, int64_t item,
    int64_t minute)
{
	const struct store_notice_row row = { kind, account, item,
		NOW + minute * MIN };

	assert_ok(x, store_notice_add(x->s, &row, &x->e));
}

/* How many things a notice of that minute tells; 0: there is none. */
static uint64_t
taken(struct fx *x, int64_t minute, struct store_notice *n)
{
	int r = store_notice_take(x->s, x->a, NOW + minute * MIN, n, &x->e);

	assert_ok(x, r);
	return r > 0 ? n->count : 0;
}

static uint64_t
told(struct fx *x, int64_t minute)
{
	struct store_notice n;
	uint64_t count = taken(x, minute, &n);

	if (count > 0)
		assert_ok(x, store_notice_take_done(x->s, &n, S(""), &x->e));
	return count;
}

/* A message of whoever that is. */
static int64_t
post(struct fx *x, int64_t account, const char *who,
    enum store_outbox_state state)
{
	struct store_outbox_rcpt to = { .address = S("o@p.example"),
		.canonical = S("o@p.example") };
	struct store_outbox row = { .account = account,
		.principal = str_of(who),
		.request = S("r"),
		.message_id = S("<a@b>"),
		.sender = S("a@b"),
		.message = S("x"),
		.bytes = 1,
		.digest = S("d"),
		.policy = S("p"),
		.state = state,
		.expires_s = NOW * 2,
		.rcpt = &to,
		.n = 1 };
	struct store_outbox_limits none = { 0 };
	bool found;

	assert_ok(x, store_outbox_add(x->s, x->a, &row, &none, &found, &x->e));
	if (state == STORE_OUTBOX_SENDING)
		assert_ok(x,
		    store_outbox_settle(x->s, &row, STORE_OUTBOX_SENT, &x->e));
	return row.id;
}

/* One that waits. */
static int64_t
hold(struct fx *x, int64_t account)
{
	return post(x, account, "agent", STORE_OUTBOX_HELD);
}

static void
without_the_setting_nothing_is_kept(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");

	(void)hold(x, work);
	add(x, STORE_NOTICE_AUDIT, 0, 0, 0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 0);
	/* What waits already is told when there is a way. */
	set_way(x, "/bin/true");
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 1);
	add(x, STORE_NOTICE_AUDIT, 0, 0, 0);
	set_way(x, "off");
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 0);
}

static void
a_held_message_is_told_with_its_number(void **state)
{
	struct fx *x = *state;
	struct store_notice n;
	int64_t id;

	set_way(x, "/bin/true");
	id = hold(x, fx_account(x, "work"));
	/* When the store says it was held. */
	fx_sql(x, "UPDATE notice SET since_s = 1800000000, ready_s = since_s");
	assert_int_equal(taken(x, 0, &n), 1);
	assert_int_equal(n.kind, STORE_NOTICE_HELD);
	assert_int_equal(n.n, 1);
	assert_int_equal(n.ids[0], id);
	assert_int_equal(n.accounts.n, 1);
	assert_str(n.accounts.v[0], "work");
	assert_int_equal(n.since_s, NOW);
	assert_ok(x, store_notice_take_done(x->s, &n, S(""), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 0);
}

/* -- once an hour ---------------------------------------------------------- */

/* The clock, in minutes; whether another account fails then; what is told. */
static const struct step {
	int64_t minute;
	bool more;
	uint64_t told;
} steps[] = {
	{ 0, true, 1 },
	{ 1, true, 0 },
	{ 59, true, 0 },
	{ 60, false, 2 },
	{ 61, false, 0 },
	{ 119, true, 0 },
	{ 120, false, 1 },
	{ 500, false, 0 },
	/* The clock was set back: the last notice was in the future. */
	{ 10, true, 1 },
	{ 11, true, 0 },
	{ 70, true, 2 },
};

static void
at_most_once_an_hour(void **state)
{
	struct fx *x = *state;

	set_way(x, "/bin/true");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (steps[i].more)
			add(x, STORE_NOTICE_TOKEN,
			    fx_account(x,
				str_c(x->a, str_fmt(x->a, "a%zu", i))),
			    0, steps[i].minute);
		if (told(x, steps[i].minute) != steps[i].told)
			fail_msg("minute %lld", (long long)steps[i].minute);
	}
}

static void
kinds_do_not_wait_for_each_other(void **state)
{
	struct fx *x = *state;

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_AUDIT, 0, 0, 0);
	assert_int_equal(told(x, 0), 1);
	add(x, STORE_NOTICE_TOKEN, fx_account(x, "work"), 0, 1);
	assert_int_equal(told(x, 1), 1);
	assert_int_equal(told(x, 1), 0);
}

static void
who_takes_it_takes_it_alone(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *other = fx_open(x, STORE_AGENT);
	struct store_notice n;

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_AUDIT, 0, 0, 0);
	assert_int_equal(taken(x, 0, &n), 1);
	assert_int_equal(store_notice_take(other, x->a, NOW, &n, &x->e), 0);
}

static void
what_was_not_told_is_told_later(void **state)
{
	struct fx *x = *state;
	struct store_notice_last last[STORE_NOTICES];
	struct store_notice n;
	int64_t at_s = 0;

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_AUDIT, 0, 0, 0);
	assert_int_equal(taken(x, 0, &n), 1);
	/* Killed before it was given. */
	assert_ok(x, store_notice_last(x->s, x->a, last, &x->e));
	assert_str(last[STORE_NOTICE_AUDIT].failed, "it was not finished");
	assert_int_equal(taken(x, 4, &n), 0);
	assert_int_equal(store_notice_next(x->s, NOW, &at_s, &x->e), 1);
	assert_int_equal(at_s, NOW + 5 * MIN);
	assert_int_equal(taken(x, 5, &n), 1);
	assert_ok(x, store_notice_take_done(x->s, &n, S("no"), &x->e));
	assert_int_equal(taken(x, 64, &n), 0);
	assert_ok(x, store_notice_last(x->s, x->a, last, &x->e));
	assert_str(last[STORE_NOTICE_AUDIT].failed, "no");
	/* Another way is tried at once. */
	set_way(x, "/bin/false");
	assert_int_equal(told(x, 61), 1);
	assert_int_equal(told(x, 999), 0);
	assert_ok(x, store_notice_last(x->s, x->a, last, &x->e));
	assert_int_equal(last[STORE_NOTICE_AUDIT].failed.n, 0);
}

/* What was told and noted in the future is of now. */
static void
a_clock_that_was_set_back_keeps_nothing_silent(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work"), at_s = 0;
	struct store_notice n;

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_TOKEN, work, 0, 9000);
	assert_int_equal(told(x, 9000), 1);
	add(x, STORE_NOTICE_TOKEN, fx_account(x, "home"), 0, 9000);
	assert_int_equal(store_notice_next(x->s, NOW, &at_s, &x->e), 1);
	assert_true(at_s <= NOW);
	assert_int_equal(taken(x, 0, &n), 1);
	assert_int_equal(n.since_s, NOW);
}

static void
what_comes_while_it_is_told_waits(void **state)
{
	struct fx *x = *state;
	int64_t a = fx_account(x, "a"), b = fx_account(x, "b");
	struct store_notice n;

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_TOKEN, a, 0, 0);
	assert_int_equal(taken(x, 0, &n), 1);
	add(x, STORE_NOTICE_TOKEN, b, 0, 0);
	assert_ok(x, store_notice_take_done(x->s, &n, S(""), &x->e));
	assert_int_equal(taken(x, 60, &n), 1);
	assert_str(n.accounts.v[0], "b");
}

/* -- accounts -------------------------------------------------------------- */

static bool
fails(struct fx *x, int64_t account)
{
	struct store_notice_look look;

	assert_ok(x, store_notice_look(x->s, account, NOW, &look, &x->e));
	return look.fails;
}

static void
an_account_is_told_after_an_hour(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work"), at_s = 0;
	struct store_notice n;

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_READS, 0);
	assert_true(fails(x, work));
	/* Again, and in its other part: the first of each counts. */
	add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_SENDS, 40);
	add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_READS, 59);
	assert_int_equal(store_notice_next(x->s, NOW + 61 * MIN, &at_s, &x->e),
	    0);
	/* It did not fail an hour later: nobody tried. */
	assert_int_equal(taken(x, 600, &n), 0);
	add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_READS, 61);
	assert_int_equal(store_notice_next(x->s, NOW + 61 * MIN, &at_s, &x->e),
	    1);
	assert_int_equal(at_s, NOW + 61 * MIN);
	assert_int_equal(told(x, 61), 1);
	add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_SENDS, 100);
	assert_int_equal(told(x, 120), 0);
	assert_int_equal(told(x, 121), 1);
	add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_READS, 300);
	assert_int_equal(told(x, 999), 0);
	/* It works again; each part by itself. */
	assert_ok(x, store_notice_works(x->s, work, STORE_NOTICE_READS, &x->e));
	assert_true(fails(x, work));
	assert_int_equal(store_notice_fails(x->s, work, &x->e), 1);
	assert_ok(x, store_notice_works(x->s, work, STORE_NOTICE_SENDS, &x->e));
	assert_false(fails(x, work));
	assert_int_equal(store_notice_fails(x->s, work, &x->e), 0);
	assert_int_equal(store_notice_next(x->s, NOW + 61 * MIN, &at_s, &x->e),
	    0);
}

static void
two_parts_are_one_account(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");

	set_way(x, "/bin/true");
	for (int64_t at = 0; at <= 60; at += 60) {
		add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_READS, at);
		add(x, STORE_NOTICE_ACCOUNT, work, STORE_NOTICE_SENDS, at);
	}
	assert_int_equal(told(x, 60), 1);
}

/* A token may be for one of them alone. */
static void
each_part_works_again_by_itself(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");

	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_TOKEN, work, STORE_NOTICE_READS, 0);
	add(x, STORE_NOTICE_TOKEN, work, STORE_NOTICE_SENDS, 0);
	/* It is one account. */
	assert_int_equal(told(x, 0), 1);
	assert_ok(x, store_notice_works(x->s, work, STORE_NOTICE_SENDS, &x->e));
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM notice WHERE item = 0"),
	    1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 1);
	assert_ok(x, store_notice_works(x->s, work, STORE_NOTICE_READS, &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 0);
}

static void
what_is_gone_is_not_told(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work"), id;

	set_way(x, "/bin/true");
	id = hold(x, work);
	add(x, STORE_NOTICE_TOKEN, work, 0, 0);
	fx_sql(x, "UPDATE notice SET ready_s = 0");
	assert_ok(x,
	    store_outbox_move(x->s, id, STORE_OUTBOX_HELD, STORE_OUTBOX_DENIED,
		&x->e));
	assert_ok(x, store_account_remove(x->s, S("work"), &x->e));
	assert_int_equal(told(x, 0), 0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM notice"), 0);
}

/* Somebody with the file wrote it: it would come before all others. */
static void
a_kind_that_is_not_known_silences_none(void **state)
{
	struct fx *x = *state;
	int64_t at_s = 0;

	FX_FILE();
	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_AUDIT, 0, 0, 0);
	fx_sql(x,
	    "INSERT INTO notice (kind, account_id, item, since_s, ready_s)"
	    " VALUES ('a', 0, 0, 1, 1), (x'61756469', 0, 0, 1, 1),"
	    " (CAST('audit' AS BLOB), 0, 0, 1, 1)");
	assert_int_equal(told(x, 0), 1);
	assert_int_equal(told(x, 999), 0);
	assert_int_equal(store_notice_next(x->s, NOW, &at_s, &x->e), 0);
}

static void
a_name_is_cut(void **state)
{
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");
	struct store_notice n;

	FX_FILE();
	set_way(x, "/bin/true");
	add(x, STORE_NOTICE_TOKEN, work, 0, 0);
	/* Not even UTF-8. */
	fx_sql(x,
	    "UPDATE accounts SET name = CAST(x'c3' || CAST(replace(hex("
	    "zeroblob(50000)), '00', CAST(x'80' AS TEXT)) AS BLOB) AS TEXT)");
	assert_int_equal(taken(x, 0, &n), 1);
	assert_int_equal(n.accounts.n, 1);
	assert_int_equal(n.accounts.v[0].n, LIMIT_NOTICE_NAME);
}

/* -- mail ------------------------------------------------------------------ */

/* gate/notice_mail.c: no agent wrote it. */
static void
the_operator_is_no_correspondent(void **state)
{
	static const char *const who[] = { "operator", "agent" };
	struct fx *x = *state;
	int64_t work = fx_account(x, "work");

	for (int i = 0; i < 2; i++) {
		(void)post(x, work, who[i], STORE_OUTBOX_SENDING);
		assert_int_equal(fx_number(x,
				     "SELECT count(*) FROM correspondent"),
		    i);
	}
}

/* -- the setting ----------------------------------------------------------- */

static void
an_edit_by_somebody_else_is_noticed(void **state)
{
	static const char *const edits[] = {
		"UPDATE settings SET value = '/bin/evil' WHERE key = 'notify'",
		"DELETE FROM settings WHERE key = 'notify_mark'",
		"UPDATE settings SET value = '00' WHERE key = 'notify_mark'",
	};
	struct fx *x = *state;
	CLEANUP(store_close) struct store *agent = fx_open(x, STORE_AGENT);
	struct str way = { 0 };

	assert_int_equal(store_notice_way(agent, x->a, &way, &x->e), 0);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		set_way(x, "/bin/true");
		assert_int_equal(store_notice_way(agent, x->a, &way, &x->e), 1);
		assert_str(way, "/bin/true");
		fx_sql(x, edits[i]);
		assert_err(x, store_notice_way(agent, x->a, &way, &x->e),
		    ERR_CONFIG);
	}
	/* The mark is no setting of anybody's. */
	assert_err(x, store_setting_set(x->s, S("notify_mark"), S("x"), &x->e),
	    ERR_USAGE);
}

static void
another_data_key_keeps_it(void **state)
{
	struct fx *x = *state;
	struct str way = { 0 };
	size_t n = 0;

	set_way(x, "/bin/true");
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	assert_int_equal(store_notice_way(x->s, x->a, &way, &x->e), 1);
	/* What was wrong before is not mended by it. */
	fx_sql(x,
	    "UPDATE settings SET value = '/bin/evil' WHERE key = "
	    "'notify'");
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	assert_err(x, store_notice_way(x->s, x->a, &way, &x->e), ERR_CONFIG);
}

static const struct CMUnitTest tests[] = {
	TEST("without the setting nothing is kept",
	    without_the_setting_nothing_is_kept),
	TEST("a held message is told with its number",
	    a_held_message_is_told_with_its_number),
	TEST("at most once an hour", at_most_once_an_hour),
	TEST("kinds do not wait for each other",
	    kinds_do_not_wait_for_each_other),
	TEST("who takes it takes it alone", who_takes_it_takes_it_alone),
	TEST("what was not told is told later",
	    what_was_not_told_is_told_later),
	TEST("a clock that was set back keeps nothing silent",
	    a_clock_that_was_set_back_keeps_nothing_silent),
	TEST("what comes while it is told waits",
	    what_comes_while_it_is_told_waits),
	TEST("an account is told after an hour",
	    an_account_is_told_after_an_hour),
	TEST("two parts are one account", two_parts_are_one_account),
	TEST("each part works again by itself",
	    each_part_works_again_by_itself),
	TEST("what is gone is not told", what_is_gone_is_not_told),
	TEST("a kind that is not known silences none",
	    a_kind_that_is_not_known_silences_none),
	TEST("a name is cut", a_name_is_cut),
	TEST("the operator is no correspondent",
	    the_operator_is_no_correspondent),
	TEST("an edit by somebody else is noticed",
	    an_edit_by_somebody_else_is_noticed),
	TEST("another data key keeps it", another_data_key_keeps_it),
};

int
main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
