/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marking and moving by uid: who may, which messages, what the journal says
 * afterwards, whatever the server did, and what agents know of what was moved.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "../../fake/verbs.h"
#include "store/journal.h"

#define ID(n) "Message-ID: <" #n "@us.example>\r\n"
#define LISTED "List-Id: The plan <plan.us.example>\r\n"

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

static void
few(struct store_account *acct)
{
	acct->limit_organise = 1;
}

static void
add_folder(const char *name, enum folder_role role)
{
	fake.folder[fake.folders++] = (struct folder){ .name = str_of(name),
		.selectable = true,
		.role = role };
}

/* 1, 3 and 4 are from the boss, 2 from somebody else; 3 is read. */
static void
mails(struct house *h)
{
	(void)h;
	fake_add(ID(1) BOSS);
	fake_add(ID(2) SPAM);
	fake_add(ID(3) BOSS)->flags = FLAG_READ;
	fake_add(ID(4) LISTED "From: Boss <boss@us.example>\r\n"
			      "Subject: news\r\n");
	str_push(fake_kept, &fake.mail[1].labels, S("secret"));
	str_push(fake_kept, &fake.mail[2].labels, S("todo"));
	add_folder("Old", FOLDER_ARCHIVE);
}

static void
may(struct house *h)
{
	house_change(h, "work", organises);
	mails(h);
}

static void
may_one(struct house *h)
{
	may(h);
	house_change(h, "work", few);
}

static void
may_trash(struct house *h)
{
	may(h);
	add_folder("Bin", FOLDER_TRASH);
}

static void
lies(struct house *h)
{
	may(h);
	fake.end = FAKE_END_LIES;
}

static void
is_silent(struct house *h)
{
	may(h);
	fake.end = FAKE_END_SILENT;
}

static void
is_wrong(struct house *h)
{
	may(h);
	fake.end = FAKE_END_WRONG;
}

static void
falls(struct house *h)
{
	may(h);
	fake.end = FAKE_END_FALLS;
}

static void
refuses(struct house *h)
{
	may(h);
	fake.fault[FAKE_MARK].kind = ERR_USAGE;
}

static void
frozen(struct house *h)
{
	may(h);
	house_sql(h,
	    "INSERT INTO freeze (agent, account_id, why, at_s) "
	    "VALUES ('agent', 0, 'stop', 1)");
}

static void
unwritten(struct house *h)
{
	may(h);
	house_sql(h,
	    "CREATE TRIGGER no BEFORE INSERT ON journal"
	    " BEGIN SELECT RAISE(ABORT, 'no'); END");
}

#define UID(n) "uid", #n

