/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What policy and the person who is asked say about marking and moving: in
 * which folders, how many messages, and what waits for the operator.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/changes.h"
#include "gate/outbox_post.h"
#include "store/outbox.h"

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

static void
in_two_folders(struct store_account *acct)
{
	acct->organise_folders = S("INBOX,Sent");
}

static void
add_folder(const char *name, enum folder_role role)
{
	fake.folder[fake.folders++] = (struct folder){ .name = str_of(name),
		.selectable = true,
		.role = role };
}

/* 1 and 3 are from the boss, 2 from somebody else. */
static void
may(struct house *h)
{
	house_change(h, "work", organises);
	fake_add("Message-ID: <1@us.example>\r\n" BOSS);
	fake_add("Message-ID: <2@us.example>\r\n" SPAM);
	fake_add("Message-ID: <3@us.example>\r\n" BOSS);
	add_folder("Old", FOLDER_ARCHIVE);
	add_folder("Bin", FOLDER_TRASH);
}

static void
may_in_two(struct house *h)
{
	may(h);
	house_change(h, "work", in_two_folders);
}

static void
asks(struct store_account *acct)
{
	acct->organise = ORGANISE_APPROVE;
}

static void
may_ask(struct house *h)
{
	may(h);
	house_change(h, "work", asks);
}

static const struct gate_binding binding = {
	.transport = SI("filesystem"),
	.principal = SI("HOUMAO-me"),
	.address = SI("me@us.example"),
	.version = SI("2026-04-08T10:11:12.123456Z"),
};

static void
may_ask_in_its_own(struct house *h)
{
	may_ask(h);
	house_caller(h, (struct gate_caller){ .binding = &binding });
}

#define UID(n) "uid", #n

static void
was_marked(struct house *h)
{
	may(h);
	assert_string_equal(house_word(house_call(h, "mark", "account", "work",
				"folder", "inbox", UID(1), "read", "", NULL)),
	    "ok");
}

static struct house_row rows[] = {
	{ "where the operator allows it", { 0 }, may_in_two, "move",
	    { WORK, UID(1), "to", "Sent" }, .want = "ok" },
	{ "and nowhere else", { 0 }, may_in_two, "move",
	    { WORK, UID(1), "to", "Old" }, .want = "organise_folders",
	    .audit = "organise_folders" },
	{ "also by its role", { 0 }, may_in_two, "trash", { WORK, UID(1) },
	    .want = "organise_folders" },
	{ "and nothing in another folder", { 0 }, may_in_two, "mark",
	    { "account", "work", "folder", "Old", UID(1), "read", "" },
	    .want = "organise_folders" },
	{ "nor as a dry run", { 0 }, may_in_two, "archive",
	    { WORK, UID(1), "dry_run", "" }, .want = "organise_folders" },
	{ "a label of Gmail's is a folder", { .backend = "gmail" }, may_in_two,
	    "mark", { WORK, UID(1), "label", "Old" },
	    .want = "organise_folders" },
	{ "the inbox in any spelling is one folder", { 0 }, may, "move",
	    { "account", "work", "folder", "inbox", UID(1), "to", "Inbox" },
	    .want = "usage",
	    .says = "the messages are in that folder already" },
	{ "and the journal has one name for it", { 0 }, was_marked, "changes",
	    { "account", "work" }, .want = "ok",
	    .says = "\"folder\":\"INBOX\"" },
	/* What waits. */
	{ "a change waits for the operator", { 0 }, may_ask, "archive",
	    { WORK, UID(1), UID(3) }, .want = "approval",
	    .says = "\"id\":1,\"state\":\"held\",\"expires\":",
	    .audit = "approval" },
	{ "a dry run does not", { 0 }, may_ask, "archive",
	    { WORK, UID(1), "dry_run", "" }, .want = "ok",
	    .says = "{\"change\":null,\"count\":1" },
	{ "nor a search that finds nothing", { 0 }, may_ask, "archive",
	    { WORK, "from", "nobody" }, .want = "ok", .says = "\"count\":0" },
	{ "nor what cannot be done", { .backend = "mbox" }, may_ask, "archive",
	    { WORK, UID(1) }, .want = "unsupported" },
	{ "nor what has a hidden message", { .in_on = true }, may_ask,
	    "archive", { WORK, UID(1), UID(2) }, .want = "not_found" },
	{ "an agent's own mailbox changes at once or not at all",
	    { .backend = "agentbox" }, may_ask_in_its_own, "mail_mark",
	    { "message_refs", "filesystem:id00001", "read", "true" },
	    .want = "organise_approve", .says = "refused by policy" },
	{ "what waits is in changes", { 0 }, may_ask, "changes",
	    { "account", "work" }, .want = "ok", .says = "\"changes\":[]}" },
};

static void
begin(struct house *h, void (*arrange)(struct house *h))
{
	fake_reset();
	house_open(h, (struct terms){ 0 });
	arrange(h);
}

/* The server is not even asked whether the folder is there. */
static void
a_folder_that_may_not_be_is_not_asked_for(void **state)
{
	struct house h;

	(void)state;
	begin(&h, may_in_two);
	assert_string_equal(house_word(house_call(&h, "move", WORK, UID(1),
				"to", "Old", NULL)),
	    "organise_folders");
	assert_int_equal(fake.calls[FAKE_OPEN], 0);
	house_close(&h);
}

