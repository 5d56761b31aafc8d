/* SPDX-License-Identifier: Apache-2.0 */
/* The subject rule fails closed, and quickly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/limits.h"
#include "policy/policy.h"

static struct row {
	const char *why;
	struct str pattern, subject;
	bool want;
} rows[] = {
	{ "a pattern is looked for anywhere", SI("invoice"),
	    SI("your invoice 7"), true },
	{ "case does not matter", SI("invoice"), SI("Your INVOICE"), true },
	{ "case does not matter beyond ASCII", SI("\xC3\xA4rger"),
	    SI("\xC3\x84RGER"), true },
	{ "what is not there does not match", SI("invoice"), SI("a bill"),
	    false },
	{ "anchors hold", SI("^\\[bot\\]"), SI("re: [bot] x"), false },
	{ "a dot is a character, not a byte", SI("^.$"), SI("\xC3\xA4"), true },
	{ "an empty subject can match", SI("^$"), { NULL, 0 }, true },
	{ "an empty subject need not match", SI("x"), { NULL, 0 }, false },
	{ "more groups than there is room for still match", SI("(a)(b)(c)"),
	    SI("abc"), true },
	{ "bad UTF-8 is no match", SI("invoice"), SI("invoice \xFF"), false },
	{ "exponential work is no match", SI("^(a+)+$"),
	    SI("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
	    false },
};

static void
match(void **state)
{
	const struct row *r = *state;
	struct policy_regex *re = policy_regex_open(r->pattern, NULL, 0);
	bool got;

	assert_non_null(re);
	got = policy_regex_match(re, r->subject);
	policy_regex_close(&re);
	assert_null(re);
	assert_int_equal(got, r->want);
}

static struct bad {
	const char *why;
	struct str pattern;
} bads[] = {
	{ "an open group is refused", SI("(a") },
	{ "an empty pattern is refused", { NULL, 0 } },
	{ "a single code unit is refused", SI("a\\Cb") },
	{ "bad UTF-8 in a pattern is refused", SI("a\xFF") },
	{ "a pattern that blows up is refused",
	    SI("((a{1,100}){1,100}){1,100}") },
};

static void
refuse(void **state)
{
	const struct bad *r = *state;
	char why[64] = "";
	struct policy_regex *re =
	    policy_regex_open(r->pattern, why, sizeof(why));

	assert_null(re);
	assert_true(strlen(why) > 5);
}

static void
too_long(void **state)
{
	static char text[LIMIT_REGEX + 1];
	char why[8] = "xxxxxxx";
	struct policy_regex *re;

	(void)state;
	memset(text, 'a', sizeof(text));
	re = policy_regex_open((struct str){ text, LIMIT_REGEX + 1 }, why,
	    sizeof(why));
	assert_null(re);
	assert_string_equal(why, "the pat");
	re = policy_regex_open((struct str){ text, LIMIT_REGEX }, why,
	    sizeof(why));
	assert_non_null(re);
	policy_regex_close(&re);
	policy_regex_close(&re);
}

static void
long_subject(void **state)
{
	static char text[LIMIT_SUBJECT + 1];
	struct policy_regex *re = policy_regex_open(S("a"), NULL, 0);

	(void)state;
	memset(text, 'a', sizeof(text));
	assert_true(
	    policy_regex_match(re, (struct str){ text, LIMIT_SUBJECT }));
	assert_false(
	    policy_regex_match(re, (struct str){ text, LIMIT_SUBJECT + 1 }));
	policy_regex_close(&re);
}

/* 500 rows of a listing must not take minutes. */
static void
bounded(void **state)
{
	static char text[LIMIT_SUBJECT];
	struct policy_regex *re = policy_regex_open(S("^(a|aa)+$"), NULL, 0);
	struct policy_regex *deep = policy_regex_open(S("^(a+)+$"), NULL, 0);
	clock_t start = clock();

	(void)state;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '!';
	for (int i = 0; i < 20; i++)
		assert_false(
		    policy_regex_match(re, (struct str){ text, sizeof(text) }));
	for (int i = 0; i < 100; i++)
		assert_false(policy_regex_match(deep,
		    str_from((struct str){ text, sizeof(text) },
			sizeof(text) - 60)));
	policy_regex_close(&re);
	policy_regex_close(&deep);
	assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

int
main(void)
{
	static const struct CMUnitTest more[] = {
		{ "a pattern over the cap is refused", too_long, NULL, NULL,
		    NULL },
		{ "a subject over the cap is no match", long_subject, NULL,
		    NULL, NULL },
		{ "hostile subjects cost little", bounded, NULL, NULL, NULL },
	};
	struct CMUnitTest t[COUNT(rows) + COUNT(bads) + COUNT(more)] = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < COUNT(rows); i++)
		t[n++] = (struct CMUnitTest){ rows[i].why, match, NULL, NULL,
			&rows[i] };
	for (size_t i = 0; i < COUNT(bads); i++)
		t[n++] = (struct CMUnitTest){ bads[i].why, refuse, NULL, NULL,
			&bads[i] };
	for (size_t i = 0; i < COUNT(more); i++)
		t[n++] = more[i];
	return cmocka_run_group_tests_name("policy/regex", t, NULL, NULL);
}
