/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server that has to copy before it can remove: what is cut off between the
 * two is finished by the next call that may, and each message is there once.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "../../fake/verbs.h"
#include "store/journal.h"

#define ID(n) "Message-ID: <" #n "@us.example>\r\n"

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

static void
organises_not(struct store_account *acct)
{
	acct->organise = ORGANISE_OFF;
}

static void
begin(struct house *h)
{
	fake_reset();
	house_open(h, (struct terms){ 0 });
	house_change(h, "work", organises);
	fake_add(ID(1) BOSS);
	fake_add(ID(2) BOSS);
	fake_add(ID(3) BOSS);
	fake.folder[fake.folders++] = (struct folder){ .name = S("Old"),
		.selectable = true,
		.role = FOLDER_ARCHIVE };
	fake.copies = true;
}

/* Messages 1 and 3; the line drops when the copies were told of. */
static struct reply
archive(struct house *h)
{
	return house_call(h, "archive", WORK, "uid", "1", "uid", "3", NULL);
}

static void
cut_off(struct house *h)
{
	begin(h);
	fake.end = FAKE_END_COPIED;
	rows_same(str_of(house_word(archive(h))), S("network"));
	fake.end = FAKE_END_WELL;
}

static struct store_journal
change_of(struct house *h, int64_t id)
{
	struct store_journal row;
	struct err e = { 0 };

	if (store_journal_get(h->store, h->a, id, &row, &e) < 0)
		fail_msg("change %d: %s", (int)id, e.say);
	return row;
}

/* After the next call that changes mail. */
static struct store_journal
settled(struct house *h, int64_t id)
{
	(void)house_call(h, "mark", WORK, "uid", "2", "read", "", NULL);
	return change_of(h, id);
}

/* "1 2 3 | 4": the messages by Message-ID, in INBOX and in Old. */
static const char *
where(struct house *h)
{
	struct buf b;

	buf_init(&b, h->a, 4096);
	for (int old = 0; old < 2; old++) {
		for (size_t i = 0; i < fake.n; i++) {
			const char *in = fake.mail[i].folder;

			in = in != NULL ? in : "INBOX";
			if (strcmp(in, old ? "Old" : "INBOX") == 0)
				buf_fmt(&b, "%c ",
				    strchr(fake.mail[i].head, '<')[1]);
		}
		buf_str(&b, old ? S("") : S("| "));
	}
	return str_c(h->a, str_trim(buf_view(&b)));
}

/* -- what happens before the next call ------------------------------------- */

static void
nothing(struct house *h)
{
	(void)h;
}

/* And another agent asks. */
static void
freeze(struct house *h)
{
	house_sql(h,
	    "INSERT INTO freeze (agent, account_id, why, at_s) "
	    "VALUES ('agent', 0, 'stop', 1)");
	house_caller(h, (struct gate_caller){ .principal = S("eve") });
}

static void
thaw(struct house *h)
{
	house_sql(h, "DELETE FROM freeze");
}

static void
organise_off(struct house *h)
{
	house_change(h, "work", organises_not);
}

static void
organise_on(struct house *h)
{
	house_change(h, "work", organises);
}

static void
original_gone(struct house *h)
{
	(void)h;
	fake.mail[0].folder = "nowhere";
}

static void
originals_gone(struct house *h)
{
	original_gone(h);
	fake.mail[2].folder = "nowhere";
}

/* Of message 1. */
static void
copy_gone(struct house *h)
{
	(void)h;
	fake.mail[3].folder = "nowhere";
}

static void
copies_gone(struct house *h)
{
	copy_gone(h);
	fake.mail[4].folder = "nowhere";
}

static void
made_again(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] = (struct fake_fault){ .kind = ERR_NOT_FOUND,
		.after = 1,
		.times = 1 };
}

static void
line_drops(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 1, .times = 1 };
}

/* A day after the move. */
static void
line_drops_late(struct house *h)
{
	line_drops(h);
	house_sql(h, "UPDATE journal SET created_s = created_s - 90000");
}

/* And nothing can be asked any more. */
static void
line_drops_always(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_MOVE].times = 0;
}

static void
line_holds(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] = (struct fake_fault){ 0 };
}

/* When it is over, the target cannot be read. */
static void
target_is_broken(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_HEADERS] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 2 };
}

static void
server_refuses(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_REJECTED, .after = 1, .times = 1 };
}

static void
never_written(struct house *h)
{
	house_sql(h,
	    "UPDATE journal_message SET new_uid = 0;"
	    "UPDATE journal SET target_uidvalidity = 0");
}

