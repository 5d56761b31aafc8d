/* SPDX-License-Identifier: Apache-2.0 */
/* The journal: written whole, settled once, counted, and found when left. */
#include "store/journal.h"
#include "fixture.h"

#include <poll.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "store/claim.h"
#include "store/rematch.h"

static struct strs
labels(struct fx *x, const char *one)
{
	struct strs l = { 0 };

	str_push(x->a, &l, str_of(one));
	str_push(x->a, &l, S("two words"));
	return l;
}

static struct store_journal
row_of(struct fx *x, int64_t account, size_t n)
{
	struct store_journal r = {
		.account = account,
		.principal = S("agent"),
		.audit = 3,
		.move = true,
		.folder = S("INBOX"),
		.uidvalidity = 7,
		.target = S("Old"),
		.n = n,
	};

	r.v = arena_array(x->a, n, sizeof(*r.v));
	for (size_t i = 0; i < n; i++) {
		r.v[i].uid = (uint32_t)i + 1;
		r.v[i].message_id = str_fmt(x->a, "<%zu@lab.example>", i);
		store_journal_digest(r.v[i].message_id, S("a@lab.example"), 5,
		    S("plan"), r.v[i].digest);
	}
	return r;
}

static enum store_journal_state
state_of(struct fx *x, int64_t id)
{
	struct store_journal got;

	assert_ok(x, store_journal_get(x->s, x->a, id, &got, &x->e));
	return got.state;
}

static void
a_row_comes_back_as_it_was(void **state)
{
	struct fx *x = *state;
	struct store_journal row = row_of(x, fx_account(x, "work"), 2), got;

	row.set = 1;
	row.clear = 8;
	row.add = labels(x, "a");
	row.drop = labels(x, "b");
	row.v[0].flags = 2;
	row.v[0].labels = labels(x, "c");
	row.v[0].places = labels(x, "P");
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	row.v[0].done = true;
	row.v[0].new_uid = 9;
	row.target_uidvalidity = 8;
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_PARTLY, &x->e));
	assert_ok(x, store_journal_get(x->s, x->a, row.id, &got, &x->e));
	assert_int_equal(got.state, STORE_JOURNAL_PARTLY);
	assert_true(got.move && got.audit == 3);
	assert_true(
	    str_eq(got.folder, S("INBOX")) && str_eq(got.target, S("Old")));
	assert_true(got.uidvalidity == 7 && got.target_uidvalidity == 8);
	assert_true(got.set == 1 && got.clear == 8);
	assert_true(got.add.n == 2 && str_eq(got.add.v[1], S("two words")));
	assert_true(got.drop.n == 2 && str_eq(got.drop.v[0], S("b")));
	assert_true(got.n == 2 && got.done == 1);
	assert_true(got.v[0].done && got.v[0].new_uid == 9 && !got.v[1].done);
	assert_true(got.v[0].flags == 2 && got.v[0].labels.n == 2);
	assert_true(got.v[0].places.n == 2 && got.v[1].places.n == 0);
	assert_true(str_eq(got.v[0].places.v[0], S("P")));
	assert_true(str_eq(got.v[1].message_id, row.v[1].message_id));
	assert_memory_equal(got.v[1].digest, row.v[1].digest,
	    STORE_JOURNAL_DIGEST);
}

static void
it_is_settled_once(void **state)
{
	struct fx *x = *state;
	struct store_journal row = row_of(x, fx_account(x, "work"), 1);

	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_FAILED, &x->e));
	row.v[0].done = true;
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_DONE, &x->e));
	assert_int_equal(state_of(x, row.id), STORE_JOURNAL_FAILED);
}

/* How many have no process. */
static size_t
left(struct fx *x, int64_t account)
{
	int64_t *id;
	size_t n, left = 0;

	assert_ok(x,
	    store_journal_begun(x->s, x->a, account, 0, &id, &n, &x->e));
	for (size_t i = 0; i < n; i++)
		left += store_journal_lives(x->s, id[i], &x->e) == 0;
	return left;
}

/* "3 1 2": those that are begun, in their order. */
static const char *
order(struct fx *x, int64_t account, int64_t first)
{
	int64_t *id;
	struct buf b;
	size_t n;

	buf_init(&b, x->a, 256);
	assert_ok(x,
	    store_journal_begun(x->s, x->a, account, first, &id, &n, &x->e));
	for (size_t i = 0; i < n; i++)
		buf_fmt(&b, "%s%d", i > 0 ? " " : "", (int)id[i]);
	return str_c(x->a, buf_view(&b));
}

