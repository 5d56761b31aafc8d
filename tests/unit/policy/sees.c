/* SPDX-License-Identifier: Apache-2.0 */
/* The messages that an agent may know of: whitelist_in and the subject rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/policy.h"

static struct str in[] = { SI("bob@b.example"), SI("@us.example") };
static struct str proven[] = { SI("boss@b.example"), SI("@bank.example") };

#define LISTED .in_on = true, .in = { in, 2 }
#define PROVEN .in_on = true, .in_dmarc = { proven, 2 }
#define FROM(x) .from_fields = 1, .from = SI(x)
#define PASS .auth = SENDER_PASS

/* Hidden, unless the sender can be proved. */
enum {
	ASKS = -1
};

static struct row {
	const char *why;
	struct policy_rules rules;
	const char *pattern;
	struct policy_mail mail;
	int want; /* true, false, or ASKS */
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

	{ "a sender that must be authenticated, and is", { PROVEN }, NULL,
	    { FROM("boss@b.example"), PASS }, true },
	{ "nobody looked yet", { PROVEN }, NULL, { FROM("boss@b.example") },
	    ASKS },
	{ "nobody vouches", { PROVEN }, NULL,
	    { FROM("boss@b.example"), .auth = SENDER_NONE }, false },
	{ "it failed", { PROVEN }, NULL,
	    { FROM("boss@b.example"), .auth = SENDER_FAIL }, false },
	{ "a value nobody knows", { PROVEN }, NULL,
	    { FROM("boss@b.example"), .auth = (enum sender_auth)9 }, false },
	{ "an authenticated domain", { PROVEN }, NULL,
	    { FROM("any@bank.example"), PASS }, true },
	{ "an authenticated domain, unlooked at", { PROVEN }, NULL,
	    { FROM("any@bank.example") }, ASKS },
	{ "a sub-domain of it, authenticated", { PROVEN }, NULL,
	    { FROM("any@a.bank.example"), PASS }, false },
	{ "somebody else, authenticated", { PROVEN }, NULL,
	    { FROM("eve@b.example"), PASS }, false },
	{ "somebody else is not worth a look", { PROVEN }, NULL,
	    { FROM("eve@b.example") }, false },
	{ "two From fields, authenticated", { PROVEN }, NULL,
	    { .from_fields = 2, .from = SI("boss@b.example"), PASS }, false },
	{ "two From fields are not worth a look", { PROVEN }, NULL,
	    { .from_fields = 2, .from = SI("boss@b.example") }, false },
	{ "no sender, authenticated", { PROVEN }, NULL,
	    { .from_fields = 1, PASS }, false },
	{ "a plain entry needs no proof", { LISTED }, NULL,
	    { FROM("bob@b.example"), .auth = SENDER_FAIL }, true },
	{ "an entry of the one kind does not count for the other",
	    { .in_on = true, .in = { in, 1 }, .in_dmarc = { proven, 1 } }, NULL,
	    { FROM("boss@b.example") }, ASKS },
	{ "an authenticated sender whose subject does not match", { PROVEN },
	    "invoice", { FROM("boss@b.example"), PASS }, false },
	{ "a subject that does not match is not worth a look", { PROVEN },
	    "invoice", { FROM("boss@b.example") }, false },
	{ "a subject that matches is", { PROVEN }, "invoice",
	    { FROM("boss@b.example"), .subject = SI("invoice") }, ASKS },
	{ "with the list off nobody looks", { .in_dmarc = { proven, 2 } }, NULL,
	    { FROM("boss@b.example") }, true },
};

static void
see(void **state)
{
	const struct row *r = *state;
	struct policy_rules rules = r->rules;
	bool got, wants;

	if (r->pattern != NULL)
		rules.subject = policy_regex_open(str_of(r->pattern), NULL, 0);
	got = policy_sees(&rules, &r->mail);
	wants = policy_wants_auth(&rules, &r->mail);
	policy_regex_close(&rules.subject);
	assert_int_equal(got, r->want == true);
	assert_int_equal(wants, r->want == ASKS);
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
