/* What an agent may know of: whitelist_in and the subject rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/policy.h"

static struct str in[] = { SI("bob@b.example"), SI("@us.example") };

#define LISTED .in_on = true, .in = { in, 2 }
#define FROM(x) .from_fields = 1, .from = SI(x)

static struct row {
	const char *why;
	struct policy_rules rules;
	const char *pattern;
	struct policy_mail mail;
	bool want;
} rows[] = {
	{ "without rules everything is seen", { 0 }, NULL,
	    { FROM("eve@e.example") }, true },
	{ "without rules even a message without From is seen", { 0 }, NULL,
	    { 0 }, true },
	{ "a list that is off hides nothing", { .in = { in, 2 } }, NULL,
	    { FROM("eve@e.example") }, true },
	{ "a listed sender is seen", { LISTED }, NULL,
	    { FROM("bob@b.example") }, true },
	{ "a listed sender is seen in any case", { LISTED }, NULL,
	    { FROM("BOB@b.Example") }, true },
	{ "a listed domain is seen", { LISTED }, NULL,
	    { FROM("anyone@us.example") }, true },
	{ "a sub-domain of a listed domain is hidden", { LISTED }, NULL,
	    { FROM("x@sub.us.example") }, false },
	{ "another sender is hidden", { LISTED }, NULL,
	    { FROM("eve@b.example") }, false },
	{ "an empty list hides all", { .in_on = true }, NULL,
	    { FROM("bob@b.example") }, false },
	{ "no From field hides", { LISTED }, NULL,
	    { .from = SI("bob@b.example") }, false },
	{ "two From fields hide", { LISTED }, NULL,
	    { .from_fields = 2, .from = SI("bob@b.example") }, false },
	{ "a From that could not be read strictly hides", { LISTED }, NULL,
	    { .from_fields = 1 }, false },
	{ "a subject that matches is seen", { 0 }, "invoice",
	    { FROM("eve@e.example"), .subject = SI("An Invoice") }, true },
	{ "a subject that does not match is hidden", { 0 }, "invoice",
	    { FROM("eve@e.example"), .subject = SI("A bill") }, false },
	{ "a subject rule without a subject hides", { 0 }, "invoice",
	    { FROM("eve@e.example") }, false },
	{ "a subject that was cut hides", { 0 }, "invoice",
	    { FROM("eve@e.example"), .subject = SI("invoice"),
		.subject_cut = true },
	    false },
	{ "a cut subject matters only to a subject rule", { LISTED }, NULL,
	    { FROM("bob@b.example"), .subject = SI("x"), .subject_cut = true },
	    true },
	{ "both rules must hold: both do", { LISTED }, "invoice",
	    { FROM("bob@b.example"), .subject = SI("invoice") }, true },
	{ "both rules must hold: the sender does not", { LISTED }, "invoice",
	    { FROM("eve@b.example"), .subject = SI("invoice") }, false },
	{ "both rules must hold: the subject does not", { LISTED }, "invoice",
	    { FROM("bob@b.example"), .subject = SI("bill") }, false },
	{ "reading does not ask for the mode or the outbound level",
	    { LISTED, .mode = MODE_RW, .outbound = OUTBOUND_SEND,
		.out_on = true },
	    NULL, { FROM("bob@b.example") }, true },
};

static void
see(void **state)
{
	const struct row *r = *state;
	struct policy_rules rules = r->rules;
	bool got;

	if (r->pattern != NULL)
		rules.subject = policy_regex_open(str_of(r->pattern), NULL, 0);
	got = policy_sees(&rules, &r->mail);
	policy_regex_close(&rules.subject);
	assert_int_equal(got, r->want);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS] = { 0 };

	for (size_t i = 0; i < ROWS; i++)
		tests[i] = (struct CMUnitTest){ rows[i].why, see, NULL, NULL,
			&rows[i] };
	return cmocka_run_group_tests_name("policy/sees", tests, NULL, NULL);
}