static void
what_is_looked_at_later_comes_last(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_journal row[3];

	for (int i = 0; i < 3; i++) {
		row[i] = row_of(x, account, 1);
		row[i].v[0].uid = (uint32_t)i + 1;
		assert_ok(x, store_journal_begin(x->s, &row[i], 0, &x->e));
		store_journal_settle_not(x->s, &row[i]);
	}
	assert_string_equal(order(x, account, 0), "1 2 3");
	assert_string_equal(order(x, account, 2), "2 1 3");
	store_journal_settle_later(x->s, &row[0]);
	assert_string_equal(order(x, account, 0), "2 3 1");
	/* It was written by a clock that was ahead. */
	fx_sql(x,
	    "UPDATE journal SET changed_s = changed_s + 9999999"
	    " WHERE id = 3");
	store_journal_settle_later(x->s, &row[0]);
	store_journal_settle_later(x->s, &row[1]);
	assert_string_equal(order(x, account, 0), "3 1 2");
}

static void
it_is_left_when_its_process_is_gone(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_journal row = row_of(x, account, 1);
	int status;
	pid_t pid;

	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_int_equal(left(x, account), 0);
	store_journal_settle_not(x->s, &row);
	assert_int_equal(left(x, account), 1);
	assert_int_equal(left(x, account + 1), 0);
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_DONE, &x->e));
	pid = fork();
	if (pid == 0) {
		struct store *s = fx_open(x, STORE_ADMIN);

		_exit(store_journal_begin(s, &row, 0, &x->e) < 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	while (!fx_is_file() && left(x, account) == 0)
		(void)poll(NULL, 0, 5); /* a server hears it later */
	assert_int_equal(left(x, account), 1);
}

/* Copies that a server has confirmed, while it is begun. */
static void
copies_are_written_down_before_it_is_settled(void **state)
{
	struct fx *x = *state;
	struct store_journal row = row_of(x, fx_account(x, "work"), 2), got;

	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_false(store_journal_has_copies(&row));
	row.v[0].new_uid = 40;
	row.v[1].new_uid = 41;
	row.target_uidvalidity = 8;
	assert_ok(x, store_journal_settle_copied(x->s, &row, &x->e));
	assert_ok(x, store_journal_get(x->s, x->a, row.id, &got, &x->e));
	assert_true(store_journal_has_copies(&got));
	assert_true(got.state == STORE_JOURNAL_BEGUN && got.copied == 2);
	assert_true(got.v[1].new_uid == 41 && got.target_uidvalidity == 8);
	/* Copies that are gone when it ends are not in the row either. */
	row.v[0].new_uid = row.v[1].new_uid = 0;
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_FAILED, &x->e));
	assert_ok(x, store_journal_get(x->s, x->a, row.id, &got, &x->e));
	assert_true(got.copied == 0 && got.v[0].new_uid == 0);
	assert_false(store_journal_has_copies(&got));
	assert_err(x, store_journal_settle_copied(x->s, &row, &x->e), ERR_DB);
}

static void
what_was_left_is_finished_by_one(void **state)
{
	struct fx *x = *state;
	struct store_journal row = row_of(x, fx_account(x, "work"), 1);
	struct store *other = fx_open(x, STORE_ADMIN);

	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_int_equal(store_journal_settle_take(other, &row, &x->e), 0);
	store_journal_settle_not(x->s, &row);
	assert_int_equal(store_journal_settle_take(other, &row, &x->e), 1);
	assert_int_equal(store_journal_lives(x->s, row.id, &x->e), 1);
	assert_int_equal(store_journal_settle_take(x->s, &row, &x->e), 0);
	row.v[0].done = true;
	assert_ok(x,
	    store_journal_settle(other, &row, STORE_JOURNAL_DONE, &x->e));
	assert_int_equal(store_journal_settle_take(x->s, &row, &x->e), 0);
	store_close(&other);
}

