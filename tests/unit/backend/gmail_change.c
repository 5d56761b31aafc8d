/* SPDX-License-Identifier: Apache-2.0 */
/* What labels say of a message, and which change when it is moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/gmail/change.h"

static const struct gmail_label
    inbox = { SI("INBOX"), SI("INBOX"), FOLDER_INBOX, false },
    all = { SI(""), SI("All Mail"), FOLDER_ALL, false },
    trash = { SI("TRASH"), SI("TRASH"), FOLDER_TRASH, false },
    spam = { SI("SPAM"), SI("SPAM"), FOLDER_JUNK, false },
    sent = { SI("SENT"), SI("SENT"), FOLDER_SENT, false },
    draft = { SI("DRAFT"), SI("DRAFT"), FOLDER_DRAFTS, false },
    star = { SI("STARRED"), SI("STARRED"), FOLDER_FLAGGED, false },
    work = { SI("Label_1"), SI("Work"), FOLDER_PLAIN, true },
    home = { SI("Label_2"), SI("Home"), FOLDER_PLAIN, true };

static const struct {
	const struct gmail_label *from, *to;
	const char *add, *remove, *must; /* add is NULL: refused */
} moves[] = {
	{ &inbox, &work, "Label_1", "INBOX", "" },
	{ &work, &home, "Label_2", "Label_1", "" },
	{ &work, &inbox, "INBOX", "Label_1", "" },
	/* Archived, and back. */
	{ &inbox, &all, "", "INBOX", "" },
	{ &all, &inbox, "INBOX", "", "" },
	/* The account's own labels outlive the trash. */
	{ &inbox, &trash, "TRASH", "INBOX SPAM", "" },
	{ &work, &trash, "TRASH", "Label_1 INBOX SPAM", "" },
	{ &all, &trash, "TRASH", "INBOX SPAM", "" },
	{ &spam, &trash, "TRASH", "SPAM INBOX", "" },
	{ &inbox, &spam, "SPAM", "INBOX TRASH", "" },
	{ &trash, &inbox, "INBOX", "TRASH", "" },
	{ &trash, &work, "Label_1", "TRASH", "" },
	{ &trash, &all, "", "TRASH", "" },
	/* From wherever each is. */
	{ NULL, &work, "Label_1", "INBOX TRASH SPAM", "" },
	{ NULL, &inbox, "INBOX", "TRASH SPAM", "" },
	{ NULL, &all, "", "INBOX TRASH SPAM", "" },
	{ NULL, &trash, "TRASH", "INBOX SPAM", "" },
	/* Only what is there already goes back to them. */
	{ &sent, &trash, "TRASH", "INBOX SPAM", "" },
	{ &trash, &sent, "", "TRASH", "SENT" },
	{ &spam, &draft, "", "SPAM", "DRAFT" },
	{ &inbox, &sent, NULL, NULL, NULL },
	{ &inbox, &draft, NULL, NULL, NULL },
	{ &sent, &work, NULL, NULL, NULL },
	{ &draft, &inbox, NULL, NULL, NULL },
	{ &inbox, &star, NULL, NULL, NULL },
	{ &star, &work, NULL, NULL, NULL },
	{ NULL, &star, NULL, NULL, NULL },
	{ &star, &trash, "TRASH", "INBOX SPAM", "" },
};

static bool
same(struct arena *a, const struct strs *got, const char *want)
{
	struct str s = S("");

	for (size_t i = 0; i < got->n; i++)
		s = str_fmt(a, "%.*s%s%.*s", STR_ARG(s), i > 0 ? " " : "",
		    STR_ARG(got->v[i]));
	return str_eq(s, str_of(want));
}

static struct strs
words(struct arena *a, const char *s)
{
	struct strs out = { 0 };

	for (size_t n; *s != '\0'; s += n + (s[n] == ' ')) {
		n = strcspn(s, " ");
		str_push(a, &out, str_dup(a, (struct str){ s, n }));
	}
	return out;
}

