/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process killed before some of its system calls that repair a root or import
 * one: another repair or import finishes it, no message is there twice, and
 * what was read stays read.
 */
#include "agentbox_faults.h"

#include "backend/agentbox/clean.h"
#include "backend/agentbox/port.h"
#include "backend/agentbox/repair.h"
#include "backend/agentbox/view.h"

/* They make hundreds of calls: as many of them as there is time for. */
#define REPAIR_EVERY 131
#define CLEAN_EVERY 17
#define IMPORT_EVERY 251

static const char *from; /* the other root */

/* How many messages of a mailbox are read. */
static size_t
count_read(struct site *s, const char *address)
{
	const struct agentbox_want w = { .read = AGENTBOX_YES };
	struct agentbox_entries got;

	site_ok(s,
	    agentbox_view_list(s->r, str_of(address), &w, s->a, &got, NULL,
		&s->e));
	return got.n;
}

static void
is_whole(struct site *s, size_t read)
{
	is_tidy(s);
	assert_sql(s, "index.sqlite", "SELECT count(*) FROM messages", "12");
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations WHERE status ="
	    " 'active'",
	    "4");
	assert_int_equal(count_read(s, WRITER), read);
}

static void
import_it(struct site *s)
{
	struct agentbox_ported got;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(agentbox_import(s->r, from, s->a, &got, &s->e));
}

static void
of_an_import_is_finished_by_another(void **state)
{
	struct site *s = *state;
	struct agentbox_ported got;
	char ours[96];
	bool lived = false;
	long turn, half = 0;

	memcpy(ours, s->root, sizeof(ours));
	site_unpack(s, "v0.6.6");
	from = str_c(s->a, str_of(s->root));
	memcpy(s->root, ours, sizeof(ours));
	for (turn = 1; !lived; turn++) {
		site_make(s);
		lived = survives(s, turn * IMPORT_EVERY, import_it);
		site_open(s);
		site_ok(s, agentbox_import(s->r, from, s->a, &got, &s->e));
		assert_int_equal(got.messages + got.known, 12);
		assert_int_equal(got.damaged.n, 0);
		half += got.messages > 0 && got.known > 0;
		is_whole(s, 4);
		site_close(s);
		assert_int_equal(nftw(s->root, site_remove, 16,
				     FTW_DEPTH | FTW_PHYS),
		    0);
	}
	assert_true(half * SPARSE > 1);
}

/* Is it refused, or is everybody's mailbox there? */
static bool
is_refused_or_whole(struct site *s)
{
	struct agentbox_regs l;
	size_t n = 0;

	if (agentbox_root_open(s->root, &s->use, &s->r, &s->e) < 0 ||
	    agentbox_register_list(s->r, s->a, &l, &s->e) < 0)
		return true;
	for (size_t i = 0; i < l.n; i++)
		n += l.v[i].status == AGENTBOX_ACTIVE;
	return n == 4;
}

static void
repair_it(struct site *s)
{
	struct agentbox_report got;

	must(agentbox_repair(s->root, &s->use, s->a, &got, &s->e));
}

/* What repair has to do: no index, a mailbox without state and links. */
static void
break_it(struct site *s)
{
	site_close(s);
	site_write(s, "index.sqlite", "this is no database at all, is it?");
	(void)unlink(site_path(s, "index.sqlite-journal"));
	(void)unlink(
	    site_path(s, "mailboxes/a.b+c@agents.example.test/mailbox.sqlite"));
}

static void
of_a_repair_is_finished_by_another(void **state)
{
	struct site *s = *state;
	struct agentbox_report got;
	bool lived = false;
	size_t read;
	long turn;

	site_unpack(s, "v0.6.6");
	site_open(s);
	read = count_read(s, WRITER);
	assert_true(read > 0);
	for (turn = 1; !lived; turn++) {
		break_it(s);
		lived = survives(s, turn * REPAIR_EVERY, repair_it);
		assert_true(is_refused_or_whole(s));
		site_close(s);
		s->e = (struct err){ 0 };
		site_ok(s,
		    agentbox_repair(s->root, &s->use, s->a, &got, &s->e));
		assert_int_equal(got.damaged.n, 0);
		site_open(s);
		is_whole(s, read);
	}
	assert_true(turn * SPARSE > 5);
}

/* Three mailboxes that nobody needs, and one of a quarantine. */
static void
end_some(struct site *s)
{
	struct agentbox_claim c = { .mode = AGENTBOX_STASH,
		.address = S(WRITER) };
	struct agentbox_claimed got;

	site_open(s);
	for (int i = 0; i < 2; i++) {
		c.owner = i == 0 ? S("HOUMAO-x") : S("HOUMAO-writer");
		site_ok(s, agentbox_register(s->r, &c, s->a, &got, &s->e));
	}
	site_register(s, CI, "HOUMAO-ci");
	site_ok(s, agentbox_register_end(s->r, S(CI), false, &s->e));
	site_write(s, "staging/emcli-msg-1.md", "left");
}

static void
clean_it(struct site *s)
{
	const struct agentbox_clean all = { .inactive = true, .stashed = true };
	struct agentbox_cleaned got;

	must(agentbox_root_open(s->root, &s->use, &s->r, &s->e));
	must(agentbox_clean(s->r, &all, s->a, &got, &s->e));
}

static void
of_a_cleanup_leaves_no_half_mailbox(void **state)
{
	const struct agentbox_clean all = { .inactive = true, .stashed = true };
	struct site *s = *state;
	struct agentbox_cleaned got;
	bool lived = false;
	long turn;

	site_make(s);
	for (turn = 1; !lived; turn++) {
		end_some(s);
		lived = survives(s, turn * CLEAN_EVERY, clean_it);
		site_open(s);
		is_tidy(s);
		/* A row that is left has its folder, for another cleanup. */
		site_ok(s, agentbox_clean(s->r, &all, s->a, &got, &s->e));
		assert_true(!lived || got.mailboxes.n == 0);
		assert_sql(s, "index.sqlite",
		    "SELECT group_concat(address) FROM (SELECT address FROM"
		    " mailbox_registrations ORDER BY address)",
		    AGENTBOX_OPERATOR "," WRITER);
		assert_true(site_has(s, "mailboxes/" WRITER "/inbox"));
		assert_false(site_has(s, "mailboxes/" CI));
	}
	assert_true(turn * SPARSE > 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(of_an_import_is_finished_by_another),
		SITE_TEST(of_a_repair_is_finished_by_another),
		SITE_TEST(of_a_cleanup_leaves_no_half_mailbox),
	};

	return cmocka_run_group_tests_name("backend/agentbox_crash_port", tests,
	    NULL, NULL);
}
