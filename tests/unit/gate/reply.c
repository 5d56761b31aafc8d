/* SPDX-License-Identifier: Apache-2.0 */
/* To whom an answer to all goes, and that policy is asked about each. */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/internal.h"
#include "gate/reply.h"

#define AUTHOR "From: Boss <boss@us.example>\r\n"

static const struct people_row {
	const char *why;
	const char *head; /* of the message that is answered */
	const char *want; /* To | Cc, or what the error says */
} people[] = {
	{ "the author alone", AUTHOR "To: me@us.example\r\n",
	    "boss@us.example |" },
	{ "the others get a copy",
	    AUTHOR "To: me@us.example, Ann <ann@us.example>\r\n"
		   "Cc: bob@us.example\r\n",
	    "boss@us.example | ann@us.example bob@us.example" },
	{ "an answer goes where the message asks for it",
	    AUTHOR "Reply-To: desk@us.example\r\nTo: ann@us.example\r\n",
	    "desk@us.example | ann@us.example" },
	{ "a list is not added by what it says of itself",
	    AUTHOR "List-Post: <mailto:dev@us.example>\r\n"
		   "List-Id: <dev.us.example>\r\n",
	    "boss@us.example |" },
	{ "each once, however it is written",
	    AUTHOR "To: BOSS@us.example, ann@US.example, ann@us.example\r\n"
		   "Cc: \"ann\"@us.example, <boss@us.example>\r\n",
	    "boss@us.example | ann@us.example" },
	{ "not oneself, however it is written",
	    AUTHOR "To: \"me\"@US.example\r\nCc: ME@us.example\r\n",
	    "boss@us.example |" },
	{ "nor by the name of the login", AUTHOR "To: login@us.example\r\n",
	    "boss@us.example |" },
	{ "an answer to oneself goes where the message went",
	    "From: me@us.example\r\nTo: ann@us.example\r\n"
	    "Cc: bob@us.example\r\n",
	    "ann@us.example | bob@us.example" },
	{ "a group is its members",
	    AUTHOR "To: team: ann@us.example, Bob <bob@us.example>;\r\n",
	    "boss@us.example | ann@us.example bob@us.example" },
	{ "an empty group is nobody", AUTHOR "To: undisclosed-recipients:;\r\n",
	    "boss@us.example |" },
	{ "a name may have what names have",
	    AUTHOR "To: Ann B. Doe (of us) <ann@us.example>,\r\n"
		   " =?utf-8?q?B=C3=B6b?= <bob@us.example>\r\n",
	    "boss@us.example | ann@us.example bob@us.example" },
	{ "a name is no address",
	    AUTHOR "To: \"ann@us.example\" <x@them.example>\r\n",
	    "boss@us.example | x@them.example" },
	{ "nor is an encoded one",
	    AUTHOR "To: =?utf-8?q?ann=40us.example?= <x@them.example>\r\n",
	    "boss@us.example | x@them.example" },
	{ "an address that is none stops the answer", AUTHOR "To: ann\r\n",
	    "cannot be written to" },
	{ "so does one with a control", AUTHOR "To: a\001b@us.example\r\n",
	    "cannot be written to" },
	{ "one that was folded has no line end",
	    AUTHOR "To: \"a\\\r\n b\"@us.example\r\n",
	    "boss@us.example | \"a b\"@us.example" },
	{ "a field of which nothing can be read stops it",
	    AUTHOR "To: ann@us.example\r\nCc: \"\r\n", "cannot be written to" },
	{ "the address of Reply-To is not left out", AUTHOR "Reply-To: (\r\n",
	    "cannot be written to" },
	{ "so does a domain that is none", AUTHOR "Cc: a@b..example\r\n",
	    "cannot be written to" },
	{ "nobody but oneself", "From: me@us.example\r\nTo: me@us.example\r\n",
	    "nobody but this account" },
	{ "nobody at all", "Subject: plan\r\n", "nobody but this account" },
};

static void
put_list(struct buf *b, const struct strs *l)
{
	for (size_t i = 0; i < l->n; i++) {
		buf_text(b, b->n > 0 ? " " : "");
		buf_str(b, l->v[i]);
	}
}

static int
find(struct arena *a, struct str head, struct reply_people *p, struct err *e)
{
	static const struct store_account us = {
		.from_addr = SI("me@us.example"),
		.username = SI("login@us.example"),
	};
	struct mime_envelope v;

	mime_envelope_parse(a, head, &v);
	return reply_people(a, &v, &us, p, e);
}