static struct house_row rows[] = {
	/* Rights. */
	{ "an account organises nothing unless it is told to", { 0 }, mails,
	    "mark", { WORK, UID(1), "read", "" }, .want = "organise_off" },
	{ "a dry run neither", { 0 }, mails, "trash",
	    { WORK, UID(1), "dry_run", "" }, .want = "organise_off" },
	{ "read-only it does not", { .ro = true }, may, "move",
	    { WORK, UID(1), "to", "Old" }, .want = "ro_mode" },
	{ "a frozen agent does not", { 0 }, frozen, "mark",
	    { WORK, UID(1), "read", "" }, .want = "frozen" },
	{ "what cannot be written down is not done", { 0 }, unwritten, "mark",
	    { WORK, UID(1), "read", "" }, .want = "db" },
	/* Marks. */
	{ "told to, it does", { 0 }, may, "mark", { WORK, UID(1), "read", "" },
	    .want = "ok",
	    .says = "{\"change\":1,\"count\":1,\"to\":null,\"uids\":[1]}",
	    .detail = "marked 1" },
	{ "a flag both ways", { 0 }, may, "mark",
	    { WORK, UID(1), "read", "", "unread", "" }, .want = "usage" },
	{ "a label both ways", { 0 }, may, "mark",
	    { WORK, UID(1), "label", "x", "unlabel", "X" }, .want = "usage" },
	{ "no flag", { 0 }, may, "mark", { WORK, UID(1) }, .want = "usage" },
	{ "a keyword of the system's", { 0 }, may, "mark",
	    { WORK, UID(1), "label", "$Junk" }, .want = "usage" },
	{ "a store without labels", { .backend = "jmap" }, may, "mark",
	    { WORK, UID(1), "label", "x" }, .want = "unsupported" },
	{ "a store without flags", { .backend = "mbox" }, may, "mark",
	    { WORK, UID(1), "read", "" }, .want = "unsupported" },
	{ "a store that moves nothing", { .backend = "mbox" }, may, "archive",
	    { WORK, UID(1) }, .want = "unsupported" },
	/* Which messages. */
	{ "none is named", { 0 }, may, "archive", { WORK }, .want = "usage" },
	{ "two ways at once", { 0 }, may, "archive",
	    { WORK, UID(1), "from", "boss" }, .want = "usage" },
	{ "a hidden one is not found", { .in_on = true }, may, "mark",
	    { WORK, UID(2), "read", "" }, .want = "not_found",
	    .says = "no such folder or message", .audit = "filtered" },
	{ "nor one that never was", { .in_on = true }, may, "mark",
	    { WORK, UID(9), "read", "" }, .want = "not_found",
	    .says = "no such folder or message" },
	{ "a hidden one keeps the others as they are", { .in_on = true }, may,
	    "archive", { WORK, UID(1), UID(2) }, .want = "not_found" },
	{ "all of a sender, but for hidden ones", { .in_on = true }, may,
	    "archive", { WORK, "subject_contains", "plan" }, .want = "ok",
	    .says = "\"count\":2,\"to\":\"Old\",\"uids\":[1,3],"
		    "\"new_uids\":[5,6]" },
	{ "all of a mailing list", { 0 }, may, "archive",
	    { WORK, "list", "PLAN.us" }, .want = "ok", .says = "\"uids\":[4]" },
	{ "those of before the first day", { 0 }, may, "archive",
	    { WORK, "before", "1970-01-01" }, .want = "ok",
	    .says = "\"change\":null,\"count\":0" },
	{ "a dry run shows them", { 0 }, may, "archive",
	    { WORK, UID(1), "dry_run", "" }, .want = "ok",
	    .says = "{\"change\":null,\"count\":1,\"to\":\"Old\",\"uids\":[1],"
		    "\"messages\":[{\"uid\":1,",
	    .uids = "1" },
	{ "a day has a limit", { 0 }, may_one, "archive",
	    { WORK, UID(1), UID(3) }, .want = "rate_limited",
	    .says = "change 1 messages in 24 hours" },
	/* Where to. */
	{ "into a folder", { 0 }, may, "move", { WORK, UID(1), "to", "Sent" },
	    .want = "ok", .says = "\"to\":\"Sent\"", .detail = "moved 1" },
	{ "that there is not", { 0 }, may, "move",
	    { WORK, UID(1), "to", "Snet" }, .want = "target_folder_not_found",
	    .says = "no folder of that name" },
	{ "the same", { 0 }, may, "move", { WORK, UID(1), "to", "inbox" },
	    .want = "usage" },
	{ "no trash", { 0 }, may, "trash", { WORK, UID(1) },
	    .want = "unsupported", .says = "no folder with the role trash" },
	{ "the trash", { 0 }, may_trash, "trash", { WORK, UID(1) },
	    .want = "ok", .says = "\"to\":\"Bin\"" },
	/* What the server does. */
	{ "new names that are not told are found", { 0 }, is_silent, "archive",
	    { WORK, UID(1), UID(3) }, .want = "ok",
	    .says = "\"uids\":[1,3],\"new_uids\":[5,6]" },
	{ "and so are those that are wrong", { 0 }, is_wrong, "archive",
	    { WORK, UID(1), UID(3) }, .want = "ok",
	    .says = "\"uids\":[1,3],\"new_uids\":[5,6]" },
	{ "a server that says yes and does nothing", { 0 }, lies, "archive",
	    { WORK, UID(1) }, .want = "rejected",
	    .says = "accepted the change but did not make it" },
	{ "the same of a flag", { 0 }, lies, "mark",
	    { WORK, UID(1), "read", "" }, .want = "rejected" },
	{ "which change it was is said", { 0 }, lies, "mark",
	    { WORK, UID(1), "read", "" }, .want = "rejected",
	    .says = "\"change\":1,\"state\":\"failed\"" },
	{ "and of one whose answer was lost", { 0 }, falls, "archive",
	    { WORK, UID(1) }, .want = "network",
	    .says = "\"change\":1,\"state\":\"begun\"" },
	{ "nothing was changed: there is nothing to look up", { 0 }, refuses,
	    "mark", { WORK, UID(1), "label", "a b" }, .want = "usage",
	    .says = "usage" },
	/* Labels. */
	{ "labels, but for those of hidden messages", { .in_on = true }, may,
	    "labels", { WORK }, .want = "ok", .says = "\"labels\":[\"todo\"]" },
	{ "all of them", { 0 }, may, "labels", { WORK }, .want = "ok",
	    .says = "\"labels\":[\"todo\",\"secret\"]" },
	{ "where there are none", { .backend = "jmap" }, may, "labels",
	    { WORK }, .want = "unsupported" },
	{ "an agent sees its changes where it may make none", { 0 }, mails,
	    "changes", { "account", "work" }, .want = "ok",
	    .says = "\"changes\":[]" },
};

/* -- what is left behind --------------------------------------------------- */

