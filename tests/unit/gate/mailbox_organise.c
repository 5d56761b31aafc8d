/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags and boxes of an agent's own mailbox, and the record of a change: a call
 * changes all its messages or none, and no hidden one.
 */
#include "../rows.h"

#include "../../fake/house.h"

static const struct gate_binding binding = {
	.transport = SI("filesystem"),
	.principal = SI("HOUMAO-me"),
	.address = SI("me@us.example"),
	.version = SI("2026-04-08T10:11:12.123456Z"),
};

static void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

/* 1 and 3 are from the boss, 2 from somebody else; 3 is read. */
static void
mails(struct house *h)
{
	house_caller(h, (struct gate_caller){ .binding = &binding });
	fake_add(BOSS)->received_s = 1775643072;
	fake_add(SPAM)->received_s = 1775643073;
	fake_add(BOSS)->flags = FLAG_READ;
	fake.mail[0].thread = "id00001";
}

static void
may(struct house *h)
{
	house_change(h, "work", organises);
	mails(h);
}

static void
may_and_archive(struct house *h)
{
	may(h);
	fake.folder[fake.folders++] = (struct folder){ .name = S("Old"),
		.selectable = true,
		.role = FOLDER_ARCHIVE };
}

static void
mark_fails(struct house *h)
{
	may(h);
	fake.fault[FAKE_MARK].kind = ERR_NETWORK;
}

static void
unbound(struct house *h)
{
	may(h);
	house_caller(h, (struct gate_caller){ 0 });
}

static void
vouched(struct house *h)
{
	may(h);
	fake.mail[0].vouched = true;
}

/* The message's own claim is ignored: the store knows better. */
static void
says_so_itself(struct house *h)
{
	may(h);
	fake.mail[0].head = "Authentication-Results: us.example; dmarc=pass "
			    "header.from=us.example\r\n" BOSS;
	house_sql(h, "UPDATE accounts SET authserv_id = 'us.example'");
}

/* The first is the operator's, in these words. */
static void
posts(struct house *h, const char *origin, const char *policy)
{
	may(h);
	fake.mail[0].head = str_fmt(h->a, "%s%s%s", origin, policy, BOSS).p;
}

#define ORIGIN "X-Houmao-Origin: operator\r\n"
#define POLICY "X-Houmao-Reply-Policy: "

static void
posts_with_answer(struct house *h)
{
	posts(h, ORIGIN, POLICY "operator_mailbox\r\n");
}

static void
posts_without_answer(struct house *h)
{
	posts(h, ORIGIN, POLICY "none\r\n");
}

static void
posts_and_says_nothing(struct house *h)
{
	posts(h, ORIGIN, "");
}

static void
posts_and_says_another_word(struct house *h)
{
	posts(h, ORIGIN, POLICY "everybody\r\n");
}

