/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an act may be done: rows for each rule, then the whole matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "policy/policy.h"

static struct str out[] = { SI("@us.example"), SI("bob@b.example") };
static struct str bob[] = { SI("bob@b.example") };
static struct str mixed[] = { SI("bob@b.example"), SI("x@us.example"),
	SI("eve@e.example") };
static struct str good[] = { SI("BOB@B.example"), SI("x@US.example") };

static struct str percent[] = { SI("eve%e.example@us.example") };
static struct str bang[] = { SI("e.example!eve@us.example") };
static struct str quoted[] = { SI("\"eve@e.example\"@us.example") };
static struct str named[] = { SI("eve%e.example@us.example") };

static struct str desks[] = { SI("INBOX"), SI("Archive") };
static struct str inside[] = { SI("inbox"), SI("Archive") };
static struct str outside[] = { SI("INBOX"), SI("Archive/2026") };
static struct str other_case[] = { SI("archive") };

#define TIDIES .mode = MODE_RW, .organise = ORGANISE_ON, .folders = { desks, 2 }
#define SENDS .mode = MODE_RW, .outbound = OUTBOUND_SEND
#define LISTED .out_on = true, .out = { out, 2 }

static struct row {
	const char *name;
	struct policy_rules rules;
	struct policy_facts facts;
	enum verdict want;
	const char *why;
} rows[] = {
	{ "a frozen agent does not send", { SENDS },
	    { EFFECT_SEND, { bob, 1 }, true, false, { 0 }, false },
	    VERDICT_DENY, "frozen" },
	{ "a frozen agent is told so first", { 0 },
	    { EFFECT_SEND, { bob, 1 }, true, false, { 0 }, false },
	    VERDICT_DENY, "frozen" },
	{ "a frozen agent does not read", { SENDS },
	    { .effect = EFFECT_READ, .frozen = true }, VERDICT_DENY, "frozen" },
	{ "a frozen agent changes no state", { SENDS },
	    { .effect = EFFECT_STATE, .frozen = true }, VERDICT_DENY,
	    "frozen" },
	{ "a frozen agent writes no draft", { SENDS },
	    { EFFECT_DRAFT, { bob, 1 }, true, false, { 0 }, false },
	    VERDICT_DENY, "frozen" },
	{ "an account that says nothing sends nothing", { 0 },
	    { .to = { bob, 1 } }, VERDICT_DENY, "ro_mode" },
	{ "an act that says nothing is a send", { SENDS }, { 0 }, VERDICT_DENY,
	    "no_recipients" },
	{ "a read-only account does not send",
	    { .outbound = OUTBOUND_SEND, .mode = MODE_RO },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "ro_mode" },
	{ "a mode that is none is read-only",
	    { .outbound = OUTBOUND_SEND, .mode = (enum mode)7 },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "ro_mode" },
	{ "outbound none does not send", { .mode = MODE_RW },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "draft_only" },
	{ "outbound draft does not send",
	    { .mode = MODE_RW, .outbound = OUTBOUND_DRAFT },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "draft_only" },
	{ "a level that is none does not send",
	    { .mode = MODE_RW, .outbound = (enum outbound)9 },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "draft_only" },
	{ "a send goes to somebody", { SENDS },
	    { EFFECT_SEND, { NULL, 0 }, false, false, { 0 }, false },
	    VERDICT_DENY, "no_recipients" },
	{ "without a list anybody is written to", { SENDS },
	    { EFFECT_SEND, { mixed, 3 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "a list that is off holds nobody back", { SENDS, .out = { out, 2 } },
	    { EFFECT_SEND, { mixed, 3 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "listed recipients are written to, in any case", { SENDS, LISTED },
	    { EFFECT_SEND, { good, 2 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "one recipient outside the list stops the whole", { SENDS, LISTED },
	    { EFFECT_SEND, { mixed, 3 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "a local part that a server may route by is not of the domain",
	    { SENDS, LISTED },
	    { EFFECT_SEND, { percent, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "nor is a bang path", { SENDS, LISTED },
	    { EFFECT_SEND, { bang, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "nor is an address in quotes", { SENDS, LISTED },
	    { EFFECT_SEND, { quoted, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "named in full it is", { SENDS, .out_on = true, .out = { named, 1 } },
	    { EFFECT_SEND, { percent, 1 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "an empty list holds everybody back", { SENDS, .out_on = true },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "the inbound list does not matter to a send",
	    { SENDS, .in_on = true },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "an account under approval asks",
	    { .mode = MODE_RW, .outbound = OUTBOUND_APPROVE, LISTED },
	    { EFFECT_SEND, { good, 2 }, false, false, { 0 }, false },
	    VERDICT_ASK, "approval" },
	{ "nobody is asked for what is refused",
	    { .mode = MODE_RW, .outbound = OUTBOUND_APPROVE, LISTED },
	    { EFFECT_SEND, { mixed, 3 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "a read-only account reads", { 0 }, { .effect = EFFECT_READ },
	    VERDICT_ALLOW, "" },
	{ "a read-only account acks", { 0 }, { .effect = EFFECT_STATE },
	    VERDICT_ALLOW, "" },
	{ "a read-only account drafts nothing", { .outbound = OUTBOUND_SEND },
	    { .effect = EFFECT_DRAFT }, VERDICT_DENY, "ro_mode" },
	{ "a draft-only account drafts",
	    { .mode = MODE_RW, .outbound = OUTBOUND_DRAFT },
	    { .effect = EFFECT_DRAFT }, VERDICT_ALLOW, "" },
	{ "an account of which nothing leaves drafts nothing",
	    { .mode = MODE_RW }, { .effect = EFFECT_DRAFT }, VERDICT_DENY,
	    "no_outbound" },
	{ "what waits for approval is drafted at once",
	    { .mode = MODE_RW, .outbound = OUTBOUND_APPROVE },
	    { EFFECT_DRAFT, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "a draft is for nobody outside the list", { SENDS, LISTED },
	    { EFFECT_DRAFT, { mixed, 3 }, false, false, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "a draft is for those on the list", { SENDS, LISTED },
	    { EFFECT_DRAFT, { good, 2 }, false, false, { 0 }, false },
	    VERDICT_ALLOW, "" },
	{ "an account that says nothing organises nothing",
	    { .mode = MODE_RW, .outbound = OUTBOUND_SEND },
	    { .effect = EFFECT_ORGANISE }, VERDICT_DENY, "organise_off" },
	{ "one that may organise does", { SENDS, .organise = ORGANISE_ON },
	    { .effect = EFFECT_ORGANISE }, VERDICT_ALLOW, "" },
	{ "no outbound level is asked for what stays",
	    { .mode = MODE_RW, .organise = ORGANISE_ON },
	    { .effect = EFFECT_ORGANISE }, VERDICT_ALLOW, "" },
	{ "whoever gets an answer may be found later", { SENDS, LISTED },
	    { .effect = EFFECT_SEND, .later = true }, VERDICT_ALLOW, "" },
	{ "and a list is asked about whom there is", { SENDS, LISTED },
	    { EFFECT_SEND, { mixed, 3 }, false, true, { 0 }, false },
	    VERDICT_DENY, "whitelist_out" },
	{ "a read-only account organises nothing", { .organise = ORGANISE_ON },
	    { .effect = EFFECT_ORGANISE }, VERDICT_DENY, "ro_mode" },
	{ "a word for organising that is none is off",
	    { SENDS, .organise = (enum organise)7 },
	    { .effect = EFFECT_ORGANISE }, VERDICT_DENY, "organise_off" },
	{ "with a list of folders it organises in these", { TIDIES },
	    { .effect = EFFECT_ORGANISE, .folders = { inside, 2 } },
	    VERDICT_ALLOW, "" },
	{ "one folder outside stops the whole", { TIDIES },
	    { .effect = EFFECT_ORGANISE, .folders = { outside, 2 } },
	    VERDICT_DENY, "organise_folders" },
	{ "a name in another case is another folder's", { TIDIES },
	    { .effect = EFFECT_ORGANISE, .folders = { other_case, 1 } },
	    VERDICT_DENY, "organise_folders" },
	{ "without a list all folders are good",
	    { .mode = MODE_RW, .organise = ORGANISE_ON },
	    { .effect = EFFECT_ORGANISE, .folders = { outside, 2 } },
	    VERDICT_ALLOW, "" },
	{ "an account under approval asks about changes",
	    { .mode = MODE_RW,
		.organise = ORGANISE_APPROVE,
		.folders = { desks, 2 } },
	    { .effect = EFFECT_ORGANISE, .folders = { inside, 2 } },
	    VERDICT_ASK, "approval" },
	{ "and not about what is refused",
	    { .mode = MODE_RW,
		.organise = ORGANISE_APPROVE,
		.folders = { desks, 2 } },
	    { .effect = EFFECT_ORGANISE, .folders = { outside, 2 } },
	    VERDICT_DENY, "organise_folders" },
	{ "nor in a read-only account", { .organise = ORGANISE_APPROVE },
	    { .effect = EFFECT_ORGANISE }, VERDICT_DENY, "ro_mode" },
	{ "a list of folders lets nobody organise",
	    { .mode = MODE_RW, .folders = { desks, 2 } },
	    { .effect = EFFECT_ORGANISE, .folders = { inside, 2 } },
	    VERDICT_DENY, "organise_off" },
	{ "and keeps nobody from reading", { TIDIES },
	    { .effect = EFFECT_READ, .folders = { outside, 2 } }, VERDICT_ALLOW,
	    "" },
	{ "a frozen agent organises nothing",
	    { SENDS, .organise = ORGANISE_ON },
	    { .effect = EFFECT_ORGANISE, .frozen = true }, VERDICT_DENY,
	    "frozen" },
	{ "who may organise still drafts and sends by the level",
	    { .mode = MODE_RW, .organise = ORGANISE_ON },
	    { EFFECT_SEND, { bob, 1 }, false, false, { 0 }, false },
	    VERDICT_DENY, "draft_only" },
	{ "forwarding is a right of its own", { SENDS },
	    { .effect = EFFECT_SEND, .to = { bob, 1 }, .forwards = true },
	    VERDICT_DENY, "forward_off" },
	{ "that may be given", { SENDS, .forward = true },
	    { .effect = EFFECT_SEND, .to = { bob, 1 }, .forwards = true },
	    VERDICT_ALLOW, "" },
	{ "to those on the list alone",
	    { SENDS, .forward = true, .out_on = true, .out = { out, 2 } },
	    { .effect = EFFECT_SEND, .to = { mixed, 3 }, .forwards = true },
	    VERDICT_DENY, "whitelist_out" },
	{ "and is no right to send",
	    { .mode = MODE_RW, .outbound = OUTBOUND_DRAFT, .forward = true },
	    { .effect = EFFECT_SEND, .to = { bob, 1 }, .forwards = true },
	    VERDICT_DENY, "draft_only" },
	{ "an effect that is none is refused", { SENDS },
	    { .effect = (enum effect)99 }, VERDICT_DENY, "ro_mode" },
};

static void
decide(void **state)
{
	const struct row *r = *state;
	struct decision d = policy_decide(&r->rules, &r->facts);

	assert_int_equal(d.verdict, r->want);
	assert_string_equal(d.why, r->why);
}

/*
 * mode x whitelist_in x whitelist_out x subject rule x recipients x sender x
 * subject: a send depends only on the first, third and fifth, the visibility of
 * a message on the others.
 */
static void
one_cell(unsigned bits)
{
	bool rw = bits & 1, in_on = bits & 2, out_on = bits & 4;
	bool has_rule = bits & 8, to_listed = bits & 16;
	bool from_listed = bits & 32, subject_fits = bits & 64;
	struct policy_rules r = {
		.mode = rw ? MODE_RW : MODE_RO,
		.outbound = OUTBOUND_SEND,
		.in_on = in_on,
		.out_on = out_on,
		.in = { out, 2 },
		.out = { out, 2 },
	};
	struct policy_facts f = { EFFECT_SEND,
		{ to_listed ? good : mixed, to_listed ? 2 : 3 }, false, false,
		{ 0 }, false };
	struct policy_mail m = { .from_fields = 1 };
	bool sends, sees;

	m.from = from_listed ? S("A@us.example") : S("a@them.example");
	m.subject = subject_fits ? S("weekly Report") : S("hello");
	if (has_rule)
		r.subject = policy_regex_open(S("report"), NULL, 0);
	sends = policy_decide(&r, &f).verdict == VERDICT_ALLOW;
	sees = policy_sees(&r, &m);
	policy_regex_close(&r.subject);

	if (sends != (rw && (!out_on || to_listed)))
		fail_msg("send, cell %u", bits);
	if (sees != ((!in_on || from_listed) && (!has_rule || subject_fits)))
		fail_msg("sees, cell %u", bits);
}

static void
matrix(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 128; bits++)
		one_cell(bits);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest t[ROWS + 1] = { 0 };

	for (size_t i = 0; i < ROWS; i++)
		t[i] = (struct CMUnitTest){ rows[i].name, decide, NULL, NULL,
			&rows[i] };
	t[ROWS] =
	    (struct CMUnitTest){ "mode, lists and subject rule are independent",
		    matrix, NULL, NULL, NULL };
	return cmocka_run_group_tests_name("policy/decide", t, NULL, NULL);
}
