/* SPDX-License-Identifier: Apache-2.0 */
/* Names chosen by others: links, odd files, odd ids, renames, folders. */
#include "maildir_site.h"

static int
body_in(struct site *s, const char *folder, const char *id, struct str *out)
{
	struct ref ref = { .id = str_of(id) };

	return maildir_backend.body(s->c, s->a, str_of(folder), &ref, 1000, out,
	    &s->e);
}

static size_t
count(struct site *s, const char *folder)
{
	struct folder_state st;
	struct strs ids = { 0 };

	if (maildir_backend.scan(s->c, s->a, str_of(folder), &st, &ids, &s->e) <
	    0)
		return SIZE_MAX;
	return ids.n;
}

static void
a_link_is_no_message(void **state)
{
	struct site *s = *state;
	struct str out;

	site_link(s, "/etc/passwd", AGENT "/cur/1.evil");
	site_link(s, "/etc/passwd", AGENT "/new/2.evil");
	assert_int_equal(count(s, "INBOX"), 0);
	assert_int_equal(body_in(s, "INBOX", "1.evil", &out), -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static void
a_file_that_becomes_a_link_is_not_read(void **state)
{
	struct site *s = *state;
	char path[PATH_MAX];
	struct str out;

	site_mail(s, "cur/1.a", "A: b\n\n");
	assert_int_equal(count(s, "INBOX"), 1);
	site_path(path, s, AGENT "/cur/1.a");
	assert_int_equal(unlink(path), 0);
	site_link(s, "/etc/passwd", AGENT "/cur/1.a");
	assert_int_equal(body_in(s, "INBOX", "1.a", &out), -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static void
folders_fifos_and_dot_files_are_no_messages(void **state)
{
	struct site *s = *state;
	char path[PATH_MAX];

	site_mkdir(s, AGENT "/cur/1.dir");
	site_mail(s, "cur/.hidden", "A: b\n\n");
	site_mail(s, "cur/:2,S", "A: b\n\n");
	site_path(path, s, AGENT "/new/1.fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(count(s, "INBOX"), 0);
}

static void
a_linked_half_is_not_followed(void **state)
{
	struct site *s = *state;

	site_mkdir(s, AGENT "/.Evil");
	site_link(s, "../../" BOB "/cur", AGENT "/.Evil/cur");
	assert_int_equal(count(s, "Evil"), SIZE_MAX);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static void
a_linked_folder_is_no_folder(void **state)
{
	struct site *s = *state;
	struct folders list;

	site_link(s, "../" BOB, AGENT "/.Bob");
	assert_int_equal(count(s, "Bob"), SIZE_MAX);
	assert_int_equal(maildir_backend.folders(s->c, s->a, &list, &s->e), 0);
	assert_int_equal(list.n, 1);
}

static const char *const outside[] = { "", ".", "..", "./../" BOB, "../" BOB,
	"/", "/../" BOB, "x/../../" BOB, "a\nb", "\xff\xfe" };

static void
no_folder_name_leads_out(void **state)
{
	struct site *s = *state;

	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		s->e.kind = ERR_NONE;
		assert_int_equal(count(s, outside[i]), SIZE_MAX);
		assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	}
}

static void
a_folder_name_that_is_too_long_is_not_found(void **state)
{
	struct site *s = *state;
	char name[5000];

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(count(s, name), SIZE_MAX);
	name[255] = '\0';
	assert_int_equal(count(s, name), SIZE_MAX);
	name[254] = '\0';
	assert_int_equal(count(s, name), SIZE_MAX);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static const char *const bad_id[] = { "", ".", "..", ".hidden", "../cur/1.a",
	"/etc/passwd", "1.a/../1.a" };

static void
no_id_leads_out(void **state)
{
	struct site *s = *state;
	struct str out;

	site_mail(s, "cur/1.a", "A: b\n\n");
	site_mail(s, "cur/.hidden", "A: b\n\n");
	for (size_t i = 0; i < sizeof(bad_id) / sizeof(bad_id[0]); i++) {
		assert_int_equal(body_in(s, "INBOX", bad_id[i], &out), -1);
		assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	}
}

static void
odd_names_are_still_messages(void **state)
{
	struct site *s = *state;
	struct str out;

	site_mail(s, "cur/a b\nc\xff:2,S:x", "one");
	site_mail(s, "new/-rf", "two");
	assert_int_equal(count(s, "INBOX"), 2);
	assert_int_equal(body_in(s, "INBOX", "a b\nc\xff", &out), 0);
	assert_str(out, "one");
	assert_int_equal(body_in(s, "INBOX", "-rf", &out), 0);
	assert_str(out, "two");
}

static void
a_message_that_moved_to_cur_is_found_again(void **state)
{
	struct site *s = *state;
	struct str out;

	site_mail(s, "new/1.a", "A: b\n\nx");
	assert_int_equal(count(s, "INBOX"), 1);
	site_rename(s, AGENT "/new/1.a", AGENT "/cur/1.a:2,");
	assert_int_equal(body_in(s, "INBOX", "1.a", &out), 0);
	site_rename(s, AGENT "/cur/1.a:2,", AGENT "/cur/1.a:2,FS");
	assert_int_equal(body_in(s, "INBOX", "1.a", &out), 0);
	assert_str(out, "A: b\n\nx");
}

static void
a_message_that_came_since_the_scan_is_found(void **state)
{
	struct site *s = *state;
	struct str out;

	assert_int_equal(count(s, "INBOX"), 0);
	site_mail(s, "new/1.a", "x");
	assert_int_equal(body_in(s, "INBOX", "1.a", &out), 0);
}

static void
a_message_that_went_is_left_out_of_rows(void **state)
{
	struct site *s = *state;
	struct ref ref[2] = { { .id = S("1.a") }, { .id = S("2.b") } };
	struct refs refs = { ref, 2 };
	struct folder_state st;
	char path[PATH_MAX];
	struct rows rows;

	site_mail(s, "cur/1.a", "A: 1\n\n");
	site_mail(s, "cur/2.b", "A: 2\n\n");
	assert_int_equal(count(s, "INBOX"), 2);
	site_path(path, s, AGENT "/cur/1.a");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(maildir_backend.headers(s->c, s->a, S("INBOX"), &refs,
			     &st, &rows, &s->e),
	    0);
	assert_int_equal(rows.n, 1);
	assert_str(rows.v[0].ref.id, "2.b");
	assert_int_equal(st.exists, 1);
}

static void
folders_are_listed_with_roles_by_name(void **state)
{
	struct site *s = *state;
	struct folders list;

	site_box(s, AGENT "/.Sent");
	site_box(s, AGENT "/.Archive.2026");
	site_box(s,
	    AGENT "/.b\xc3\xbc"
		  "cher");
	site_box(s, AGENT "/.INBOX");
	site_box(s, AGENT "/.bad\xff");
	site_mkdir(s, AGENT "/.NoMaildir");
	site_box(s, AGENT "/NoDot");
	assert_int_equal(maildir_backend.folders(s->c, s->a, &list, &s->e), 0);
	assert_int_equal(list.n, 4);
	assert_str(list.v[0].name, "INBOX");
	assert_int_equal(list.v[0].role, FOLDER_INBOX);
	assert_str(list.v[1].name, "Archive.2026");
	assert_int_equal(list.v[1].role, FOLDER_PLAIN);
	assert_int_equal(list.v[1].delimiter, '.');
	assert_true(list.v[1].selectable);
	assert_str(list.v[2].name, "Sent");
	assert_int_equal(list.v[2].role, FOLDER_SENT);
	assert_str(list.v[3].name,
	    "b\xc3\xbc"
	    "cher");
}

static void
each_folder_has_its_own_messages(void **state)
{
	struct site *s = *state;
	struct str out;

	site_box(s, AGENT "/.Archive.2026");
	site_mail(s, "cur/1.a", "inbox");
	site_mail(s, ".Archive.2026/cur/1.a", "archive");
	assert_int_equal(body_in(s, "inbox", "1.a", &out), 0);
	assert_str(out, "inbox");
	assert_int_equal(body_in(s, "Archive.2026", "1.a", &out), 0);
	assert_str(out, "archive");
	assert_int_equal(body_in(s, "INBOX", "1.a", &out), 0);
	assert_str(out, "inbox");
}

static void
a_path_that_is_a_maildir_is_the_mailbox(void **state)
{
	struct site *s = *state;
	struct conn *c;
	struct folder_state st;
	struct strs ids;

	site_mail(s, "cur/1.a", "x");
	s->acct.path = str_fmt(s->a, "%s/" AGENT, s->root);
	s->acct.from = S("other@lab.example");
	assert_int_equal(maildir_backend.open(&s->acct, s->a, &c, &s->e), 0);
	assert_int_equal(maildir_backend.scan(c, s->a, S("INBOX"), &st, &ids,
			     &s->e),
	    0);
	assert_int_equal(ids.n, 1);
	maildir_backend.close(c);
}

static void
a_missing_mailbox_is_a_fault_of_the_settings(void **state)
{
	struct site *s = *state;
	struct probes p = { 0 };
	struct conn *c;

	s->acct.from = S("carol@lab.example");
	assert_int_equal(maildir_backend.open(&s->acct, s->a, &c, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_CONFIG);
	assert_null(strstr(s->e.say, s->root));
	assert_int_equal(maildir_backend.probe(&s->acct, s->a, &p, &s->e), 0);
	assert_int_equal(p.n, 1);
	assert_str(p.v[0].what, "maildir.path");
	assert_false(p.v[0].ok);
}

static void
a_probe_counts_the_messages(void **state)
{
	struct site *s = *state;
	struct probes p = { 0 };

	site_mail(s, "cur/1.a", "x");
	assert_int_equal(maildir_backend.probe(&s->acct, s->a, &p, &s->e), 0);
	assert_int_equal(p.n, 1);
	assert_true(p.v[0].ok);
	assert_str(p.v[0].say, "the Maildir is readable");
}

static void
the_deadline_ends_a_scan(void **state)
{
	struct site *s = *state;

	site_mail(s, "cur/1.a", "x");
	s->acct.deadline_ms = clock_mono_ms() - 1;
	assert_int_equal(count(s, "INBOX"), SIZE_MAX);
	assert_int_equal(s->e.kind, ERR_LIMIT);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(a_link_is_no_message),
		SITE_TEST(a_file_that_becomes_a_link_is_not_read),
		SITE_TEST(folders_fifos_and_dot_files_are_no_messages),
		SITE_TEST(a_linked_half_is_not_followed),
		SITE_TEST(a_linked_folder_is_no_folder),
		SITE_TEST(no_folder_name_leads_out),
		SITE_TEST(a_folder_name_that_is_too_long_is_not_found),
		SITE_TEST(no_id_leads_out),
		SITE_TEST(odd_names_are_still_messages),
		SITE_TEST(a_message_that_moved_to_cur_is_found_again),
		SITE_TEST(a_message_that_came_since_the_scan_is_found),
		SITE_TEST(a_message_that_went_is_left_out_of_rows),
		SITE_TEST(folders_are_listed_with_roles_by_name),
		SITE_TEST(each_folder_has_its_own_messages),
		SITE_TEST(a_path_that_is_a_maildir_is_the_mailbox),
		SITE_TEST(a_missing_mailbox_is_a_fault_of_the_settings),
		SITE_TEST(a_probe_counts_the_messages),
		SITE_TEST(the_deadline_ends_a_scan),
	};

	return cmocka_run_group_tests_name("backend/maildir/names", tests, NULL,
	    NULL);
}