static void
people_of(void **state)
{
	const struct people_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct reply_people p = { 0 };
	struct err e = { 0 };
	struct buf b;

	if (find(a, str_of(r->head), &p, &e) < 0) {
		if (strstr(e.say, r->want) == NULL)
			fail_msg("it says %s", e.say);
		return;
	}
	buf_init(&b, a, 4096);
	put_list(&b, &p.to);
	buf_text(&b, " |");
	put_list(&b, &p.cc);
	rows_same(buf_view(&b), str_of(r->want));
}

/* A message cannot make one write to a crowd. */
static void
a_crowd(void **state)
{
	static const size_t sizes[] = { 499, 501, 1001, 5000 };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct reply_people p = { 0 };
		struct err e = { 0 };
		struct buf b;
		int r;

		buf_init(&b, a, 8 << 20);
		buf_text(&b, "From: boss@us.example\r\nCc: x@us.example");
		for (size_t k = 2; k < sizes[i]; k++)
			buf_fmt(&b, ",\r\n x%zu@us.example", k);
		buf_text(&b, "\r\n");
		r = find(a, buf_view(&b), &p, &e);
		assert_int_equal(r, i == 0 ? 0 : -1);
		assert_int_equal(e.kind, i == 0 ? ERR_NONE : ERR_LIMIT);
	}
}

/* -- through the gate ------------------------------------------------------ */

static void
mail_to_answer(struct house *h)
{
	(void)h;
	(void)fake_add(BOSS "To: me@us.example\r\n");
	(void)fake_add(BOSS "Cc: x@them.example\r\n");
	(void)fake_add(SPAM "To: me@us.example\r\n");
	(void)fake_add(BOSS "Cc: ann\r\n");
}

static void
long_thread(struct house *h)
{
	struct buf b;

	buf_init(&b, h->a, 1 << 20);
	buf_text(&b, BOSS "Message-ID: <last@x>\r\nReferences:");
	for (int i = 0; i < 1000; i++)
		buf_fmt(&b, "\r\n <%d@x>", i);
	buf_text(&b, "\r\n");
	(void)fake_add(str_c(h->a, buf_view(&b)));
}

/* More than a header may have: nobody knows who else is in it. */
static void
huge_crowd(struct house *h)
{
	struct buf b;

	buf_init(&b, h->a, 4 << 20);
	buf_text(&b, BOSS "Cc: x@us.example");
	for (int i = 0; i < 100000; i++)
		buf_fmt(&b, ",\r\n x%d@us.example", i);
	buf_text(&b, "\r\n");
	(void)fake_add(str_c(h->a, buf_view(&b)));
}

#define ALL(uid) "reply_all", "", "reply_to", uid, "body", "hello"
#define LISTED                                                                 \
	{                                                                      \
		.in_on = true, .out_on = true                                  \
	}