static void
begin(struct house *h, void (*arrange)(struct house *h))
{
	fake_reset();
	house_open(h, (struct terms){ 0 });
	arrange(h);
}

/* The change of that number, settled by whoever asks for changes. */
static struct store_journal
settled(struct house *h, int64_t id)
{
	struct store_journal row;
	struct err e = { 0 };

	fake.end = FAKE_END_WELL;
	(void)house_call(h, "changes", "account", "work", NULL);
	assert_int_equal(store_journal_get(h->store, h->a, id, &row, &e), 0);
	return row;
}

static void
off_nothing_is_sent(void **state)
{
	static const char *const ops[] = { "mark", "archive", "trash" };
	struct house h;

	(void)state;
	begin(&h, mails);
	for (size_t i = 0; i < 3; i++)
		(void)house_call(&h, ops[i], WORK, UID(1),
		    i == 0 ? "read" : "dry_run", "", NULL);
	(void)house_call(&h, "move", WORK, UID(1), "to", "Sent", NULL);
	(void)house_call(&h, "get", WORK, UID(1), NULL);
	assert_int_equal(fake.calls[FAKE_MARK] + fake.calls[FAKE_MOVE], 0);
	house_close(&h);
}

/* Or an agent fills the disk with what a server refuses. */
static void
what_was_refused_leaves_no_row(void **state)
{
	struct house h;
	struct store_journal row;
	struct err e = { 0 };

	(void)state;
	begin(&h, may);
	fake.fault[FAKE_MARK].kind = ERR_USAGE;
	(void)house_call(&h, "mark", WORK, UID(1), "label", "a b", NULL);
	assert_int_equal(fake.calls[FAKE_MARK], 1);
	assert_int_equal(store_journal_get(h.store, h.a, 1, &row, &e), -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	house_close(&h);
}

static void
a_lost_answer_is_looked_up(void **state)
{
	struct house h;
	struct store_journal row;

	(void)state;
	begin(&h, may);
	fake.end = FAKE_END_FALLS;
	assert_string_equal(house_word(house_call(&h, "archive", WORK, UID(1),
				UID(3), NULL)),
	    "network");
	row = settled(&h, 1);
	assert_int_equal(row.state, STORE_JOURNAL_DONE);
	assert_true(row.v[0].new_uid == 5 && row.v[1].new_uid == 6);
	fake.end = FAKE_END_HALF;
	assert_string_equal(house_word(house_call(&h, "mark", WORK, UID(2),
				UID(4), "flag", "", NULL)),
	    "network");
	row = settled(&h, 2);
	assert_int_equal(row.state, STORE_JOURNAL_PARTLY);
	assert_true(row.v[0].done && !row.v[1].done);
	fake.fault[FAKE_MOVE].kind = ERR_NETWORK;
	(void)house_call(&h, "archive", WORK, UID(2), NULL);
	row = settled(&h, 3);
	assert_int_equal(row.state, STORE_JOURNAL_FAILED);
	/* Looking changes nothing. */
	assert_int_equal(fake.calls[FAKE_MOVE], 2);
	assert_int_equal(fake.calls[FAKE_MARK], 1);
	house_close(&h);
}

/* Also in a folder that is numbered again: a message that has come under the
 * number of one that went is another, whatever its header says. */
static void
half_of_a_move_is_told_apart(void **state)
{
	struct house h;
	struct store_journal row;

	(void)state;
	for (int again = 0; again < 2; again++) {
		begin(&h, may);
		fake.end = FAKE_END_HALF;
		(void)house_call(&h, "archive", WORK, UID(1), UID(3), NULL);
		fake.uidvalidity += (uint32_t)again;
		if (again)
			fake.mail[0].folder = NULL;
		row = settled(&h, 1);
		assert_int_equal(row.state, STORE_JOURNAL_PARTLY);
		assert_true(row.v[0].done && row.v[0].new_uid == 5);
		assert_true(!row.v[1].done && row.v[1].new_uid == 0);
		house_close(&h);
	}
}

/* Where a server copies first, what is cut off there is in both folders. */
static void
a_copy_that_was_left_is_told(void **state)
{
	struct house h;
	struct store_journal row;
	struct reply r;

	(void)state;
	begin(&h, may);
	fake.end = FAKE_END_COPIED;
	(void)house_call(&h, "archive", WORK, UID(1), UID(3), NULL);
	row = settled(&h, 1);
	assert_int_equal(row.state, STORE_JOURNAL_PARTLY);
	assert_true(!row.v[0].done && row.v[0].new_uid == 5);
	assert_true(!row.v[1].done && row.v[1].new_uid == 6);
	r = house_call(&h, "changes", "account", "work", NULL);
	assert_non_null(strstr(house_text(&h, r),
	    "\"messages\":2,\"done\":0,\"undone\":0,\"copied\":2,\"state\":"
	    "\"partly\""));
	/* Neither of the two is removed. */
	assert_int_equal(fake.calls[FAKE_MOVE], 1);
	assert_string_equal(fake.mail[4].folder, "Old");
	assert_null(fake.mail[0].folder);
	house_close(&h);
}

/* One that is gone is the one that was moved, not the one that is there. */
static void
a_twin_that_stayed_is_no_copy(void **state)
{
	struct house h;
	struct store_journal row;

	(void)state;
	begin(&h, may);
	fake_add(ID(1) BOSS);
	fake.end = FAKE_END_COPIED;
	(void)house_call(&h, "archive", WORK, UID(1), UID(5), NULL);
	fake.mail[4].folder = fake.mail[6].folder = "nowhere";
	row = settled(&h, 1);
	assert_true(!row.v[0].done && row.v[0].new_uid == 0);
	assert_true(row.v[1].done && row.v[1].new_uid == 6);
	house_close(&h);
}

static void
what_is_far_below_the_newest_is_found(void **state)
{
	struct house h;
	struct store_journal row;

	(void)state;
	begin(&h, may);
	fake.end = FAKE_END_FALLS;
	(void)house_call(&h, "archive", WORK, UID(1), UID(3), NULL);
	for (int i = 0; i < 1100; i++)
		fake_add(SPAM)->folder = "Old";
	row = settled(&h, 1);
	assert_int_equal(row.state, STORE_JOURNAL_DONE);
	assert_true(row.v[0].new_uid == 5 && row.v[1].new_uid == 6);
	house_close(&h);
}

/* Two messages with the same header are two messages. */
static void
twins_are_two(void **state)
{
	struct house h;
	struct store_journal row;

	(void)state;
	begin(&h, may);
	fake_add(ID(1) BOSS);
	fake.end = FAKE_END_SILENT;
	(void)house_call(&h, "archive", WORK, UID(1), UID(5), NULL);
	row = settled(&h, 1);
	assert_int_equal(row.state, STORE_JOURNAL_DONE);
	assert_true(row.v[0].new_uid != row.v[1].new_uid);
	house_close(&h);
}

static void
what_was_acked_is_not_new_again(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ .backlog = true });
	may(&h);
	(void)house_call(&h, "ack", WORK, UID(3), NULL);
	(void)house_call(&h, "archive", WORK, UID(1), UID(3), NULL);
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", "account", "work",
				    "folder", "Old", "new", "", NULL)),
	    "5");
	assert_string_equal(house_uids(&h,
				house_call(&h, "list", "account", "work",
				    "folder", "Old", NULL)),
	    "6 5");
	house_close(&h);
}

