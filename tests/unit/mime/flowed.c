/* SPDX-License-Identifier: Apache-2.0 */
/* format=flowed, RFC 3676, through the text of a part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mime/message.h"

struct row {
	const char *why;
	const char *type;
	const char *body;
	const char *want;
};

#define FLOWED "text/plain; format=flowed"

static const struct row rows[] = {
	{ "a line that ends in a space goes on", FLOWED, "one \ntwo\nthree\n",
	    "one two\nthree\n" },
	{ "without format=flowed nothing is joined", "text/plain",
	    "one \ntwo\n", "one \ntwo\n" },
	{ "the value is read without case", "text/plain; Format=Flowed",
	    "one \ntwo\n", "one two\n" },
	{ "delsp=yes takes the space out", FLOWED "; delsp=yes", "on \ne\n",
	    "one\n" },
	{ "space-stuffing is taken off", FLOWED, " From me\n >no quote\n",
	    "From me\n>no quote\n" },
	{ "quoted lines of one depth are joined", FLOWED,
	    "> one \n> two\n>> three\n", "> one two\n>> three\n" },
	{ "another depth ends a paragraph", FLOWED, "> one \n>> two\n",
	    "> one \n>> two\n" },
	{ "marks without a space get one", FLOWED, ">one\n>>two\n",
	    "> one\n>> two\n" },
	{ "a signature's line is fixed", FLOWED, "one \n-- \nme\n",
	    "one \n-- \nme\n" },
	{ "a quoted signature's line is fixed", FLOWED, "> -- \n> me\n",
	    "> -- \n> me\n" },
	{ "an empty line stays", FLOWED, "one \n\ntwo\n", "one \ntwo\n" },
	{ "an empty fixed line stands between paragraphs", FLOWED,
	    "one\n\ntwo\n", "one\n\ntwo\n" },
	{ "a flowed last line still ends", FLOWED, "one \n", "one \n" },
	{ "a last line without an end stays so", FLOWED, "one \ntwo",
	    "one two" },
	{ "an empty text is empty", FLOWED, "", "" },
	{ "html is never flowed", "text/html; format=flowed", "a \nb\n",
	    "a \nb\n" },
};

static void
joins(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct mime_message m;
	struct str raw, text;

	raw = str_fmt(a, "Content-Type: %s\n\n%s", r->type, r->body);
	mime_message_parse(a, raw, &m);
	text = mime_part_text(a, &m.part[0]);
	assert_string_equal(str_c(a, text), r->want);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0])] = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = joins;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	return cmocka_run_group_tests_name("mime/flowed", tests, NULL, NULL);
}
