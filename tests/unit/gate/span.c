/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of all accounts: whose mail it finds, what it says of an account that
 * does not answer, and what the record has of each.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/span.h"
#include "store/freeze.h"

#define ALL "all_accounts", ""

static const struct gate_caller place = { .principal = SI("a"),
	.conversation = SI("c"),
	.turn = SI("1"),
	.grants = true };

/* Uids 1 and 2 are in INBOX, 3 in Sent; 2 is a stranger's. */
static void
mail(void)
{
	fake_add(BOSS)->received_s = 100;
	fake_add(SPAM)->received_s = 200;
	fake_add(BOSS)->received_s = 300;
	fake.mail[2].folder = "Sent";
}

static void
add(struct house *h, const char *name, bool hides)
{
	struct store_account acct = house_account(name, "imap");

	acct.in_on = hides;
	acct.process_backlog = true;
	house_add(h, &acct);
}

/* "work" hides strangers' mail, "home" does not. */
static void
two(struct house *h)
{
	mail();
	add(h, "home", false);
}

static void
home_is_set_wrong(struct house *h)
{
	two(h);
	house_sql(h,
	    "UPDATE accounts SET backend = 'smtp' WHERE name = 'home'");
}

static void
frozen(struct house *h, const char *agent, const char *account)
{
	const struct store_freeze f = { .agent = str_of(agent),
		.account = str_of(account) };
	const struct store_keys keys = { h->env.admin_key, h->env.agent_key };
	struct err e = { 0 };

	two(h);
	if (store_freeze_put(h->db, &keys, &f, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
}

static void
account_is_frozen(struct house *h)
{
	frozen(h, "", "work");
}

static void
agent_is_frozen(struct house *h)
{
	frozen(h, "agent", "");
}

static void
only_home(struct house *h)
{
	static const struct str home = SI("home");
	static const struct strs only = { (struct str *)&home, 1 };

	two(h);
	house_caller(h, (struct gate_caller){ .accounts = &only });
}

static void
only_another_op(struct house *h)
{
	static const struct str list = SI("list");
	static const struct strs only = { (struct str *)&list, 1 };

	two(h);
	house_caller(h, (struct gate_caller){ .ops = &only });
}

static void
load(struct house *h)
{
	struct reply r;

	house_caller(h, place);
	r = house_call(h, "load_skill", "skill", "mail-read", NULL);
	if (r.err.kind != ERR_NONE)
		fail_msg("%s", r.err.say);
}

static void
granted(struct house *h)
{
	two(h);
	load(h);
}

/* The grant is of the accounts that there were. */
static void
one_came_after_the_grant(struct house *h)
{
	mail();
	load(h);
	add(h, "home", false);
}

static void
not_granted(struct house *h)
{
	two(h);
	house_caller(h, place);
}

static void
one_use_left(struct house *h)
{
	granted(h);
	house_sql(h, "UPDATE skill_grant SET uses_left = 1");
}

static void
down(struct house *h, const char *account, enum fake_verb v, enum err_kind kind)
{
	two(h);
	fake.down = account;
	fake.fault[v].kind = kind;
}

static void
work_is_down(struct house *h)
{
	down(h, "work", FAKE_OPEN, ERR_NETWORK);
}

static void
home_refuses_the_login(struct house *h)
{
	down(h, "home", FAKE_OPEN, ERR_AUTH);
}

/* After one of its folders was read. */
static void
work_breaks_off(struct house *h)
{
	down(h, "work", FAKE_FIND, ERR_NETWORK);
	fake.fault[FAKE_FIND].after = 1;
}

static void
all_are_down(struct house *h)
{
	down(h, NULL, FAKE_OPEN, ERR_NETWORK);
}

static void
ambiguous(struct house *h)
{
	two(h);
	fake.mail[0].ambiguous = true;
}

static void
one_keeps_no_flags(struct house *h)
{
	struct store_account acct = house_account("old", "mbox");

	mail();
	fake.mail[0].flags = FLAG_FLAGGED;
	acct.process_backlog = true;
	house_add(h, &acct);
}

#define HIDES                                                                  \
	{                                                                      \
		.in_on = true, .backlog = true                                 \
	}

static const struct house_row rows[] = {
	{ "the inbox of each, by each account's own rules", HIDES, two,
	    "search", { ALL }, .want = "ok", .uids = "2 1 1",
	    .says = "\"account\":\"home\",\"folder\":\"INBOX\"" },
	{ "all folders of each", HIDES, two, "search",
	    { ALL, "all_folders", "" }, .want = "ok", .uids = "3 3 2 1 1" },
	{ "a folder of each", HIDES, two, "search", { ALL, "folder", "Sent" },
	    .want = "ok", .uids = "3 3" },
	{ "a folder that none has", HIDES, two, "search",
	    { ALL, "folder", "None" }, .want = "ok", .uids = "" },
	{ "a criterion for each", HIDES, two, "search",
	    { ALL, "from", "them.example" }, .want = "ok", .uids = "2" },
	{ "of the only account", HIDES, NULL, "search", { ALL }, .want = "ok",
	    .uids = "" },
	{ "of none", { .nobody = true }, NULL, "search", { ALL },
	    .want = "config", .says = "emcli account add" },
	{ "of all, and one is named", HIDES, two, "search",
	    { ALL, "account", "work" }, .want = "usage" },
	{ "a uid is of one folder", HIDES, two, "search",
	    { ALL, "before_uid", "3" }, .want = "usage" },
	{ "Trash goes with all folders", HIDES, two, "search",
	    { ALL, "trash_too", "" }, .want = "usage" },

	{ "an account whose settings are wrong", HIDES, home_is_set_wrong,
	    "search", { ALL }, .want = "ok", .uids = "1",
	    .says = "\"account\":\"home\",\"code\":\"config\"" },
	{ "an account that is frozen", HIDES, account_is_frozen, "search",
	    { ALL }, .want = "ok", .uids = "2 1" },
	{ "an agent that is frozen", HIDES, agent_is_frozen, "search", { ALL },
	    .want = "frozen" },
	{ "an agent of one account", HIDES, only_home, "search", { ALL },
	    .want = "ok", .uids = "2 1" },
	{ "an agent that may not search", HIDES, only_another_op, "search",
	    { ALL }, .want = "op_not_permitted", .audit = "op_not_permitted" },

	{ "a grant of both", HIDES, granted, "search", { ALL }, .want = "ok",
	    .uids = "2 1 1" },
	{ "a grant of one", HIDES, one_came_after_the_grant, "search", { ALL },
	    .want = "ok", .uids = "1" },
	{ "no grant", HIDES, not_granted, "search", { ALL },
	    .want = "skill_not_active", .says = "\"fix\":{\"tool\"" },
	{ "a grant that is spent before the last account", HIDES, one_use_left,
	    "search", { ALL }, .want = "skill_expired",
	    .says = "\"fix\":{\"tool\"" },

	{ "an account that is down", HIDES, work_is_down, "search", { ALL },
	    .want = "ok", .uids = "2 1",
	    .says = "\"not_searched\":[{\"account\":\"work\",\"code\":"
		    "\"network\",\"message\":\"the store is out of order\","
		    "\"next\":\"try again later; emcli doctor tells which "
		    "step fails\"}]" },
	{ "and the warning about it", HIDES, work_is_down, "search", { ALL },
	    .want = "ok", .says = "\"warning_counts\":{\"not_searched\":1" },
	{ "the last of them is down", HIDES, home_refuses_the_login, "search",
	    { ALL }, .want = "ok", .uids = "1",
	    .says = "\"account\":\"home\",\"code\":\"auth\"" },
	{ "one that breaks off adds nothing", HIDES, work_breaks_off, "search",
	    { ALL, "all_folders", "" }, .want = "ok", .uids = "3 2 1",
	    .says = "\"account\":\"work\",\"code\":\"network\"" },
	{ "one that cannot answer such a question", HIDES, one_keeps_no_flags,
	    "search", { ALL, "flagged", "" }, .want = "ok", .uids = "1",
	    .says = "\"account\":\"old\",\"code\":\"unsupported\"" },
	{ "all of them are down", HIDES, all_are_down, "search", { ALL },
	    .want = "network", .audit = "" },
	{ "warnings of each", HIDES, ambiguous, "search", { ALL }, .want = "ok",
	    .says = "\"mbox_ambiguous\":2" },
};

/* An account that may not be used is not named. */
static void
no_word_of_it(void **state)
{
	void (*const arrange[])(struct house * h) = { account_is_frozen,
		one_came_after_the_grant, only_home };
	static const char *const name[] = { "work", "home", "work" };

	(void)state;
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		struct house h;
		struct str text;

		fake_reset();
		house_open(&h, (struct terms)HIDES);
		arrange[i](&h);
		text =
		    str_of(house_text(&h, house_call(&h, "search", ALL, NULL)));
		if (str_find(text, str_of(name[i])) >= 0)
			fail_msg("%s: %.*s", name[i], STR_ARG(text));
		assert_true(str_find(text, S("not_searched")) < 0);
		house_close(&h);
	}
}

/* -- the record ------------------------------------------------------------ */

static const struct trail_row {
	const char *why;
	void (*arrange)(struct house *h);
	const char *want; /* account, result, reason, outcome; oldest first */
} trails[] = {
	{ "a row of the call, and one of each account", two,
	    "- allowed - ok; home allowed - ok; work allowed - ok" },
	{ "one that is down", work_is_down,
	    "- allowed - ok; home allowed - ok; work allowed - network" },
	{ "one that may not be used", account_is_frozen,
	    "- allowed - ok; home allowed - ok; work blocked frozen policy" },
	{ "none that may", agent_is_frozen,
	    "- blocked frozen policy; home blocked frozen policy; work blocked "
	    "frozen policy" },
};

static const char *
or_none(struct house *h, struct str s)
{
	return s.n > 0 ? str_c(h->a, s) : "-";
}

static void
trail_row(void **state)
{
	const struct trail_row *t = *state;
	const struct store_audit_query newest = { .action = S("search"),
		.limit = 10 };
	struct store_audit *v;
	struct err e = { 0 };
	const char *all = "";
	struct house h;
	size_t n;

	fake_reset();
	house_open(&h, (struct terms)HIDES);
	t->arrange(&h);
	(void)house_call(&h, "search", ALL, NULL);
	if (store_audit_list(h.store, h.a, &newest, &v, &n, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	while (n-- > 0)
		all = str_fmt(h.a, "%s%s%s %s %s %s", all, all[0] ? "; " : "",
		    or_none(&h, v[n].account), or_none(&h, v[n].result),
		    or_none(&h, v[n].reason), or_none(&h, v[n].outcome))
			  .p;
	rows_same(str_of(all), str_of(t->want));
	house_close(&h);
}

/* A call of two accounts takes what two calls take. */
static void
each_is_a_use(void **state)
{
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms)HIDES);
	granted(&h);
	house_sql(&h, "UPDATE skill_grant SET uses_left = 2");
	assert_string_equal(house_word(house_call(&h, "search", ALL, NULL)),
	    "ok");
	assert_string_equal(house_word(house_call(&h, "list", WORK, NULL)),
	    "skill_expired");
	house_close(&h);
}

/* -- the time -------------------------------------------------------------- */

static void
each_has_its_share(void **state)
{
	struct source src[4] = { 0 };
	struct mailbox m[4] = { 0 };
	struct span_box v[4] = { 0 };
	struct span s = { .v = v, .n = 4 };

	(void)state;
	s.until_ms = clock_mono_ms() + 4000000;
	for (size_t i = 0; i < 4; i++) {
		int64_t from = clock_mono_ms(), to, left = (int64_t)(4 - i);
		int64_t got;

		m[i].src = &src[i];
		v[i].mailbox = &m[i];
		span_begin(&s, i);
		to = clock_mono_ms();
		got = src[i].view.deadline_ms;
		assert_true(got >= from + (s.until_ms - from) / left - 1);
		assert_true(got <= to + (s.until_ms - to) / left + 1);
		/* It was quick, so those after it have as much and more. */
		assert_true(i == 0 || got > src[i - 1].view.deadline_ms);
	}
	assert_true(src[3].view.deadline_ms == s.until_ms);
}

/* -- the cursor ------------------------------------------------------------ */

static struct str
next_of(struct house *h, struct reply r)
{
	struct str text = str_of(house_text(h, r)), cursor, rest;
	struct str mark = S("\"next_cursor\":\"");
	ptrdiff_t at = str_find(text, mark);

	if (at < 0)
		return S("");
	(void)str_cut(str_from(text, (size_t)at + mark.n), '"', &cursor, &rest);
	return cursor;
}

/* One cursor over both; while one is down its place is kept. */
static void
pages_go_on(void **state)
{
	struct str cursor = S(""), told = S("");
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms)HIDES);
	two(&h);
	for (int i = 0; i < 9; i++) {
		struct reply r;

		fake.down = "work";
		fake.fault[FAKE_OPEN].kind = i == 3 ? ERR_NETWORK : ERR_NONE;
		r = cursor.n == 0
		    ? house_call(&h, "search", ALL, "limit", "1", "all_folders",
			  "", NULL)
		    : house_call(&h, "search", ALL, "limit", "1", "all_folders",
			  "", "cursor", str_c(h.a, cursor), NULL);
		told =
		    str_fmt(h.a, "%.*s%s ", STR_ARG(told), house_uids(&h, r));
		cursor = next_of(&h, r);
		if (cursor.n == 0)
			break;
	}
	rows_same(str_trim(told), S("3 3 2 1 1"));
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	ROWS(trails, trail_row);
	rows_add("no word of an account that may not be used", no_word_of_it,
	    NULL);
	rows_add("each account is a use of the grant", each_is_a_use, NULL);
	rows_add("each account has its share of the time", each_has_its_share,
	    NULL);
	rows_add("pages go on while one is down", pages_go_on, NULL);
	return cmocka_run_group_tests_name("gate/span", rows_tests, NULL, NULL);
}
