/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Undo, whatever the server did of it and whether it answered: what the journal
 * says then, and that another undo does only the rest.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "../../fake/verbs.h"
#include "store/journal.h"

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

static void
may(struct house *h)
{
	house_change(h, "work", organises);
	fake_add("Message-ID: <1@us.example>\r\n" BOSS);
	fake_add("Message-ID: <2@us.example>\r\n" SPAM);
	fake_add("Message-ID: <3@us.example>\r\n" BOSS)->flags = FLAG_FLAGGED;
	fake.folder[fake.folders++] = (struct folder){ .name = S("Old"),
		.selectable = true,
		.role = FOLDER_ARCHIVE };
}

/* Change 1: messages 1 and 3 are in Old, or read and without flag. */
static void
moved(struct house *h)
{
	may(h);
	(void)house_call(h, "archive", WORK, "uid", "1", "uid", "3", NULL);
}

static void
marked(struct house *h)
{
	may(h);
	(void)house_call(h, "mark", WORK, "uid", "1", "uid", "3", "read", "",
	    "unflag", "", NULL);
}

static const struct undo_row {
	const char *why;
	bool move;
	enum fake_end end;
	struct fake_fault
	    fault; /* of marking or moving; change 1 was a call too */
	const char *want;
	const char *says;
	/* Once `changes` was asked: the undo, and the change. */
	enum store_journal_state undo;
	size_t done;
	enum store_journal_state of;
	size_t undone;
	size_t rest; /* that another undo puts back */
} rows[] = {
	{ "a move is put back", .move = true, .want = "ok",
	    .says = "\"folder\":\"INBOX\",\"uids\":[1,3],\"new_uids\":[6,7]",
	    .undo = STORE_JOURNAL_DONE, .done = 2, .of = STORE_JOURNAL_UNDONE,
	    .undone = 2 },
	{ "new names that are not told are found", .move = true,
	    .end = FAKE_END_SILENT, .want = "ok", .says = "\"new_uids\":[6,7]",
	    .undo = STORE_JOURNAL_DONE, .done = 2, .of = STORE_JOURNAL_UNDONE,
	    .undone = 2 },
	{ "and those that are wrong", .move = true, .end = FAKE_END_WRONG,
	    .want = "ok", .says = "\"new_uids\":[6,7]",
	    .undo = STORE_JOURNAL_DONE, .done = 2, .of = STORE_JOURNAL_UNDONE,
	    .undone = 2 },
	{ "the answer is lost", .move = true, .end = FAKE_END_FALLS,
	    .want = "network", .says = "\"change\":2,\"state\":\"begun\"",
	    .undo = STORE_JOURNAL_DONE, .done = 2, .of = STORE_JOURNAL_UNDONE,
	    .undone = 2 },
	{ "so is the request", .move = true,
	    .fault = { .kind = ERR_NETWORK, .after = 1, .times = 1 },
	    .want = "network", .says = "\"change\":2,\"state\":\"begun\"",
	    .undo = STORE_JOURNAL_FAILED, .of = STORE_JOURNAL_DONE, .rest = 2 },
	{ "half is moved", .move = true, .end = FAKE_END_HALF,
	    .want = "network", .undo = STORE_JOURNAL_PARTLY, .done = 1,
	    .of = STORE_JOURNAL_DONE, .undone = 1, .rest = 1 },
	{ "a yes, and nothing is moved", .move = true, .end = FAKE_END_LIES,
	    .want = "rejected", .says = "\"change\":2,\"state\":\"failed\"",
	    .undo = STORE_JOURNAL_FAILED, .of = STORE_JOURNAL_DONE, .rest = 2 },
	{ "marks are put back, each message's own", .want = "ok",
	    .says = "\"count\":2", .undo = STORE_JOURNAL_DONE, .done = 2,
	    .of = STORE_JOURNAL_UNDONE, .undone = 2 },
	{ "the first answer is lost: the second is not asked for",
	    .end = FAKE_END_FALLS, .want = "network",
	    .undo = STORE_JOURNAL_PARTLY, .done = 1, .of = STORE_JOURNAL_DONE,
	    .undone = 1, .rest = 1 },
	{ "the second request is lost",
	    .fault = { .kind = ERR_NETWORK, .after = 2, .times = 1 },
	    .want = "network", .undo = STORE_JOURNAL_PARTLY, .done = 1,
	    .of = STORE_JOURNAL_DONE, .undone = 1, .rest = 1 },
	{ "the second is refused, and the first was made",
	    .fault = { .kind = ERR_USAGE, .after = 2, .times = 1 },
	    .want = "usage", .says = "\"change\":2,\"state\":\"partly\"",
	    .undo = STORE_JOURNAL_PARTLY, .done = 1, .of = STORE_JOURNAL_DONE,
	    .undone = 1, .rest = 1 },
	{ "a yes, and nothing is marked", .end = FAKE_END_LIES,
	    .want = "rejected", .undo = STORE_JOURNAL_FAILED,
	    .of = STORE_JOURNAL_DONE, .rest = 2 },
};

