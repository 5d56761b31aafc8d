/* SPDX-License-Identifier: Apache-2.0 */
/* A mailbox root: how it is made, what is refused, and who may hold it. */
#include "agentbox_site.h"

#include <signal.h>
#include <sys/file.h>

static void
refused(struct site *s, const char *reason)
{
	assert_int_equal(agentbox_root_open(s->root, &s->use, &s->r, &s->e),
	    -1);
	assert_string_equal(s->e.reason, reason);
	assert_null(s->r);
}

static void
is_made(void **state)
{
	struct site *s = *state;
	mode_t was = umask(0);

	site_make(s);
	(void)umask(was);
	assert_int_equal(site_mode(s, ""), 0700);
	assert_int_equal(site_mode(s, "messages"), 0700);
	assert_int_equal(site_mode(s, "mailboxes/" AGENTBOX_OPERATOR "/inbox"),
	    0700);
	assert_int_equal(site_mode(s, "index.sqlite"), 0600);
	assert_int_equal(site_mode(s, "emcli.sqlite"), 0600);
	assert_int_equal(site_mode(s, "protocol-version.txt"), 0600);
	assert_int_equal(site_mode(s,
			     "mailboxes/" AGENTBOX_OPERATOR "/mailbox.sqlite"),
	    0600);
	assert_true(site_has(s, "rules/README.md"));
	assert_true(site_has(s, "rules/protocols/filesystem-mailbox-v1.md"));
	assert_sql(s, "index.sqlite",
	    "SELECT address || owner_principal_id || status || role FROM "
	    "mailbox_registrations",
	    AGENTBOX_OPERATOR "HOUMAO-operatoractivesystem_operator");
	/* A second time changes nothing. */
	site_make(s);
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM mailbox_registrations", "1");
	site_open(s);
	assert_int_equal(agentbox_root_notes(s->r)->n, 0);
}

static void
has_the_upstream_tables(void **state)
{
	static const char sql[] =
	    "SELECT group_concat(t || ':' || c, ' ') FROM (SELECT m.name AS t,"
	    " (SELECT group_concat(p.name || p.type || p.pk, ',') FROM"
	    " pragma_table_info(m.name) p) AS c FROM sqlite_master m WHERE"
	    " m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name)";
	struct site *s = *state;
	struct str index, box;

	site_make(s);
	site_close(s);
	index = site_sql(s, "index.sqlite", sql);
	box =
	    site_sql(s, "mailboxes/" AGENTBOX_OPERATOR "/mailbox.sqlite", sql);
	site_unpack(s, "v0.6.6");
	assert_sql(s, "index.sqlite", sql, index.p);
	assert_sql(s, "mailboxes/" AGENTBOX_OPERATOR "/mailbox.sqlite", sql,
	    box.p);
}

static void
of_upstream_is_opened(void **state)
{
	struct site *s = *state;
	struct agentbox_regs regs;

	site_unpack(s, "v0.6.6");
	site_open(s);
	site_ok(s, agentbox_register_list(s->r, s->a, &regs, &s->e));
	assert_int_equal(regs.n, 4);
	assert_string_equal(regs.v[1].address.p, "a.b+c@agents.example.test");
	assert_string_equal(regs.v[1].display_name.p, "N\xc3\xa4me: a.b+c");
	assert_int_equal(regs.v[1].status, AGENTBOX_ACTIVE);
	site_make(s);
	assert_int_equal(site_mode(s, ""), 0700);
}

static void
of_another_protocol_is_refused(void **state)
{
	struct site *s = *state;

	site_unpack(s, "v2.1.0");
	refused(s, "root_protocol");
	assert_int_equal(agentbox_root_make(s->root, &s->use, &s->r, &s->e),
	    -1);
	assert_string_equal(s->e.reason, "root_protocol");
	assert_int_equal(site_mode(s, ""), 0755);
	assert_false(site_has(s, "emcli.sqlite"));
}

