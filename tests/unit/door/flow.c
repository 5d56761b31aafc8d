/* SPDX-License-Identifier: Apache-2.0 */
/* The guided first run without a terminal: answers, and their effects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "desk/flow.h"

/* -- what may be answered ---------------------------------------------------
 */

static struct answer {
	const char *why;
	enum flow_key key;
	const char *given;
	int ret;
	const char *want; /* the answer, or part of the error */
} answers[] = {
	{ "an address is one", FLOW_FROM, " me@a.example ", 0, "me@a.example" },
	{ "two addresses are none", FLOW_FROM, "me@a.example,you@b.example", -1,
	    "" },
	{ "an address must be given", FLOW_FROM, "", -1,
	    "Mail address is missing" },
	{ "no control characters", FLOW_USERNAME, "a\033[2Jb", -1,
	    "control character" },
	{ "a name has no spaces", FLOW_ACCOUNT, "my mail", -1, "letters" },
	{ "a name is no option", FLOW_ACCOUNT, "-x", -1,
	    "does not begin with -" },
	{ "a choice is one of its choices", FLOW_MODE, "RX", -1,
	    "one of RO|RW" },
	{ "a choice can be made", FLOW_MODE, "RW", 0, "RW" },
	{ "a host is no URL", FLOW_IMAP_HOST, "imaps://a.example/", -1,
	    "not a host name" },
	{ "a host is no address", FLOW_IMAP_HOST, "me@a.example", -1,
	    "not a host name" },
	{ "a host may come with its port", FLOW_IMAP_HOST, "a.example:1993", 0,
	    "a.example:1993" },
	{ "port 0 is none", FLOW_IMAP_PORT, "0", -1, "1 to 65535" },
	{ "nor is 65536", FLOW_IMAP_PORT, "65536", -1, "1 to 65535" },
	{ "a port is taken", FLOW_IMAP_PORT, "1993", 0, "1993" },
	{ "a list takes domains", FLOW_ALLOW_IN, "a@b.example, @c.example", 0,
	    "a@b.example, @c.example" },
	{ "a list takes nothing else", FLOW_ALLOW_IN, "a@b.example everybody",
	    -1, "" },
	{ "a list may be empty", FLOW_ALLOW_IN, "", 0, "" },
};

static void
answer(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct answer *r = *state;
	struct flow f = { .a = a, .step = flow_step };
	struct err e = { 0 };

	assert_int_equal(flow_put(&f, r->key, str_of(r->given), &e), r->ret);
	if (r->ret == 0)
		assert_true(str_eq(flow_get(&f, r->key), str_of(r->want)));
	else
		assert_true(str_find(str_of(e.say), str_of(r->want)) >= 0);
}

/* -- what follows from what -------------------------------------------------
 */

static void
put(struct flow *f, enum flow_key k, const char *v)
{
	struct err e = { 0 };

	if (flow_put(f, k, str_of(v), &e) < 0)
		fail_msg("%s: %s", flow_step[k].title, e.say);
}

#define assert_get(f, k, text)                                                 \
	assert_true(str_eq(flow_get((f), (k)), str_of(text)))

static void
follows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step };

	(void)state;
	assert_get(&f, FLOW_ACCOUNT, "mail");
	put(&f, FLOW_FROM, "me@post.example.org");
	assert_get(&f, FLOW_ACCOUNT, "post");
	assert_get(&f, FLOW_USERNAME, "me@post.example.org");
	/* An assumed value continues to follow the other answer. */
	put(&f, FLOW_ACCOUNT, "post");
	put(&f, FLOW_FROM, "me@other.example");
	assert_get(&f, FLOW_ACCOUNT, "other");
	put(&f, FLOW_ACCOUNT, "mine");
	put(&f, FLOW_FROM, "me@post.example.org");
	assert_get(&f, FLOW_ACCOUNT, "mine");
	assert_get(&f, FLOW_IMAP_PORT, "993");
	put(&f, FLOW_IMAP_SECURITY, "starttls");
	assert_get(&f, FLOW_IMAP_PORT, "143");
}

