/* SPDX-License-Identifier: Apache-2.0 */
/* Drafts in a Maildir: their folder, and their files. */
#include "maildir_site.h"

#include "base/buf.h"

#define MESSAGE "Message-ID: <d@x>\r\nSubject: Re: x\r\n\r\nhi\r\n"

static void
expect_folder(struct site *s, const char *want)
{
	struct str folder = { 0 };

	assert_int_equal(maildir_backend.drafts(s->c, s->a, &folder, &s->e), 0);
	assert_str(folder, want);
}

static void
expect_none(struct site *s, const char *say)
{
	struct str folder = { 0 };

	s->e = (struct err){ 0 };
	assert_int_equal(maildir_backend.drafts(s->c, s->a, &folder, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_UNSUPPORTED);
	assert_string_equal(s->e.say, say);
}

static void
a_folder_called_drafts_is_for_drafts(void **state)
{
	struct site *s = *state;

	site_box(s, AGENT "/.Sent");
	expect_none(s, "the account has no folder for drafts");
	assert_int_equal(site_count(s, AGENT), 3);
	site_box(s, AGENT "/.drafts");
	expect_folder(s, "drafts");
	s->acct.drafts_folder = S("Mine.to do");
	expect_none(s, "the account's drafts folder does not exist");
	site_box(s, AGENT "/.Mine.to do");
	expect_folder(s, "Mine.to do");
}

static void
no_name_leads_out_of_the_mailbox(void **state)
{
	static const char *const away[] = { "..", "../bob@lab.example", "/tmp",
		"a/../..", ".", "a\nb" };
	struct site *s = *state;

	site_link(s, "../" BOB, AGENT "/.Linked");
	for (size_t i = 0; i < sizeof(away) / sizeof(away[0]); i++) {
		s->acct.drafts_folder = str_of(away[i]);
		expect_none(s, "the account's drafts folder does not exist");
	}
	s->acct.drafts_folder = S("Linked");
	expect_none(s, "the account's drafts folder does not exist");
}

static void
half_a_folder_takes_no_drafts(void **state)
{
	struct site *s = *state;

	site_mkdir(s, AGENT "/.Drafts");
	site_mkdir(s, AGENT "/.Drafts/cur");
	expect_none(s, "the account's drafts folder is not writable");
}

static void
a_folder_that_is_read_only_takes_no_drafts(void **state)
{
	static const char *const path[] = { "", AGENT, AGENT "/.Drafts",
		AGENT "/.Drafts/tmp", AGENT "/.Drafts/cur" };
	struct site *s = *state;
	uid_t self = geteuid();
	char full[PATH_MAX];

	site_box(s, AGENT "/.Drafts");
	for (size_t i = 0; i < 5; i++) {
		site_path(full, s, path[i]);
		assert_int_equal(chmod(full, i == 4 ? 0555 : 0777), 0);
	}
	/* Root may do everything, so it becomes another user for a while. */
	if (self == 0)
		assert_int_equal(seteuid(65534), 0);
	expect_none(s, "the account's drafts folder is not writable");
	assert_int_equal(seteuid(self), 0);
}

static void
a_draft_is_a_file_of_cur_with_its_flags(void **state)
{
	struct site *s = *state;
	struct drafted d = { 0 };
	struct folder_state st;
	struct refs refs = { &d.ref, 1 };
	struct rows rows = { 0 };
	struct str raw = { 0 };
	struct stat file;
	char path[PATH_MAX];

	site_box(s, AGENT "/.Drafts");
	assert_int_equal(maildir_backend.draft(s->c, s->a, S("Drafts"),
			     S(MESSAGE), S("no thread"), &d, &s->e),
	    0);
	assert_true(d.id.n > 0 && d.ref.uid == 0 && d.thread.n == 0);
	site_path(path, s,
	    str_c(s->a,
		str_fmt(s->a, AGENT "/.Drafts/cur/%.*s:2,DS", STR_ARG(d.id))));
	assert_int_equal(stat(path, &file), 0);
	assert_int_equal(file.st_mode & 0777, 0600);
	assert_int_equal(site_count(s, AGENT "/.Drafts/tmp"), 0);
	assert_int_equal(maildir_backend.headers(s->c, s->a, S("Drafts"), &refs,
			     &st, &rows, &s->e),
	    0);
	assert_int_equal(rows.n, 1);
	assert_true(rows.v[0].draft);
	assert_int_equal(maildir_backend.body(s->c, s->a, S("Drafts"), &d.ref,
			     1000, &raw, &s->e),
	    0);
	assert_str(raw, MESSAGE);
	assert_int_equal(maildir_backend.draft(s->c, s->a, S("Draft"),
			     S(MESSAGE), S(""), &d, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(a_folder_called_drafts_is_for_drafts),
		SITE_TEST(no_name_leads_out_of_the_mailbox),
		SITE_TEST(half_a_folder_takes_no_drafts),
		SITE_TEST(a_folder_that_is_read_only_takes_no_drafts),
		SITE_TEST(a_draft_is_a_file_of_cur_with_its_flags),
	};

	return cmocka_run_group_tests_name("backend/maildir/draft", tests, NULL,
	    NULL);
}