static const struct cut {
	const char *why;
	void (*meanwhile)(struct house *h);
	enum store_journal_state state;
	size_t done, copied;
	const char *where;
	unsigned asked;                /* of `move`, after the first */
	void (*then)(struct house *h); /* before the call after that */
	const char *at_last;           /* where they are then */
} cuts[] = {
	{ "it is finished", nothing, STORE_JOURNAL_DONE, 2, 0, "2 | 1 3", 1,
	    nothing, "2 | 1 3" },
	{ "the rest of it", original_gone, STORE_JOURNAL_DONE, 2, 0, "2 | 1 3",
	    1, nothing, "2 | 1 3" },
	{ "nothing was left to do", originals_gone, STORE_JOURNAL_DONE, 2, 0,
	    "2 | 1 3", 1, nothing, "2 | 1 3" },
	{ "somebody took the copies: the originals stay", copies_gone,
	    STORE_JOURNAL_PARTLY, 0, 0, "1 2 3 |", 2, nothing, "1 2 3 |" },
	{ "one of them: its original stays", copy_gone, STORE_JOURNAL_PARTLY, 1,
	    0, "1 2 | 3", 2, nothing, "1 2 | 3" },
	{ "a folder was made again: both are in both", made_again,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "the server refuses it: both are in both", server_refuses,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "the line drops again: the call after that does it", line_drops,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 1, nothing, "2 | 1 3" },
	{ "a day later it is given up", line_drops_late, STORE_JOURNAL_PARTLY,
	    0, 2, "1 2 3 | 1 3", 2, nothing, "1 2 3 | 1 3" },
	{ "which has to succeed", line_drops_always, STORE_JOURNAL_BEGUN, 0, 2,
	    "1 2 3 | 1 3", 2, line_holds, "2 | 1 3" },
	{ "what cannot be seen then is as it was written", target_is_broken,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "for one who is frozen nothing is moved", freeze, STORE_JOURNAL_BEGUN,
	    0, 2, "1 2 3 | 1 3", 0, thaw, "2 | 1 3" },
	{ "where nothing may be moved any more, nothing is", organise_off,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 0, organise_on,
	    "2 | 1 3" },
	{ "what nobody wrote down is a copy that stays", never_written,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 0, nothing,
	    "1 2 3 | 1 3" },
};

static void
a_cut(void **state)
{
	const struct cut *k = *state;
	struct store_journal row;
	struct house h;

	cut_off(&h);
	rows_same(str_of(where(&h)), S("1 2 3 | 1 3"));
	row = change_of(&h, 1);
	assert_true(row.state == STORE_JOURNAL_BEGUN && row.copied == 2);
	assert_true(store_journal_has_copies(&row));
	k->meanwhile(&h);
	row = settled(&h, 1);
	assert_int_equal(row.state, k->state);
	assert_true(row.done == k->done && row.copied == k->copied);
	rows_same(str_of(where(&h)), str_of(k->where));
	assert_int_equal(fake.calls[FAKE_MOVE], 1 + k->asked);
	k->then(&h);
	row = settled(&h, 1);
	assert_true(row.state != STORE_JOURNAL_BEGUN);
	rows_same(str_of(where(&h)), str_of(k->at_last));
	house_close(&h);
}

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

static void
becomes_jmap(struct store_account *acct)
{
	acct->backend = S("jmap");
}

/* Nobody knows there which message was meant. */
static void
of_another_server_nothing_is_asked(void **state)
{
	struct store_journal row;
	struct house h;

	(void)state;
	cut_off(&h);
	house_change(&h, "work", becomes_jmap);
	(void)house_call(&h, "changes", "account", "work", NULL);
	row = change_of(&h, 1);
	assert_true(row.state == STORE_JOURNAL_PARTLY);
	assert_true(row.done == 0 && row.copied == 2);
	assert_int_equal(fake.calls[FAKE_MOVE], 1);
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
	for (int id = 2; id <= 18; id++) {
		struct buf b;

		buf_init(&b, h.a, 1024);
		for (int i = 0; i < 2; i++)
			buf_fmt(&b,
			    "CREATE TEMP TABLE x AS SELECT * FROM %s WHERE"
			    " %s = 1; UPDATE x SET %s = %d;"
			    "INSERT INTO %s SELECT * FROM x; DROP TABLE x;",
			    i == 0 ? "journal" : "journal_message",
			    i == 0 ? "id" : "journal_id",
			    i == 0 ? "id" : "journal_id", id,
			    i == 0 ? "journal" : "journal_message");
		house_sql(&h, str_c(h.a, buf_view(&b)));
	}
	house_sql(&h, "UPDATE journal SET principal = 'eve' WHERE id = 18");
	assert_int_equal(settled(&h, 18).state, STORE_JOURNAL_DONE);
	assert_int_equal(fake.calls[FAKE_MOVE], 2);
	rows_same(str_of(where(&h)), S("2 | 1 3"));
	house_close(&h);
}

int
main(void)
{
	ROWS(cuts, a_cut);
#define TEST(f) rows_add(#f, f, NULL)
	TEST(an_undivided_move_is_done);
	TEST(unwritten_copies_keep_the_originals);
	TEST(an_undo_takes_back_all_of_it);
	TEST(an_undo_that_was_cut_off_is_finished);
	TEST(a_call_that_reads_finishes_nothing);
	TEST(another_agent_waits_for_what_is_not_finished);
	TEST(one_that_is_not_answered_for_keeps_no_other_waiting);
	TEST(a_copy_is_known_by_its_name);
	TEST(of_another_server_nothing_is_asked);
	TEST(what_cannot_be_finished_keeps_nothing_else_waiting);
	return cmocka_run_group_tests_name("gate/journal_copied", rows_tests,
	    NULL, NULL);
}