static void
that_is_no_root_is_refused(void **state)
{
	struct site *s = *state;
	char real[96];

	assert_int_equal(agentbox_root_open(s->root, &s->use, &s->r, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	assert_int_equal(mkdir(s->root, 0755), 0);
	refused(s, "root_protocol");
	/* A folder with other files is not made a root. */
	site_write(s, "diary.txt", "x");
	assert_int_equal(agentbox_root_make(s->root, &s->use, &s->r, &s->e),
	    -1);
	assert_string_equal(s->e.reason, "root_stale");
	assert_int_equal(site_mode(s, ""), 0755);
	assert_int_equal(unlink(site_path(s, "diary.txt")), 0);
	site_make(s);
	site_close(s);

	(void)snprintf(real, sizeof(real), "%s/real", s->top);
	assert_int_equal(rename(s->root, real), 0);
	assert_int_equal(symlink(real, s->root), 0);
	refused(s, "root_link");
}

static void
that_is_stale_is_refused(void **state)
{
	struct site *s = *state;

	site_make(s);
	site_close(s);
	assert_int_equal(mkdir(site_path(s, "locks/principals"), 0700), 0);
	refused(s, "root_stale");
	assert_int_equal(rmdir(site_path(s, "locks/principals")), 0);
	assert_int_equal(mkdir(site_path(s, "mailboxes/writer"), 0700), 0);
	refused(s, "root_stale");
	assert_int_equal(rmdir(site_path(s, "mailboxes/writer")), 0);
	site_write(s, "protocol-version.txt", "2\n");
	refused(s, "root_protocol");
	site_write(s, "protocol-version.txt", "1\n");
	assert_int_equal(chmod(s->root, 0777), 0);
	refused(s, "root_owner");
	assert_int_equal(chmod(s->root, 0700), 0);
	(void)site_sql(s, "index.sqlite", "CREATE TABLE principals (x)");
	site_open(s);
	assert_int_equal(agentbox_register_end(s->r, S(WRITER), false, &s->e),
	    -1);
	assert_string_equal(s->e.reason, "root_stale");
}

static void
with_code_in_it_is_refused(void **state)
{
	struct site *s = *state;

	site_make(s);
	(void)site_sql(s, "index.sqlite",
	    "CREATE TRIGGER t AFTER INSERT ON mailbox_registrations BEGIN "
	    "DELETE FROM messages; END");
	assert_int_equal(agentbox_register_end(s->r, S(WRITER), false, &s->e),
	    -1);
	assert_string_equal(s->e.reason, "root_stale");
}

static void
whose_database_is_a_link_is_refused(void **state)
{
	struct site *s = *state;
	char real[96];

	site_make(s);
	(void)snprintf(real, sizeof(real), "%s/elsewhere", s->top);
	assert_int_equal(rename(site_path(s, "index.sqlite"), real), 0);
	assert_int_equal(symlink(real, site_path(s, "index.sqlite")), 0);
	assert_int_equal(agentbox_register_end(s->r, S(WRITER), false, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_DB);
}

/* A lock as the upstream program leaves it. */
static void
leave_lock(const struct site *s, long pid, const char *when)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "pid=%ld acquired_at_utc=%s\n", pid,
	    when);
	site_write(s, "locks/index.lock", text);
}

static void
lets_a_dead_lock_go(void **state)
{
	struct site *s = *state;
	siginfo_t info;
	pid_t pid;

	site_make(s);
	pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	leave_lock(s, pid, "2026-04-08T10:11:12.123456+00:00");
	site_register(s, WRITER, "HOUMAO-writer");
	assert_int_equal(agentbox_root_notes(s->r)->n, 1);
	assert_false(site_has(s, "locks/index.lock"));
	/*
	 * The pid now belongs to another process, which began after the lock.
	 */
	pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	leave_lock(s, pid, "2199-04-08T10:11:12.123456+00:00");
	site_register(s, AGENTBOX_OPERATOR, AGENTBOX_OPERATOR_PRINCIPAL);
	assert_int_equal(agentbox_root_notes(s->r)->n, 2);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	/* The pid is another process's by now: it began after the lock. */
	leave_lock(s, getppid(), "1999-04-08T10:11:12.123456+00:00");
	site_register(s, CI, "HOUMAO-ci");
	assert_int_equal(agentbox_root_notes(s->r)->n, 3);
}

static void
waits_for_a_living_lock(void **state)
{
	struct site *s = *state;
	struct agentbox_claim c = { .address = S(WRITER), .owner = S("w") };
	struct agentbox_claimed got;

	site_make(s);
	leave_lock(s, getppid(), "2199-04-08T10:11:12.123456+00:00");
	s->r->use.deadline_ms = clock_mono_ms() + 50;
	assert_int_equal(agentbox_register(s->r, &c, s->a, &got, &s->e), -1);
	assert_string_equal(s->e.reason, "locked");
	assert_true(site_has(s, "locks/index.lock"));
}

static void
is_locked_for_both_programs(void **state)
{
	struct site *s = *state;
	struct str text;
	int fd;

	site_make(s);
	site_ok(s, agentbox_lock_take(s->r, &s->e));
	fd = open(site_path(s, "locks"), O_RDONLY | O_DIRECTORY);
	assert_int_equal(agentbox_layout_read(fd, "index.lock", 200, s->a,
			     &text, &s->e),
	    1);
	assert_true(str_starts(text,
	    str_fmt(s->a, "pid=%ld acquired_at_utc=2", (long)getpid())));
	(void)close(fd);
	fd = open(site_path(s, "locks/emcli.flock"), O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), -1);
	agentbox_lock_drop(s->r);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	(void)close(fd);
	assert_false(site_has(s, "locks/index.lock"));
}

