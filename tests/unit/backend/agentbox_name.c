/* SPDX-License-Identifier: Apache-2.0 */
/* Which names may become paths in a mailbox root. */
#include "agentbox_site.h"

#define HEX "00112233445566778899aabbccddeeff"
#define ID "msg-20260408T101112Z-" HEX

enum kind {
	ADDRESS,
	STASHED,
	MESSAGE,
	BOX,
	TIME,
	DAY
};

static struct name_row {
	const char *why;
	enum kind kind;
	struct str name;
	bool good;
} rows[] = {
	{ "an address", ADDRESS, SI("a.b+c@agents.example.test"), true },
	{ "case is kept", ADDRESS, SI("HOUMAO-x@Houmao.localhost"), true },
	{ "no domain is no address", ADDRESS, SI("writer"), false },
	{ "an empty local part", ADDRESS, SI("@x.test"), false },
	{ "two dots lead nowhere", ADDRESS, SI("a..b@x.test"), false },
	{ "two dots in a domain", ADDRESS, SI("a@x..test"), false },
	{ "a slash is no part of one", ADDRESS, SI("../a@x.test"), false },
	{ "a slash in the domain", ADDRESS, SI("a@x/test"), false },
	{ "a domain that ends in a dash", ADDRESS, SI("a@x-"), false },
	{ "two addresses", ADDRESS, SI("a@b@c.test"), false },
	{ "a NUL", ADDRESS, SI("a\0b@x.test"), false },
	{ "a blank", ADDRESS, SI("a b@x.test"), false },
	{ "a newline", ADDRESS, SI("a@x.test\n"), false },
	{ "8-bit", ADDRESS, SI("\xc3\xbc@x.test"), false },
	{ "every mark", ADDRESS, SI("a.b_c+d-1@x-1.example"), true },
	{ "one letter each", ADDRESS, SI("a@b"), true },
	{ "case is kept", ADDRESS, SI("Writer@Example.TEST"), true },
	{ "the local part may end in a mark", ADDRESS, SI("a-@b"), true },
	{ "the operator's", ADDRESS, SI("HOUMAO-operator@houmao.localhost"),
	    true },
	{ "nothing", ADDRESS, SI(""), false },
	{ "no domain", ADDRESS, SI("writer@"), false },
	{ "a mark first", ADDRESS, SI(".a@b"), false },
	{ "a dash first in the domain", ADDRESS, SI("a@-b"), false },
	{ "a dot last in the domain", ADDRESS, SI("a@b."), false },
	{ "a slash", ADDRESS, SI("a/b@c"), false },
	{ "a backslash", ADDRESS, SI("a\\b@c"), false },
	{ "a colon", ADDRESS, SI("a:b@c"), false },
	{ "a star", ADDRESS, SI("a*@c"), false },
	{ "a question mark", ADDRESS, SI("a?@c"), false },
	{ "quotes", ADDRESS, SI("\"a\"@c"), false },
	{ "angle brackets", ADDRESS, SI("<a@c>"), false },
	{ "a bar", ADDRESS, SI("a|b@c"), false },
	{ "an underscore in the domain", ADDRESS, SI("a@b_c"), false },
	{ "an address like a mailbox put aside", ADDRESS, SI("a@x.test--" HEX),
	    false },
	{ "the same in upper case", ADDRESS,
	    SI("a@x.test--00112233445566778899AABBCCDDEEFF"), false },
	{ "one digit less is none", ADDRESS,
	    SI("a@x.test--0112233445566778899aabbccddeeff"), true },
	{ "one dash less is none", ADDRESS, SI("a@x.test-" HEX), true },
	{ "twice put aside", STASHED, SI("a@x.test--" HEX "--" HEX), false },
	{ "a mailbox put aside", STASHED, SI("a@x.test--" HEX), true },
	{ "too short to be one", STASHED, SI("a@x.test--0011"), false },
	{ "upper case is not ours", STASHED,
	    SI("a@x.test--00112233445566778899AABBCCDDEEFF"), false },
	{ "a message", MESSAGE, SI(ID), true },
	{ "a message and more", MESSAGE, SI(ID "/.."), false },
	{ "a message of another form", MESSAGE, SI("msg-1"), false },
	{ "a message with a letter in its time", MESSAGE,
	    SI("msg-2026o408T101112Z-" HEX), false },
	{ "a box", BOX, SI("inbox"), true },
	{ "a box with blanks and marks", BOX, SI("To do \xc3\xbc"), true },
	{ "the folder itself", BOX, SI("."), false },
	{ "the folder above", BOX, SI(".."), false },
	{ "a box below a box", BOX, SI("a/b"), false },
	{ "a box with a NUL", BOX, SI("a\0b"), false },
	{ "a blank box", BOX, SI(" "), false },
	{ "the mailbox's own database", BOX, SI("mailbox.sqlite"), false },
	{ "its journal", BOX, SI("mailbox.sqlite-journal"), false },
	{ "bytes that are not UTF-8", BOX, SI("a\xff"), false },
	{ "a time", TIME, SI("2026-04-08T10:11:12Z"), true },
	{ "a time with a zone", TIME, SI("2026-04-08T10:11:12+00:00"), false },
	{ "a time that is none", TIME, SI("2026-13-08T10:11:12Z"), false },
	{ "a day", DAY, SI("2026-04-08"), true },
	{ "a day that leads out", DAY, SI("../../etc/"), false },
};

static void
judge(void **state)
{
	const struct name_row *r = *state;
	bool (*const ask[])(struct str) = { agentbox_name_address,
		agentbox_name_stashed, agentbox_name_message, agentbox_name_box,
		agentbox_name_time, agentbox_name_day };

	assert_int_equal(ask[r->kind](r->name), r->good);
}

/* The longest address leaves room for what is added when it is put aside. */
static void
longest(void **state)
{
	char name[LIMIT_AGENT_ADDRESS + 2] = "a@";

	(void)state;
	memset(name + 2, 'b', sizeof(name) - 2);
	assert_true(
	    agentbox_name_address((struct str){ name, LIMIT_AGENT_ADDRESS }));
	assert_false(agentbox_name_address(
	    (struct str){ name, LIMIT_AGENT_ADDRESS + 1 }));
	assert_true(LIMIT_AGENT_ADDRESS + 2 + strlen(HEX) < LIMIT_FILE_NAME);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 1] = { 0 };
	const size_t n = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = judge;
		tests[i].initial_state = &rows[i];
	}
	tests[n] = (struct CMUnitTest){ .name = "the longest address",
		.test_func = longest };
	return cmocka_run_group_tests_name("backend/agentbox_name", tests, NULL,
	    NULL);
}
