/* SPDX-License-Identifier: Apache-2.0 */
/* Flags in a Maildir: names of files, and all of them or none. */
#include "maildir_renames.h"

#define TEXT "From: ann@example.net\r\nSubject: x\r\n\r\nhi\r\n"

static int
mark(struct site *s, const struct refs *refs, unsigned set, unsigned clear)
{
	const struct flag_change change = { .set = set, .clear = clear };

	s->e = (struct err){ 0 };
	return maildir_backend.mark(s->c, s->a, S("INBOX"), refs, &change,
	    &s->e);
}

static int
mark_one(struct site *s, const char *id, unsigned set, unsigned clear)
{
	struct refs one = refs_of(s, &id, 1);

	return mark(s, &one, set, clear);
}

static const struct {
	const char *was;
	unsigned set, clear;
	const char *is;
} names[] = {
	{ "cur/1.a:2,", FLAG_READ, 0, "cur/1.a:2,S" },
	{ "cur/1.a:2,S", FLAG_READ, 0, "cur/1.a:2,S" },
	{ "cur/1.a:2,S", FLAG_ANSWERED | FLAG_FLAGGED, 0, "cur/1.a:2,FRS" },
	{ "cur/1.a:2,FRS", 0, FLAG_READ | FLAG_FLAGGED, "cur/1.a:2,R" },
	{ "cur/1.a:2,FRS", FLAG_READ, FLAG_FLAGGED, "cur/1.a:2,RS" },
	/* Letters of others stay, as does what is after a comma. */
	{ "cur/1.a:2,DPTab", FLAG_READ, 0, "cur/1.a:2,DPSTab" },
	{ "cur/1.a:2,DS,x=FS", FLAG_FLAGGED, FLAG_READ, "cur/1.a:2,DF,x=FS" },
	{ "cur/1.a,S=33:2,S", FLAG_FLAGGED, 0, "cur/1.a,S=33:2,FS" },
	{ "cur/1.a", FLAG_READ, 0, "cur/1.a:2,S" },
	{ "cur/1.a:", FLAG_READ, 0, "cur/1.a:2,S" },
	{ "cur/1.a\nb:2,", FLAG_READ, 0, "cur/1.a\nb:2,S" },
	/* With a flag it is new no more, and without one it stays so. */
	{ "new/1.a", FLAG_FLAGGED, 0, "cur/1.a:2,F" },
	{ "new/1.a", 0, FLAG_READ, "new/1.a" },
	{ "new/1.a:2,SX", FLAG_FLAGGED, 0, "cur/1.a:2,FX" },
};

static void
a_flag_is_a_letter_of_the_name(void **state)
{
	struct site *s = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct str id, rest;
		char path[PATH_MAX];

		site_mail(s, names[i].was, TEXT);
		(void)str_cut(str_of(names[i].was + 4), ':', &id, &rest);
		assert_int_equal(mark_one(s, str_c(s->a, id), names[i].set,
				     names[i].clear),
		    0);
		if (!has(s, names[i].is) ||
		    site_count(s, AGENT "/cur") + site_count(s, AGENT "/new") !=
			1)
			fail_msg("%s", names[i].was);
		(void)snprintf(path, sizeof(path), "%s/" AGENT "/%s", s->root,
		    names[i].is);
		assert_int_equal(unlink(path), 0);
	}
}

static void
rows_tell_flags_and_are_found_by_them(void **state)
{
	const struct query q = { .folder = S("INBOX"),
		.with = FLAG_READ,
		.without = FLAG_FLAGGED };
	struct site *s = *state;
	struct folder_state st;
	struct rows r;

	site_mail(s, "cur/1.a:2,FRS", TEXT);
	site_mail(s, "cur/2.a:2,D", TEXT);
	site_mail(s, "new/3.a:2,S", TEXT);
	site_mail(s, "cur/4.a:1,S", TEXT);
	r = rows_of(s, "INBOX", 0, 0);
	assert_int_equal(r.n, 4);
	assert_int_equal(r.v[0].flags | r.v[1].flags | r.v[2].flags, 0);
	assert_true(r.v[2].draft && !r.v[3].draft);
	assert_int_equal(r.v[3].flags,
	    FLAG_READ | FLAG_ANSWERED | FLAG_FLAGGED);
	r = rows_of(s, "INBOX", FLAG_READ, 0);
	assert_int_equal(r.n, 1);
	assert_str(r.v[0].ref.id, "1.a");
	assert_int_equal(rows_of(s, "INBOX", 0, FLAG_READ).n, 3);
	assert_int_equal(rows_of(s, "INBOX", FLAG_READ, FLAG_FLAGGED).n, 0);
	assert_int_equal(mark_one(s, "2.a", FLAG_READ, 0), 0);
	/* On the connection that marked it, nothing read between. */
	assert_int_equal(maildir_backend.find(s->c, s->a, &q, 50, &st, &r,
			     &s->e),
	    0);
	assert_int_equal(r.n, 1);
	assert_str(r.v[0].ref.id, "2.a");
}

