/* SPDX-License-Identifier: Apache-2.0 */
/* Delivery between the mailboxes of a site: to all or to none. */
#include "maildir_site.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define MAIL "From: a@b\r\nSubject: hi\r\n\r\nhello\r\n"

/* Which rename fails from now on, and whether removing fails. */
static int fail_rename;
static bool fail_unlink;

/* Linked before the C library's. */
int
renameat(int from, const char *x, int to, const char *y)
{
	if (fail_rename > 0 && --fail_rename == 0) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from, x, to, y, 0);
}

int
unlinkat(int at, const char *name, int flags)
{
	if (fail_unlink) {
		errno = ENOENT;
		return -1;
	}
	return (int)syscall(SYS_unlinkat, at, name, flags);
}

/* Is the folder above a Maildir out of reach, as under Landlock? */
static bool fail_above;

int
openat(int at, const char *name, int flags, ...)
{
	va_list more;
	mode_t mode = 0;

	va_start(more, flags);
	if ((flags & O_CREAT) != 0)
		mode = va_arg(more, mode_t);
	va_end(more);
	if (fail_above && strcmp(name, "..") == 0) {
		errno = EACCES;
		return -1;
	}
	return (int)syscall(SYS_openat, at, name, flags, mode);
}

/* Submits to the addresses of a NULL-ended list. */
static int
submit(struct site *s, const char *const *to, struct recipient *out)
{
	struct submission sub = { .from = S(AGENT),
		.to = out,
		.message = S(MAIL) };

	while (to[sub.n] != NULL) {
		out[sub.n] = (struct recipient){ .addr = str_of(to[sub.n]) };
		sub.n++;
	}
	return maildir_backend.submit(s->c, s->a, &sub, &s->e);
}

/* The only file of a folder, complete. */
static struct str
only_file(struct site *s, const char *rel)
{
	char path[PATH_MAX];
	const struct dirent *d;
	struct str out = { 0 };
	DIR *dir;

	site_path(path, s, rel);
	dir = opendir(path);
	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL) {
		char *p = arena_alloc(s->a, 1000);
		struct stat st;
		int fd;

		if (d->d_name[0] == '.')
			continue;
		fd = openat(dirfd(dir), d->d_name, O_RDONLY);
		assert_true(fd >= 0);
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
		out = (struct str){ p, (size_t)read(fd, p, 1000) };
		(void)close(fd);
	}
	(void)closedir(dir);
	return out;
}

static void
a_message_arrives_in_new_with_its_trace(void **state)
{
	static const char *const to[] = { BOB, NULL };
	struct site *s = *state;
	struct recipient r[1];

	assert_int_equal(submit(s, to, r), 0);
	assert_int_equal(r[0].code, 250);
	assert_str(r[0].status, "accepted");
	assert_int_equal(site_count(s, BOB "/new"), 1);
	assert_int_equal(site_count(s, BOB "/tmp"), 0);
	assert_str(only_file(s, BOB "/new"),
	    "Return-Path: <" AGENT ">\r\nDelivered-To: " BOB "\r\n" MAIL);
}

static void
every_recipient_gets_a_copy_and_oneself_too(void **state)
{
	static const char *const to[] = { BOB, AGENT, NULL };
	struct site *s = *state;
	struct recipient r[2];

	assert_int_equal(submit(s, to, r), 0);
	assert_int_equal(site_count(s, BOB "/new"), 1);
	assert_int_equal(site_count(s, AGENT "/new"), 1);
}

static void
one_mailbox_twice_gets_one_copy(void **state)
{
	static const char *const to[] = { BOB, "Bob@LAB.example", NULL };
	struct site *s = *state;
	struct recipient r[2];

	assert_int_equal(submit(s, to, r), 0);
	assert_int_equal(r[1].code, 250);
	assert_int_equal(site_count(s, BOB "/new"), 1);
	assert_int_equal(site_count(s, BOB "/tmp"), 0);
}

static void
one_without_a_mailbox_and_nobody_gets_it(void **state)
{
	static const char *const to[] = { BOB, "carol@lab.example", NULL };
	struct site *s = *state;
	struct recipient r[2];

	assert_int_equal(submit(s, to, r), -1);
	assert_int_equal(s->e.kind, ERR_REJECTED);
	assert_int_equal(r[1].code, 550);
	assert_str(r[1].status, "no such mailbox");
	assert_int_equal(r[0].code, 250);
	assert_str(r[0].status, "not sent");
	assert_int_equal(site_count(s, BOB "/new"), 0);
	assert_int_equal(site_count(s, BOB "/tmp"), 0);
}

static void
an_address_never_leads_out_of_the_site(void **state)
{
	static const char *const bad[] = { "../x@lab.example",
		".hidden@lab.example", "a/../" BOB, "linked@lab.example",
		"half@lab.example" };
	struct site *s = *state;

	site_link(s, BOB, "linked@lab.example");
	site_mkdir(s, "half@lab.example");
	site_mkdir(s, "half@lab.example/cur");
	site_link(s, "../" BOB "/new", "half@lab.example/new");
	site_mkdir(s, "half@lab.example/tmp");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const to[] = { bad[i], NULL };
		struct recipient r[1];

		assert_int_equal(submit(s, to, r), -1);
		assert_int_equal(s->e.kind, ERR_REJECTED);
		assert_int_equal(r[0].code, 550);
	}
	assert_int_equal(site_count(s, BOB "/new"), 0);
}