/* An index that stays open is not one that was put aside, nor one with code. */
static void
looks_at_its_index_again(void **state)
{
	struct site *s = *state;
	struct agentbox_reg reg;

	site_make(s);
	assert_int_equal(agentbox_register_find(s->r, S(AGENTBOX_OPERATOR),
			     s->a, &reg, &s->e),
	    1);
	(void)site_sql(s, "index.sqlite",
	    "CREATE TRIGGER t AFTER INSERT ON messages BEGIN SELECT 1; END");
	assert_int_equal(agentbox_register_find(s->r, S(AGENTBOX_OPERATOR),
			     s->a, &reg, &s->e),
	    -1);
	assert_string_equal(s->e.reason, "root_stale");
	(void)site_sql(s, "index.sqlite", "DROP TRIGGER t");
	assert_int_equal(agentbox_register_find(s->r, S(AGENTBOX_OPERATOR),
			     s->a, &reg, &s->e),
	    1);
	assert_int_equal(rename(site_path(s, "index.sqlite"),
			     site_path(s, "aside.sqlite")),
	    0);
	assert_int_equal(agentbox_register_find(s->r, S(AGENTBOX_OPERATOR),
			     s->a, &reg, &s->e),
	    -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(is_made),
		SITE_TEST(has_the_upstream_tables),
		SITE_TEST(of_upstream_is_opened),
		SITE_TEST(of_another_protocol_is_refused),
		SITE_TEST(that_is_no_root_is_refused),
		SITE_TEST(that_is_stale_is_refused),
		SITE_TEST(with_code_in_it_is_refused),
		SITE_TEST(whose_database_is_a_link_is_refused),
		SITE_TEST(lets_a_dead_lock_go),
		SITE_TEST(waits_for_a_living_lock),
		SITE_TEST(is_locked_for_both_programs),
		SITE_TEST(looks_at_its_index_again),
	};

	return cmocka_run_group_tests_name("backend/agentbox_root", tests, NULL,
	    NULL);
}
