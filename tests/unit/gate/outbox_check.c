/* SPDX-License-Identifier: Apache-2.0 */
/* The checks before a message may leave: refused, held, or sent. */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/outbox_post.h"
#include "store/outbox.h"

#define TO "to", "boss@us.example"
#define SAY "subject", "s", "body"

/* -- what the operator set ------------------------------------------------- */

#define SETS(name, what)                                                       \
	static void name##_set(struct store_account *a)                        \
	{                                                                      \
		what;                                                          \
	}                                                                      \
	static void name(struct house *h)                                      \
	{                                                                      \
		house_change(h, "work", name##_set);                           \
	}

SETS(scoped, a->scope_thread = true)
SETS(finished, a->no_unfinished_check = false)
SETS(careless, a->no_secrets_check = true)
SETS(tainted, a->taint_minutes = 60)
SETS(waits, a->outbound = OUTBOUND_APPROVE)
SETS(few, a->limit_messages = 1)
SETS(two_people, a->limit_recipients = 2)
SETS(small, a->limit_bytes = 400)
SETS(no_strangers, a->limit_new_recipients = 1)

/* -- what it answers ------------------------------------------------------- */

/* Uid 1: from a person; 2: from a program; 3: from a list; 4: to two. */
static void
mail_to_answer(struct house *h)
{
	(void)h;
	(void)fake_add(BOSS "Message-ID: <1@us.example>\r\n");
	(void)fake_add(BOSS "Auto-Submitted: auto-replied\r\n");
	(void)fake_add(BOSS "List-Id: <dev.us.example>\r\n");
	(void)fake_add(BOSS "To: me@us.example\r\n"
			    "Cc: Ann <ann@us.example>\r\n");
}

static void
scoped_answers(struct house *h)
{
	mail_to_answer(h);
	scoped(h);
}

static void
waiting_answers(struct house *h)
{
	mail_to_answer(h);
	waits(h);
}

static struct reply
send(struct house *h, const char *to, const char *body)
{
	return house_call(h, "send", "to", to, SAY, body, NULL);
}

/* A sent message comes back. */
static void
own_message(struct house *h)
{
	struct reply r = send(h, "boss@us.example", "hello");
	struct str id = S(""), rest, head;

	assert_string_equal(house_word(r), "ok");
	assert_true(str_cut(fake.message, '\n', &head, &rest));
	assert_true(str_find(fake.message, S("Message-ID: ")) >= 0);
	rest = str_from(fake.message,
	    (size_t)str_find(fake.message, S("Message-ID: ")));
	assert_true(str_cut(rest, '\r', &id, &rest));
	fake_reset();
	(void)fake_add(
	    str_fmt(h->a, "From: me@us.example\r\n%.*s\r\n", STR_ARG(id)).p);
}

/* -- what was read before -------------------------------------------------- */

static void
read_lately(struct house *h)
{
	(void)fake_add(BOSS);
	tainted(h);
	assert_string_equal(house_uids(h, house_call(h, "list", WORK, NULL)),
	    "1");
}

static void
read_long_ago(struct house *h)
{
	read_lately(h);
	house_sql(h, "UPDATE taint SET read_s = read_s - 7200");
}

/* The clock was set back meanwhile. */
static void
read_in_the_future(struct house *h)
{
	read_lately(h);
	house_sql(h, "UPDATE taint SET read_s = read_s + 7200");
}

/* All checks hold the message: which one is reported? */
static void
read_and_waits(struct house *h)
{
	read_lately(h);
	waits(h);
}

/* -- what was sent before -------------------------------------------------- */

static void
sent_one(struct house *h)
{
	few(h);
	assert_string_equal(house_word(send(h, "boss@us.example", "hello")),
	    "ok");
	fake_reset();
}

static void
sent_the_same(struct house *h)
{
	finished(h);
	assert_string_equal(house_word(send(h, "boss@us.example", "hello")),
	    "ok");
	fake_reset();
}

static void
canary(struct house *h)
{
	struct err e = { 0 };

	assert_int_equal(store_canary_add(h->store, S("tell nobody of this"),
			     &e),
	    0);
}

#define TOKEN "ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gH3jK5"

static const struct house_row rows[] = {
	{ "nothing is wrong", { 0 }, NULL, "send", { TO, SAY, "hello" },
	    .want = "ok" },
	/* Scope. */
	{ "who only answers begins nothing", { 0 }, scoped, "send",
	    { TO, SAY, "hello" }, .want = "scope_thread",
	    .audit = "scope_thread" },
	{ "who answers is answered", { 0 }, scoped_answers, "send",
	    { TO, "reply_to", "1", "body", "hello" }, .want = "ok" },
	{ "so is everybody there", { 0 }, scoped_answers, "send",
	    { TO, "cc", "ann@us.example", "reply_to", "4", "body", "hello" },
	    .want = "ok" },
	{ "and nobody else", { 0 }, scoped_answers, "send",
	    { TO, "bcc", "x@us.example", "reply_to", "4", "body", "hello" },
	    .want = "scope_thread" },
	{ "what is answered is there", { 0 }, scoped_answers, "send",
	    { TO, "reply_to", "9", "body", "hello" }, .want = "not_found" },
	{ "and may be seen", { .in_on = true }, own_message, "send",
	    { TO, "reply_to", "1", "body", "hello" }, .want = "not_found",
	    .audit = "filtered" },
	/* Loops: RFC 3834. */
	{ "a program is not answered", { 0 }, mail_to_answer, "send",
	    { TO, "reply_to", "2", "body", "hello" }, .want = "loop",
	    .audit = "loop" },
	{ "nor when the operator looks at it", { 0 }, waiting_answers, "send",
	    { TO, "reply_to", "2", "body", "hello" }, .want = "loop" },
	{ "nor is a list", { 0 }, mail_to_answer, "send",
	    { TO, "reply_to", "3", "body", "hello" }, .want = "loop" },
	{ "but when the operator looks at it", { 0 }, waiting_answers, "send",
	    { TO, "reply_to", "3", "body", "hello" }, .want = "approval" },
	{ "nor what was ours", { 0 }, own_message, "send",
	    { TO, "reply_to", "1", "body", "hello" }, .want = "loop" },
	/* Unfinished. */
	{ "a placeholder", { 0 }, finished, "send",
	    { TO, SAY, "Dear {{name}}, hello" }, .want = "unfinished",
	    .says = "finish it, or give as_is", .audit = "unfinished" },
	{ "a file that is not there", { 0 }, finished, "send",
	    { TO, SAY, "please find attached the plan" },
	    .want = "unfinished" },
	{ "it is meant so", { 0 }, finished, "send",
	    { TO, SAY, "Dear {{name}}, hello", "as_is", "" }, .want = "ok",
	    .detail = "as is: " },
	{ "which is said of what is finished, too", { 0 }, finished, "send",
	    { TO, SAY, "hello", "as_is", "" }, .want = "ok",
	    .detail = "as is" },
	{ "where the operator looks for none", { 0 }, NULL, "send",
	    { TO, SAY, "Dear {{name}}, hello" }, .want = "ok" },
	{ "the same once more", { 0 }, sent_the_same, "send",
	    { TO, SAY, "hello" }, .want = "unfinished" },
	{ "to another", { 0 }, sent_the_same, "send",
	    { "to", "ann@us.example", SAY, "hello" }, .want = "ok" },
	{ "meant so", { 0 }, sent_the_same, "send",
	    { TO, SAY, "hello", "as_is", "" }, .want = "ok" },
	/* Secrets. */
	{ "a token waits", { 0 }, NULL, "send", { TO, SAY, TOKEN },
	    .want = "secret", .detail = "it seems to contain: github" },
	{ "in a subject, too", { 0 }, NULL, "send",
	    { TO, "subject", TOKEN, "body", "b" }, .want = "secret" },
	{ "a canary, however it is written", { 0 }, canary, "send",
	    { TO, SAY, "I am to T E L L nobody of this" }, .want = "secret" },
	{ "where the operator looks for none it leaves", { 0 }, careless,
	    "send", { TO, SAY, TOKEN }, .want = "ok" },
	/* Taint. */
	{ "what follows the reading of mail waits", { 0 }, read_lately, "send",
	    { TO, SAY, "hello" }, .want = "taint" },
	{ "not when that was long ago", { 0 }, read_long_ago, "send",
	    { TO, SAY, "hello" }, .want = "ok" },
	{ "but when it is yet to come", { 0 }, read_in_the_future, "send",
	    { TO, SAY, "hello" }, .want = "taint" },
	{ "nor when nothing was read", { 0 }, tainted, "send",
	    { TO, SAY, "hello" }, .want = "ok" },
	/* Approval, and which reason is reported. */
	{ "the operator approves", { 0 }, waits, "send", { TO, SAY, "hello" },
	    .want = "approval" },
	{ "reading says more", { 0 }, read_and_waits, "send",
	    { TO, SAY, "hello" }, .want = "taint" },
	{ "a secret most", { 0 }, read_and_waits, "send", { TO, SAY, TOKEN },
	    .want = "secret" },
	/* Limits. */
	{ "no more messages today", { 0 }, sent_one, "send",
	    { TO, SAY, "another" }, .want = "rate_limited" },
	{ "too many at once", { 0 }, two_people, "send",
	    { TO, "to", "ann@us.example", "to", "x@us.example", SAY, "hello" },
	    .want = "limit" },
	{ "too big", { 0 }, small, "send",
	    { TO, SAY,
		"hello hello hello hello hello hello hello hello hello hello "
		"hello hello hello hello hello hello hello hello hello hello "
		"hello hello hello hello hello hello hello hello hello hello "
		"hello hello hello hello hello hello hello hello hello" },
	    .want = "rate_limited" },
	{ "too many that were never written to", { 0 }, no_strangers, "send",
	    { TO, "to", "x@us.example", SAY, "hello" },
	    .want = "rate_limited" },
};

int
main(void)
{
	ROWS(rows, house_row);
	return cmocka_run_group_tests_name("gate/outbox_check", rows_tests,
	    NULL, NULL);
}
