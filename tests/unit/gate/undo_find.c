/* SPDX-License-Identifier: Apache-2.0 */
/* Which message of a folder is put back, where some have other names now or
 * look the same. */
#include "../rows.h"

#include "../../fake/house.h"
#include "../../fake/verbs.h"

#define ID(n) "Message-ID: <" #n "@us.example>\r\n"
#define UID(n) "uid", #n

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

static void
begin(struct house *h)
{
	fake_reset();
	house_open(h, (struct terms){ 0 });
	house_change(h, "work", organises);
	fake.folder[fake.folders++] = (struct folder){ .name = S("Old"),
		.selectable = true,
		.role = FOLDER_ARCHIVE };
}

static void
takes_back(struct house *h, const char *says)
{
	struct reply r = house_call(h, "undo", "change", "1", NULL);
	const char *text = house_text(h, r);

	if (strstr(text, says) == NULL)
		fail_msg("no %s in %s", says, text);
}

/* Each row is read once, whatever the number of those that are missing: for
 * each of them again, these would take more memory than a call has. */
static void
a_thousand_by_their_headers(void **state)
{
	const char *arg[] = { WORK, "read", "", "subject_contains", "plan",
		NULL };
	struct str tail;
	struct house h;

	(void)state;
	begin(&h);
	tail = rows_repeat(fake_kept, S("=?utf-8?q?long_?= "), 300);
	for (int i = 0; i < LIMIT_ORGANISE; i++)
		fake_add(str_fmt(fake_kept,
		    "Message-ID: <%d@us.example>\r\n"
		    "From: boss@us.example\r\nSubject: plan %.*s\r\n",
		    i, STR_ARG(tail))
			     .p);
	assert_string_equal(house_word(house_call_list(&h, "mark", arg)), "ok");
	fake.uidvalidity++;
	takes_back(&h, "\"count\":1000,");
	for (int i = 0; i < LIMIT_ORGANISE; i++)
		assert_int_equal(fake.mail[i].flags, 0);
	house_close(&h);
}

/* 1 was there before 2, which is changed, and goes. */
static void
an_older_copy_is_not_marked(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	fake_add(ID(1) BOSS)->flags = FLAG_READ;
	fake_add(ID(1) BOSS);
	(void)house_call(&h, "mark", WORK, UID(2), "read", "", NULL);
	fake.mail[1].folder = "nowhere";
	takes_back(&h, "\"uid\":2,\"reason\":\"gone\"");
	assert_int_equal(fake.mail[0].flags, FLAG_READ);
	house_close(&h);
}

static void
an_older_copy_is_not_moved(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	fake_add(ID(1) BOSS)->folder = "Old";
	fake_add(ID(1) BOSS);
	(void)house_call(&h, "archive", WORK, UID(2), NULL);
	fake.mail[2].folder = "nowhere";
	takes_back(&h, "\"uid\":2,\"reason\":\"gone\"");
	assert_string_equal(fake.mail[0].folder, "Old");
	house_close(&h);
}

static void
one_that_came_back_is_moved(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	fake_add(ID(1) BOSS)->folder = "Old";
	fake_add(ID(1) BOSS);
	(void)house_call(&h, "archive", WORK, UID(2), NULL);
	fake.mail[2].folder = "nowhere";
	fake_add(ID(1) BOSS)->folder = "Old";
	takes_back(&h,
	    "\"count\":1,\"folder\":\"INBOX\",\"uids\":[2],"
	    "\"new_uids\":[5]");
	assert_string_equal(fake.mail[0].folder, "Old");
	house_close(&h);
}

/* In a folder that is numbered again no uid tells them apart. */
static void
numbered_again_the_newest_is_it(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	fake_add(ID(1) BOSS)->folder = "Old";
	fake_add(ID(1) BOSS);
	(void)house_call(&h, "archive", WORK, UID(2), NULL);
	fake.uidvalidity++;
	takes_back(&h, "\"count\":1,");
	assert_string_equal(fake.mail[0].folder, "Old");
	house_close(&h);
}

/* A mark gives no new uids: they keep those that they have. */
static void
what_was_marked_keeps_its_uid(void **state)
{
	struct house h;

	(void)state;
	begin(&h);
	fake_add(ID(1) BOSS);
	(void)house_call(&h, "mark", WORK, UID(1), "read", "", NULL);
	takes_back(&h, "\"uids\":[1],\"new_uids\":[1]");
	house_close(&h);
}

