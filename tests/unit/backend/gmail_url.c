/* SPDX-License-Identifier: Apache-2.0 */
/* The requests that Gmail gets, and those that it never gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/gmail/internal.h"

#define UP "/upload" GMAIL_ME

static const struct str posts[] = {
	SI(GMAIL_ME "/drafts"),
	SI(GMAIL_ME "/labels"),
	SI(GMAIL_ME "/messages/batchModify"),
	SI("/batch/gmail/v1"),
};

static const struct str gets[] = {
	SI(GMAIL_ME "/profile"),
	SI(GMAIL_ME "/labels"),
	SI(GMAIL_ME "/labels/Label_7"),
	SI(GMAIL_ME "/drafts"),
	SI(GMAIL_ME "/messages"),
	SI(GMAIL_ME "/messages/19dc8d4675dfc1f1"),
	SI(GMAIL_ME "/threads/19dc8d4675dfc1f1"),
	SI(GMAIL_ME "/history"),
};

/*
 * Every method of the API, version 1, that sends, alters or destroys, but the
 * change of messages' labels and the making of a label and of a draft.  Those
 * with DELETE, PUT or PATCH are tried as POST and GET, because there is no
 * other way to make a request.
 */
static const struct str never[] = {
	SI(GMAIL_ME "/messages/send"),
	SI(UP "/messages/send"),
	SI("/resumable" UP "/messages/send"),
	SI(GMAIL_ME "/drafts/send"),
	SI(UP "/drafts/send"),
	SI(UP "/drafts"),
	SI(GMAIL_ME "/drafts/r-1"),
	SI(UP "/drafts/r-1"),
	SI(GMAIL_ME "/messages"),
	SI(UP "/messages"),
	SI(GMAIL_ME "/messages/import"),
	SI(UP "/messages/import"),
	SI(GMAIL_ME "/messages/batchDelete"),
	SI(GMAIL_ME "/messages/19dc8d4675dfc1f1"),
	SI(GMAIL_ME "/messages/19dc8d4675dfc1f1/modify"),
	SI(GMAIL_ME "/messages/19dc8d4675dfc1f1/trash"),
	SI(GMAIL_ME "/messages/19dc8d4675dfc1f1/untrash"),
	SI(GMAIL_ME "/threads/19dc8d4675dfc1f1"),
	SI(GMAIL_ME "/threads/19dc8d4675dfc1f1/modify"),
	SI(GMAIL_ME "/threads/19dc8d4675dfc1f1/trash"),
	SI(GMAIL_ME "/threads/19dc8d4675dfc1f1/untrash"),
	SI(GMAIL_ME "/labels/Label_7"),
	SI(GMAIL_ME "/watch"),
	SI(GMAIL_ME "/stop"),
	SI(GMAIL_ME "/settings/autoForwarding"),
	SI(GMAIL_ME "/settings/delegates"),
	SI(GMAIL_ME "/settings/filters"),
	SI(GMAIL_ME "/settings/forwardingAddresses"),
	SI(GMAIL_ME "/settings/imap"),
	SI(GMAIL_ME "/settings/pop"),
	SI(GMAIL_ME "/settings/sendAs"),
	SI(GMAIL_ME "/settings/sendAs/a@b.example/verify"),
	SI(GMAIL_ME "/settings/vacation"),
	SI(GMAIL_ME "/settings/cse/keypairs"),
};

/* Neither by POST nor by GET. */
static const struct str nowhere[] = {
	SI(""),
	SI("/"),
	SI(GMAIL_ME),
	SI(GMAIL_ME "/"),
	SI(GMAIL_ME "/drafts/send"),
	SI(GMAIL_ME "/messages/"),
	SI(GMAIL_ME "/messages/.."),
	SI(GMAIL_ME "/messages/../drafts/send"),
	SI(GMAIL_ME "/messages/a/b"),
	SI(GMAIL_ME "/messages/a?b"),
	SI(GMAIL_ME "/messages/a%2fb"),
	SI(GMAIL_ME "/messages/a\0b"),
	SI(GMAIL_ME "/messages/a\r\nPOST"),
	SI(GMAIL_ME "/drafts "),
	SI(GMAIL_ME "/drafts/"),
	SI("/gmail/v1/users/other@lab.example/messages"),
	SI("/batch/gmail/v1/x"),
	SI("/batch"),
	SI("/calendar/v3/users/me/calendarList"),
};

