/* SPDX-License-Identifier: Apache-2.0 */
/* A move that copies first, and what others may do while it is not finished. */
#include "copied.h"

/* -- before it is cut off, and after --------------------------------------- */

static void
an_undivided_move_is_done(void **state)
{
	struct store_journal row;
	struct house h;

	(void)state;
	begin(&h);
	rows_same(str_of(house_word(archive(&h))), S("ok"));
	row = change_of(&h, 1);
	assert_true(row.state == STORE_JOURNAL_DONE && row.copied == 0);
	assert_true(row.v[0].new_uid == 4 && row.v[1].new_uid == 5);
	rows_same(str_of(where(&h)), S("2 | 1 3"));
	house_close(&h);
}

/* What could not be finished is not begun. */
static void
unwritten_copies_keep_the_originals(void **state)
{
	struct store_journal row;
	struct house h;
	struct reply r;

	(void)state;
	begin(&h);
	house_sql(&h,
	    "CREATE TRIGGER no BEFORE UPDATE OF new_uid ON journal_message"
	    " WHEN NEW.new_uid <> 0 AND (SELECT state FROM journal WHERE id ="
	    " NEW.journal_id) = 'begun' BEGIN SELECT RAISE(ABORT, 'no'); END");
	r = archive(&h);
	rows_same(str_of(house_word(r)), S("db"));
	assert_non_null(strstr(house_text(&h, r), "in both folders"));
	assert_non_null(
	    strstr(house_text(&h, r), "\"change\":1,\"state\":\"partly\""));
	row = change_of(&h, 1);
	assert_true(row.done == 0 && row.copied == 2);
	rows_same(str_of(where(&h)), S("1 2 3 | 1 3"));
	house_close(&h);
}

/* It is finished before it is taken back; and so is an undo. */
static void
an_undo_takes_back_all_of_it(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	rows_same(str_of(house_word(house_call(&h, "undo", "account", "work",
		      "change", "1", NULL))),
	    S("ok"));
	rows_same(str_of(where(&h)), S("2 1 3 |"));
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_UNDONE);
	house_close(&h);
}

static void
an_undo_that_was_cut_off_is_finished(void **state)
{
	struct store_journal row;
	struct house h;

	(void)state;
	begin(&h);
	(void)archive(&h);
	fake.end = FAKE_END_COPIED;
	rows_same(str_of(house_word(house_call(&h, "undo", "account", "work",
		      "change", "1", NULL))),
	    S("network"));
	fake.end = FAKE_END_WELL;
	rows_same(str_of(where(&h)), S("2 1 3 | 1 3"));
	row = settled(&h, 2);
	assert_true(row.state == STORE_JOURNAL_DONE && row.done == 2);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_UNDONE);
	rows_same(str_of(where(&h)), S("2 1 3 |"));
	house_close(&h);
}

/* Reading neither waits nor moves; the next change finishes it first. */
static void
a_call_that_reads_finishes_nothing(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	(void)house_call(&h, "list", WORK, NULL);
	(void)house_call(&h, "get", WORK, "uid", "1", NULL);
	(void)house_call(&h, "changes", "account", "work", NULL);
	(void)house_call(&h, "undo", "account", "work", "change", "1",
	    "dry_run", "", NULL);
	rows_same(str_of(where(&h)), S("1 2 3 | 1 3"));
	/* What it is about is gone by then. */
	rows_same(str_of(house_word(house_call(&h, "mark", WORK, "uid", "1",
		      "read", "", NULL))),
	    S("not_found"));
	rows_same(str_of(where(&h)), S("2 | 1 3"));
	house_close(&h);
}

/* Nobody else changes them meanwhile: neither originals nor copies. */
static void
another_agent_waits_for_what_is_not_finished(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	cut_off(&h);
	freeze(&h);
	r = archive(&h);
	rows_same(str_of(house_word(r)), S("limit"));
	assert_non_null(strstr(house_text(&h, r), "is not finished"));
	assert_non_null(strstr(r.err.hint, "operator does with undo"));
	rows_same(str_of(house_word(house_call(&h, "move", "account", "work",
		      "folder", "Old", "uid", "4", "to", "INBOX", NULL))),
	    S("limit"));
	rows_same(str_of(where(&h)), S("1 2 3 | 1 3"));
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_BEGUN);
	thaw(&h);
	rows_same(str_of(house_word(archive(&h))), S("not_found"));
	rows_same(str_of(where(&h)), S("2 | 1 3"));
	house_close(&h);
}

