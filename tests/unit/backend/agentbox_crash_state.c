/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process killed before each of its system calls that change a message's
 * state: whoever opens the root next finds the state before it or after it.
 */
#include "agentbox_turn.h"

#include "backend/agentbox/clean.h"
#include "backend/agentbox/view.h"

static struct str changed; /* the message whose state changes */

static int
change_it(struct site *s)
{
	struct agentbox_change c = { .read = AGENTBOX_YES,
		.answered = AGENTBOX_YES,
		.box = S("archive") };
	struct strs ids = { 0 };

	if (turn % 2 == 0)
		c = (struct agentbox_change){ .read = AGENTBOX_NO,
			.answered = AGENTBOX_NO,
			.box = S("inbox") };
	str_push(s->a, &ids, changed);
	return agentbox_state_change(s->r, S(WRITER), &ids, &c, &s->e);
}

static void
open_and_change(struct site *s)
{
	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(change_it(s));
}

/* The whole state is from one change; true: it is archived. */
static bool
is_archived(struct site *s)
{
	struct agentbox_want w = { 0 };
	struct agentbox_entries got;
	const struct agentbox_entry *x;
	struct str link;

	site_ok(s,
	    agentbox_view_list(s->r, S(WRITER), &w, s->a, &got, NULL, &s->e));
	assert_int_equal(got.n, 1);
	x = got.v;
	assert_int_equal(x->read, x->archived);
	assert_int_equal(x->answered, x->archived);
	assert_string_equal(x->box.p, x->archived ? "archive" : "inbox");
	link = str_fmt(s->a, "mailboxes/" WRITER "/archive/%s.md", changed.p);
	assert_int_equal(site_has(s, link.p), x->archived);
	link = str_fmt(s->a, "mailboxes/" WRITER "/inbox/%s.md", changed.p);
	assert_int_equal(site_has(s, link.p), !x->archived);
	return x->archived;
}

static void
of_a_change_is_whole_or_not_at_all(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	bool seen[2] = { false, false }, lived = false;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	turn = 0;
	site_ok(s, send_one(s, &out));
	changed = out.id;
	for (turn = 1; !lived; turn++) {
		bool is_new = turn % 2 == 1;

		lived = survives(s, turn, open_and_change);
		site_open(s);
		is_tidy(s);
		seen[is_archived(s) == is_new] = true;
		site_ok(s, change_it(s));
		assert_int_equal(is_archived(s), is_new);
	}
	assert_true(seen[0] && seen[1]);
	assert_true(turn * SPARSE > 30);
}

#define CLEAN                                                                  \
	"SELECT (SELECT count(*) FROM messages) || ' ' ||"                     \
	" (SELECT count(*) FROM mailbox_projections)"

static void
open_and_clear(struct site *s)
{
	static const struct agentbox_clear all;
	struct agentbox_cleared out;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(agentbox_clear(s->r, &all, s->a, &out, &s->e));
}

/* What was removed does not come back: the next would adopt it as new. */
static void
of_a_removal_is_finished_or_not_begun(void **state)
{
	struct site *s = *state;
	struct agentbox_sent out;
	bool seen[2] = { false, false }, lived = false;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_register(s, AB, "HOUMAO-ab");
	for (turn = 1; !lived; turn += 2) {
		struct str is, file;

		site_open(s);
		site_ok(s, send_one(s, &out));
		file = str_fmt(s->a, "messages/%.10s/%s.md", out.created.p,
		    out.id.p);
		lived = survives(s, turn, open_and_clear);
		site_open(s);
		is_tidy(s);
		is = site_sql(s, "index.sqlite", CLEAN);
		seen[str_eq(is, S("0 0"))] = true;
		assert_int_equal(site_has(s, file.p), !str_eq(is, S("0 0")));
		assert_sql(s, "mailboxes/" WRITER "/mailbox.sqlite",
		    "SELECT count(*) FROM message_state",
		    str_first(is, 1).p[0] == '0' ? "0" : "1");
		site_ok(s,
		    agentbox_clear(s->r, &(struct agentbox_clear){ 0 }, s->a,
			&(struct agentbox_cleared){ 0 }, &s->e));
	}
	assert_true(seen[0] && seen[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_a_change_is_whole_or_not_at_all),
		SITE_TEST(of_a_removal_is_finished_or_not_begun),
	};

	return cmocka_run_group_tests_name("backend/agentbox_crash_state",
	    tests, NULL, NULL);
}
