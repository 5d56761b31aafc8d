/* SPDX-License-Identifier: Apache-2.0 */
/* What may be passed on, and to whom: refused, held, or sent. */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/outbox.h"
#include "store/outbox.h"

#define SETS(name, what)                                                       \
	static void name(struct store_account *a)                              \
	{                                                                      \
		what;                                                          \
	}

SETS(may, a->forward = true)
SETS(may_and_waits, a->forward = true; a->outbound = OUTBOUND_APPROVE)
SETS(may_in_threads, a->forward = true; a->scope_thread = true)
SETS(may_tainted, a->forward = true; a->taint_minutes = 60)
SETS(may_checked, a->forward = true; a->no_unfinished_check = false)
SETS(may_little, a->forward = true; a->limit_bytes = 400)

#define FILE_OF(bytes)                                                         \
	"--b\r\nContent-Type: text/plain\r\n\r\nsee it [NAME]\r\n"             \
	"--b\r\nContent-Type: application/pdf; name=x.pdf\r\n\r\n" bytes       \
	"\r\n--b--\r\n"
#define MIXED                                                                  \
	"MIME-Version: 1.0\r\n"                                                \
	"Content-Type: multipart/mixed; boundary=b\r\n"
#define CANARY "the heron lands at nine"

/*
 * Uid 1: a file; 2: hidden where there is a list; 3: a canary in the file; 4:
 * in the subject, encoded; 5: a structure that is broken; 6: more parts than
 * are read; 7: a canary before the first part; 8: one with a Bcc; 9: a
 * program's, with a subject that looks unfinished.
 */
static void
mail(struct house *h)
{
	struct err e = { 0 };
	struct buf b;

	assert_int_equal(store_canary_add(h->store, S(CANARY), &e), 0);
	fake_add(BOSS MIXED "Message-ID: <1@us.example>\r\n"
			    "References: <0@us.example>\r\n")
	    ->body = FILE_OF("bytes");
	fake_add(SPAM MIXED)->body = FILE_OF("bytes");
	fake_add(BOSS MIXED)->body = FILE_OF(CANARY);
	fake_add("From: boss@us.example\r\n"
		 "Subject: =?utf-8?b?dGhlIGhlcm9uIGxhbmRzIGF0IG5pbmU=?=\r\n")
	    ->body = "x";
	fake_add(BOSS MIXED)->body = "--c\r\n\r\nno part at all\r\n--b--\r\n";
	buf_init(&b, h->a, 1 << 20);
	for (int i = 0; i < 1100; i++)
		buf_text(&b, "--b\r\n\r\nx\r\n");
	fake_add(BOSS MIXED)->body = str_c(h->a, buf_view(&b));
	fake_add(BOSS MIXED)->body = CANARY "\r\n" FILE_OF("bytes");
	fake_add(BOSS "Bcc: ann@us.example\r\n");
	fake_add("From: boss@us.example\r\nAuto-Submitted: auto-replied\r\n"
		 "Reply-To: robot@us.example\r\nSubject: Dear [NAME]\r\n");
}

/* More than a message may be, with its one attachment of any size. */
static void
huge(struct house *h)
{
	struct buf b;

	buf_init(&b, h->a, 128UL << 20);
	buf_text(&b,
	    "--b\r\n\r\nx\r\n--b\r\n"
	    "Content-Type: application/pdf; name=x.pdf\r\n\r\n");
	buf_str(&b, rows_repeat(h->a, S("0123456789abcdef"), 60 << 16));
	buf_text(&b, "\r\n--b--\r\n");
	fake_add(BOSS MIXED)->body = str_c(h->a, buf_view(&b));
	house_change(h, "work", may);
}

#define SETS_MAIL(name)                                                        \
	static void name##_mail(struct house *h)                               \
	{                                                                      \
		mail(h);                                                       \
		house_change(h, "work", name);                                 \
	}

SETS_MAIL(may)
SETS_MAIL(may_and_waits)
SETS_MAIL(may_in_threads)
SETS_MAIL(may_tainted)
SETS_MAIL(may_checked)
SETS_MAIL(may_little)

#define TO "to", "boss@us.example"
#define WHOLE "as_attachment", ""
#define LISTED                                                                 \
	{                                                                      \
		.in_on = true, .out_on = true                                  \
	}