static const struct house_row rows[] = {
	{ "an answer to all", LISTED, mail_to_answer, "send", { ALL("1") },
	    .want = "ok", .says = "boss@us.example",
	    .detail = "to all: boss@us.example" },
	{ "one who is not on the list stops all", LISTED, mail_to_answer,
	    "send", { ALL("2") }, .want = "whitelist_out",
	    .audit = "whitelist_out",
	    .detail = "to all: boss@us.example x@them.example" },
	{ "so does one whom the caller adds", LISTED, mail_to_answer, "send",
	    { "to", "x@them.example", ALL("1") }, .want = "whitelist_out" },
	{ "so does one who is no address", { 0 }, mail_to_answer, "send",
	    { ALL("4") }, .want = "usage" },
	{ "what is hidden is not answered", LISTED, mail_to_answer, "send",
	    { ALL("3") }, .want = "not_found", .audit = "filtered" },
	{ "nor what is not there", LISTED, mail_to_answer, "send", { ALL("9") },
	    .want = "not_found" },
	{ "it needs a message", { 0 }, mail_to_answer, "send",
	    { "reply_all", "", "subject", "s", "body", "hello" },
	    .want = "usage", .says = "reply_all needs reply_to" },
	{ "so does a quote", { 0 }, mail_to_answer, "send",
	    { "quote", "", "to", "boss@us.example", "subject", "s", "body",
		"hello" },
	    .want = "usage", .says = "quote needs reply_to" },
	{ "what is hidden is not quoted", LISTED, mail_to_answer, "send",
	    { "quote", "", "to", "boss@us.example", "reply_to", "3", "body",
		"hello" },
	    .want = "not_found", .audit = "filtered" },
	{ "without it somebody is named", { 0 }, mail_to_answer, "send",
	    { "reply_to", "1", "body", "hello" }, .want = "usage",
	    .says = "to is missing" },
	{ "a dry run names them", LISTED, mail_to_answer, "send",
	    { ALL("1"), "dry_run", "" }, .want = "ok",
	    .says = "{\"address\":\"boss@us.example\","
		    "\"status\":\"not sent\"}" },
	{ "whom the caller names too gets it once", { 0 }, mail_to_answer,
	    "send", { "to", "BOSS@us.example", ALL("1"), "dry_run", "" },
	    .want = "ok",
	    .says = "\"recipients\":[{\"address\":\"boss@us.example\","
		    "\"status\":\"not sent\"}]" },
	{ "a thread of a thousand is answered", { 0 }, long_thread, "send",
	    { ALL("1") }, .want = "ok" },
	{ "nobody answers a crowd", { 0 }, huge_crowd, "send", { ALL("1") },
	    .want = "loop" },
	{ "a draft needs a thread", { 0 }, mail_to_answer, "create_draft",
	    { "reply_all", "", "subject", "s", "body", "hello" },
	    .want = "usage", .says = "reply_all needs a thread" },
};

static struct strs shown, body;
static bool agrees;

static int
ask(const struct gate_act *act, struct err *e)
{
	shown = *args_list(act->args, "to");
	body = *args_list(act->args, "body");
	return agrees ? 0 : err_set(e, ERR_POLICY, "no");
}

/* The person who is asked sees whom the message named. */
static void
asks_about_them(void **state)
{
	struct house h;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct reply r;

		agrees = i == 1;
		shown = (struct strs){ 0 };
		fake_reset();
		house_open(&h, (struct terms){ 0 });
		mail_to_answer(&h);
		house_caller(&h, (struct gate_caller){ .consent = ask });
		r = house_call(&h, "send", ALL("1"), NULL);
		assert_string_equal(house_word(r), agrees ? "ok" : "policy");
		assert_int_equal(fake.sent, agrees);
		assert_int_equal(shown.n, 1);
		rows_same(shown.v[0], S("boss@us.example"));
		house_close(&h);
	}
}

/* And what goes out with the text that the caller gave. */
static void
asks_about_what_is_quoted(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	agrees = false;
	body = (struct strs){ 0 };
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	(void)fake_add(BOSS "To: me@us.example\r\n\r\nthe figures\r\n");
	house_caller(&h, (struct gate_caller){ .consent = ask });
	r = house_call(&h, "send", "to", "boss@us.example", "reply_to", "1",
	    "quote", "", "body", "hello", NULL);
	assert_string_equal(house_word(r), "policy");
	assert_int_equal(fake.sent, 0);
	assert_int_equal(body.n, 1);
	assert_true(str_starts(body.v[0], S("hello")));
	assert_true(str_find(body.v[0], S("> the figures")) >= 0);
	house_close(&h);
}

static void
signs(struct store_account *a)
{
	a->signature = S("Ann");
}

/* And the signature, below what is not quoted too. */
static void
asks_about_the_signature(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	agrees = false;
	body = (struct strs){ 0 };
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	house_change(&h, "work", signs);
	house_caller(&h, (struct gate_caller){ .consent = ask });
	r = house_call(&h, "send", "to", "boss@us.example", "subject", "s",
	    "body", "hello", NULL);
	assert_string_equal(house_word(r), "policy");
	assert_int_equal(fake.sent, 0);
	assert_int_equal(body.n, 1);
	rows_same(body.v[0], S("hello\n\n-- \nAnn\n"));
	house_close(&h);
}

int
main(void)
{
	ROWS(people, people_of);
	rows_add("a crowd", a_crowd, NULL);
	ROWS(rows, house_row);
	rows_add("the person sees them", asks_about_them, NULL);
	rows_add("and what is quoted", asks_about_what_is_quoted, NULL);
	rows_add("and the signature", asks_about_the_signature, NULL);
	return cmocka_run_group_tests_name("gate/reply", rows_tests, NULL,
	    NULL);
}