/* Of two changes the server answers for one. */
static void
one_that_is_not_answered_for_keeps_no_other_waiting(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	fake.end = FAKE_END_COPIED;
	for (int i = 0; i < 2; i++)
		(void)house_call(&h, "archive", WORK, "uid", i ? "3" : "1",
		    NULL);
	fake.end = FAKE_END_WELL;
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 3, .times = 1 };
	assert_int_equal(settled(&h, 1).state, STORE_JOURNAL_BEGUN);
	assert_int_equal(change_of(&h, 2).state, STORE_JOURNAL_DONE);
	rows_same(str_of(where(&h)), S("2 | 1 3"));
	house_close(&h);
}

/* Mail with the same header comes in, and much other mail. */
static void
a_copy_is_known_by_its_name(void **state)
{
	struct store_journal row;
	struct house h;

	(void)state;
	cut_off(&h);
	fake_add(ID(1) BOSS)->folder = "Old";
	row = settled(&h, 1);
	assert_true(row.state == STORE_JOURNAL_DONE && row.done == 2);
	assert_true(row.v[0].new_uid == 4 && row.v[1].new_uid == 5);
	rows_same(str_of(where(&h)), S("2 | 1 3 1"));
	house_close(&h);
}

/* So many of the change that was cut off. */
static void
multiply(struct house *h, int n)
{
	static const char *const of[][2] = { { "journal", "id" },
		{ "journal_message", "journal_id" } };

	for (int id = 2; id <= n; id++)
		for (int i = 0; i < 2; i++)
			house_sql(h,
			    str_fmt(h->a,
				"CREATE TEMP TABLE x AS SELECT * FROM %s WHERE"
				" %s = 1; UPDATE x SET %s = %d;"
				"INSERT INTO %s SELECT * FROM x; DROP TABLE x;",
				of[i][0], of[i][1], of[i][1], id, of[i][0])
				.p);
}

static void
becomes_jmap(struct store_account *acct)
{
	acct->backend = S("jmap");
}

static void
becomes_imap(struct store_account *acct)
{
	acct->backend = S("imap");
}

/* Nobody knows there which message was meant; it may be the old one again. */
static void
another_server_is_asked_nothing(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	house_change(&h, "work", becomes_jmap);
	(void)house_call(&h, "changes", "account", "work", NULL);
	/* The folder is listed again first. */
	(void)settled(&h, 1);
	(void)settled(&h, 1);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_BEGUN);
	assert_int_equal(fake.calls[FAKE_MOVE], 1);
	house_change(&h, "work", becomes_imap);
	(void)settled(&h, 1);
	assert_int_equal(settled(&h, 1).state, STORE_JOURNAL_DONE);
	house_close(&h);
}

static void
the_operator_ends_what_another_server_has(void **state)
{
	struct store_journal row;
	struct house h;

	(void)state;
	cut_off(&h);
	house_change(&h, "work", becomes_jmap);
	(void)operator_undoes(&h, 1);
	row = change_of(&h, 1);
	assert_int_equal(row.state, STORE_JOURNAL_PARTLY);
	assert_true(row.done == 0 && row.copied == 2);
	assert_int_equal(fake.calls[FAKE_MOVE], 1);
	house_close(&h);
}

/* -- the operator's way out ------------------------------------------------ */

static void
the_operator_finishes_for_one_who_is_frozen(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	freeze(&h);
	rows_same(str_of(operator_undoes(&h, 1)), S("undone"));
	rows_same(str_of(where(&h)), S("2 1 3 |"));
	house_close(&h);
}

/* What policy allows agents is not asked of him. */
static void
the_operators_own_undo_is_finished_by_him(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	(void)archive(&h);
	house_change(&h, "work", organises_not);
	fake.end = FAKE_END_COPIED;
	(void)operator_undoes(&h, 1);
	fake.end = FAKE_END_WELL;
	rows_same(str_of(where(&h)), S("2 1 3 | 1 3"));
	rows_same(str_of(operator_undoes(&h, 1)), S("undone"));
	rows_same(str_of(where(&h)), S("2 1 3 |"));
	assert_int_equal(change_of(&h, 2).state, STORE_JOURNAL_DONE);
	house_close(&h);
}

static const struct ended {
	const char *why;
	enum err_kind kind; /* of whatever is asked of the server */
	bool late;
	enum store_journal_state state;
} ends[] = {
	{ "he ends what is refused", ERR_REJECTED, false,
	    STORE_JOURNAL_PARTLY },
	{ "and a folder that is gone", ERR_NOT_FOUND, false,
	    STORE_JOURNAL_PARTLY },
	{ "what is not answered stays begun", ERR_NETWORK, false,
	    STORE_JOURNAL_BEGUN },
	{ "until a day later", ERR_NETWORK, true, STORE_JOURNAL_PARTLY },
	{ "a login that is refused is no answer", ERR_AUTH, false,
	    STORE_JOURNAL_BEGUN },
};

