/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that is clearly unfinished, and text that only looks so.  The second
 * half of the table is longer on purpose: if valid mail is refused, agents
 * learn to ignore the check.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/policy.h"

#define HOLE "a placeholder"
#define FILE_MISSING "no file is attached"

static struct row {
	const char *name;
	const char *subject, *body;
	size_t files;
	const char *want, *found; /* NULL: nothing */
} rows[] = {
	/* -- placeholders */
	{ "a template's name", "Hi", "Dear {{name}},\n", 0, HOLE, "{{name}}" },
	{ "a template's name with blanks", "Hi", "Dear {{ first_name }},\n", 0,
	    HOLE, "{{ first_name }}" },
	{ "a member of something", "Hi", "x {{customer.name}} y", 0, HOLE,
	    "{{customer.name}}" },
	{ "a format's name", "Hi", "Hi {first_name}!\n", 0, HOLE,
	    "{first_name}" },
	{ "a name in capitals", "Hi", "Dear [NAME],\n", 0, HOLE, "[NAME]" },
	{ "a name in words", "Hi", "Dear [Recipient Name],\n", 0, HOLE,
	    "[Recipient Name]" },
	{ "the author's own", "Hi", "Best,\n[Your Name]\n", 0, HOLE,
	    "[Your Name]" },
	{ "the author's own, small", "Hi", "Best,\n[your name]\n", 0, HOLE,
	    "[your name]" },
	{ "a price", "Hi", "It costs [PRICE] a day", 0, HOLE, "[PRICE]" },
	{ "what is to be put in", "Hi", "on [insert date here] at", 0, HOLE,
	    "[insert date here]" },
	{ "in angles", "Hi", "on <insert the date> at", 0, HOLE,
	    "<insert the date>" },
	{ "a field in angles", "Hi", "Dear <NAME>,", 0, HOLE, "<NAME>" },
	{ "in the subject", "Offer for [NAME]", "all is here", 0, HOLE,
	    "[NAME]" },
	{ "in the subject, by a template", "Offer for {{company}}", "x", 0,
	    HOLE, "{{company}}" },
	{ "work to do", "Hi", "a\nTODO: add the figures\n", 0, HOLE, "TODO" },
	{ "work to do, alone", "Hi", "Results:\n\n  TODO\n", 0, HOLE, "TODO" },
	{ "work to do, in brackets", "Hi", "The sum is (TODO).", 0, HOLE,
	    "TODO" },
	{ "work to do in a value's place", "Hi", "Price: XXX\n", 0, HOLE,
	    "XXX" },
	{ "work to do as a value", "Hi", "The deadline is TODO.\n", 0, HOLE,
	    "TODO" },
	{ "[TODO]", "Hi", "see [TODO] there", 0, HOLE, "[TODO]" },
	{ "filling text", "Hi", "Lorem ipsum dolor", 0, HOLE, "Lorem ipsum" },
	{ "above a quotation", "Hi", "Dear [NAME],\n\n> hello\n", 0, HOLE,
	    "[NAME]" },
	/* -- promised files */
	{ "a file that was promised", "Hi", "I have attached the report.", 0,
	    FILE_MISSING, "I have attached" },
	{ "over a line's end", "Hi", "please find\nattached the file", 0,
	    FILE_MISSING, "find\nattached" },
	{ "the contract is attached", "Hi", "The contract is attached.", 0,
	    FILE_MISSING, "is attached" },
	{ "see attached", "Hi", "See attached.", 0, FILE_MISSING,
	    "See attached" },
	{ "in German", "Hi", "Die Rechnung finden Sie im Anhang.", 0,
	    FILE_MISSING, "im Anhang" },
	{ "in French", "Hi", "Vous trouverez ci-joint le devis.", 0,
	    FILE_MISSING, "ci-joint" },
	{ "after a denial of something else", "Hi",
	    "No problem. The file is attached.", 0, FILE_MISSING,
	    "is attached" },
	/* -- honest mail */
	{ "nothing", "", "", 0, NULL, NULL },
	{ "a file that is there", "Hi", "I have attached it.", 1, NULL, NULL },
	{ "a list's name", "[announce] 2.0", "it is out", 0, NULL, NULL },
	{ "a list's name that is a field's", "[Project] weekly", "all well", 0,
	    NULL, NULL },
	{ "a patch", "[PATCH v2 1/3] net: fix", "It does.", 0, NULL, NULL },
	{ "a reference", "Hi", "see [RFC 5322] and [1]", 0, NULL, NULL },
	{ "a link", "Hi", "see [Name](https://x.example)", 0, NULL, NULL },
	{ "a link's note", "Hi", "[Date]: https://x.example", 0, NULL, NULL },
	{ "an aside", "Hi", "he said [sic] that [he] would", 0, NULL, NULL },
	{ "an address", "Hi", "write to <bob@them.example>", 0, NULL, NULL },
	{ "a named address", "Hi", "Bob <bob@them.example>", 0, NULL, NULL },
	{ "a manual's syntax", "Hi", "run emcli get <name> [name]", 0, NULL,
	    NULL },
	{ "a tag", "Hi", "use <title> or <b>this</b>", 0, NULL, NULL },
	{ "a workflow's variable", "Hi", "it was ${{ github.sha }}", 0, NULL,
	    NULL },
	{ "a chart's value", "Hi", "set {{ .Values.image }}", 0, NULL, NULL },
	{ "code in a line", "Hi", "write `{{name}}` there", 0, NULL, NULL },
	{ "code in a block", "Hi", "so:\n```\nDear {{name}}\n```\nthat's it", 0,
	    NULL, NULL },
	{ "code by its indent", "Hi", "so:\n\n    x = [NAME]\n", 0, NULL,
	    NULL },
	{ "JSON", "Hi", "{\"name\": \"x\"}", 0, NULL, NULL },
	{ "a set", "Hi", "let S be {x, y}", 0, NULL, NULL },
	{ "a list of things to do", "TODO list", "My TODO list is long", 0,
	    NULL, NULL },
	{ "a heading", "Hi", "TODO:\n- buy milk", 0, NULL, NULL },
	{ "a file's name", "Hi", "The file is TODO.md", 0, NULL, NULL },
	{ "a name that begins so", "Hi", "Ask TODOIST is it up", 0, NULL,
	    NULL },
	{ "a comment", "Hi", "// TODO: fix\n# TODO: too\n", 0, NULL, NULL },
	{ "a patch's line", "Hi", "so\n+TODO: more\n", 0, NULL, NULL },
	{ "somebody else's words", "Re: x",
	    "Yes.\n> Dear [NAME],\n> see"
	    " attached\n",
	    0, NULL, NULL },
	{ "what follows somebody's", "Re: x",
	    "Yes.\n\nOn Monday Bob wrote:\n"
	    "I have attached it.\n",
	    0, NULL, NULL },
	{ "what was forwarded", "Fwd: x",
	    "FYI\n---------- Forwarded message "
	    "---------\nsee attached [NAME]\n",
	    0, NULL, NULL },
	{ "a garage", "Hi", "The garage is attached to the house.", 0, NULL,
	    NULL },
	{ "a feeling", "Hi", "I am attached to it, no strings attached.", 0,
	    NULL, NULL },
	{ "nothing of the kind", "Hi", "Nothing is attached.", 0, NULL, NULL },
	{ "a condition", "Hi", "Tell me if a file is attached.", 0, NULL,
	    NULL },
	{ "theirs", "Hi", "I read the file you attached.", 0, NULL, NULL },
	{ "theirs, too", "Hi", "Thanks for the attachment!", 0, NULL, NULL },
	{ "brackets that never close", "Hi", "[[[[<<<{{{{ NAME", 0, NULL,
	    NULL },
	{ "brackets of nothing", "Hi", "[] {} <> {{}} [ ]", 0, NULL, NULL },
};

static void
look(void **state)
{
	const struct row *r = *state;
	const struct policy_text t = { str_of(r->subject), str_of(r->body),
		r->files };
	struct str found = { 0 };
	const char *got = policy_unfinished(&t, &found);

	if (r->want == NULL) {
		if (got != NULL)
			fail_msg("%s: %.*s", got, STR_ARG(found));
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, r->want);
	if (!str_eq(found, str_of(r->found)))
		fail_msg("found %.*s", STR_ARG(found));
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0])] = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tests[i].name = rows[i].name;
		tests[i].test_func = look;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("policy/unfinished", tests, NULL,
	    NULL);
}
