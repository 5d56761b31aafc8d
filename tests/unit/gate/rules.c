/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's text as policy: valid input, and what a store may hold. */
#include "../store/fixture.h"

#include "base/limits.h"
#include "gate/rules.h"

static const struct entry {
	const char *in;
	const char *want; /* NULL: refused */
	bool address;     /* is it also valid as an account's own address? */
} entries[] = {
	{ "boss@us.example", "boss@us.example", true },
	{ "Boss@US.Example", "boss@us.example", true },
	{ "boss@us.example.", "boss@us.example", true },
	{ "@us.example", "@us.example", false },
	{ "@US.example.", "@us.example", false },
	{ "@b\xc3\xbc"
	  "cher.example",
	    "@xn--bcher-kva.example", false },
	{ "x@b\xc3\xbc"
	  "cher.example",
	    "x@xn--bcher-kva.example", true },
	{ "", NULL, false },
	{ "@", NULL, false },
	{ "us.example", NULL, false },
	/* Legal, but never meant: whoever writes it means a whole domain. */
	{ "*@us.example", NULL, false },
	{ "@*.us.example", NULL, false },
	{ "Boss <boss@us.example>", NULL, false },
	{ "boss@us.example, eve@evil.example", NULL, false },
	{ "boss@us.example\r\nBcc: eve@evil.example", NULL, false },
	{ "boss@us.example\n", NULL, false },
	{ "@us.example\n", NULL, false },
	{ "@us.example@evil.example", NULL, false },
	{ "a b@us.example", NULL, false },
};

static void
entries_are_made_canonical_or_refused(void **state)
{
	struct fx *x = *state;
	struct str out;

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		const struct entry *t = &entries[i];
		struct str in = str_of(t->in);

		x->e = (struct err){ 0 };
		if (t->want == NULL) {
			assert_err(x, rules_entry(x->a, in, &out, &x->e),
			    ERR_USAGE);
		} else {
			assert_ok(x, rules_entry(x->a, in, &out, &x->e));
			assert_str(out, t->want);
		}
		if (t->address) {
			assert_ok(x, rules_address(x->a, in, &out, &x->e));
			assert_str(out, t->want);
		} else if (in.n == 0 || in.p[0] != '*') {
			assert_err(x, rules_address(x->a, in, &out, &x->e),
			    ERR_USAGE);
		}
	}
	assert_err(x,
	    rules_entry(x->a, (struct str){ "a@b.example\0", 12 }, &out, &x->e),
	    ERR_USAGE);
}

static void
a_regex_that_does_not_compile_is_refused(void **state)
{
	static const char *const bad[] = { "", "(", "[a", "a{2,1}", "\\C",
		"(?R", "\xff", "*" };
	struct fx *x = *state;
	char big[LIMIT_REGEX + 2];

	assert_ok(x, rules_regex(S("^\\[(plan|ticket \\d+)\\]"), &x->e));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		x->e = (struct err){ 0 };
		assert_err(x, rules_regex(str_of(bad[i]), &x->e), ERR_USAGE);
		assert_non_null(
		    strstr(x->e.say, "the subject regex is not valid: "));
	}
	memset(big, 'a', sizeof(big));
	assert_ok(x, rules_regex((struct str){ big, LIMIT_REGEX }, &x->e));
	assert_err(x, rules_regex((struct str){ big, LIMIT_REGEX + 1 }, &x->e),
	    ERR_USAGE);
}

static void
only_what_can_be_read_is_an_accounts_backend(void **state)
{
	(void)state;
	assert_true(rules_backend(S("imap")));
	assert_true(rules_backend(S("maildir")));
	assert_false(rules_backend(S("smtp")));
	assert_false(rules_backend(S("pop3")));
	assert_false(rules_backend(S("")));
	assert_false(rules_backend(S("IMAP")));
}

static struct store_account
account(int64_t id)
{
	return (struct store_account){ .id = id,
		.name = S("work"),
		.mode = MODE_RO,
		.outbound = OUTBOUND_DRAFT,
		.in_on = true };
}

static void
rules_are_those_of_the_account(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "work"), other = fx_account(x, "other");
	struct str in = S("boss@us.example"), out = S("@us.example");
	struct str not_ours = S("eve@evil.example");
	struct strs one = { &in, 1 };
	struct store_account acct = account(id);
	struct policy_rules r;

	assert_ok(x, store_list_add(x->s, id, STORE_LIST_IN, &one, &x->e));
	one.v = &out;
	assert_ok(x, store_list_add(x->s, id, STORE_LIST_OUT, &one, &x->e));
	one.v = &not_ours;
	assert_ok(x, store_list_add(x->s, other, STORE_LIST_IN, &one, &x->e));
	acct.subject_regex = S("plan");
	assert_ok(x, rules_load(x->s, x->a, &acct, &r, &x->e));
	assert_int_equal(r.mode, MODE_RO);
	assert_int_equal(r.outbound, OUTBOUND_DRAFT);
	assert_true(r.in_on);
	assert_false(r.out_on);
	assert_int_equal(r.in.n, 1);
	assert_str(r.in.v[0], "boss@us.example");
	assert_int_equal(r.out.n, 1);
	assert_str(r.out.v[0], "@us.example");
	assert_non_null(r.subject);
	rules_close(&r);
	rules_close(&r);
	assert_null(r.subject);
}

/* The compared form is this program's, not that of the row. */
static void
entries_of_another_form_are_made_canonical(void **state)
{
	struct fx *x = *state;
	struct store_account acct = account(fx_account(x, "work"));
	struct policy_rules r;

	fx_sql(x,
	    "INSERT INTO whitelist_in (account_id, address) "
	    "SELECT id, 'Boss@US.Example.' FROM accounts");
	assert_ok(x, rules_load(x->s, x->a, &acct, &r, &x->e));
	assert_int_equal(r.in.n, 1);
	assert_str(r.in.v[0], "boss@us.example");
	rules_close(&r);
}

/* Skipping an unreadable entry would open what was closed. */
static void
an_entry_that_is_none_stops_everything(void **state)
{
	struct fx *x = *state;
	struct store_account acct = account(fx_account(x, "work"));
	struct policy_rules r;

	fx_sql(x,
	    "INSERT INTO whitelist_out (account_id, address) "
	    "SELECT id, '*' FROM accounts");
	assert_err(x, rules_load(x->s, x->a, &acct, &r, &x->e), ERR_CONFIG);
	rules_close(&r);
}

static void
a_regex_gone_bad_stops_everything(void **state)
{
	struct fx *x = *state;
	struct store_account acct = account(fx_account(x, "work"));
	struct policy_rules r;

	acct.subject_regex = S("(");
	assert_err(x, rules_load(x->s, x->a, &acct, &r, &x->e), ERR_CONFIG);
	assert_null(strstr(x->e.say, "("));
	assert_non_null(strstr(x->e.detail, "subject_regex"));
	rules_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("entries are made canonical or refused",
		    entries_are_made_canonical_or_refused),
		TEST("a regex that does not compile is refused",
		    a_regex_that_does_not_compile_is_refused),
		TEST("only what can be read is an account's backend",
		    only_what_can_be_read_is_an_accounts_backend),
		TEST("rules are those of the account",
		    rules_are_those_of_the_account),
		TEST("entries of another form are made canonical",
		    entries_of_another_form_are_made_canonical),
		TEST("an entry that is none stops everything",
		    an_entry_that_is_none_stops_everything),
		TEST("a regex gone bad stops everything",
		    a_regex_gone_bad_stops_everything),
	};

	return cmocka_run_group_tests_name("gate/rules", tests, NULL, NULL);
}
