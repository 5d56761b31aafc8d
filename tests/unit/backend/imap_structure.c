/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/imap/internal.h"
#include "backend/imap/token.h"

#define PLAIN "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 2 1 NIL NIL NIL NIL)"
#define HTML "(\"text\" \"html\" NIL NIL NIL \"7bit\" 2 1 NIL NIL NIL NIL)"

static struct sample {
	const char *why;
	const char *text;
	bool want;
} rows[] = {
	{ "plain text", PLAIN, false },
	{ "text of a strange kind", "(\"TEXT\" \"x-log\" NIL)", false },
	{ "text that says attachment",
	    "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 2 1 NIL"
	    " (\"attachment\" NIL) NIL NIL)",
	    true },
	{ "an application",
	    "(\"application\" \"pdf\" NIL NIL NIL \"base64\" 2)", true },
	{ "alternatives", "(" PLAIN HTML " \"alternative\" NIL NIL NIL)",
	    false },
	{ "text and a file",
	    "(" PLAIN "(\"image\" \"png\" (\"name\" \"a.png\") NIL NIL"
	    " \"base64\" 9) \"mixed\" NIL NIL NIL)",
	    true },
	{ "a second text with a name",
	    "(" PLAIN "(\"text\" \"plain\" (\"charset\" \"x\" \"NAME\""
	    " \"b.txt\") NIL NIL \"7bit\" 2 1) \"mixed\")",
	    true },
	{ "a second text with a file name in parts",
	    "(" PLAIN "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 2 1 NIL"
	    " (\"inline\" (\"filename*0*\" \"b\")) NIL NIL) \"mixed\")",
	    true },
	{ "a second text without one", "(" PLAIN PLAIN " \"mixed\")", false },
	{ "an invitation",
	    "(" PLAIN "(\"text\" \"calendar\" NIL NIL NIL"
	    " \"7bit\" 2 1) \"alternative\")",
	    true },
	{ "a picture of the text, as get lists it too",
	    "((" HTML "(\"image\" \"png\" NIL \"<i>\" NIL \"base64\" 9)"
	    " \"related\") " PLAIN " \"alternative\")",
	    true },
	{ "two texts, one of which is shown",
	    "(" PLAIN PLAIN " \"related\" NIL NIL NIL)", true },
	{ "a message in a message",
	    "(" PLAIN "(\"message\" \"rfc822\" NIL NIL NIL \"7bit\" 9"
	    " (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL) " PLAIN
	    " 3) \"mixed\")",
	    true },
	{ "a language that looks like a list",
	    "(" PLAIN "(\"text\" \"plain\" NIL NIL NIL \"7bit\" 2 1 NIL NIL"
	    " (\"en\" \"de\") NIL) \"mixed\")",
	    false },
	{ "empty parts", "(() () \"mixed\")", false },
	{ "nothing", "()", false },
	{ "NIL", "NIL", false },
	{ "a negative line count", "(\"text\" \"plain\" NIL NIL NIL NIL -1 -1)",
	    false },
};

static void
judge(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct sample *row = *state;
	struct imap_piece p = { .text = str_of(row->text) };
	struct imap_resp r = { .piece = &p, .n = 1 };
	const struct imap_node *n;
	struct err e = { 0 };

	assert_int_equal(imap_token_parse(a, &r, &n, &e), 0);
	assert_int_equal(imap_structure_has_attachments(n), row->want);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0])] = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = judge;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("backend/imap_structure", tests,
	    NULL, NULL);
}
