/* SPDX-License-Identifier: Apache-2.0 */
/* Registrations: safe, force, stash, deactivate, purge. */
#include "agentbox_site.h"

#define COUNT "SELECT count(*) FROM mailbox_registrations WHERE "

struct claim {
	const char *why;
	enum agentbox_mode mode;
	const char *address, *owner;
	bool is_private;
	const char *refused; /* the reason, or NULL */
	bool reused;
};

static int
claim(struct site *s, const struct claim *c, struct agentbox_claimed *got)
{
	struct agentbox_claim want = { .mode = c->mode,
		.address = str_of(c->address),
		.owner = str_of(c->owner) };

	if (c->is_private)
		want.private_dir = str_fmt(s->a, "%s/private", s->top);
	return agentbox_register(s->r, &want, s->a, got, &s->e);
}

/* Each beside writer@, which HOUMAO-writer registered in the root. */
static struct claim rows[] = {
	{ "the same again is the same registration", AGENTBOX_SAFE, WRITER,
	    "HOUMAO-writer", false, NULL, true },
	{ "somebody else's is refused", AGENTBOX_SAFE, WRITER, "HOUMAO-x",
	    false, "registration_conflict", false },
	{ "another folder is refused", AGENTBOX_SAFE, WRITER, "HOUMAO-writer",
	    true, "registration_conflict", false },
	{ "another address is new", AGENTBOX_SAFE, CI, "HOUMAO-ci", false, NULL,
	    false },
	{ "force takes its place", AGENTBOX_FORCE, WRITER, "HOUMAO-x", false,
	    NULL, false },
	{ "stash takes its place", AGENTBOX_STASH, WRITER, "HOUMAO-x", false,
	    NULL, false },
	{ "a private folder", AGENTBOX_SAFE, CI, "HOUMAO-ci", true, NULL,
	    false },
	{ "no address", AGENTBOX_SAFE, "writer", "HOUMAO-writer", false,
	    "address", false },
	{ "a path for an address", AGENTBOX_SAFE, "../x@y.test", "x", false,
	    "address", false },
	{ "no owner", AGENTBOX_SAFE, CI, "", false, "principal", false },
	{ "an owner of two lines", AGENTBOX_SAFE, CI, "a\nb", false,
	    "principal", false },
	{ "a reserved address", AGENTBOX_SAFE, "HOUMAO-x@houmao.localhost",
	    "HOUMAO-x", false, "reserved", false },
	{ "the operator's, by somebody", AGENTBOX_FORCE, AGENTBOX_OPERATOR,
	    "HOUMAO-x", false, "reserved", false },
};

static void
is_judged(void **state)
{
	const struct claim *c = *state;
	struct agentbox_claimed got = { 0 };
	struct site *s;
	void *own = NULL;
	int r;

	(void)site_setup(&own);
	s = own;
	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	r = claim(s, c, &got);
	if (c->refused != NULL) {
		assert_int_equal(r, -1);
		assert_string_equal(s->e.reason, c->refused);
		assert_sql(s, "index.sqlite", COUNT "status = 'active'", "2");
	} else {
		site_ok(s, r);
		assert_int_equal(got.reused, c->reused);
		assert_sql(s, "index.sqlite",
		    COUNT "status = 'active' GROUP BY address HAVING count(*) "
			  "> 1",
		    "(none)");
	}
	(void)site_teardown(&own);
}

/* Puts a file into the mailbox, to recognise it later. */
static void
mark(struct site *s, const char *address)
{
	const char *p = str_fmt(s->a, "mailboxes/%s/inbox/x.md", address).p;

	site_write(s, p, "x");
}

static void
force_ends_the_old_one(void **state)
{
	struct claim c = { "", AGENTBOX_FORCE, WRITER, "HOUMAO-x", false, NULL,
		false };
	struct site *s = *state;
	struct agentbox_claimed got;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	mark(s, WRITER);
	site_ok(s, claim(s, &c, &got));
	assert_false(site_has(s, "mailboxes/" WRITER "/inbox/x.md"));
	assert_true(site_has(s, "mailboxes/" WRITER "/inbox"));
	assert_sql(s, "index.sqlite",
	    "SELECT o.status || (o.replaced_by_registration_id ="
	    " n.registration_id) || (o.deactivated_at_utc IS NOT NULL)"
	    " FROM mailbox_registrations o, mailbox_registrations n WHERE"
	    " o.owner_principal_id = 'HOUMAO-writer' AND"
	    " n.owner_principal_id = 'HOUMAO-x'",
	    "inactive11");
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM journal", "0");
}

static void
stash_keeps_the_old_one(void **state)
{
	struct claim c = { "", AGENTBOX_STASH, WRITER, "HOUMAO-x", false, NULL,
		false };
	struct site *s = *state;
	struct agentbox_claimed got;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	mark(s, WRITER);
	site_ok(s, claim(s, &c, &got));
	assert_true(agentbox_name_stashed(got.stashed));
	assert_true(site_has(s,
	    str_fmt(s->a, "mailboxes/%s/inbox/x.md", got.stashed.p).p));
	assert_false(site_has(s, "mailboxes/" WRITER "/inbox/x.md"));
	assert_sql(s, "index.sqlite",
	    "SELECT mailbox_path FROM mailbox_registrations WHERE status ="
	    " 'stashed'",
	    str_fmt(s->a, "%s/mailboxes/%s", s->root, got.stashed.p).p);
	site_open(s); /* which accepts the name as it is */
}