static const struct house_row rows[] = {
	{ "it is off", { 0 }, mail, "forward", { TO, "uid", "1" },
	    .want = "forward_off", .audit = "forward_off" },
	{ "for a dry run too", { 0 }, mail, "forward",
	    { TO, "uid", "1", "dry_run", "" }, .want = "forward_off" },
	{ "it may be on", LISTED, may_mail, "forward", { TO, "uid", "1" },
	    .want = "ok" },
	{ "as one attachment", LISTED, may_mail, "forward",
	    { TO, "uid", "1", WHOLE }, .want = "ok" },
	{ "one way or the other", LISTED, may_mail, "forward",
	    { TO, "uid", "1", WHOLE, "inline", "" }, .want = "usage" },
	{ "nothing goes to a stranger", LISTED, may_mail, "forward",
	    { "to", "x@them.example", "uid", "1" }, .want = "whitelist_out",
	    .audit = "whitelist_out" },
	{ "nor by a copy", LISTED, may_mail, "forward",
	    { TO, "cc", "x@them.example", "uid", "1" },
	    .want = "whitelist_out" },
	{ "nor by one that nobody sees", LISTED, may_mail, "forward",
	    { TO, "bcc", "x@them.example", "uid", "1" },
	    .want = "whitelist_out" },
	{ "what is hidden is not there", LISTED, may_mail, "forward",
	    { TO, "uid", "2" }, .want = "not_found", .audit = "filtered" },
	{ "like what is not there", LISTED, may_mail, "forward",
	    { TO, "uid", "99" }, .want = "not_found" },
	{ "an account that reads only", { .ro = true }, may_mail, "forward",
	    { TO, "uid", "1" }, .want = "ro_mode" },
	{ "one that only answers", { 0 }, may_in_threads_mail, "forward",
	    { TO, "uid", "1" }, .want = "scope_thread" },
	{ "each message waits", { 0 }, may_and_waits_mail, "forward",
	    { TO, "uid", "1" }, .want = "approval" },
	{ "after mail of a stranger it waits", { 0 }, may_tainted_mail,
	    "forward", { TO, "uid", "2" }, .want = "taint" },
	{ "a limit counts what goes along", { 0 }, may_little_mail, "forward",
	    { TO, "uid", "1" }, .want = "rate_limited" },
	{ "what is too big does not leave", { 0 }, huge, "forward",
	    { TO, "uid", "1" }, .want = "limit", .says = "too big" },
	{ "nor as a whole", { 0 }, huge, "forward", { TO, "uid", "1", WHOLE },
	    .want = "limit" },
	{ "a canary in a file", { 0 }, may_mail, "forward", { TO, "uid", "3" },
	    .want = "secret" },
	{ "and in the whole message", { 0 }, may_mail, "forward",
	    { TO, "uid", "3", WHOLE }, .want = "secret" },
	{ "a canary in a subject", { 0 }, may_mail, "forward",
	    { TO, "uid", "4" }, .want = "secret" },
	{ "and in the whole message, under another subject", { 0 }, may_mail,
	    "forward", { TO, "uid", "4", "subject", "s", WHOLE },
	    .want = "secret" },
	{ "where no reader looks", { 0 }, may_mail, "forward",
	    { TO, "uid", "7", WHOLE }, .want = "secret" },
	{ "what no reader sees is not in the text", { 0 }, may_mail, "forward",
	    { TO, "uid", "7" }, .want = "ok" },
	{ "broken parts are text", { 0 }, may_mail, "forward",
	    { TO, "uid", "5" }, .want = "ok" },
	{ "too many parts are not passed on in part", { 0 }, may_mail,
	    "forward", { TO, "uid", "6" }, .want = "limit",
	    .says = "more parts than can be read" },
	{ "nor without a look at them", { 0 }, may_mail, "forward",
	    { TO, "uid", "6", WHOLE }, .want = "secret" },
	{ "others' words are not unfinished", { 0 }, may_checked_mail,
	    "forward", { TO, "uid", "1", "body", "See the attached file." },
	    .want = "ok" },
	{ "one's own are", { 0 }, may_checked_mail, "forward",
	    { TO, "uid", "1", "body", "Dear [NAME], see below." },
	    .want = "unfinished" },
	{ "nor is another's subject", { 0 }, may_checked_mail, "forward",
	    { "to", "ann@us.example", "uid", "9" }, .want = "ok" },
	{ "one's own is", { 0 }, may_checked_mail, "forward",
	    { TO, "uid", "1", "subject", "Dear [NAME]" },
	    .want = "unfinished" },
	{ "what a program wrote does not go back to it", { 0 }, may_mail,
	    "forward", { TO, "uid", "9" }, .want = "loop", .audit = "loop" },
	{ "nor to where it takes answers", { 0 }, may_mail, "forward",
	    { "to", "ann@us.example", "bcc", "robot@us.example", "uid", "9",
		WHOLE },
	    .want = "loop" },
	{ "a Bcc is not disclosed", { 0 }, may_mail, "forward",
	    { TO, "uid", "8", WHOLE }, .want = "usage",
	    .says = "names its Bcc recipients" },
	{ "a text has none", { 0 }, may_mail, "forward", { TO, "uid", "8" },
	    .want = "ok" },
	{ "a dry run sends nothing", { 0 }, may_mail, "forward",
	    { TO, "uid", "3", "dry_run", "" }, .want = "ok",
	    .says = "\"verdict\":\"hold\",\"reasons\":[{\"reason\":\"secret\"",
	    .detail = "dry run: hold: secret" },
	{ "a dry run of what would be sent", { 0 }, may_checked_mail, "forward",
	    { TO, "uid", "1", "dry_run", "" }, .want = "ok",
	    .says = "\"verdict\":\"send\"" },
};

