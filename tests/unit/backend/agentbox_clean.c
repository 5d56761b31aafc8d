/* SPDX-License-Identifier: Apache-2.0 */
/* What a root holds, looked at without a change; and what goes on command. */
#include "agentbox_site.h"

#include "backend/agentbox/clean.h"
#include "backend/agentbox/db.h"

static struct agentbox_look
look(struct site *s)
{
	struct agentbox_look got;

	site_close(s);
	site_ok(s, agentbox_look(s->root, &s->use, s->a, &got, &s->e));
	return got;
}

static struct agentbox_cleaned
clean(struct site *s, bool inactive, bool stashed, bool look_only)
{
	const struct agentbox_clean want = { .inactive = inactive,
		.stashed = stashed,
		.look_only = look_only };
	struct agentbox_cleaned got;

	site_open(s);
	site_ok(s, agentbox_clean(s->r, &want, s->a, &got, &s->e));
	return got;
}

static void
is_counted_and_stays(void **state)
{
	static const char lock[] = "pid=4194303 acquired_at_utc="
				   "2026-04-08T10:11:12.123456+00:00\n";
	struct site *s = *state;
	struct agentbox_look got;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	site_ok(s, agentbox_register_end(s->r, S(CI), false, &s->e));
	site_write(s, "locks/index.lock", lock);
	site_write(s, "staging/emcli-msg-1.md", "left");
	(void)site_sql(s, "emcli.sqlite",
	    "INSERT INTO journal (kind, plan) VALUES ('register', '{}')");
	got = look(s);
	assert_int_equal(got.protocol, 1);
	assert_int_equal(got.active, 2);
	assert_int_equal(got.inactive, 1);
	assert_int_equal(got.unfinished, 1);
	assert_int_equal(got.staged, 1);
	assert_int_equal(got.quarantined, 0);
	assert_int_equal(got.locks.n, 1);
	assert_string_equal(got.locks.v[0].p, "locks/index.lock");
	assert_int_equal(got.report.damaged.n, 0);
	assert_true(site_has(s, "locks/index.lock"));
	assert_true(site_has(s, "staging/emcli-msg-1.md"));
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM journal", "1");
}

static void
of_protocol_3_is_counted_and_not_touched(void **state)
{
	struct site *s = *state;
	struct agentbox_look got;

	site_unpack(s, "v2.1.0");
	got = look(s);
	assert_int_equal(got.protocol, 3);
	assert_int_equal(got.active, 4);
	assert_int_equal(got.messages, 12);
	assert_false(site_has(s, "emcli.sqlite"));
}

#define AB "a.b+c@agents.example.test"

/*
 * Two that were put aside, one that ended, one that another took the place of,
 * and those that are in use.
 */
static void
make_some(struct site *s)
{
	struct agentbox_claim c = { .mode = AGENTBOX_STASH,
		.address = S(WRITER) };
	struct agentbox_claimed got;

	site_make(s);
	site_register(s, CI, "HOUMAO-ci");
	for (int i = 0; i < 3; i++) {
		c.owner = str_fmt(s->a, "HOUMAO-%d", i);
		site_ok(s, agentbox_register(s->r, &c, s->a, &got, &s->e));
	}
	c.mode = AGENTBOX_FORCE;
	c.address = S(AB);
	for (int i = 0; i < 2; i++) {
		c.owner = str_fmt(s->a, "HOUMAO-%d", i);
		site_ok(s, agentbox_register(s->r, &c, s->a, &got, &s->e));
	}
	site_ok(s, agentbox_register_end(s->r, S(CI), false, &s->e));
	site_write(s, "staging/emcli-msg-1.md", "left");
}

static void
goes_only_as_it_is_asked_for(void **state)
{
	static const struct {
		bool inactive, stashed;
		size_t mailboxes;
		const char *left; /* rows of registrations */
	} rows[] = {
		{ false, false, 0, "7" },
		{ true, false, 1, "6" },
		{ false, true, 2, "4" },
		{ true, true, 0, "4" },
	};
	struct site *s = *state;
	struct agentbox_cleaned got;

	make_some(s);
	assert_int_equal(clean(s, true, true, true).mailboxes.n, 3);
	assert_true(site_has(s, "staging/quarantine"));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		got = clean(s, rows[i].inactive, rows[i].stashed, false);
		assert_int_equal(got.quarantined, i == 0);
		assert_int_equal(got.mailboxes.n, rows[i].mailboxes);
		assert_sql(s, "index.sqlite",
		    "SELECT count(*) FROM mailbox_registrations", rows[i].left);
	}
	assert_false(site_has(s, "staging/quarantine"));
	assert_false(site_has(s, "mailboxes/" CI));
	assert_true(site_has(s, "mailboxes/" AB "/inbox"));
	assert_true(site_has(s, "mailboxes/" WRITER "/inbox"));
}

/* What ended after the operator said yes was not agreed to. */
static void
goes_only_if_it_was_agreed_to(void **state)
{
	struct site *s = *state;
	struct strs agreed;
	const struct agentbox_clean want = { .inactive = true,
		.stashed = true,
		.only = &agreed };
	struct agentbox_cleaned got;

	make_some(s);
	agreed = clean(s, true, true, true).mailboxes;
	site_ok(s, agentbox_register_end(s->r, S(WRITER), false, &s->e));
	site_ok(s, agentbox_clean(s->r, &want, s->a, &got, &s->e));
	assert_int_equal(got.mailboxes.n, 3);
	assert_true(site_has(s, "mailboxes/" WRITER "/inbox"));
	assert_int_equal(clean(s, true, true, false).mailboxes.n, 1);
	assert_false(site_has(s, "mailboxes/" WRITER));
}

/* A row that names another's folder takes nothing away. */
static void
of_a_hostile_row_is_not_believed(void **state)
{
	struct site *s = *state;

	make_some(s);
	(void)site_sql(s, "index.sqlite",
	    "UPDATE mailbox_registrations SET mailbox_entry_path ="
	    " '/x/mailboxes/' || address WHERE status = 'stashed'");
	assert_int_equal(clean(s, true, true, false).mailboxes.n, 1);
	(void)site_sql(s, "index.sqlite",
	    "UPDATE mailbox_registrations SET mailbox_entry_path ="
	    " '/x/../../HOUMAO-operator@houmao.localhost'"
	    " WHERE status = 'stashed'");
	assert_int_equal(clean(s, true, true, false).mailboxes.n, 0);
	assert_true(site_has(s, "mailboxes/" WRITER "/inbox"));
	assert_true(site_has(s, "mailboxes/" AGENTBOX_OPERATOR "/inbox"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(is_counted_and_stays),
		SITE_TEST(of_protocol_3_is_counted_and_not_touched),
		SITE_TEST(goes_only_as_it_is_asked_for),
		SITE_TEST(goes_only_if_it_was_agreed_to),
		SITE_TEST(of_a_hostile_row_is_not_believed),
	};

	return cmocka_run_group_tests_name("backend/agentbox_clean", tests,
	    NULL, NULL);
}
