/* SPDX-License-Identifier: Apache-2.0 */
/* Queries in Gmail's syntax: the caller cannot inject any of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/gmail/internal.h"

static const struct {
	struct query q;
	const char *words;
} all[] = {
	{ { .from = SI("ann") }, "from:\"ann\"" },
	{ { .to = SI("ann") }, "{to:\"ann\" cc:\"ann\"}" },
	{ { .to = SI("!!") }, "" },
	{ { .from = SI("b"), .to = SI("a\"} in:trash {\"") },
	    "from:\"b\" {to:\"a } in:trash { \" cc:\"a } in:trash { \"}" },
	{ { .subject = SI("a b") }, "subject:\"a b\"" },
	{ { .text = SI("x") }, "\"x\"" },
	{ { .text = SI("-in:inbox OR from:me") }, "\"-in:inbox OR from:me\"" },
	/* Characters that would end the quotes. */
	{ { .text = SI("a\" in:anywhere \"b") }, "\"a  in:anywhere  b\"" },
	{ { .subject = SI("a\\\r\n\tb") }, "subject:\"a    b\"" },
	/* Terms that Gmail cannot search for are checked only here. */
	{ { .subject = SI("\"\\") }, "" },
	{ { .text = SI("!!") }, "" },
	{ { .text = SI("\xc3\xbc") }, "\"\xc3\xbc\"" },
	{ { .message_id = SI("<a.b@c.example>") },
	    "rfc822msgid:a.b@c.example" },
	{ { .message_id = SI("<a b> OR in:trash>") }, "" },
	{ { .message_id = SI("<a\"b@c>") }, "" },
	{ { .message_id = SI("<>") }, "" },
	{ { .list = SI("dev@lists.example.org") },
	    "{list:dev.lists.example.org to:dev@lists.example.org "
	    "cc:dev@lists.example.org}" },
	{ { .list = SI("a} in:trash {b@c") }, "" },
	{ { .with = FLAG_READ, .without = FLAG_FLAGGED },
	    "is:read -is:starred" },
	{ { .with = FLAG_FLAGGED, .without = FLAG_READ, .from = SI("b") },
	    "from:\"b\" is:unread is:starred" },
	{ { .received_s = 1000 }, "after:1000" },
	{ { .since_s = 864000 }, "after:691200" },
	{ { .before_s = 864000 }, "before:3456000" },
	{ { .from = SI("a"), .text = SI("b"), .received_s = 5 },
	    "from:\"a\" \"b\" after:5" },
	{ { .folder = SI("INBOX") }, "" },
};

static void
words(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct str got = gmail_query_words(a, &all[i].q);

		if (!str_eq(got, str_of(all[i].words)))
			fail_msg("%zu: %.*s", i, STR_ARG(got));
	}
	arena_close(&a);
}

/* A store may return too much; the row decides. */
static void
a_row_is_held_to_the_question(void **state)
{
	const struct row row = {
		.head = S("From: Ann <ann@example.net>\r\nSubject: One two\r\n"
			  "Date: Sat, 20 Jun 2026 23:30:00 -0200\r\n"
			  "Message-ID: <1@x>\r\n\r\n"),
		.received_s = 1000,
	};
	const struct query fits[] = {
		{ .from = S("ANN@"), .subject = S("E T") },
		{ .message_id = S("<1@x>"), .received_s = 999 },
		{ .since_s = 1781913600, .before_s = 1782000000 },
	};
	const struct query not [] = {
		{ .from = S("bob") },
		{ .subject = S("onetwo") },
		{ .message_id = S("<2@x>") },
		{ .received_s = 1000 },
		{ .since_s = 1782000000 },
		{ .before_s = 1781913600 },
		{ .list = S("dev@lists.example") },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fits) / sizeof(fits[0]); i++)
		if (!gmail_query_asks(&fits[i]) ||
		    !gmail_query_fits(&fits[i], &row))
			fail_msg("%zu", i);
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (gmail_query_fits(&not [i], &row))
			fail_msg("not %zu", i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(a_row_is_held_to_the_question),
	};

	return cmocka_run_group_tests_name("gmail/query", tests, NULL, NULL);
}