static void
one_that_is_missing_and_none_is_changed(void **state)
{
	static const char *const id[] = { "1.a", "2.a", "3.a" };
	static const char *const odd[] = { "", ".", "..", "../cur/1.a", "1",
		"1.a:2,", "/", "2.link" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 3);

	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	assert_int_equal(mark(s, &refs, FLAG_READ, 0), -1);
	assert_error(s, ERR_NOT_FOUND, "no such folder or message");
	assert_true(has(s, "cur/1.a:2,") && has(s, "new/2.a"));
	site_link(s, "1.a:2,", AGENT "/cur/2.link:2,");
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		assert_int_equal(mark_one(s, odd[i], FLAG_READ, 0), -1);
		assert_int_equal(s->e.kind, ERR_NOT_FOUND);
	}
	assert_true(has(s, "cur/1.a:2,") && has(s, "cur/2.link:2,"));
	assert_int_equal(maildir_backend.mark(s->c, s->a, S("Away"), &refs,
			     &(struct flag_change){ .set = FLAG_READ }, &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_NOT_FOUND);
}

static void
a_name_without_room_for_flags_is_refused_before_all(void **state)
{
	static const char *const odd[] = { "2.a", NULL };
	const char *id[] = { "1.a", NULL };
	struct site *s = *state;
	char name[300] = "cur/3.", path[PATH_MAX];
	struct refs refs;

	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "cur/2.a:1,x", TEXT);
	memset(name + 6, 'n', 248);
	(void)snprintf(path, sizeof(path), "%s", name);
	site_mail(s, path, TEXT);
	for (int i = 0; i < 2; i++) {
		id[1] = i == 0 ? odd[0] : name + 4;
		refs = refs_of(s, id, 2);
		assert_int_equal(mark(s, &refs, FLAG_READ, 0), -1);
		assert_error(s, ERR_UNSUPPORTED,
		    i == 0
			? "the name of a message's file has no place for flags"
			: "the name of a message's file is too long for more "
			  "flags");
		assert_true(has(s, "cur/1.a:2,"));
	}
	/* Nothing to change is no error. */
	assert_int_equal(mark(s, &refs, 0, FLAG_READ), 0);
}

