/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process killed before each third of its system calls that make a mailbox
 * root, register in it or remove a registration: whoever opens the root next
 * finishes that, and no mailbox is lost.
 */
#include "agentbox_faults.h"

#include <ftw.h>

/* Each third call, because each call takes three times as long. */
#define THIRD 3

/* Of the loop: names the owner. */
static long turn;

static void
make_it(struct site *s)
{
	must(agentbox_root_make(s->root, &s->use, &s->r, &s->e));
}

static void
of_a_root_is_finished_by_the_next(void **state)
{
	struct site *s = *state;
	bool lived = false;

	for (turn = 1; !lived; turn++) {
		lived = survives(s, turn * THIRD, make_it);
		site_make(s);
		is_tidy(s);
		assert_sql(s, "index.sqlite",
		    "SELECT count(*) || status FROM mailbox_registrations",
		    "1active");
		assert_true(site_has(s, "rules/README.md"));
		site_close(s);
		assert_int_equal(nftw(s->root, site_remove, 16,
				     FTW_DEPTH | FTW_PHYS),
		    0);
	}
	assert_true(turn * SPARSE > 10);
}

static enum agentbox_mode mode;

static int
take_over(struct site *s)
{
	struct agentbox_claim c = { .mode = mode,
		.address = S(WRITER),
		.owner = str_fmt(s->a, "HOUMAO-%ld", turn) };
	struct agentbox_claimed got;

	return agentbox_register(s->r, &c, s->a, &got, &s->e);
}

static void
open_and_take_over(struct site *s)
{
	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(take_over(s));
}

static void
is_one_mailbox(struct site *s)
{
	struct agentbox_reg reg;
	int fd;

	is_tidy(s);
	assert_int_equal(agentbox_register_find(s->r, S(WRITER), s->a, &reg,
			     &s->e),
	    1);
	fd = agentbox_box_open(s->r, &reg, &s->e);
	if (fd < 0)
		fail_msg("turn %ld: %s", turn, s->e.detail);
	(void)close(fd);
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations WHERE status ="
	    " 'active' AND address = '" WRITER "'",
	    "1");
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations WHERE status ="
	    " 'stashed'",
	    str_fmt(s->a, "%ld", mode == AGENTBOX_STASH ? turn : 0).p);
}

static void
takes_over(struct site *s)
{
	bool lived = false;

	site_make(s);
	turn = 0;
	site_ok(s, take_over(s));
	for (turn = 1; !lived; turn++) {
		lived = survives(s, turn * THIRD, open_and_take_over);
		site_open(s);
		site_ok(s, take_over(s));
		is_one_mailbox(s);
	}
	assert_true(turn * SPARSE > 10);
}

static void
of_a_registration_leaves_one_mailbox(void **state)
{
	mode = AGENTBOX_FORCE;
	takes_over(*state);
}

static void
of_a_stash_keeps_every_mailbox(void **state)
{
	mode = AGENTBOX_STASH;
	takes_over(*state);
}

static void
open_and_purge(struct site *s)
{
	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(agentbox_register_end(s->r, S(WRITER), true, &s->e));
}

static void
of_a_purge_is_finished_or_not_begun(void **state)
{
	struct site *s = *state;
	bool lived = false;

	site_make(s);
	for (turn = 1; !lived; turn++) {
		struct agentbox_reg reg;
		int got;

		mode = AGENTBOX_SAFE;
		site_register(s, WRITER, "HOUMAO-writer");
		lived = survives(s, turn * THIRD, open_and_purge);
		site_open(s);
		is_tidy(s);
		got =
		    agentbox_register_find(s->r, S(WRITER), s->a, &reg, &s->e);
		assert_int_equal(site_has(s, "mailboxes/" WRITER), got);
		assert_true(!lived || got == 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_a_root_is_finished_by_the_next),
		SITE_TEST(of_a_registration_leaves_one_mailbox),
		SITE_TEST(of_a_stash_keeps_every_mailbox),
		SITE_TEST(of_a_purge_is_finished_or_not_begun),
	};

	return cmocka_run_group_tests_name("backend/agentbox_crash_reg", tests,
	    NULL, NULL);
}