static struct store_journal
change_of(struct house *h, int64_t id)
{
	struct store_journal row;
	struct err e = { 0 };

	if (store_journal_get(h->store, h->a, id, &row, &e) < 0)
		fail_msg("change %d: %s", (int)id, e.say);
	return row;
}

/* Each message is once in INBOX, with the flags that it had. */
static void
all_is_back(void)
{
	unsigned there = 0;

	for (size_t i = 0; i < fake.n; i++) {
		const struct fake_mail *m = &fake.mail[i];
		bool third = strstr(m->head, "<3@") != NULL;

		assert_true(m->folder == NULL || strcmp(m->folder, "Old") != 0);
		if (m->folder != NULL && strcmp(m->folder, "INBOX") != 0)
			continue;
		there++;
		assert_int_equal(m->flags, third ? FLAG_FLAGGED : 0);
	}
	assert_int_equal(there, 3);
}

static struct reply
undo(struct house *h)
{
	return house_call(h, "undo", "account", "work", "change", "1", NULL);
}

static void
ends(void **state)
{
	const struct undo_row *row = *state;
	enum fake_verb verb = row->move ? FAKE_MOVE : FAKE_MARK;
	struct store_journal made, of;
	struct house h;
	struct reply r;
	unsigned calls;

	fake_reset();
	house_open(&h, (struct terms){ 0 });
	(row->move ? moved : marked)(&h);
	fake.end = row->end;
	fake.fault[verb] = row->fault;
	r = undo(&h);
	rows_same(str_of(house_word(r)), str_of(row->want));
	if (row->says != NULL && strstr(house_text(&h, r), row->says) == NULL)
		fail_msg("%s: no %s", house_text(&h, r), row->says);
	fake.end = FAKE_END_WELL;
	fake.fault[verb] = (struct fake_fault){ 0 };
	calls = fake.calls[verb];
	(void)house_call(&h, "changes", "account", "work", NULL);
	/* Looking changes nothing. */
	assert_int_equal(fake.calls[verb], calls);
	made = change_of(&h, 2);
	of = change_of(&h, 1);
	assert_int_equal(made.state, row->undo);
	assert_int_equal(made.done, row->done);
	assert_int_equal(of.state, row->of);
	assert_int_equal(of.undone, row->undone);
	r = undo(&h);
	assert_non_null(strstr(house_text(&h, r),
	    str_c(h.a, str_fmt(h.a, "\"count\":%zu,", row->rest))));
	assert_int_equal(fake.calls[verb] > calls, row->rest > 0);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_UNDONE);
	all_is_back();
	house_close(&h);
}

/* What was refused before anything was changed leaves no row. */
static void
a_refusal_leaves_no_row(void **state)
{
	struct store_journal row;
	struct err e = { 0 };
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	moved(&h);
	fake.fault[FAKE_MOVE].kind = ERR_USAGE;
	assert_string_equal(house_word(undo(&h)), "usage");
	assert_int_equal(store_journal_get(h.store, h.a, 2, &row, &e), -1);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_DONE);
	house_close(&h);
}

/* It may have been made: to take it back now would be to guess. */
static void
what_is_not_known_is_not_taken_back(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	may(&h);
	fake.end = FAKE_END_FALLS;
	(void)house_call(&h, "archive", WORK, "uid", "1", NULL);
	fake.end = FAKE_END_WELL;
	fake.fault[FAKE_FIND].kind = ERR_NETWORK;
	fake.fault[FAKE_HEADERS].kind = ERR_NETWORK;
	assert_string_equal(house_word(undo(&h)), "limit");
	assert_int_equal(fake.calls[FAKE_MOVE], 1);
	assert_int_equal(change_of(&h, 1).state, STORE_JOURNAL_BEGUN);
	house_close(&h);
}

/* One that is in both folders is not copied again. */
static void
a_copy_is_not_made_twice(void **state)
{
	struct house h;
	struct reply r;
	size_t n;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	moved(&h);
	fake.end = FAKE_END_COPIED;
	assert_string_equal(house_word(undo(&h)), "network");
	fake.end = FAKE_END_WELL;
	n = fake.n;
	r = undo(&h);
	assert_non_null(strstr(house_text(&h, r),
	    "\"count\":0,\"folder\":\"INBOX\",\"uids\":[],\"new_uids\":[],"
	    "\"not_restored\":[{\"uid\":1,\"reason\":\"copied\"},"
	    "{\"uid\":3,\"reason\":\"copied\"}]"));
	assert_int_equal(fake.n, n);
	assert_int_equal(change_of(&h, 2).copied, 2);
	assert_int_equal(change_of(&h, 1).undone, 0);
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, ends);
	rows_add("a refusal leaves no row", a_refusal_leaves_no_row, NULL);
	rows_add("what is not known is not taken back",
	    what_is_not_known_is_not_taken_back, NULL);
	rows_add("a copy is not made twice", a_copy_is_not_made_twice, NULL);
	return cmocka_run_group_tests_name("gate/undo", rows_tests, NULL, NULL);
}