/* Each of them, by another program, before one of our renames. */
static void
what_a_person_changes_meanwhile_stays(void **state)
{
	static const char *const id[] = { "1.a", "2.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 2);

	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	left = 1;
	was = AGENT "/cur/1.a:2,";
	is = AGENT "/cur/1.a:2,RT";
	assert_int_equal(mark(s, &refs, FLAG_FLAGGED, 0), 0);
	assert_true(has(s, "cur/1.a:2,FRT") && has(s, "cur/2.a:2,F"));
	left = 1;
	was = AGENT "/cur/1.a:2,FRT";
	is = AGENT "/cur/1.a:2,RT";
	assert_int_equal(mark(s, &refs, 0, FLAG_FLAGGED), 0);
	assert_true(has(s, "cur/1.a:2,RT") && has(s, "cur/2.a:2,"));
}

static void
one_that_goes_meanwhile_gives_back_the_others(void **state)
{
	static const char *const id[] = { "1.a", "2.a", "3.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 3);

	site_mail(s, "cur/1.a:2,R", TEXT);
	site_mail(s, "cur/2.a:2,F", TEXT);
	site_mail(s, "cur/3.a:2,", TEXT);
	left = 3;
	was = AGENT "/cur/3.a:2,";
	is = AGENT "/tmp/3.a";
	assert_int_equal(mark(s, &refs, FLAG_READ, FLAG_FLAGGED), -1);
	assert_error(s, ERR_NOT_FOUND, "no such folder or message");
	assert_true(has(s, "cur/1.a:2,R") && has(s, "cur/2.a:2,F"));
}

static void
where_nothing_can_be_written_nothing_is(void **state)
{
	static const char *const id[] = { "1.a", "2.a" };
	struct site *s = *state;
	struct refs refs = refs_of(s, id, 2);

	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "cur/2.a:2,", TEXT);
	fails = EACCES;
	left = 1;
	assert_int_equal(mark(s, &refs, FLAG_READ, 0), -1);
	assert_error(s, ERR_CONFIG, "the folder cannot be changed");
	assert_non_null(strstr(s->e.hint, "must be able to write"));
	/* From the second on: the first cannot be given back either. */
	left = 2;
	assert_int_equal(mark(s, &refs, FLAG_READ, 0), -1);
	assert_int_equal(s->e.kind, ERR_UNKNOWN_OUTCOME);
	assert_true(has(s, "cur/1.a:2,S") && has(s, "cur/2.a:2,"));
}

static void
a_file_system_without_noreplace_replaces_nothing(void **state)
{
	struct site *s = *state;

	always = true;
	site_mail(s, "cur/1.a:2,", TEXT);
	assert_int_equal(mark_one(s, "1.a", FLAG_READ, 0), 0);
	assert_true(has(s, "cur/1.a:2,S"));
	/* Another program's copy under the same id. */
	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "cur/1.a:2,F", TEXT);
	(void)mark_one(s, "1.a", FLAG_READ | FLAG_FLAGGED, 0);
	(void)mark_one(s, "1.a", FLAG_READ, FLAG_FLAGGED);
	assert_int_equal(site_count(s, AGENT "/cur"), 3);
}

static int
mark_four(struct site *s)
{
	static const char *const id[] = { "1.a", "2.a", "3.a", "4.a" };
	struct refs refs = refs_of(s, id, 4);

	return mark(s, &refs, FLAG_READ, 0);
}

static void
a_kill_leaves_each_message_once(void **state)
{
	struct site *s = *state;
	long n = 0;
	bool lived;

	site_mail(s, "cur/1.a:2,", TEXT);
	site_mail(s, "new/2.a", TEXT);
	site_mail(s, "cur/3.a:2,F", TEXT);
	site_mail(s, "new/4.a", TEXT);
	do {
		lived = survives(s, ++n, mark_four);
		assert_int_equal(rows_of(s, "INBOX", 0, 0).n, 4);
		assert_int_equal(site_count(s, AGENT "/cur") +
			site_count(s, AGENT "/new"),
		    4);
		/* Those before the one it died at. */
		assert_int_equal(rows_of(s, "INBOX", FLAG_READ, 0).n, n - 1);
		if (!lived)
			assert_int_equal(mark_four(s), 0);
		site_rename(s, AGENT "/cur/1.a:2,S", AGENT "/cur/1.a:2,");
		site_rename(s, AGENT "/cur/2.a:2,S", AGENT "/new/2.a");
		site_rename(s, AGENT "/cur/3.a:2,FS", AGENT "/cur/3.a:2,F");
		site_rename(s, AGENT "/cur/4.a:2,S", AGENT "/new/4.a");
	} while (!lived);
	assert_int_equal(n, 5);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		RENAMES_TEST(a_flag_is_a_letter_of_the_name),
		RENAMES_TEST(rows_tell_flags_and_are_found_by_them),
		RENAMES_TEST(one_that_is_missing_and_none_is_changed),
		RENAMES_TEST(
		    a_name_without_room_for_flags_is_refused_before_all),
		RENAMES_TEST(what_a_person_changes_meanwhile_stays),
		RENAMES_TEST(one_that_goes_meanwhile_gives_back_the_others),
		RENAMES_TEST(where_nothing_can_be_written_nothing_is),
		RENAMES_TEST(a_file_system_without_noreplace_replaces_nothing),
		RENAMES_TEST(a_kill_leaves_each_message_once),
	};

	return cmocka_run_group_tests_name("backend/maildir/mark", tests, NULL,
	    NULL);
}
