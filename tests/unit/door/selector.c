/* SPDX-License-Identifier: Apache-2.0 */
/* The mailbox that a model means, and the error if that is unclear. */
#include "../rows.h"

#include "door/selector.h"

static struct boxes_row two[] = {
	{ SI("work"), SI("a@x.example"), SI("a@x.example"), SI("a@x.example"),
	    true, true },
	{ SI("home"), SI("b@y.example"), SI("bob"), SI("b@y.example"), true,
	    false },
};
/* One mailbox twice, under two names that differ only in case. */
static struct boxes_row same[] = {
	{ SI("Work"), SI("a@x.example"), SI("ann"), SI("a@x.example"), true,
	    false },
	{ SI("work"), SI("A@X.example"), SI("ann"), SI("a@x.example"), true,
	    false },
	{ SI("third"), SI("c@z.example"), SI(""), SI(""), true, false },
};
static struct boxes_row bare[] = {
	{ SI("archive"), SI(""), SI(""), SI(""), true, false },
	{ SI("work"), SI("a@x.example"), SI(""), SI("a@x.example"), true,
	    false },
};

/* Those who send as the team, with and without the team's own mailbox. */
static struct boxes_row shared[] = {
	{ SI("ann"), SI("ann@x.example"), SI("ann@x.example"),
	    SI("team@x.example"), true, true },
	{ SI("team"), SI("team@x.example"), SI("team@x.example"),
	    SI("team@x.example"), true, true },
};
static struct boxes_row others[] = {
	{ SI("ann"), SI("ann@x.example"), SI("ann@x.example"),
	    SI("team@x.example"), true, true },
	{ SI("bob"), SI("bob@x.example"), SI("bob@x.example"),
	    SI("team@x.example"), true, true },
};

#define UNKNOWN(v, all)                                                        \
	"Unknown mailbox '" v "'. Available mailbox values: " all "."
#define ADDRESSES "a@x.example, b@y.example"

static const struct row {
	const char *why;
	struct boxes_row *box;
	size_t n;
	bool by_label, always;
	const char *labels, *value;
	const char *found, *say; /* the account's name, or the error */
} rows[] = {
	{ "one: no choice", two, 1, false, false, "", "", "work", "" },
	{ "one, chosen all the same", two, 1, false, true, "a@x.example",
	    "a@x.example", "work", "" },
	{ "one, left out", two, 1, false, true, "a@x.example", "", "work", "" },
	{ "one, misspelt", two, 1, false, true, "a@x.example", "q", NULL,
	    UNKNOWN("q", "a@x.example") },
	{ "by address", two, 2, false, false, ADDRESSES, "b@y.example", "home",
	    "" },
	{ "in any case", two, 2, false, false, ADDRESSES, " B@Y.EXAMPLE ",
	    "home", "" },
	{ "by what it logs in with", two, 2, false, false, ADDRESSES, "bob",
	    "home", "" },
	{ "an alias is none", two, 2, false, false, ADDRESSES, "home", NULL,
	    UNKNOWN("home", ADDRESSES) },
	{ "nobody", two, 2, false, false, ADDRESSES, "x", NULL,
	    UNKNOWN("x", ADDRESSES) },
	{ "nothing", two, 2, false, false, ADDRESSES, " ", NULL,
	    UNKNOWN("<empty>", ADDRESSES) },
	{ "an address that two have", same, 3, false, false,
	    "a@x.example, c@z.example", "a@x.example", NULL,
	    "Ambiguous mailbox 'a@x.example'. Use one of these email "
	    "addresses: a@x.example, c@z.example." },
	{ "an address that another sends as", shared, 2, false, false,
	    "ann@x.example, team@x.example", "Team@X.example", "team", "" },
	{ "two send as it, and neither is called so", others, 2, false, false,
	    "ann@x.example, bob@x.example", "team@x.example", NULL,
	    "Ambiguous mailbox 'team@x.example'. Use one of these email "
	    "addresses: ann@x.example, bob@x.example." },
	{ "labels are told apart", same, 3, true, false, "Work, work #2, third",
	    "Work #2", "work", "" },
	{ "by label, an address is none", two, 2, true, false, "work, home",
	    "a@x.example", NULL, UNKNOWN("a@x.example", "work, home") },
	{ "without an address, its name", bare, 2, false, false,
	    "archive, a@x.example", "archive", "archive", "" },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	const struct boxes_row *got;
	struct str say = { 0 };
	struct selector s;
	struct buf b;

	selector_init(&s, a, r->box, r->n, r->by_label, r->always);
	buf_init(&b, a, 1000);
	for (size_t i = 0; i < s.shown.labels.n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? ", " : "",
		    STR_ARG(s.shown.labels.v[i]));
	rows_same(buf_view(&b), str_of(r->labels));
	got = selector_find(&s, a, str_of(r->value), &say);
	rows_same(got != NULL ? got->name : S(""), str_of(r->found));
	rows_same(say, str_of(r->say));
}

static void
prefixes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct selector s;

	(void)state;
	selector_init(&s, a, two, 1, false, false);
	rows_same(selector_prefix(&s, a),
	    S("[Mailbox: work; account: a@x.example] "));
	selector_init(&s, a, bare, 1, false, false);
	rows_same(selector_prefix(&s, a), S("[Mailbox: archive] "));
	selector_init(&s, a, two, 2, false, false);
	rows_same(selector_prefix(&s, a),
	    S("[Multi-mailbox email, select a mailbox email address.] "));
	selector_init(&s, a, two, 2, true, false);
	rows_same(selector_prefix(&s, a),
	    S("[Multi-mailbox email, select a mailbox alias.] "));
	rows_same(s.shown.help,
	    S("Mailbox alias to use. Available aliases: work, home."));
}

static void
maps(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct selector s;

	(void)state;
	selector_init(&s, a, two, 1, false, true);
	rows_same(selector_map(&s, a), S(""));
	selector_init(&s, a, two, 2, false, false);
	rows_same(selector_map(&s, a),
	    S("Email mailbox map: a@x.example (sending: enabled, label: work); "
	      "b@y.example (sending: disabled, label: home)."));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("what a tool's description begins with", prefixes, NULL);
	rows_add("what a model is told of all of them", maps, NULL);
	return cmocka_run_group_tests_name("selector", rows_tests, NULL, NULL);
}