static void
deactivate_and_come_back(void **state)
{
	struct claim c = { "", AGENTBOX_SAFE, WRITER, "HOUMAO-writer", false,
		NULL, false };
	struct site *s = *state;
	struct agentbox_claimed got;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	mark(s, WRITER);
	site_ok(s, agentbox_register_end(s->r, S(WRITER), false, &s->e));
	assert_sql(s, "index.sqlite", COUNT "status = 'inactive'", "1");
	assert_int_equal(agentbox_register_end(s->r, S(WRITER), false, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	site_ok(s, claim(s, &c, &got));
	assert_true(got.reused);
	assert_true(site_has(s, "mailboxes/" WRITER "/inbox/x.md"));
	assert_sql(s, "index.sqlite",
	    COUNT "status = 'active' AND deactivated_at_utc IS NULL", "2");
}

static void
purge_takes_the_mailbox(void **state)
{
	struct site *s = *state;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	mark(s, WRITER);
	site_ok(s, agentbox_register_end(s->r, S(WRITER), true, &s->e));
	assert_false(site_has(s, "mailboxes/" WRITER));
	assert_sql(s, "index.sqlite", COUNT "1", "1");
	assert_int_equal(agentbox_register_end(s->r, S(AGENTBOX_OPERATOR), true,
			     &s->e),
	    -1);
	assert_string_equal(s->e.reason, "reserved");
}

static void
what_nobody_registered_is_put_aside(void **state)
{
	struct claim c = { "", AGENTBOX_SAFE, WRITER, "HOUMAO-writer", false,
		NULL, false };
	struct site *s = *state;
	struct agentbox_claimed got;

	site_make(s);
	assert_int_equal(mkdir(site_path(s, "mailboxes/" WRITER), 0700), 0);
	assert_int_equal(mkdir(site_path(s, "mailboxes/" WRITER "/inbox"),
			     0700),
	    0);
	mark(s, WRITER);
	site_ok(s, claim(s, &c, &got));
	assert_true(site_has(s,
	    str_fmt(s->a, "mailboxes/%s/inbox/x.md", got.stashed.p).p));
}

static void
private_is_a_link(void **state)
{
	struct claim c = { "", AGENTBOX_SAFE, CI, "HOUMAO-ci", true, NULL,
		false };
	struct site *s = *state;
	struct agentbox_claimed got;
	char text[PATH_MAX] = { 0 };
	int fd;

	site_make(s);
	site_ok(s, claim(s, &c, &got));
	assert_true(readlink(site_path(s, "mailboxes/" CI), text,
			sizeof(text) - 1) > 0);
	assert_string_equal(text, got.reg.path.p);
	fd = agentbox_box_open(s->r, &got.reg, &s->e);
	assert_true(fd >= 0);
	(void)close(fd);
	/* Nobody else may have the same folder. */
	c.address = WRITER;
	assert_int_equal(claim(s, &c, &got), -1);
	assert_string_equal(s->e.reason, "registration_conflict");
	/* Redirecting the entry has no effect. */
	site_ok(s,
	    agentbox_register_find(s->r, S(CI), s->a, &got.reg, &s->e) - 1);
	assert_int_equal(unlink(site_path(s, "mailboxes/" CI)), 0);
	assert_int_equal(symlink("/etc", site_path(s, "mailboxes/" CI)), 0);
	assert_int_equal(agentbox_box_open(s->r, &got.reg, &s->e), -1);
	assert_string_equal(s->e.reason, "mailbox_missing");
	/* Neither has redirecting the row too. */
	got.reg.path = S("/etc");
	assert_int_equal(agentbox_box_open(s->r, &got.reg, &s->e), -1);
	/* Its folder outlives the registration. */
	(void)unlink(site_path(s, "mailboxes/" CI));
	site_ok(s, agentbox_register_end(s->r, S(CI), true, &s->e));
	assert_int_equal(access(str_fmt(s->a, "%s/private/inbox", s->top).p,
			     R_OK),
	    0);
}

static void
private_is_outside(void **state)
{
	struct site *s = *state;
	struct agentbox_claimed got;
	const char *const paths[] = { "%s/root/mailboxes/x", "%s/root", "%s",
		"%s/a/../root/x", "relative/%s", "%s/x/" };

	site_make(s);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct agentbox_claim c = { .address = S(CI),
			.owner = S("HOUMAO-ci") };
		char path[PATH_MAX];
		const char *at = strstr(paths[i], "%s");

		(void)snprintf(path, sizeof(path), "%.*s%s%s",
		    (int)(at - paths[i]), paths[i], s->top, at + 2);
		c.private_dir = str_of(path);
		assert_int_equal(agentbox_register(s->r, &c, s->a, &got, &s->e),
		    -1);
		assert_string_equal(s->e.reason, "private_dir");
	}
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		SITE_TEST(force_ends_the_old_one),
		SITE_TEST(stash_keeps_the_old_one),
		SITE_TEST(deactivate_and_come_back),
		SITE_TEST(purge_takes_the_mailbox),
		SITE_TEST(what_nobody_registered_is_put_aside),
		SITE_TEST(private_is_a_link),
		SITE_TEST(private_is_outside),
	};
	const size_t n = sizeof(rows) / sizeof(rows[0]);
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) +
	    sizeof(more) / sizeof(more[0])] = { 0 };

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = is_judged;
		tests[i].initial_state = &rows[i];
	}
	memcpy(tests + n, more, sizeof(more));
	return cmocka_run_group_tests_name("backend/agentbox_register", tests,
	    NULL, NULL);
}