static void
reading_drafts_and_labels_are_allowed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(posts) / sizeof(posts[0]); i++)
		if (!gmail_url_allowed(true, posts[i]))
			fail_msg("%s", posts[i].p);
	for (size_t i = 0; i < sizeof(gets) / sizeof(gets[0]); i++)
		if (!gmail_url_allowed(false, gets[i]))
			fail_msg("%s", gets[i].p);
}

static void
nothing_that_sends_alters_or_destroys_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (gmail_url_allowed(true, never[i]))
			fail_msg("POST %s", never[i].p);
	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++)
		if (gmail_url_allowed(true, nowhere[i]) ||
		    gmail_url_allowed(false, nowhere[i]))
			fail_msg("%s", nowhere[i].p);
}

static void
an_id_is_letters_and_digits(void **state)
{
	char many[GMAIL_ID + 2];

	(void)state;
	memset(many, 'a', sizeof(many));
	assert_true(gmail_url_is_id(S("19dc8d4675dfc1f1")));
	assert_true(gmail_url_is_id(S("r-8713_x")));
	assert_true(gmail_url_is_id((struct str){ many, GMAIL_ID }));
	assert_false(gmail_url_is_id((struct str){ many, GMAIL_ID + 1 }));
	assert_false(gmail_url_is_id(S("")));
	assert_false(gmail_url_is_id(S("a b")));
	assert_false(gmail_url_is_id(S("a.b")));
	assert_false(gmail_url_is_id(S("\xc3\xbc")));
}

static void
a_parameter_ends_nothing(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 1000);
	buf_text(&b, "/x");
	gmail_url_param(&b, "q", S("from:\"a&b=c#d\" \r\n%\xc3\xbc\0z"));
	gmail_url_param(&b, "n", S("5"));
	assert_string_equal(b.p,
	    "/x?q=from:%22a%26b%3Dc%23d%22%20%0D%0A%25%C3%BC%00z&n=5");
	arena_close(&a);
}

static const struct {
	const char *url, *root; /* NULL: refused */
} roots[] = {
	{ "", "https://gmail.googleapis.com" },
	{ "https://gmail.example", "https://gmail.example" },
	{ "https://gmail.example/", "https://gmail.example" },
	{ "http://127.0.0.1:8080/gmail/v1/users/me", "http://127.0.0.1:8080" },
	{ "http://gmail.example", NULL },
	{ "https://gmail.example/other", NULL },
	{ "https://gmail.example?x", NULL },
	{ "https://me@gmail.example", NULL },
	{ "ftp://gmail.example", NULL },
	{ "https://", NULL },
};

static void
the_operator_may_name_another_host(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		struct err e = { 0 };
		struct str root = { 0 };
		int r = gmail_url_root(a, str_of(roots[i].url), &root, &e);

		if ((r == 0) != (roots[i].root != NULL) ||
		    (r == 0 && !str_eq(root, str_of(roots[i].root))))
			fail_msg("%s", roots[i].url);
		if (r < 0)
			assert_int_equal(e.kind, ERR_CONFIG);
	}
	arena_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_drafts_and_labels_are_allowed),
		cmocka_unit_test(nothing_that_sends_alters_or_destroys_is),
		cmocka_unit_test(an_id_is_letters_and_digits),
		cmocka_unit_test(a_parameter_ends_nothing),
		cmocka_unit_test(the_operator_may_name_another_host),
	};

	return cmocka_run_group_tests_name("gmail/url", tests, NULL, NULL);
}
