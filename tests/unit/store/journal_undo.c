/* SPDX-License-Identifier: Apache-2.0 */
/* Undos of undos: which messages of which change stand, and by what name. */
#include "../rows.h"
#include "fixture.h"
#include "store/journal.h"

#include "store/store.h"

enum {
	CHANGES = 5
};

/* A change of messages with the new uids 101, 102 ... in change 1, 201 ... */
struct step {
	int64_t undoes;
	const char *origin; /* places in the change that it takes back */
	const char *done;   /* "1" or "0" for each */
};

static const struct undos_row {
	const char *why;
	struct step step[CHANGES];
	/* Of each change: its state, and of each message its new uid: in
	 * brackets if it is undone, "-" if it was not changed. */
	const char *want;
} rows[] = {
	{ "a change stands", { { 0, "012", "111" } }, "done 101 102 103" },
	{ "one that was taken back does not",
	    { { 0, "012", "111" }, { 1, "012", "111" } },
	    "undone (101) (102) (103); done 201 202 203" },
	{ "its undo undone it stands again, by its new names",
	    { { 0, "012", "111" }, { 1, "012", "111" }, { 2, "012", "111" } },
	    "done 301 302 303; undone (201) (202) (203); done 301 302 303" },
	{ "and does not with that undone too",
	    { { 0, "012", "111" }, { 1, "012", "111" }, { 2, "012", "111" },
		{ 3, "012", "111" } },
	    "undone (301) (302) (303); done 401 402 403; "
	    "undone (301) (302) (303); done 401 402 403" },
	{ "nor with the change itself taken back once more",
	    { { 0, "01", "11" }, { 1, "01", "11" }, { 2, "01", "11" },
		{ 1, "01", "11" } },
	    "undone (301) (302); undone (201) (202); done 301 302; "
	    "done 401 402" },
	{ "four deep it stands",
	    { { 0, "0", "1" }, { 1, "0", "1" }, { 2, "0", "1" },
		{ 3, "0", "1" }, { 4, "0", "1" } },
	    "done 501; undone (401); done 501; undone (401); done 501" },
	{ "what was left of it stands",
	    { { 0, "012", "111" }, { 1, "0", "1" } },
	    "done (101) 102 103; done 201" },
	{ "until the rest is taken back",
	    { { 0, "012", "111" }, { 1, "0", "1" }, { 1, "12", "11" } },
	    "undone (101) (102) (103); done 201; done 301 302" },
	{ "one of two undos is undone, by its own places",
	    { { 0, "012", "111" }, { 1, "0", "1" }, { 1, "12", "11" },
		{ 3, "1", "1" } },
	    "done (101) (102) 401; done 201; done 301 (302); done 401" },
	{ "what an undo did not do is in effect",
	    { { 0, "012", "111" }, { 1, "012", "101" } },
	    "done (101) 102 (103); partly 201 - 203" },
	{ "and nothing of it if it failed",
	    { { 0, "01", "11" }, { 1, "01", "00" } },
	    "done 101 102; failed - -" },
	{ "what the change did not do is not missing",
	    { { 0, "012", "110" }, { 1, "01", "11" } },
	    "undone (101) (102) -; done 201 202" },
	{ "and it is in effect in part, as before",
	    { { 0, "012", "110" }, { 1, "01", "11" }, { 2, "01", "11" } },
	    "partly 301 302 -; undone (201) (202); done 301 302" },
	{ "half of an undo undone, half of the change in effect",
	    { { 0, "01", "11" }, { 1, "01", "11" }, { 2, "01", "01" } },
	    "done (101) 302; done 201 (202); partly - 302" },
};

static enum store_journal_state
state_for(size_t done, size_t n)
{
	return done == n ? STORE_JOURNAL_DONE
	    : done > 0   ? STORE_JOURNAL_PARTLY
			 : STORE_JOURNAL_FAILED;
}