static void
a_move_exchanges_labels(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		struct gmail_change w = { 0 };
		struct err e = { 0 };
		int r = gmail_move_plan(a, moves[i].from, moves[i].to, &w, &e);

		if (moves[i].add == NULL) {
			assert_int_equal(r, -1);
			assert_int_equal(e.kind, ERR_UNSUPPORTED);
		} else if (r < 0 || !same(a, &w.add, moves[i].add) ||
		    !same(a, &w.remove, moves[i].remove) ||
		    !str_eq(w.must, str_of(moves[i].must))) {
			fail_msg("move %zu", i);
		}
	}
	arena_close(&a);
}

/* What a move of a message did to it is taken back, and nothing else. */
static const struct {
	const struct gmail_label *from, *to; /* of the move */
	const char *was, *add, *remove, *must;
} backs[] = {
	{ &inbox, &work, "INBOX", "INBOX", "Label_1", "" },
	/* It was there, too. */
	{ &inbox, &work, "Label_1 INBOX", "INBOX", "", "" },
	{ &all, &work, "Label_1", "", "", "" },
	{ &all, &work, "Label_2", "", "Label_1", "" },
	/* Into the trash it has left INBOX, too. */
	{ &all, &trash, "INBOX Label_1", "INBOX", "TRASH", "" },
	{ &work, &trash, "Label_1 INBOX", "Label_1 INBOX", "TRASH", "" },
	{ &work, &trash, "Label_1", "Label_1", "TRASH", "" },
	{ &star, &trash, "INBOX", "INBOX", "TRASH", "" },
	{ &sent, &trash, "SENT", "", "TRASH", "SENT" },
	{ &inbox, &all, "INBOX", "INBOX", "", "" },
	/* The way back of the way back. */
	{ &trash, &all, "TRASH Label_1", "TRASH", "INBOX SPAM", "" },
	{ &trash, &work, "TRASH Label_1", "TRASH", "INBOX SPAM", "" },
	{ &work, &inbox, "Label_1", "Label_1", "INBOX", "" },
	/* It is not known. */
	{ &inbox, &work, "", "INBOX", "Label_1", "" },
	{ &all, &trash, "", "", "TRASH", "" },
};

static void
a_move_is_taken_back(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(backs) / sizeof(backs[0]); i++) {
		struct gmail_change w = { 0 };
		struct strs was = words(a, backs[i].was);

		gmail_move_back_plan(a, backs[i].to, backs[i].from, &was, &w);
		if (!same(a, &w.add, backs[i].add) ||
		    !same(a, &w.remove, backs[i].remove) ||
		    !str_eq(w.must, str_of(backs[i].must)))
			fail_msg("back %zu", i);
	}
	arena_close(&a);
}

static const struct {
	const char *ids;
	unsigned flags;
	const char *folder, *labels, *places;
} messages[] = {
	{ "[]", FLAG_READ, "All Mail", "", "" },
	{ "[\"INBOX\",\"UNREAD\"]", 0, "INBOX", "", "INBOX" },
	{ "[\"STARRED\",\"SENT\"]", FLAG_READ | FLAG_FLAGGED, "SENT", "",
	    "SENT" },
	{ "[\"Label_2\",\"INBOX\",\"Label_1\"]", FLAG_READ, "INBOX",
	    "Work Home", "Label_2 INBOX Label_1" },
	{ "[\"INBOX\",\"TRASH\",\"UNREAD\",\"STARRED\"]", FLAG_FLAGGED, "TRASH",
	    "", "INBOX TRASH" },
	/* Not the account's own, or not known. */
	{ "[\"CATEGORY_UPDATES\",\"IMPORTANT\",\"Label_9\"]", FLAG_READ,
	    "All Mail", "", "CATEGORY_UPDATES Label_9" },
	{ "7", FLAG_READ, "All Mail", "", "" },
	{ "[7,null,\"UNREAD\"]", 0, "All Mail", "", "" },
};