static void
a_path_that_is_a_maildir_delivers_to_its_siblings(void **state)
{
	static const char *const to[] = { BOB, "me@lab.example", NULL };
	struct site *s = *state;
	struct recipient r[2];

	maildir_backend.close(s->c);
	s->acct.path = str_fmt(s->a, "%s/" AGENT, s->root);
	s->acct.from = S("me@lab.example");
	site_open(s);
	assert_int_equal(submit(s, to, r), 0);
	assert_int_equal(site_count(s, BOB "/new"), 1);
	assert_int_equal(site_count(s, AGENT "/new"), 1);
}

static void
without_the_folder_above_it_delivers_to_itself_alone(void **state)
{
	static const char *const own[] = { AGENT, NULL };
	static const char *const to[] = { AGENT, BOB, NULL };
	struct site *s = *state;
	struct recipient r[2];

	maildir_backend.close(s->c);
	s->acct.path = str_fmt(s->a, "%s/" AGENT, s->root);
	fail_above = true;
	site_open(s);
	fail_above = false;
	assert_int_equal(submit(s, own, r), 0);
	assert_int_equal(submit(s, to, r), -1);
	assert_int_equal(s->e.kind, ERR_CONFIG);
	assert_int_equal(site_count(s, AGENT "/new"), 1);
	assert_int_equal(site_count(s, BOB "/new"), 0);
}

static void
a_full_disk_leaves_nothing_behind(void **state)
{
	static const char *const to[] = { BOB, AGENT, NULL };
	struct rlimit full = { sizeof(MAIL) + 65, 0 };
	struct site *s = *state;
	struct recipient r[2];
	struct rlimit before;

	/* Bob's copy fits, the agent's is two bytes longer. */
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	full.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
	assert_int_equal(submit(s, to, r), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(s->e.kind, ERR_REJECTED);
	assert_int_equal(r[0].code, 250);
	assert_int_equal(r[1].code, 451);
	assert_int_equal(site_count(s, BOB "/new"), 0);
	assert_int_equal(site_count(s, BOB "/tmp"), 0);
	assert_int_equal(site_count(s, AGENT "/tmp"), 0);
}

static void
a_delivery_that_fails_halfway_is_taken_back(void **state)
{
	static const char *const to[] = { BOB, AGENT, NULL };
	struct site *s = *state;
	struct recipient r[2];

	fail_rename = 2;
	assert_int_equal(submit(s, to, r), -1);
	assert_int_equal(s->e.kind, ERR_REJECTED);
	assert_str(r[0].status, "not sent");
	assert_int_equal(r[1].code, 451);
	assert_int_equal(site_count(s, BOB "/new"), 0);
	assert_int_equal(site_count(s, AGENT "/new"), 0);
	assert_int_equal(site_count(s, AGENT "/tmp"), 0);
}

static void
a_copy_already_read_cannot_be_taken_back(void **state)
{
	static const char *const to[] = { BOB, AGENT, NULL };
	struct site *s = *state;
	struct recipient r[2];

	fail_rename = 2;
	fail_unlink = true;
	assert_int_equal(submit(s, to, r), -1);
	fail_unlink = false;
	assert_int_equal(s->e.kind, ERR_UNKNOWN_OUTCOME);
	assert_str(r[0].status, "unknown");
	assert_str(r[1].status, "unknown");
}

/* only_file() checks the mode. */
static void
a_message_can_be_read_under_any_umask(void **state)
{
	static const char *const to[] = { BOB, NULL };
	struct site *s = *state;
	struct recipient r[1];
	mode_t was = umask(0777);
	int done = submit(s, to, r);

	(void)umask(was);
	assert_int_equal(done, 0);
	assert_true(only_file(s, BOB "/new").n > 0);
}

static void
a_sender_that_is_no_address_is_refused(void **state)
{
	struct site *s = *state;
	struct recipient r[1] = { { .addr = S(BOB) } };
	struct submission sub = { .from = S("a@b>\r\nX: y"),
		.to = r,
		.n = 1,
		.message = S(MAIL) };

	assert_int_equal(maildir_backend.submit(s->c, s->a, &sub, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_USAGE);
	assert_int_equal(site_count(s, BOB "/new"), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(a_message_arrives_in_new_with_its_trace),
		SITE_TEST(every_recipient_gets_a_copy_and_oneself_too),
		SITE_TEST(one_mailbox_twice_gets_one_copy),
		SITE_TEST(one_without_a_mailbox_and_nobody_gets_it),
		SITE_TEST(an_address_never_leads_out_of_the_site),
		SITE_TEST(a_path_that_is_a_maildir_delivers_to_its_siblings),
		SITE_TEST(without_the_folder_above_it_delivers_to_itself_alone),
		SITE_TEST(a_full_disk_leaves_nothing_behind),
		SITE_TEST(a_delivery_that_fails_halfway_is_taken_back),
		SITE_TEST(a_copy_already_read_cannot_be_taken_back),
		SITE_TEST(a_message_can_be_read_under_any_umask),
		SITE_TEST(a_sender_that_is_no_address_is_refused),
	};

	return cmocka_run_group_tests_name("backend/maildir/submit", tests,
	    NULL, NULL);
}