static void
an_agent_sees_its_own_changes(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	begin(&h, may);
	(void)house_call(&h, "mark", WORK, UID(1), "read", "", "label", "x",
	    NULL);
	house_sql(&h,
	    "INSERT INTO journal (account_id, principal, audit_id, kind,"
	    " folder, uidvalidity, target, flags_set, flags_clear, labels_add,"
	    " labels_drop, state, messages, created_s, changed_s)"
	    " SELECT id, 'other', 0, 'move', 'INBOX', 1, 'Old', 0, 0, '', '',"
	    " 'done', 1, 1, 1 FROM accounts");
	r = house_call(&h, "changes", "account", "work", NULL);
	assert_non_null(strstr(house_text(&h, r),
	    "\"kind\":\"mark\",\"folder\":\"INBOX\",\"to\":null,"
	    "\"set\":[\"read\",\"x\"],\"cleared\":[],\"messages\":1,"
	    "\"done\":1,\"undone\":0,\"state\":\"done\""));
	assert_null(strstr(house_text(&h, r), "Old"));
	assert_int_equal(fake.mail[0].flags, FLAG_READ);
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("with organise off nothing is sent", off_nothing_is_sent,
	    NULL);
	rows_add("what was refused leaves no row",
	    what_was_refused_leaves_no_row, NULL);
	rows_add("a lost answer is looked up by the next call",
	    a_lost_answer_is_looked_up, NULL);
	rows_add("half of a move is told apart", half_of_a_move_is_told_apart,
	    NULL);
	rows_add("a copy that was left is told", a_copy_that_was_left_is_told,
	    NULL);
	rows_add("a twin that stayed is no copy", a_twin_that_stayed_is_no_copy,
	    NULL);
	rows_add("what is far below the newest is found",
	    what_is_far_below_the_newest_is_found, NULL);
	rows_add("twins are two", twins_are_two, NULL);
	rows_add("what was acked is not new again",
	    what_was_acked_is_not_new_again, NULL);
	rows_add("an agent sees its own changes", an_agent_sees_its_own_changes,
	    NULL);
	return cmocka_run_group_tests_name("gate/journal", rows_tests, NULL,
	    NULL);
}
