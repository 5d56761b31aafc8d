/* SPDX-License-Identifier: Apache-2.0 */
/* Entries against addresses: exact, or a whole domain, without case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/policy.h"

static struct row {
	const char *why;
	struct str entry, addr;
	bool want;
} rows[] = {
	{ "an address matches itself", SI("bob@b.example"), SI("bob@b.example"),
	    true },
	{ "case does not matter in either part", SI("bob@b.example"),
	    SI("BoB@B.Example"), true },
	{ "case does not matter in the entry", SI("Bob@B.example"),
	    SI("bob@b.example"), true },
	{ "an entry is an address, not the end of one", SI("bob@b.example"),
	    SI("notbob@b.example"), false },
	{ "an entry is an address, not the beginning of one",
	    SI("bob@b.example"), SI("bob@b.example.evil.example"), false },
	{ "another local part is another address", SI("bob@b.example"),
	    SI("eve@b.example"), false },
	{ "a domain entry matches any address there", SI("@b.example"),
	    SI("anyone@b.example"), true },
	{ "a domain entry is without case", SI("@B.example"),
	    SI("anyone@b.EXAMPLE"), true },
	{ "a domain entry is no sub-domain", SI("@b.example"),
	    SI("bob@mail.b.example"), false },
	{ "a domain entry is no ending", SI("@b.example"),
	    SI("bob@notb.example"), false },
	{ "a domain entry is no beginning", SI("@b.example"),
	    SI("bob@b.example.evil"), false },
	{ "the last @ decides the domain", SI("@b.example"),
	    SI("\"x@b.example\"@evil.example"), false },
	{ "a quoted @ does not hide the domain", SI("@b.example"),
	    SI("\"x@evil.example\"@b.example"), true },
	{ "an address without a local part is none", SI("@b.example"),
	    SI("@b.example"), false },
	{ "an address without a domain is none", SI("bob@"), SI("bob@"),
	    false },
	{ "an address without @ is none", SI("bob"), SI("bob"), false },
	{ "a bare @ matches nothing", SI("@"), SI("bob@b.example"), false },
	{ "an empty entry matches nothing", { NULL, 0 }, SI("bob@b.example"),
	    false },
	{ "an empty address is matched by nothing", SI("@b.example"),
	    { NULL, 0 }, false },
	{ "nothing is a wildcard", SI("*@b.example"), SI("bob@b.example"),
	    false },
	{ "a NUL does not end an address", SI("bob@b.example"),
	    SI("bob@b.example\0.evil.example"), false },
	{ "only ASCII letters fold", SI("\xC3\x84@b.example"),
	    SI("\xC3\xA4@b.example"), false },
};

static void
match(void **state)
{
	const struct row *r = *state;

	assert_int_equal(policy_match_entry(r->entry, r->addr), r->want);
}

static void
any(void **state)
{
	struct str v[] = { SI("eve@e.example"), SI("@b.example") };
	struct strs l = { v, 2 };

	(void)state;
	assert_true(policy_match_any(&l, S("bob@b.example")));
	assert_true(policy_match_any(&l, S("eve@e.example")));
	assert_false(policy_match_any(&l, S("bob@e.example")));
}

static void
none(void **state)
{
	struct strs l = { NULL, 0 };

	(void)state;
	assert_false(policy_match_any(&l, S("bob@b.example")));
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 2] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = match;
		tests[i].initial_state = &rows[i];
	}
	tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(any);
	tests[ROWS].name = "one entry of many is enough";
	tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(none);
	tests[ROWS + 1].name = "an empty list matches nobody";
	return cmocka_run_group_tests_name("policy/match", tests, NULL, NULL);
}