static void
has(const char *what)
{
	if (str_find(fake.message, str_of(what)) < 0)
		fail_msg("%s is not in\n%.*s", what, STR_ARG(fake.message));
}

static struct reply
forward(struct house *h, const char *more, const char *value)
{
	return house_call(h, "forward", TO, "uid", "1", "body", "see below",
	    more, value, NULL);
}

/* The thread, the text above, the block, and the file as it is. */
static void
what_is_sent(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	may_mail(&h);
	assert_string_equal(house_word(forward(&h, NULL, NULL)), "ok");
	has("\r\nSubject: Fwd: plan\r\n");
	has("\r\nReferences: <0@us.example> <1@us.example>\r\n");
	assert_true(str_find(fake.message, S("In-Reply-To")) < 0);
	has("\r\nsee below\r\n\r\n---------- Forwarded message ----------\r\n"
	    "From: Boss <boss@us.example>\r\n");
	has("filename=\"x.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
	    "Ynl0ZXM=\r\n");
	assert_string_equal(house_word(forward(&h, WHOLE)), "ok");
	has("Content-Type: message/rfc822; name=\"message.eml\"");
	has("Content-Transfer-Encoding: 7bit\r\n\r\nFrom: Boss");
	has("\r\n\r\nbytes\r\n--b--\r\n");
	assert_int_equal(fake.calls[FAKE_MARK], 0);
	house_close(&h);
}

/* The second call finds the first, though the message is gone since. */
static void
once(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	may_mail(&h);
	assert_string_equal(house_word(forward(&h, "idempotency_key", "k")),
	    "ok");
	fake.n = 0;
	assert_string_equal(house_word(forward(&h, "idempotency_key", "k")),
	    "ok");
	assert_int_equal(fake.sent, 1);
	house_close(&h);
}

/* Without a key, what goes along tells one message from another. */
static void
not_twice(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	may_checked_mail(&h);
	assert_string_equal(house_word(forward(&h, NULL, NULL)), "ok");
	assert_string_equal(house_word(forward(&h, NULL, NULL)), "unfinished");
	assert_string_equal(house_word(forward(&h, WHOLE)), "ok");
	assert_string_equal(house_word(forward(&h, WHOLE)), "unfinished");
	assert_int_equal(fake.sent, 2);
	house_close(&h);
}

static struct str shown, called;

static int
ask(const struct gate_act *act, struct err *e)
{
	shown = args_text(act->args, "body");
	called = args_text(act->args, "subject");
	return err_set(e, ERR_POLICY, "no");
}

/* The person who is asked sees the whole, and what is attached. */
static void
asks_about_it(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	may_mail(&h);
	house_caller(&h, (struct gate_caller){ .consent = ask });
	assert_string_equal(house_word(forward(&h, NULL, NULL)), "policy");
	assert_int_equal(fake.sent, 0);
	rows_same(called, S("Fwd: plan"));
	assert_true(str_find(shown, S("Forwarded message")) >= 0);
	assert_true(str_find(shown, S("[attachment: x.pdf, 5 bytes]")) >= 0);
	assert_string_equal(house_word(forward(&h, WHOLE)), "policy");
	assert_true(str_find(shown,
			S("bytes]\n  | From: Boss "
			  "<boss@us.example>\n  | Subject: "
			  "plan\n")) >= 0);
	house_close(&h);
}

/* So is the operator, of the message that waits. */
static void
the_operator_is_told(void **state)
{
	const struct env env = { 0 };
	struct outbox_held held;
	struct house h;
	struct err e = { 0 };

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	may_and_waits_mail(&h);
	assert_string_equal(house_word(forward(&h, WHOLE)), "approval");
	assert_int_equal(outbox_held(h.store, &env, h.a, 1, &held, &e), 0);
	assert_int_equal(held.files, 1);
	rows_same(held.file[0].type, S("message/rfc822"));
	assert_int_equal(held.file[0].which.n, 2);
	rows_same(held.file[0].which.v[0], S("From: Boss <boss@us.example>"));
	rows_same(held.file[0].which.v[1], S("Subject: plan"));
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	rows_add("what is sent", what_is_sent, NULL);
	rows_add("once", once, NULL);
	rows_add("not twice", not_twice, NULL);
	rows_add("the person sees it", asks_about_it, NULL);
	rows_add("the operator sees it", the_operator_is_told, NULL);
	return cmocka_run_group_tests_name("gate/forward", rows_tests, NULL,
	    NULL);
}