/* Each is derived from the other, and an answer is never replaced. */
static void
port_and_kind(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step, .edit = true };

	(void)state;
	put(&f, FLOW_SMTP_PORT, "587");
	assert_get(&f, FLOW_SMTP_SECURITY, "starttls");
	put(&f, FLOW_SMTP_PORT, "2525");
	assert_get(&f, FLOW_SMTP_SECURITY, "tls");
	put(&f, FLOW_SMTP_SECURITY, "starttls");
	put(&f, FLOW_SMTP_PORT, "465");
	assert_get(&f, FLOW_SMTP_SECURITY, "starttls");
	/* For an existing account, too: the other port means another kind. */
	f.hint[FLOW_IMAP_SECURITY] = S("tls");
	f.hint[FLOW_IMAP_PORT] = S("993");
	put(&f, FLOW_IMAP_PORT, "143");
	assert_get(&f, FLOW_IMAP_SECURITY, "starttls");
	put(&f, FLOW_IMAP_PORT, "1143");
	assert_get(&f, FLOW_IMAP_SECURITY, "tls");
}

/*
 * Settings for sending that were given are asked about, whatever agents may do.
 */
static void
said_of_sending(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step };
	struct err e = { 0 };

	(void)state;
	put(&f, FLOW_MODE, "RO");
	assert_false(flow_asked(&f, FLOW_WHITELIST_OUT));
	assert_get(&f, FLOW_WHITELIST_OUT, "on");
	assert_int_equal(flow_give(&f, FLOW_ALLOW_OUT, S("bob@them.example"),
			     &e),
	    0);
	assert_true(flow_asked(&f, FLOW_WHITELIST_OUT));
	assert_true(flow_asked(&f, FLOW_ALLOW_OUT));
	assert_true(flow_asked(&f, FLOW_SMTP_HOST));
}

static void
hints(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step };

	(void)state;
	flow_hint(&f, FLOW_IMAP_HOST, S("imap.a.example"));
	flow_hint(&f, FLOW_IMAP_SECURITY, S("tls"));
	flow_hint(&f, FLOW_IMAP_PORT, S("1993"));
	assert_get(&f, FLOW_IMAP_HOST, "imap.a.example");
	assert_get(&f, FLOW_IMAP_PORT, "1993");
	/* A hint of a port belongs with a hint of a kind of TLS. */
	put(&f, FLOW_IMAP_SECURITY, "starttls");
	assert_get(&f, FLOW_IMAP_PORT, "143");
	/* A hint that a person could not give is refused, too. */
	flow_hint(&f, FLOW_SMTP_HOST, S("a b"));
	flow_hint(&f, FLOW_SMTP_SECURITY, S("none"));
	assert_get(&f, FLOW_SMTP_HOST, "");
	assert_get(&f, FLOW_SMTP_SECURITY, "tls");
	put(&f, FLOW_IMAP_HOST, "mine.example");
	assert_get(&f, FLOW_IMAP_HOST, "mine.example");
	flow_hint_none(&f);
	assert_get(&f, FLOW_IMAP_HOST, "mine.example");
	assert_get(&f, FLOW_IMAP_PORT, "143");
}

static void
ports(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step };
	struct err e = { 0 };

	(void)state;
	put(&f, FLOW_IMAP_HOST, "a.example:1993");
	assert_int_equal(flow_settle(&f, FLOW_PAGE_SERVERS, &e), 0);
	assert_get(&f, FLOW_IMAP_HOST, "a.example");
	assert_get(&f, FLOW_IMAP_PORT, "1993");
	put(&f, FLOW_IMAP_HOST, "a.example:99999");
	assert_int_equal(flow_settle(&f, FLOW_PAGE_SERVERS, &e), -1);
	put(&f, FLOW_IMAP_HOST, "::1");
	assert_int_equal(flow_settle(&f, FLOW_PAGE_SERVERS, &e), 0);
	assert_get(&f, FLOW_IMAP_HOST, "::1");
}

