/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the folders of a Maildir: once, whole, and all or none. */
#include "maildir_renames.h"

#define TEXT "From: ann@example.net\r\nSubject: x\r\n\r\nhi\r\n"
#define THERE ".Archive"

static struct refs moved;

static int
move(struct site *s, const struct refs *refs, const char *to)
{
	s->e = (struct err){ 0 };
	moved = (struct refs){ 0 };
	return maildir_backend.move(s->c, s->a, S("INBOX"), refs, str_of(to),
	    NULL, &moved, &s->e);
}

static size_t
count(const struct site *s, const char *folder)
{
	char cur[PATH_MAX], new[PATH_MAX];

	(void)snprintf(cur, sizeof(cur), AGENT "/%scur", folder);
	(void)snprintf(new, sizeof(new), AGENT "/%snew", folder);
	return site_count(s, cur) + site_count(s, new);
}

static void
a_message_keeps_its_name_and_its_half(void **state)
{
	static const char *const id[] = { "2.a", "1.a\nb", "3.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 3), back;
	struct rows r;
	struct str raw;

	site_box(s, AGENT "/" THERE);
	site_mail(s, "cur/1.a\nb:2,DFab,x", TEXT);
	site_mail(s, "new/2.a", TEXT);
	site_mail(s, "cur/3.a", TEXT);
	site_mail(s, "cur/4.a:2,", TEXT);
	assert_int_equal(move(s, &refs, "Archive"), 0);
	assert_true(has(s, THERE "/cur/1.a\nb:2,DFab,x") &&
	    has(s, THERE "/new/2.a") && has(s, THERE "/cur/3.a"));
	assert_int_equal(moved.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_str(moved.v[i].id, id[i]);
	r = rows_of(s, "INBOX", 0, 0);
	assert_int_equal(r.n, 1);
	r = rows_of(s, "Archive", 0, 0);
	assert_int_equal(r.n, 3);
	assert_int_equal(r.v[2].flags, FLAG_FLAGGED);
	assert_int_equal(maildir_backend.body(s->c, s->a, S("Archive"),
			     &moved.v[0], 1000, &raw, &s->e),
	    0);
	assert_str(raw, TEXT);
	refs = moved;
	assert_int_equal(maildir_backend.move(s->c, s->a, S("Archive"), &refs,
			     S("inbox"), NULL, &back, &s->e),
	    0);
	assert_true(has(s, "cur/1.a\nb:2,DFab,x") && has(s, "new/2.a"));
	/* Into where they are. */
	assert_int_equal(move(s, &back, "INBOX"), 0);
	assert_int_equal(moved.n, 3);
	assert_int_equal(rows_of(s, "INBOX", 0, 0).n, 4);
}

static void
what_was_new_is_not_where_nothing_can_be(void **state)
{
	static const char *const id[] = { "2.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 1);

	site_mkdir(s, AGENT "/" THERE);
	site_mkdir(s, AGENT "/" THERE "/cur");
	site_mail(s, "new/2.a", TEXT);
	assert_int_equal(move(s, &refs, "Archive"), 0);
	assert_true(has(s, THERE "/cur/2.a:2,"));
}

/* With other flags, so that both names could be there. */
static void
a_name_that_is_taken_is_another_message(void **state)
{
	static const char *const id[] = { "1782000000.M1P1.lab" };
	static const char *const there[] = { "cur/1782000000.M1P1.lab:2,F",
		"new/1782000000.M1P1.lab" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 1);
	char path[PATH_MAX];

	site_box(s, AGENT "/" THERE);
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(path, sizeof(path), THERE "/%s", there[i]);
		site_mail(s, path, "Subject: other\r\n\r\n");
		site_mail(s, "cur/1782000000.M1P1.lab:2,S", TEXT);
		assert_int_equal(move(s, &refs, "Archive"), 0);
		assert_true(has(s, path));
		assert_false(str_eq(moved.v[0].id, str_of(id[0])));
		assert_true(str_starts(moved.v[0].id, S("1782000000.")));
		(void)snprintf(path, sizeof(path), THERE "/cur/%.*s:2,S",
		    STR_ARG(moved.v[0].id));
		assert_true(has(s, path));
	}
	assert_int_equal(rows_of(s, "Archive", 0, 0).n, 3);
	assert_int_equal(count(s, ""), 0);
}

/* It comes after the other folder was read. */
static void
a_name_that_is_taken_meanwhile_is_not_replaced(void **state)
{
	static const char *const id[] = { "1.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 1);

	for (int i = 0; i < 2; i++) {
		always = i == 1;
		if (i == 0)
			site_box(s, AGENT "/" THERE);
		else
			site_rename(s, AGENT "/" THERE "/cur/1.a:2,S",
			    AGENT "/tmp/old");
		site_mail(s, "cur/1.a:2,S", TEXT);
		site_mail(s, "tmp/x", "Subject: other\r\n\r\n");
		was = AGENT "/tmp/x";
		is = AGENT "/" THERE "/cur/1.a:2,S";
		left = 1;
		assert_int_equal(move(s, &refs, "Archive"), 0);
		assert_int_equal(site_count(s, AGENT "/" THERE "/cur"), 2 + i);
		assert_false(str_eq(moved.v[0].id, S("1.a")));
	}
}

static void
one_that_is_missing_and_none_is_moved(void **state)
{
	static const char *const id[] = { "1.a", "2.a", "9.a" };
	static const char *const away[] = { "Away", "", ".", "..",
		"../bob@lab.example", "/tmp", "Linked", "Half", "a\nb",
		"Archive/../x" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 3);

	site_box(s, AGENT "/" THERE);
	site_box(s, BOB "/.In");
	site_link(s, "../" BOB "/.In", AGENT "/.Linked");
	site_mkdir(s, AGENT "/.Half");
	site_link(s, "../../" BOB "/cur", AGENT "/.Half/cur");
	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	assert_int_equal(move(s, &refs, "Archive"), -1);
	assert_error(s, ERR_NOT_FOUND, "no such folder or message");
	refs.n = 2;
	for (size_t i = 0; i < sizeof(away) / sizeof(away[0]); i++) {
		assert_int_equal(move(s, &refs, away[i]), -1);
		assert_error(s, ERR_NOT_FOUND, "no such folder or message");
	}
	assert_int_equal(count(s, ""), 2);
	assert_int_equal(count(s, THERE "/"), 0);
}

static void
a_person_may_move_and_mark_meanwhile(void **state)
{
	static const char *const id[] = { "1.a", "2.a", "3.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 3);

	site_box(s, AGENT "/" THERE);
	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	site_mail(s, "cur/3.a:2,", TEXT);
	/* The second was read meanwhile. */
	left = 2;
	was = AGENT "/new/2.a";
	is = AGENT "/cur/2.a:2,S";
	assert_int_equal(move(s, &refs, "Archive"), 0);
	assert_true(
	    has(s, THERE "/cur/2.a:2,S") && has(s, THERE "/cur/3.a:2,"));
	/* And now the last went elsewhere: the others come back. */
	refs = moved;
	left = 3;
	was = AGENT "/" THERE "/cur/3.a:2,";
	is = AGENT "/tmp/3.a";
	s->e = (struct err){ 0 };
	assert_int_equal(maildir_backend.move(s->c, s->a, S("Archive"), &refs,
			     S("INBOX"), NULL, &moved, &s->e),
	    -1);
	assert_error(s, ERR_NOT_FOUND, "no such folder or message");
	assert_true(
	    has(s, THERE "/cur/1.a:2,") && has(s, THERE "/cur/2.a:2,S"));
	assert_int_equal(count(s, ""), 0);
}

static const struct {
	int fails;
	enum err_kind kind;
	const char *say;
} faults[] = {
	{ EXDEV, ERR_UNSUPPORTED, "the folders are on different file systems" },
	{ EACCES, ERR_CONFIG, "the folder cannot be changed" },
	{ EROFS, ERR_CONFIG, "the folder cannot be changed" },
	{ ENOSPC, ERR_CONFIG, "the folder cannot be changed" },
};

static void
what_cannot_be_moved_stays(void **state)
{
	static const char *const id[] = { "1.a", "2.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 2);

	site_box(s, AGENT "/" THERE);
	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		fails = faults[i].fails;
		left = 1;
		assert_int_equal(move(s, &refs, "Archive"), -1);
		assert_error(s, faults[i].kind, faults[i].say);
		assert_true(has(s, "cur/1.a:2,") && has(s, "new/2.a"));
	}
	left = 2;
	assert_int_equal(move(s, &refs, "Archive"), -1);
	assert_int_equal(s->e.kind, ERR_UNKNOWN_OUTCOME);
	assert_int_equal(count(s, "") + count(s, THERE "/"), 2);
}

static void
a_folder_that_is_read_only_takes_nothing(void **state)
{
	static const char *const path[] = { "", AGENT, AGENT "/cur",
		AGENT "/new", AGENT "/" THERE, AGENT "/" THERE "/cur",
		AGENT "/" THERE "/new" };
	static const char *const id[] = { "1.a", "2.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 2);
	uid_t self = geteuid();
	char full[PATH_MAX];
	int r;

	site_box(s, AGENT "/" THERE);
	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "cur/2.a:2,", TEXT);
	site_path(full, s, AGENT "/cur/1.a:2,");
	assert_int_equal(chmod(full, 0644), 0);
	site_path(full, s, AGENT "/cur/2.a:2,");
	assert_int_equal(chmod(full, 0644), 0);
	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		site_path(full, s, path[i]);
		assert_int_equal(chmod(full, i == 5 ? 0555 : 0777), 0);
	}
	/* Root may do everything, so it becomes another user for a while. */
	if (self == 0)
		assert_int_equal(seteuid(65534), 0);
	r = move(s, &refs, "Archive");
	assert_int_equal(seteuid(self), 0);
	assert_int_equal(r, -1);
	assert_error(s, ERR_CONFIG, "the folder cannot be changed");
	assert_non_null(strstr(s->e.hint, "must be able to write"));
	assert_true(has(s, "cur/1.a:2,") && has(s, "cur/2.a:2,"));
}

static void
a_name_that_gets_too_long_is_refused(void **state)
{
	struct site *s = *state;
	char name[300] = "cur/1.a:2,", path[300];
	const char *id[] = { "1.a" };
	struct refs refs = refs_of(s, id, 1);

	site_box(s, AGENT "/" THERE);
	memset(name + 10, 'n', 245);
	site_mail(s, name, TEXT);
	site_mail(s, THERE "/cur/1.a:2,S", TEXT);
	assert_int_equal(move(s, &refs, "Archive"), -1);
	assert_error(s, ERR_UNSUPPORTED,
	    "the name of a message's file is too long");
	(void)snprintf(path, sizeof(path), "%s", name);
	assert_true(has(s, path));
}

static int
move_four(struct site *s)
{
	static const char *const id[] = { "1.a", "2.a", "3.a", "4.a" };
	struct refs refs = refs_of(s, id, 4);

	return move(s, &refs, "Archive");
}

static void
a_kill_leaves_each_message_once(void **state)
{
	struct site *s = *state;
	long n = 0;
	bool lived;

	site_box(s, AGENT "/" THERE);
	site_mail(s, THERE "/cur/2.a:2,S", "Subject: other\r\n\r\n");
	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	site_mail(s, "cur/3.a:2,F", TEXT);
	site_mail(s, "new/4.a", TEXT);
	do {
		struct rows r;
		struct refs refs, back;

		lived = survives(s, ++n, move_four);
		assert_int_equal(count(s, "") + count(s, THERE "/"), 5);
		r = rows_of(s, "Archive", 0, 0);
		assert_int_equal(r.n, n);
		assert_int_equal(rows_of(s, "INBOX", 0, 0).n, 5 - n);
		/* Back again, all but the one that always was there. */
		refs.v = arena_array(s->a, r.n, sizeof(*refs.v));
		refs.n = 0;
		for (size_t i = 0; i < r.n; i++)
			if (!str_eq(r.v[i].ref.id, S("2.a")))
				refs.v[refs.n++] = r.v[i].ref;
		assert_int_equal(maildir_backend.move(s->c, s->a, S("Archive"),
				     &refs, S("INBOX"), NULL, &back, &s->e),
		    0);
		for (size_t i = 0; i < back.n; i++) {
			char was_at[PATH_MAX];

			(void)snprintf(was_at, sizeof(was_at),
			    AGENT "/new/%.*s", STR_ARG(back.v[i].id));
			if (str_starts(back.v[i].id, S("2.")))
				site_rename(s, was_at, AGENT "/new/2.a");
		}
	} while (!lived);
	assert_int_equal(n, 5);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		RENAMES_TEST(a_message_keeps_its_name_and_its_half),
		RENAMES_TEST(what_was_new_is_not_where_nothing_can_be),
		RENAMES_TEST(a_name_that_is_taken_is_another_message),
		RENAMES_TEST(a_name_that_is_taken_meanwhile_is_not_replaced),
		RENAMES_TEST(one_that_is_missing_and_none_is_moved),
		RENAMES_TEST(a_person_may_move_and_mark_meanwhile),
		RENAMES_TEST(what_cannot_be_moved_stays),
		RENAMES_TEST(a_folder_that_is_read_only_takes_nothing),
		RENAMES_TEST(a_name_that_gets_too_long_is_refused),
		RENAMES_TEST(a_kill_leaves_each_message_once),
	};

	return cmocka_run_group_tests_name("backend/maildir/move", tests, NULL,
	    NULL);
}
