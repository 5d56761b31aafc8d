/* SPDX-License-Identifier: Apache-2.0 */
/* The resolution rule where no role is declared: one account, or none. */
#include "choose_world.h"

static const struct case_row {
	const char *why;
	struct {
		const char *backend;
		enum role role;
		bool down;
	} v[4];
	enum role_op op;
	const char *text;
} cases[] = {
	{ "nothing declared: the only one there is",
	    { { "imap", ROLE_NONE, false } }, ROLE_READ_THREAD,
	    "read_thread: imap (sole)" },
	{ "it is not tried first: there is no other",
	    { { "imap", ROLE_NONE, true } }, ROLE_READ_THREAD,
	    "read_thread: imap (sole)" },
	{ "the only one that can",
	    { { "ponymail", ROLE_NONE, false }, { "gmail", ROLE_NONE, false },
		{ "mbox", ROLE_NONE, false } },
	    ROLE_CREATE_DRAFT,
	    "create_draft: gmail (sole; ponymail unsupported; mbox "
	    "unsupported)" },
	{ "nothing declared, and several can: nothing guessed",
	    { { "ponymail", ROLE_NONE, false }, { "gmail", ROLE_NONE, false } },
	    ROLE_READ_THREAD,
	    "read_thread: none (2 accounts can serve read_thread: ponymail, "
	    "gmail)" },
	{ "nobody can",
	    { { "ponymail", ROLE_NONE, false }, { "mbox", ROLE_NONE, false } },
	    ROLE_CREATE_DRAFT,
	    "create_draft: none (no backend available for create_draft; "
	    "ponymail unsupported; mbox unsupported)" },
	{ "one role anywhere, and the rule is the contract's",
	    { { "imap", ROLE_NONE, false }, { "gmail", ROLE_OPTIONAL, false } },
	    ROLE_READ_THREAD,
	    "read_thread: none (no backend available for read_thread)" },
};

static void
worked(void **state)
{
	const struct case_row *r = *state;
	struct role_source v[4];
	struct world w = { .v = v };
	struct choose c;
	size_t n = 0;

	for (; n < 4 && r->v[n].backend != NULL; n++) {
		v[n] = source(r->v[n].backend, r->v[n].role, 0, false);
		if (r->v[n].down)
			w.down[n] = CHOOSE_AUTH_MISSING;
	}
	choose(&w, n, r->op, &c);
	rows_same(choose_record_text(a, &c), str_of(r->text));
}

/* An id of only one kind of source identifies the source. */
static void
kinds(void **state)
{
	struct role_source v[2] = {
		source("gmail", ROLE_NONE, 0, false),
		source("imap", ROLE_NONE, 0, false),
	};
	struct world w = { .v = v };
	struct choose_ask ask = ask_of(&w, 2, ROLE_READ_THREAD);
	struct err e = { 0 };
	struct choose c;

	(void)state;
	ask.kind = S("gmail-thread-id");
	choose_source(a, &ask, &c);
	rows_same(choose_record_text(a, &c),
	    S("read_thread: gmail (sole; imap other_kind)"));
	ask.kind = S("ponymail-mid");
	choose_source(a, &ask, &c);
	assert_int_equal(c.outcome, CHOOSE_SKIPPED);
	ask.kind = S("");
	choose_source(a, &ask, &c);
	assert_int_equal(c.outcome, CHOOSE_AMBIGUOUS);
	assert_int_equal(choose_refuse(&c, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_int_equal(w.asked[0] + w.asked[1], 0);
}
int
main(void)
{
	int r;

	a = arena_open(LIMIT_ARENA);
	ROWS(cases, worked);
	rows_add("an id of one kind", kinds, NULL);
	r = cmocka_run_group_tests_name("source/choose_sole", rows_tests, NULL,
	    NULL);
	arena_close(&a);
	return r;
}