/* Servers double a message that two connections move at the same time. */
static void
a_message_is_in_one_change_at_a_time(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_journal first = row_of(x, account, 2);
	struct store_journal row = row_of(x, account, 3);
	struct store *other = fx_open(x, STORE_ADMIN);

	assert_ok(x, store_journal_begin(x->s, &first, 0, &x->e));
	assert_err(x, store_journal_begin(other, &row, 0, &x->e), ERR_LIMIT);
	assert_int_equal(row.behind, first.id);
	assert_int_equal(store_journal_lives(other, row.behind, &x->e), 1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal"), 1);
	/* Others of the folder, and the same numbers elsewhere. */
	row.v += 2;
	row.n = 1;
	assert_ok(x, store_journal_begin(other, &row, 0, &x->e));
	store_journal_settle_not(other, &row);
	row = row_of(x, account, 3);
	row.folder = S("Other");
	assert_ok(x, store_journal_begin(other, &row, 0, &x->e));
	assert_int_equal(row.behind, 0);
	store_journal_settle_not(other, &row);
	/* One that nobody makes any more keeps nobody waiting. */
	store_journal_settle_not(x->s, &first);
	row = row_of(x, account, 3);
	assert_ok(x, store_journal_begin(other, &row, 0, &x->e));
	store_journal_settle_not(other, &row);
	store_close(&other);
}

/* Its originals are due to go; whoever moved a copy on would make a double. */
static void
messages_of_an_unfinished_move_stay_as_they_are(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_journal first = row_of(x, account, 2);
	struct store_journal row = row_of(x, account, 3);

	assert_ok(x, store_journal_begin(x->s, &first, 0, &x->e));
	first.v[0].new_uid = 40;
	first.v[1].new_uid = 41;
	first.target_uidvalidity = 8;
	assert_ok(x, store_journal_settle_copied(x->s, &first, &x->e));
	store_journal_settle_not(x->s, &first);
	assert_err(x, store_journal_begin(x->s, &row, 0, &x->e), ERR_LIMIT);
	assert_int_equal(row.behind, 0);
	/* Other messages have these numbers since. */
	row.uidvalidity = 6;
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	store_journal_settle_not(x->s, &row);
	/* The copies; others where they are. */
	row.folder = S("Old");
	row.uidvalidity = 8;
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	store_journal_settle_not(x->s, &row);
	row.v[2].uid = 41;
	assert_err(x, store_journal_begin(x->s, &row, 0, &x->e), ERR_LIMIT);
	assert_int_equal(store_journal_settle_take(x->s, &first, &x->e), 1);
	assert_ok(x,
	    store_journal_settle(x->s, &first, STORE_JOURNAL_DONE, &x->e));
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	store_journal_settle_not(x->s, &row);
}

/* Or a process that settles what another left would end its own send's. */
static void
settling_keeps_the_lock_of_another_row(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_journal old = row_of(x, account, 1);
	struct store_journal row = row_of(x, account, 1);

	assert_ok(x, store_journal_begin(x->s, &old, 0, &x->e));
	store_journal_settle_not(x->s, &old);
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_ok(x,
	    store_journal_settle(x->s, &old, STORE_JOURNAL_FAILED, &x->e));
	assert_int_equal(left(x, account), 0);
	assert_ok(x, store_journal_settle_none(x->s, &row, &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal"), 1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal_message"),
	    1);
}

static void
a_day_has_a_limit(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_journal row = row_of(x, account, 3);

	assert_ok(x, store_journal_begin(x->s, &row, 5, &x->e));
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_DONE, &x->e));
	row = row_of(x, account, 3);
	assert_err(x, store_journal_begin(x->s, &row, 5, &x->e), ERR_LIMIT);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal"), 1);
	/* One more agent; no limit; what failed; another day. */
	row.principal = S("other");
	assert_ok(x, store_journal_begin(x->s, &row, 5, &x->e));
	store_journal_settle_not(x->s, &row);
	row.principal = S("agent");
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_FAILED, &x->e));
	row = row_of(x, account, 2);
	assert_ok(x, store_journal_begin(x->s, &row, 5, &x->e));
	store_journal_settle_not(x->s, &row);
	fx_sql(x, "UPDATE journal SET created_s = created_s - 86401");
	row = row_of(x, account, 5);
	assert_ok(x, store_journal_begin(x->s, &row, 5, &x->e));
	store_journal_settle_not(x->s, &row);
}