static void
lists(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step };
	struct strs l;

	(void)state;
	put(&f, FLOW_ALLOW_IN, "a@b.example,@c.example  d@e.example");
	l = flow_list(&f, FLOW_ALLOW_IN);
	assert_int_equal(l.n, 3);
	assert_true(str_eq(l.v[1], S("@c.example")));
}

/* An invalid answer changes nothing, even if a value is assumed. */
static void
changes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .step = flow_step, .edit = true };

	(void)state;
	f.hint[FLOW_BACKEND] = S("imap");
	f.hint[FLOW_FROM] = S("me@a.example");
	f.hint[FLOW_IMAP_HOST] = S("i.example");
	f.hint[FLOW_IMAP_SECURITY] = S("tls");
	f.hint[FLOW_IMAP_PORT] = S("993");
	for (int k = 0; k < FLOW_STEPS; k++)
		assert_false(flow_changed(&f, (enum flow_key)k));
	assert_get(&f, FLOW_USERNAME, "");
	/* A port belongs with its kind of TLS. */
	put(&f, FLOW_IMAP_SECURITY, "starttls");
	assert_true(flow_changed(&f, FLOW_IMAP_SECURITY));
	assert_true(flow_changed(&f, FLOW_IMAP_PORT));
	put(&f, FLOW_IMAP_SECURITY, "tls");
	assert_false(flow_changed(&f, FLOW_IMAP_PORT));
	put(&f, FLOW_FROM, "");
	assert_true(flow_changed(&f, FLOW_FROM));
	/* A folder has no server: it is removed. */
	put(&f, FLOW_BACKEND, "maildir");
	assert_true(flow_changed(&f, FLOW_IMAP_HOST));
	assert_true(flow_missing(&f, FLOW_PATH));
	flow_put_password(&f, secret_new("x", 1));
	assert_true(flow_changed(&f, FLOW_PASSWORD));
	flow_done(&f);
}

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

/* In a form a label has 24 columns before its field begins. */
static void
labels_fit(void **state)
{
	(void)state;
	for (int k = 0; k < FLOW_STEPS; k++)
		if (strlen(flow_step[k].title) > 24)
			fail_msg("too long: %s", flow_step[k].title);
}

/* Of two at the same place, one would never be asked. */
static void
every_question_is_met(void **state)
{
	const struct flow f = { .step = flow_step };

	(void)state;
	for (int i = 0; i < FLOW_STEPS; i++) {
		enum flow_page at = flow_step[i].page;
		enum flow_key k = flow_next(&f, at, FLOW_STEPS);

		while (k != FLOW_STEPS && (int)k != i)
			k = flow_next(&f, at, k);
		if (k == FLOW_STEPS)
			fail_msg("never asked: %s", flow_step[i].title);
	}
}

int
main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(labels_fit),
		cmocka_unit_test(every_question_is_met),
		{ "what follows from another answer goes on following it",
		    follows, NULL, NULL, NULL },
		{ "a port tells the kind of TLS, and the kind the port",
		    port_and_kind, NULL, NULL, NULL },
		{ "what was said of sending is kept of who only reads",
		    said_of_sending, NULL, NULL, NULL },
		{ "what a stranger says is assumed and no more", hints, NULL,
		    NULL, NULL },
		{ "a port behind a host is cut off", ports, NULL, NULL, NULL },
		{ "what of an account is another, and what is not", changes,
		    NULL, NULL, NULL },
		{ "a list is split at spaces and commas", lists, NULL, NULL,
		    NULL },
	};
	struct CMUnitTest tests[COUNT(answers) + COUNT(others)] = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < COUNT(answers); i++, n++)
		tests[n] = (struct CMUnitTest){ answers[i].why, answer, NULL,
			NULL, &answers[i] };
	memcpy(&tests[n], others, sizeof(others));
	return cmocka_run_group_tests_name("door/flow", tests, NULL, NULL);
}