static void
an_end(void **state)
{
	const struct ended *k = *state;
	struct house h;

	cut_off(&h);
	if (k->late)
		house_sql(&h,
		    "UPDATE journal SET created_s = created_s - 90000");
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = k->kind, .after = 1 };
	(void)operator_undoes(&h, 1);
	assert_int_equal(change_of(&h, 1).state, k->state);
	assert_int_equal(change_of(&h, 1).copied, 2);
	house_close(&h);
}

/* A row of tomorrow is of a clock that was ahead. */
static void
a_clock_that_was_ahead_locks_nobody_out(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	house_sql(&h, "UPDATE journal SET created_s = created_s + 9999999");
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 1 };
	(void)operator_undoes(&h, 1);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_PARTLY);
	house_close(&h);
}

/* The one he names is asked for first. */
static void
the_operators_change_waits_for_no_other(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	multiply(&h, 3);
	house_sql(&h,
	    "UPDATE journal SET changed_s = changed_s + 9999999"
	    " WHERE id = 3");
	(void)operator_undoes(&h, 3);
	assert_int_equal(change_of(&h, 3).state, STORE_JOURNAL_UNDONE);
	house_close(&h);
}

/* As many as a call settles, and one more. */
static void
what_cannot_be_finished_keeps_nothing_else_waiting(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	freeze(&h);
	multiply(&h, 18);
	house_sql(&h, "UPDATE journal SET principal = 'eve' WHERE id = 18");
	assert_int_equal(settled(&h, 18).state, STORE_JOURNAL_DONE);
	assert_int_equal(fake.calls[FAKE_MOVE], 2);
	rows_same(str_of(where(&h)), S("2 | 1 3"));
	house_close(&h);
}

/* A call asks for two that are not answered, and the next for others first. */
static void
what_is_not_answered_for_comes_after_the_others(void **state)
{
	struct house h;

	(void)state;
	cut_off(&h);
	multiply(&h, 3);
	house_sql(&h, "UPDATE journal SET changed_s = changed_s - 10");
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 1, .times = 2 };
	assert_int_equal(settled(&h, 3).state, STORE_JOURNAL_BEGUN);
	assert_int_equal(fake.calls[FAKE_MOVE], 3);
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 4 };
	assert_int_equal(settled(&h, 3).state, STORE_JOURNAL_DONE);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_BEGUN);
	house_close(&h);
}

/* A twin of one whose copy is gone is not its copy. */
static void
a_twin_is_no_copy(void **state)
{
	struct store_journal row;
	struct house h;

	(void)state;
	cut_off(&h);
	fake.mail[3].folder = "nowhere";
	fake_add(ID(1) BOSS)->folder = "Old";
	row = settled(&h, 1);
	assert_int_equal(row.state, STORE_JOURNAL_PARTLY);
	assert_true(row.done == 1 && row.copied == 0);
	rows_same(str_of(where(&h)), S("1 2 | 3 1"));
	house_close(&h);
}

int
main(void)
{
#define TEST(f) rows_add(#f, f, NULL)
	TEST(an_undivided_move_is_done);
	TEST(unwritten_copies_keep_the_originals);
	TEST(an_undo_takes_back_all_of_it);
	TEST(an_undo_that_was_cut_off_is_finished);
	TEST(a_call_that_reads_finishes_nothing);
	TEST(another_agent_waits_for_what_is_not_finished);
	TEST(one_that_is_not_answered_for_keeps_no_other_waiting);
	TEST(a_copy_is_known_by_its_name);
	TEST(another_server_is_asked_nothing);
	TEST(the_operator_ends_what_another_server_has);
	TEST(the_operator_finishes_for_one_who_is_frozen);
	TEST(the_operators_own_undo_is_finished_by_him);
	ROWS(ends, an_end);
	TEST(a_clock_that_was_ahead_locks_nobody_out);
	TEST(the_operators_change_waits_for_no_other);
	TEST(a_twin_is_no_copy);
	TEST(what_is_not_answered_for_comes_after_the_others);
	TEST(what_cannot_be_finished_keeps_nothing_else_waiting);
	return cmocka_run_group_tests_name("gate/journal_unfinished",
	    rows_tests, NULL, NULL);
}