static void
old_ones_go_but_not_those_begun(void **state)
{
	struct fx *x = *state;
	int64_t account = fx_account(x, "work"), now = clock_now();
	struct store_journal row = row_of(x, account, 1);

	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	assert_ok(x,
	    store_journal_settle(x->s, &row, STORE_JOURNAL_DONE, &x->e));
	assert_ok(x, store_journal_begin(x->s, &row, 0, &x->e));
	store_journal_settle_not(x->s, &row);
	assert_ok(x, store_journal_purge(x->s, now + 89 * 86400, &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal"), 2);
	assert_ok(x, store_journal_purge(x->s, now + 91 * 86400, &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal"), 1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal_message"),
	    1);
}

/* -- what is known of a message follows it --------------------------------- */

static void
meet(struct fx *x, int64_t account, const char *folder, uint32_t validity,
    uint32_t floor)
{
	struct store_folder f = { account, S("agent"), str_of(folder),
		validity };
	bool reset;

	assert_ok(x, store_seen_meet(x->s, &f, floor, &floor, &reset, &x->e));
}

static void
what_was_acked_stays_acked(void **state)
{
	static const uint32_t was[] = { 2, 5, 6 }, is[] = { 11, 12, 13 };
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_folder in = { account, S("agent"), S("INBOX"), 7 };
	struct store_folder old = { account, S("agent"), S("Old"), 8 };
	struct store_seen_follow f = { .account = account,
		.from = S("INBOX"),
		.to = S("Old"),
		.from_uidvalidity = 7,
		.to_uidvalidity = 8,
		.was = was,
		.is = is,
		.n = 3 };
	const uint32_t five = 5;
	struct store_mark mark = { .uid = 5, .acked = true };
	uint32_t floor, *acked;
	bool won;
	size_t n;

	/* 2 is at the floor, 5 acked, 6 new and claimed. */
	meet(x, account, "INBOX", 7, 3);
	meet(x, account, "Old", 8, 9);
	assert_ok(x, store_rematch_ack(x->s, &in, &five, 1, &mark, 1, &x->e));
	assert_ok(x,
	    store_claim_take(x->s, &in, &was[2], 1, clock_now_ms(),
		clock_now_ms() + 60000, &won, &x->e));
	assert_ok(x, store_seen_follow(x->s, &f, &x->e));
	assert_ok(x,
	    store_seen_acked(x->s, x->a, &old, &floor, &acked, &n, &x->e));
	assert_int_equal(floor, 9);
	assert_int_equal(n, 2);
	assert_true(acked[0] == 11 && acked[1] == 12);
	assert_int_equal(fx_number(x,
			     "SELECT uid FROM claim WHERE folder = 'Old'"
			     " AND uidvalidity = 8"),
	    13);
	assert_int_equal(fx_number(x,
			     "SELECT uid FROM seen_message"
			     " WHERE folder = 'Old' AND acked <> 0"),
	    12);
}

static void
a_folder_nobody_met_is_met_at_its_start(void **state)
{
	static const uint32_t was[] = { 2 }, is[] = { 11 };
	struct fx *x = *state;
	int64_t account = fx_account(x, "work");
	struct store_seen_follow f = { .account = account,
		.from = S("INBOX"),
		.to = S("Old"),
		.from_uidvalidity = 7,
		.to_uidvalidity = 8,
		.was = was,
		.is = is,
		.n = 1 };

	meet(x, account, "INBOX", 7, 3);
	assert_int_equal(store_seen_follow_due(x->s, account, S("Old"), &x->e),
	    0);
	assert_ok(x, store_seen_follow(x->s, &f, &x->e));
	assert_int_equal(store_seen_follow_due(x->s, account, S("Old"), &x->e),
	    0);
	/* Where the backlog counts as new, it would come back as new. */
	f.backlog = true;
	assert_ok(x, store_seen_follow(x->s, &f, &x->e));
	assert_int_equal(fx_number(x,
			     "SELECT floor_uid FROM folder_state"
			     " WHERE folder = 'Old'"),
	    0);
	assert_int_equal(fx_number(x,
			     "SELECT uid FROM acked WHERE folder = 'Old'"),
	    11);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a row comes back as it was", a_row_comes_back_as_it_was),
		TEST("it is settled once", it_is_settled_once),
		TEST("it is left when its process is gone",
		    it_is_left_when_its_process_is_gone),
		TEST("settling keeps the lock of another row",
		    settling_keeps_the_lock_of_another_row),
		TEST("copies are written down before it is settled",
		    copies_are_written_down_before_it_is_settled),
		TEST("what is looked at later comes last",
		    what_is_looked_at_later_comes_last),
		TEST("what was left is finished by one",
		    what_was_left_is_finished_by_one),
		TEST("a message is in one change at a time",
		    a_message_is_in_one_change_at_a_time),
		TEST("messages of an unfinished move stay as they are",
		    messages_of_an_unfinished_move_stay_as_they_are),
		TEST("a day has a limit", a_day_has_a_limit),
		TEST("old ones go, but not those begun",
		    old_ones_go_but_not_those_begun),
		TEST("what was acked stays acked", what_was_acked_stays_acked),
		TEST("a folder nobody met is met at its start",
		    a_folder_nobody_met_is_met_at_its_start),
	};

	return cmocka_run_group_tests_name("store/journal", tests, NULL, NULL);
}