static struct store_journal
row_of(struct fx *x, int64_t account, const struct step *s)
{
	struct store_journal r = { .account = account,
		.principal = S("agent"),
		.move = true,
		.folder = s->undoes % 2 == 0 ? S("INBOX") : S("Old"),
		.target = s->undoes % 2 == 0 ? S("Old") : S("INBOX"),
		.undoes = s->undoes,
		.n = strlen(s->origin) };

	r.v = arena_array(x->a, r.n, sizeof(*r.v));
	for (size_t i = 0; i < r.n; i++) {
		r.v[i].uid = (uint32_t)i + 1;
		r.v[i].origin = (uint32_t)(s->origin[i] - '0');
	}
	return r;
}

static void
make(struct fx *x, int64_t account, const struct step *s)
{
	struct store_journal r = row_of(x, account, s);
	size_t done = 0;

	assert_ok(x, store_journal_begin(x->s, &r, 0, &x->e));
	for (size_t i = 0; i < r.n; i++) {
		r.v[i].done = s->done[i] == '1';
		done += r.v[i].done;
		if (r.v[i].done)
			r.v[i].new_uid =
			    (uint32_t)(r.id * 100 + (int64_t)i) + 1;
	}
	assert_ok(x,
	    store_journal_settle(x->s, &r, state_for(done, r.n), &x->e));
}

static struct str
told(struct fx *x)
{
	struct str out = S("");

	for (int64_t id = 1; id <= CHANGES; id++) {
		struct store_journal r;

		if (store_journal_get(x->s, x->a, id, &r, &x->e) < 0)
			break;
		out = str_fmt(x->a, "%.*s%s%s", STR_ARG(out),
		    id > 1 ? "; " : "", store_journal_word(r.state));
		for (size_t i = 0; i < r.n; i++)
			out = !r.v[i].done
			    ? str_fmt(x->a, "%.*s -", STR_ARG(out))
			    : str_fmt(x->a,
				  r.v[i].undone ? "%.*s (%u)" : "%.*s %u",
				  STR_ARG(out), (unsigned)r.v[i].new_uid);
	}
	return out;
}

static void
chain(void **state)
{
	const struct undos_row *row = *state;
	void *fixture = NULL;
	struct fx *x;
	int64_t account;

	assert_int_equal(fx_setup(&fixture), 0);
	x = fixture;
	account = fx_account(x, "work");
	for (size_t i = 0; i < CHANGES && row->step[i].origin != NULL; i++)
		make(x, account, &row->step[i]);
	rows_same(told(x), str_of(row->want));
	assert_int_equal(fx_teardown(&fixture), 0);
}

/* -- two at once ----------------------------------------------------------- */

static struct store_journal
begun(struct fx *x, int64_t account, int64_t undoes, const char *origin,
    enum err_kind want)
{
	const struct step s = { undoes, origin, "" };
	struct store_journal r = row_of(x, account, &s);

	(void)store_journal_begin(x->s, &r, 0, &x->e);
	assert_int_equal(x->e.kind, want);
	x->e = (struct err){ 0 };
	return r;
}

static void
one_undo_at_a_time(void **state)
{
	const struct step first = { 0, "012", "111" };
	const struct step second = { 1, "0", "1" };
	void *fixture = NULL;
	struct store_journal r;
	struct fx *x;
	int64_t account;

	(void)state;
	assert_int_equal(fx_setup(&fixture), 0);
	x = fixture;
	account = fx_account(x, "work");
	make(x, account, &first);
	/* While one is begun there is no other, also of other messages. */
	r = begun(x, account, 1, "0", ERR_NONE);
	(void)begun(x, account, 1, "12", ERR_LIMIT);
	assert_ok(x,
	    store_journal_settle(x->s, &r, STORE_JOURNAL_FAILED, &x->e));
	make(x, account, &second);
	/* What was looked at before another was quicker. */
	(void)begun(x, account, 1, "01", ERR_LIMIT);
	(void)begun(x, account, 1, "12", ERR_NONE);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM journal"), 4);
	assert_int_equal(fx_teardown(&fixture), 0);
}

int
main(void)
{
	ROWS(rows, chain);
	rows_add("one undo at a time", one_undo_at_a_time, NULL);
	return cmocka_run_group_tests_name("store/journal_undo", rows_tests,
	    NULL, NULL);
}