static void
labels_tell_flags_and_place(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct gmail g = { .a = a };

	(void)state;
	gmail_label_take(&g,
	    S("{\"labels\":[{\"id\":\"Label_1\",\"name\":\"Work\","
	      "\"type\":\"user\"},"
	      "{\"id\":\"CATEGORY_UPDATES\",\"name\":\"CATEGORY_UPDATES\","
	      "\"type\":\"system\"},"
	      "{\"id\":\"Label_2\",\"name\":\"Home\",\"type\":\"user\"}]}"));
	assert_int_equal(g.labels, 3);
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct json_doc *d = NULL;
		struct row row = { 0 };
		struct err e = { 0 };

		assert_int_equal(gmail_call_parse(str_fmt(a,
						      "{\"labelIds\":%s}",
						      messages[i].ids),
				     &d, &e),
		    0);
		gmail_flag_put(&g, a,
		    json_parse_member(json_parse_root(d), "labelIds"), &row);
		if (row.flags != messages[i].flags ||
		    !str_eq(row.folder, str_of(messages[i].folder)) ||
		    !same(a, &row.labels, messages[i].labels) ||
		    !same(a, &row.places, messages[i].places))
			fail_msg("%s", messages[i].ids);
		json_parse_close(&d);
	}
	arena_close(&a);
}

/* Gmail refuses to make a label whose name differs by case alone. */
static void
a_label_is_found_whatever_its_case(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct gmail g = { .a = a };
	struct err e = { 0 };
	struct str id = S("");

	(void)state;
	gmail_label_take(&g,
	    S("{\"labels\":[{\"id\":\"Label_1\",\"name\":\"Work\","
	      "\"type\":\"user\"}]}"));
	assert_int_equal(gmail_label_user(&g, S("wORK"), &id, &e), 1);
	assert_true(str_eq(id, S("Label_1")));
	assert_int_equal(gmail_label_user(&g, S("Works"), &id, &e), 0);
	arena_close(&a);
}

/* What cannot be read tells no label, and makes no error. */
static void
labels_that_cannot_be_read_are_not_told(void **state)
{
	static const char *const bad[] = { "", "x", "[]", "{\"labels\":7}",
		"{\"labels\":[7,{\"id\":\"a/b\",\"name\":\"n\"},"
		"{\"id\":\"a\",\"name\":\"\",\"type\":\"user\"},"
		"{\"id\":\"a\",\"name\":\"x\\ny\",\"type\":\"user\"}]}" };
	struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct gmail g = { .a = a };

		gmail_label_take(&g, str_of(bad[i]));
		assert_int_equal(g.labels, 0);
	}
	arena_close(&a);
}

static void
a_label_is_no_name_of_gmails(void **state)
{
	static const char *const no[] = { "", "INBOX", "inbox", "TRASH",
		"UNREAD", "CHAT", "All Mail", "STARRED", "CATEGORY_SOCIAL",
		"Category_x", "a\nb", "\xff" };
	static const char *const yes[] = { "Work", "work/emcli", "Unread",
		"gr\xc3\xbc\xc3\x9f" };
	char many[300];

	(void)state;
	memset(many, 'x', sizeof(many));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (gmail_label_may_be(str_of(no[i])))
			fail_msg("%s", no[i]);
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (!gmail_label_may_be(str_of(yes[i])))
			fail_msg("%s", yes[i]);
	assert_true(gmail_label_may_be((struct str){ many, 225 }));
	assert_false(gmail_label_may_be((struct str){ many, 226 }));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_move_exchanges_labels),
		cmocka_unit_test(a_move_is_taken_back),
		cmocka_unit_test(labels_tell_flags_and_place),
		cmocka_unit_test(a_label_is_found_whatever_its_case),
		cmocka_unit_test(labels_that_cannot_be_read_are_not_told),
		cmocka_unit_test(a_label_is_no_name_of_gmails),
	};

	return cmocka_run_group_tests_name("gmail/change", tests, NULL, NULL);
}