static void
posts_by_no_operator(struct house *h)
{
	posts(h, "X-Houmao-Origin: agent\r\n", POLICY "none\r\n");
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
of_another(struct house *h)
{
	static struct gate_binding other;

	may(h);
	other = binding;
	other.address = S("you@us.example");
	house_caller(h, (struct gate_caller){ .binding = &other });
}

static void
on_a_persons_server(struct house *h)
{
	static struct gate_binding server;

	server = binding;
	server.transport = S("stalwart");
	house_caller(h, (struct gate_caller){ .binding = &server });
}

static void
is_bound(struct store_account *acct)
{
	acct->bound = STORE_BOUND_YES;
}

static void
is_old(struct store_account *acct)
{
	acct->bound = STORE_BOUND_UNSAID;
	acct->organise = ORGANISE_ON;
	acct->no_unfinished_check = true;
}

static void
checks(struct store_account *acct)
{
	acct->no_unfinished_check = false;
}

static void
on_a_server(struct house *h)
{
	house_change(h, "work", is_bound);
	on_a_persons_server(h);
}

static void
organises_on_a_server(struct house *h)
{
	house_change(h, "work", organises);
	on_a_persons_server(h);
}

static void
made_before(struct house *h)
{
	house_change(h, "work", is_old);
	on_a_persons_server(h);
}

static void
made_before_by_a_person(struct house *h)
{
	made_before(h);
	house_change(h, "work", checks);
}

#define BOX .backend = "agentbox"
#define REF(n) "message_ref", "filesystem:id0000" #n
#define REFS(n) "message_refs", "filesystem:id0000" #n

static struct house_row rows[] = {
	/* Rights. */
	{ "an account organises nothing unless it is told to", { BOX }, mails,
	    "mail_mark", { REFS(1), "read", "true" }, .want = "organise_off",
	    .audit = "organise_off" },
	{ "nor is a message marked for being read", { BOX }, mails, "mail_read",
	    { REF(1) }, .want = "organise_off" },
	{ "but it is shown", { BOX }, mails, "mail_peek", { REF(1) },
	    .want = "ok", .says = "\"unread\":true" },
	{ "told to, it does", { BOX }, may, "mail_mark",
	    { REFS(1), "read", "true" }, .want = "ok", .says = "\"read\":true",
	    .audit = "", .detail = "marked 1" },
	{ "read-only it does not", { BOX, .ro = true }, may, "mail_mark",
	    { REFS(1), "read", "true" }, .want = "ro_mode" },
	/* Hidden messages are not found. */
	{ "a hidden message is not marked", { BOX, .in_on = true }, may,
	    "mail_mark", { REFS(2), "read", "true" },
	    .want = "message_not_found", .says = "no such folder or message",
	    .audit = "filtered" },
	{ "one that never was says the same", { BOX, .in_on = true }, may,
	    "mail_mark", { REFS(9), "read", "true" },
	    .want = "message_not_found", .says = "no such folder or message" },
	{ "nor is it moved", { BOX, .in_on = true }, may, "mail_move",
	    { REFS(2), "destination_box", "Sent" },
	    .want = "message_not_found" },
	{ "nor shown", { BOX, .in_on = true }, may, "mail_peek", { REF(2) },
	    .want = "message_not_found" },
	{ "nor counted", { BOX, .in_on = true }, may, "mail_check",
	    { "extensions", "" }, .want = "ok", .says = "\"total_count\":2" },
	/* All or nothing. */
	{ "a hidden one keeps the others as they are", { BOX, .in_on = true },
	    may, "mail_mark", { REFS(1), REFS(2), "read", "true" },
	    .want = "message_not_found" },
	{ "no message is named twice", { BOX }, may, "mail_mark",
	    { REFS(1), "message_refs", "id00001", "read", "true" },
	    .want = "usage" },
	{ "a flag is named", { BOX }, may, "mail_mark", { REFS(1) },
	    .want = "usage" },
	{ "what is put away is read", { BOX }, may, "mail_mark",
	    { REFS(1), "archived", "true", "read", "false" }, .want = "usage" },
	{ "and is marked so", { BOX }, may, "mail_mark",
	    { REFS(1), "archived", "true" }, .want = "ok",
	    .says = "\"read\":true,\"answered\":false,\"archived\":true" },
	{ "a flag is taken back", { BOX }, may, "mail_mark",
	    { REFS(3), "read", "false" }, .want = "ok",
	    .says = "\"read\":false" },
	{ "a store that fails says so", { BOX }, mark_fails, "mail_mark",
	    { REFS(1), "read", "true" }, .want = "network" },
	/* Boxes. */
	{ "a message is moved and has another name then", { BOX },
	    may_and_archive, "mail_archive", { REFS(1) }, .want = "ok",
	    .says = "\"message_ref\":\"filesystem:id00004\"",
	    .detail = "moved 1" },
	{ "a box is known by its role", { BOX }, may_and_archive,
	    "mail_archive", { REFS(1) }, .want = "ok",
	    .says = "\"archived\":true,\"box\":\"archive\"" },
	{ "where there is no such box it says so", { BOX }, may, "mail_move",
	    { REFS(1), "destination_box", "nope" }, .want = "box_not_found",
	    .says = "no box of that name" },
	{ "a message of another box is not in this one", { BOX }, may,
	    "mail_peek", { REF(1), "box", "sent" },
	    .want = "message_not_found" },
	/* Lists. */
	{ "unread ones alone", { BOX }, may, "mail_check",
	    { "unread_only", "" }, .want = "ok",
	    .says = "\"unread_only\":true,\"message_count\":2,"
		    "\"unread_count\":2" },
	{ "read ones alone", { BOX }, may, "mail_list",
	    { "read_state", "read" }, .want = "ok",
	    .says = "\"message_count\":1,\"open_count\":1,"
		    "\"unread_count\":0" },
	{ "a box that is not there", { BOX }, may, "mail_list",
	    { "box", "nope" }, .want = "box_not_found",
	    .says = "no box of that name" },
	{ "those of a time or later", { BOX }, may, "mail_check",
	    { "since", "2026-04-08T10:11:13Z" }, .want = "ok",
	    .says = "\"message_count\":1" },
	{ "a page and the way to the next", { BOX }, may, "mail_check",
	    { "limit", "1", "extensions", "" }, .want = "ok",
	    .says = "\"next_cursor\":\"before:3\",\"total_count\":3" },
	{ "which is taken as it was given", { BOX }, may, "mail_check",
	    { "limit", "1", "cursor", "before:3" }, .want = "ok",
	    .says = "filesystem:id00002" },
	{ "and nothing else", { BOX }, may, "mail_check",
	    { "cursor", "before:0" }, .want = "usage" },
	{ "nothing of ours without being asked", { BOX }, may, "mail_peek",
	    { REF(1) }, .want = "ok",
	    .says = "\"notify_block\":null,\"notify_auth\":null}" },
	{ "the store knows who sent a message", { BOX }, vouched, "mail_peek",
	    { REF(1), "extensions", "" }, .want = "ok",
	    .says = "\"sender_auth\":\"pass\"" },
	{ "or does not", { BOX }, may, "mail_peek",
	    { REF(1), "extensions", "" }, .want = "ok",
	    .says = "\"sender_auth\":\"unchecked\"" },
	{ "whatever the message says of itself", { BOX }, says_so_itself,
	    "mail_peek", { REF(1), "extensions", "" }, .want = "ok",
	    .says = "\"sender_auth\":\"unchecked\"" },
	/* The binding. */
	{ "without a binding there is no mailbox", { BOX }, unbound,
	    "mail_status", { NULL }, .want = "no_mailbox" },
	{ "a person's account is none, though its address is the binding's",
	    { .backend = "maildir" }, may, "mail_check", { NULL },
	    .want = "no_mailbox" },
	{ "nor is one on a server, which is not in a root",
	    { .backend = "jmap" }, may, "mail_check", { NULL },
	    .want = "no_mailbox" },
	{ "nor one of another address", { BOX }, of_another, "mail_check",
	    { NULL }, .want = "no_mailbox" },
	{ "on a server it is one that a session registered",
	    { .backend = "jmap" }, on_a_server, "mail_status", { NULL },
	    .want = "ok", .says = "\"transport\":\"stalwart\"" },
	{ "and not where agents may organise", { .backend = "jmap" },
	    organises_on_a_server, "mail_check", { NULL },
	    .want = "no_mailbox" },
	{ "one of before the mark is known by what sessions made",
	    { .backend = "jmap" }, made_before, "mail_status", { NULL },
	    .want = "ok", .says = "\"transport\":\"stalwart\"" },
	{ "and not by organising alone", { .backend = "jmap" },
	    made_before_by_a_person, "mail_check", { NULL },
	    .want = "no_mailbox" },
	{ "and else it is a person's", { .backend = "jmap" },
	    on_a_persons_server, "mail_check", { NULL }, .want = "no_mailbox" },
	{ "its version is told", { BOX }, may, "mail_status", { NULL },
	    .want = "ok",
	    .says = "{\"schema_version\":1,\"transport\":\"filesystem\","
		    "\"principal_id\":\"HOUMAO-me\","
		    "\"address\":\"me@us.example\",\"bindings_version\":"
		    "\"2026-04-08T10:11:12.123456Z\"}" },
	{ "another version is refused", { BOX }, may, "mail_check",
	    { "if_bindings_version", "2026-04-08T10:11:12.123457Z" },
	    .want = "stale_binding" },
	{ "a ref of another transport", { BOX }, may, "mail_peek",
	    { "message_ref", "stalwart:id00001" }, .want = "usage" },
	{ "a ref without one", { BOX }, may, "mail_peek",
	    { "message_ref", "id00001" }, .want = "ok",
	    .says = "\"thread_ref\":\"filesystem:id00001\","
		    "\"created_at_utc\":\"2026-04-08T10:11:12Z\"" },
	/* Sending. */
	{ "what is sent is shown as it was delivered", { BOX }, may,
	    "mail_send",
	    { "to", "boss@us.example", "subject", "x", "body_content",
		" a\n\nb" },
	    .want = "ok",
	    .says = "\"body_preview\":\"a b\",\"body_text\":"
		    "\" a\\n\\nb\"" },
	{ "and so where it would be hidden as incoming mail",
	    { BOX, .in_on = true }, may, "mail_send",
	    { "to", "boss@us.example", "subject", "x", "body_content", "y" },
	    .want = "ok", .says = "\"operation\":\"send\"" },
	{ "a blank subject is none", { BOX }, may, "mail_send",
	    { "to", "boss@us.example", "subject", " ", "body_content", "y" },
	    .want = "usage" },
	{ "an answer goes to who sent the message", { BOX }, may, "mail_reply",
	    { REF(1), "body_content", "" }, .want = "ok",
	    .says = "\"subject\":\"Re: plan\"" },
	{ "by the rules for outgoing mail", { BOX, .out_on = true }, may,
	    "mail_reply", { REF(2), "body_content", "" },
	    .want = "whitelist_out" },
	{ "and not to what is hidden", { BOX, .in_on = true }, may,
	    "mail_reply", { REF(2), "body_content", "" },
	    .want = "message_not_found" },
	/* The operator's mail. */
	{ "an agent does not write as the operator", { BOX }, may, "mail_post",
	    { "subject", "x", "body_content", "y" }, .want = "operator",
	    .audit = "policy" },
	{ "the operator's mail is answered if it says so", { BOX },
	    posts_with_answer, "mail_reply", { REF(1), "body_content", "y" },
	    .want = "ok" },
	{ "and not if it says no", { BOX }, posts_without_answer, "mail_reply",
	    { REF(1), "body_content", "y" }, .want = "reply_not_allowed" },
	{ "nor if it says nothing", { BOX }, posts_and_says_nothing,
	    "mail_reply", { REF(1), "body_content", "y" },
	    .want = "reply_not_allowed" },
	{ "or what nobody knows", { BOX }, posts_and_says_another_word,
	    "mail_reply", { REF(1), "body_content", "y" },
	    .want = "reply_not_allowed" },
	{ "an agent's own words forbid nothing", { BOX }, posts_by_no_operator,
	    "mail_reply", { REF(1), "body_content", "y" }, .want = "ok" },
	{ "a label for each file", { BOX }, may, "mail_send",
	    { "to", "boss@us.example", "subject", "x", "body_content", "y",
		"attachment_labels", "z" },
	    .want = "usage" },
};

/* -- what is left behind ----------------------------------------------------
 */

static void
nothing_is_touched(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ BOX, .in_on = true });
	may(&h);
	(void)house_call(&h, "mail_mark", REFS(1), REFS(2), "answered", "true",
	    NULL);
	assert_int_equal(fake.mail[0].flags, 0);
	assert_int_equal(fake.calls[FAKE_MARK], 0);
	(void)house_call(&h, "mail_move", REFS(1), REFS(2), "destination_box",
	    "sent", NULL);
	assert_int_equal(fake.calls[FAKE_MOVE], 0);
	house_close(&h);
}