/* More than a page of them, by ids that stay the same. */
static void
all_that_were_moved_are_told(void **state)
{
	const char *arg[] = { WORK, "read", "", "subject_contains", "plan",
		NULL };
	struct house h;
	const char *text;
	int moved = 0;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ .backend = "jmap" });
	house_change(&h, "work", organises);
	for (int i = 0; i < LIMIT_PAGE + 10; i++)
		fake_add(str_fmt(fake_kept, "Message-ID: <%d@us.example>\r\n%s",
		    i, BOSS)
			     .p);
	assert_string_equal(house_word(house_call_list(&h, "mark", arg)), "ok");
	for (size_t i = 0; i < fake.n; i++)
		fake.mail[i].folder = "Sent";
	text = house_text(&h, house_call(&h, "undo", "change", "1", NULL));
	for (; (text = strstr(text, "\"moved\"")) != NULL; text++)
		moved++;
	assert_int_equal(moved, LIMIT_PAGE + 10);
	house_close(&h);
}

static void
approves(struct store_account *acct)
{
	acct->organise = ORGANISE_APPROVE;
}

static void
where_the_operator_agrees_first(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	begin(&h);
	fake_add(ID(1) BOSS);
	(void)house_call(&h, "mark", WORK, UID(1), "read", "", NULL);
	house_change(&h, "work", approves);
	r = house_call(&h, "undo", "change", "1", NULL);
	assert_string_equal(house_word(r), "organise_approve");
	assert_non_null(strstr(r.err.hint, "emcli undo"));
	house_close(&h);
}

static size_t asked;
static struct house *asked_in;

static int
says_yes(const struct gate_act *act, struct err *e)
{
	(void)e;
	asked = act->messages;
	assert_int_equal(act->some->n, 10);
	rows_same(act->some->v[9], S("plan"));
	return 0;
}

static void
forbids(struct store_account *acct)
{
	acct->organise = ORGANISE_OFF;
}

/* The operator changes his mind while the person reads the question. */
static int
is_overtaken(const struct gate_act *act, struct err *e)
{
	house_change(asked_in, "work", forbids);
	return says_yes(act, e);
}

static void
eleven_are_asked_about(void **state)
{
	const char *arg[] = { WORK, "read", "", "subject_contains", "plan",
		NULL };
	struct house h;
	struct reply r;

	(void)state;
	begin(&h);
	asked_in = &h;
	for (int i = 0; i < 11; i++)
		fake_add(str_fmt(fake_kept, "Message-ID: <%d@us.example>\r\n%s",
		    i, BOSS)
			     .p);
	assert_string_equal(house_word(house_call_list(&h, "mark", arg)), "ok");
	house_caller(&h, (struct gate_caller){ .consent = is_overtaken });
	asked = 0;
	(void)house_call(&h, "undo", "change", "1", "dry_run", "", NULL);
	assert_int_equal(asked, 0);
	r = house_call(&h, "undo", "change", "1", NULL);
	assert_int_equal(asked, 11);
	assert_string_equal(house_word(r), "organise_off");
	assert_int_equal(fake.mail[0].flags, FLAG_READ);
	house_change(&h, "work", organises);
	r = house_call_list(&h, "mark",
	    (const char *[]){ WORK, "flag", "", "subject_contains", "plan",
		NULL });
	assert_string_equal(house_word(r), "organise_off");
	house_change(&h, "work", organises);
	house_caller(&h, (struct gate_caller){ .consent = says_yes });
	takes_back(&h, "\"count\":11,");
	house_close(&h);
}

int
main(void)
{
	rows_add("a thousand are found by their headers",
	    a_thousand_by_their_headers, NULL);
	rows_add("an older copy is not marked", an_older_copy_is_not_marked,
	    NULL);
	rows_add("an older copy is not moved", an_older_copy_is_not_moved,
	    NULL);
	rows_add("one that came back is moved", one_that_came_back_is_moved,
	    NULL);
	rows_add("numbered again, the newest is it",
	    numbered_again_the_newest_is_it, NULL);
	rows_add("what was marked keeps its uid", what_was_marked_keeps_its_uid,
	    NULL);
	rows_add("all that were moved are told", all_that_were_moved_are_told,
	    NULL);
	rows_add("where the operator agrees first, he undoes",
	    where_the_operator_agrees_first, NULL);
	rows_add("eleven are asked about, by the rules of then",
	    eleven_are_asked_about, NULL);
	return cmocka_run_group_tests_name("gate/undo_find", rows_tests, NULL,
	    NULL);
}
