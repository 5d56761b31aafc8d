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
	return cmocka_run_group_tests_name("gate/undo_find", rows_tests, NULL,
	    NULL);
}