static void
an_answer_marks_what_it_answers(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ BOX });
	may(&h);
	r = house_call(&h, "mail_reply", REF(1), "body_content", "x", NULL);
	assert_string_equal(house_word(r), "ok");
	assert_int_equal(fake.mail[0].flags, FLAG_READ | FLAG_ANSWERED);
	house_close(&h);
	/* Without the right to set flags the reply is still sent. */
	fake_reset();
	house_open(&h, (struct terms){ BOX });
	mails(&h);
	r = house_call(&h, "mail_reply", REF(1), "body_content", "x", NULL);
	assert_string_equal(house_word(r), "ok");
	assert_int_equal(fake.mail[0].flags, 0);
	house_close(&h);
}

static void
one_key_sends_one_message(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ BOX });
	may(&h);
	for (int i = 0; i < 2; i++) {
		r = house_call(&h, "mail_send", "to", "boss@us.example",
		    "subject", "x", "body_content", "y", "idempotency_key", "k",
		    NULL);
		assert_string_equal(house_word(r), "ok");
	}
	assert_int_equal(fake.sent, 1);
	house_close(&h);
}

static void
what_was_sent_is_not_sent_again(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ BOX });
	may(&h);
	fake.fault[FAKE_BODY].kind = ERR_NETWORK;
	r = house_call(&h, "mail_send", "to", "boss@us.example", "subject", "x",
	    "body_content", "y", NULL);
	assert_string_equal(house_word(r), "unknown_outcome");
	assert_int_equal(fake.sent, 1);
	house_close(&h);
}

static void
a_freeze_stops_it(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ BOX });
	frozen(&h);
	r = house_call(&h, "mail_mark", REFS(1), "read", "true", NULL);
	assert_string_equal(house_word(r), "frozen");
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("a call that fails touches nothing", nothing_is_touched, NULL);
	rows_add("an answer marks what it answers, where that may be",
	    an_answer_marks_what_it_answers, NULL);
	rows_add("one key sends one message", one_key_sends_one_message, NULL);
	rows_add("what was sent and cannot be read back is of unknown outcome",
	    what_was_sent_is_not_sent_again, NULL);
	rows_add("a frozen agent organises nothing", a_freeze_stops_it, NULL);
	return cmocka_run_group_tests_name("gate/mailbox_organise", rows_tests,
	    NULL, NULL);
}