static size_t told; /* of how many messages */

static int
declines(const struct gate_act *act, struct err *e)
{
	assert_int_equal(act->some->n, LIMIT_ORGANISE_UNASKED);
	told = act->messages;
	return err_set(e, ERR_POLICY, "no");
}

static void
a_change_of_many_is_asked_about(void **state)
{
	struct house h;

	(void)state;
	begin(&h, may);
	for (int i = 0; i < 9; i++)
		fake_add(BOSS);
	house_caller(&h, (struct gate_caller){ .consent = declines });
	assert_string_equal(house_word(house_call(&h, "mark", WORK, "uid",
				"1,3:11", "read", "", NULL)),
	    "ok");
	assert_string_equal(house_word(house_call(&h, "mark", WORK, "uid",
				"1,3:12", "flag", "", "dry_run", "", NULL)),
	    "ok");
	assert_int_equal(told, 0);
	assert_string_equal(house_word(house_call(&h, "mark", WORK, "uid",
				"1,3:12", "flag", "", NULL)),
	    "policy");
	assert_int_equal(told, 11);
	assert_int_equal(fake.calls[FAKE_MARK], 1);
	house_close(&h);
}

/* Until the operator has decided, nothing is sent. */
static void
what_waits_is_not_done(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	begin(&h, may_ask);
	r = house_call(&h, "archive", WORK, UID(1), NULL);
	assert_non_null(strstr(r.err.hint, "ask changes later"));
	(void)house_call(&h, "mark", WORK, UID(3), "read", "", NULL);
	assert_int_equal(fake.calls[FAKE_MARK] + fake.calls[FAKE_MOVE], 0);
	assert_non_null(strstr(house_text(&h,
				   house_call(&h, "changes", "account", "work",
				       NULL)),
	    "\"held\":[{\"id\":2,\"state\":\"held\",\"what\":\"mark 1 message"
	    " in \\\"INBOX\\\"\",\"change\":null,"));
	house_close(&h);
}

static int
release(struct house *h, struct call *by, struct err *e)
{
	struct store_outbox row = { 0 };
	struct mailbox_change made;

	assert_int_equal(store_outbox_get(h->store, h->a, 1, &row, e), 0);
	return held_release(by, h->store, &h->env, 1, row.digest, &made, e);
}

/* The call that releases tells what the agent's own would have told. */
static void
what_is_released_is_told_as_if_made_at_once(void **state)
{
	struct house h;
	struct call by = { .audit = 77 };
	struct store_journal row;
	struct err e = { 0 };

	(void)state;
	begin(&h, may_ask);
	by.arena = h.a;
	(void)house_call(&h, "mark", WORK, UID(1), "read", "", NULL);
	fake.fault[FAKE_MARK].kind = ERR_NETWORK;
	assert_int_equal(release(&h, &by, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_non_null(by.detail);
	assert_non_null(strstr(json_text(by.detail, h.a).p, "\"change\":1,"));
	assert_int_equal(store_journal_get(h.store, h.a, 1, &row, &e), 0);
	assert_int_equal(row.audit, 77);
	house_close(&h);
}

static void
what_is_refused_at_its_release_was_rejected(void **state)
{
	struct house h;
	struct store_outbox row = { 0 };
	struct call by = { 0 };
	struct err e = { 0 };

	(void)state;
	begin(&h, may_ask);
	by.arena = h.a;
	(void)house_call(&h, "mark", WORK, UID(1), "read", "", NULL);
	fake.fault[FAKE_MARK].kind = ERR_USAGE;
	assert_int_equal(release(&h, &by, &e), -1);
	assert_int_equal(store_outbox_get(h.store, h.a, 1, &row, &e), 0);
	assert_int_equal(row.state, STORE_OUTBOX_FAILED);
	e = (struct err){ 0 };
	assert_int_equal(outbox_state_error(&row, &e), -1);
	assert_int_equal(e.kind, ERR_REJECTED);
	assert_non_null(strstr(e.say, "the change was approved"));
	house_close(&h);
}

/* Names are in quotes: a label cannot add another to what is shown. */
static void
a_name_is_no_word_of_ours(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str name = S("a, label \"b\\");
	struct mailbox_change v = { .move = true,
		.n = 2,
		.folder = S("x to y"),
		.target = S("z") };

	(void)state;
	rows_same(changes_text_marks(a, FLAG_READ, &(struct strs){ &name, 1 }),
	    S("read, label \"a, label \\\"b\\\\\""));
	rows_same(changes_text(a, &v),
	    S("move 2 messages from \"x to y\" to \"z\""));
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("a change of many messages is asked about",
	    a_change_of_many_is_asked_about, NULL);
	rows_add("no server is asked about a folder that may not be",
	    a_folder_that_may_not_be_is_not_asked_for, NULL);
	rows_add("what waits is not done", what_waits_is_not_done, NULL);
	rows_add("what is released is told as if it was made at once",
	    what_is_released_is_told_as_if_made_at_once, NULL);
	rows_add("what is refused at its release was rejected",
	    what_is_refused_at_its_release_was_rejected, NULL);
	rows_add("a name is no word of ours", a_name_is_no_word_of_ours, NULL);
	return cmocka_run_group_tests_name("gate/organise", rows_tests, NULL,
	    NULL);
}
