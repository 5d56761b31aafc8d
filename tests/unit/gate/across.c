/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search of all folders: which are looked through, the order of what is found,
 * and the cursor.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/internal.h"

#define ALL "account", "work", "all_folders", ""

static struct fake_mail *
put(const char *head, const char *folder, int64_t received_s)
{
	struct fake_mail *m = fake_add(head);

	m->folder = folder;
	m->received_s = received_s;
	return m;
}

static void
add_folder(const char *name, enum folder_role role)
{
	if (fake.folders == FAKE_FOLDERS)
		fail_msg("no room for a folder");
	fake.folder[fake.folders++] =
	    (struct folder){ str_of(name), '/', true, role };
}

/* Uid 3 is a stranger's; 5 and 6 are thrown away. */
static void
spread(struct house *h)
{
	(void)h;
	add_folder("Archive", FOLDER_ARCHIVE);
	add_folder("Trash", FOLDER_TRASH);
	add_folder("Trash/old", FOLDER_PLAIN);
	add_folder("Trashed", FOLDER_PLAIN);
	add_folder("Starred", FOLDER_FLAGGED);
	add_folder("Spam", FOLDER_JUNK);
	(void)put(BOSS, NULL, 100);
	(void)put(BOSS, "Sent", 300);
	(void)put(SPAM, "Archive", 200);
	put(BOSS, "Archive", 250)->flags = FLAG_FLAGGED;
	(void)put(BOSS, "Trash", 400);
	(void)put(BOSS, "Trash/old", 50);
	(void)put(BOSS, "Trashed", 150);
	(void)put(BOSS, "Starred", 300);
}

/* All holds copies of the others, as Gmail's does. */
static void
spread_with_all(struct house *h)
{
	spread(h);
	add_folder("All Mail", FOLDER_ALL);
	(void)put(BOSS, "All Mail", 100);
	(void)put(SPAM, "All Mail", 200);
	(void)put(BOSS, "All Mail", 300);
}

static void
spread_and_one_is_no_folder(struct house *h)
{
	spread(h);
	fake.folder[fake.folders - 3].selectable = false; /* Trashed */
}

/* The same message in two folders, as JMAP may have it. */
static void
in_two_folders(struct house *h)
{
	spread(h);
	put(BOSS, "Archive", 100)->uid = 1;
}

static void
too_many_folders(struct house *h)
{
	(void)h;
	for (int i = 0; i < 400; i++)
		add_folder(str_fmt(h->a, "f%d", i).p, FOLDER_PLAIN);
}

static void
no_folders(struct house *h)
{
	spread(h);
	fake.fault[FAKE_FOLDERS_LIST].kind = ERR_NETWORK;
}

static void
one_is_gone(struct house *h)
{
	spread(h);
	fake.fault[FAKE_FIND] =
	    (struct fake_fault){ ERR_NOT_FOUND, .after = 1, .times = 1 };
}

static void
one_breaks(struct house *h)
{
	spread(h);
	fake.fault[FAKE_FIND] = (struct fake_fault){ ERR_NETWORK, .after = 2 };
}

#define HIDES                                                                  \
	{                                                                      \
		.in_on = true, .backlog = true                                 \
	}

static const struct house_row rows[] = {
	{ "all folders, the newest first, without Trash, Junk and views", HIDES,
	    spread, "search", { ALL }, .want = "ok", .uids = "2 4 7 1",
	    .says = "\"account\":\"work\",\"folder\":\"Sent\"" },
	{ "Trash and Junk where they are asked for", HIDES, spread, "search",
	    { ALL, "trash_too", "" }, .want = "ok", .uids = "5 2 4 7 1 6" },
	{ "the folder for all, where there is one", HIDES, spread_with_all,
	    "search", { ALL }, .want = "ok", .uids = "11 9",
	    .says = "\"folder\":\"All Mail\"" },
	{ "and Trash beside it", HIDES, spread_with_all, "search",
	    { ALL, "trash_too", "" }, .want = "ok", .uids = "5 11 9 6" },
	{ "no folder that only holds folders", HIDES,
	    spread_and_one_is_no_folder, "search", { ALL }, .want = "ok",
	    .uids = "2 4 1" },
	{ "with ids of each folder", { .backend = "maildir", .backlog = true },
	    spread, "search", { ALL }, .want = "ok", .uids = "1 2 1 1 1" },
	{ "a message in two folders once",
	    { .backend = "jmap", .in_on = true, .backlog = true },
	    in_two_folders, "search", { ALL }, .want = "ok",
	    .uids = "1 2 1 1" },
	{ "a flag, in each of them", HIDES, spread, "search",
	    { ALL, "flagged", "" }, .want = "ok", .uids = "4" },
	{ "a flag that the store does not keep",
	    { .backend = "maildir", .backlog = true }, spread, "search",
	    { ALL, "flagged", "" }, .want = "unsupported" },
	{ "a page tells that there is more", HIDES, spread, "search",
	    { ALL, "limit", "2" }, .want = "ok", .uids = "2 4",
	    .says = "\"truncated\":true" },
	{ "a folder that went meanwhile", HIDES, one_is_gone, "search", { ALL },
	    .want = "ok", .uids = "4 7 1" },
	{ "a server that stops answering", HIDES, one_breaks, "search", { ALL },
	    .want = "network" },
	{ "a server that lists no folders", HIDES, no_folders, "search",
	    { ALL }, .want = "network" },
	{ "more folders than one search takes", HIDES, too_many_folders,
	    "search", { ALL }, .want = "limit", .says = "one by one" },
	{ "all folders and one", HIDES, spread, "search",
	    { ALL, "folder", "Sent" }, .want = "usage" },
	{ "a uid of no folder", HIDES, spread, "search",
	    { ALL, "before_uid", "3" }, .want = "usage" },
	{ "Trash of one folder", HIDES, spread, "search",
	    { WORK, "trash_too", "" }, .want = "usage" },
	{ "a cursor for one folder", HIDES, spread, "search",
	    { WORK, "cursor", "x" }, .want = "usage" },
};

/* -- the cursor ------------------------------------------------------------ */

static const char *
next_of(struct house *h, struct reply r)
{
	struct str text = str_of(house_text(h, r)), cursor, rest;
	struct str mark = S("\"next_cursor\":\"");
	ptrdiff_t at = str_find(text, mark);

	if (at < 0)
		return NULL;
	(void)str_cut(str_from(text, (size_t)at + mark.n), '"', &cursor, &rest);
	return str_c(h->a, cursor);
}

static struct reply
page(struct house *h, const char *limit, const char *cursor)
{
	if (cursor == NULL)
		return house_call(h, "search", ALL, "limit", limit, NULL);
	return house_call(h, "search", ALL, "limit", limit, "cursor", cursor,
	    NULL);
}

static void
arrive(void)
{
	(void)put(BOSS, NULL, 1000);
	(void)put(BOSS, "Archive", 1001);
	(void)put(SPAM, "Sent", 1002);
}

/* Each page of one message, while mail arrives: none twice, none skipped. */
static void
pages_go_on(void **state)
{
	const char *cursor = NULL, *told = "";
	struct house h;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms)HIDES);
	spread(&h);
	do {
		struct reply r = page(&h, "1", cursor);

		told = str_fmt(h.a, "%s%s ", told, house_uids(&h, r)).p;
		cursor = next_of(&h, r);
		if (strlen(told) < 4)
			arrive();
	} while (cursor != NULL && strlen(told) < 40);
	/* What came is in folders that nothing was shown of before. */
	rows_same(str_trim(str_of(told)), S("2 10 9 4 7 1"));
	house_close(&h);
}

/* A search looks, and what it looks at is not met by that. */
static void
it_is_no_first_contact(void **state)
{
	struct house h;
	struct reply r;

	(void)state;
	fake_reset();
	house_open(&h, (struct terms){ 0 });
	spread(&h);
	r = page(&h, "10", NULL);
	assert_string_equal(house_word(r), "ok");
	(void)fake_add(BOSS);
	r = house_call(&h, "list", WORK, "new", "", NULL);
	assert_string_equal(house_uids(&h, r), "");
	(void)fake_add(BOSS);
	r = house_call(&h, "list", WORK, "new", "", NULL);
	assert_string_equal(house_uids(&h, r), "10");
	house_close(&h);
}

static const char *
as_it_is(struct house *h, const char *cursor)
{
	(void)h;
	return cursor;
}

static const char *
another_place(struct house *h, const char *cursor)
{
	char *forged = str_c(h->a, str_of(cursor));

	forged[0] = forged[0] == 'A' ? 'B' : 'A';
	return forged;
}

static const char *
another_mark(struct house *h, const char *cursor)
{
	char *forged = str_c(h->a, str_of(cursor));
	size_t last = strlen(forged) - 1;

	forged[last] = forged[last] == '0' ? '1' : '0';
	return forged;
}

static const char *
without_mark(struct house *h, const char *cursor)
{
	struct str places, mark;

	(void)str_cut(str_of(cursor), '.', &places, &mark);
	return str_c(h->a, places);
}

static const char *
too_long(struct house *h, const char *cursor)
{
	char *p = arena_array(h->a, 9000, 1);

	memset(p, 'A', 8999);
	return str_fmt(h->a, "%s%s", p, cursor).p;
}

static const char *
no_place(struct house *h, const char *cursor)
{
	return str_fmt(h->a, "%s", strchr(cursor, '.')).p;
}

static const char *
half_a_place(struct house *h, const char *cursor)
{
	return str_fmt(h->a, "QUJD%s", strchr(cursor, '.')).p;
}

static const struct cursor_row {
	const char *why;
	const char *(*change)(struct house *h, const char *cursor);
	const char *name, *value; /* of another query, or NULL */
	bool renumbered;
	const char *agent; /* or NULL: the same */
	const char *want;
} cursors[] = {
	{ "the cursor as it was given", as_it_is, .want = "ok" },
	{ "another size of page is the same search", as_it_is, "limit", "3",
	    .want = "ok" },
	{ "a cursor of another search", as_it_is, "subject_contains", "plan",
	    .want = "usage" },
	{ "of a search without Trash", as_it_is, "trash_too", "",
	    .want = "usage" },
	{ "of another agent", as_it_is, .agent = "eve", .want = "usage" },
	{ "that names another place", another_place, .want = "usage" },
	{ "with another mark", another_mark, .want = "usage" },
	{ "without a mark", without_mark, .want = "usage" },
	{ "that is too long", too_long, .want = "usage" },
	{ "that names no place", no_place, .want = "usage" },
	{ "that names half a place", half_a_place, .want = "usage" },
	{ "of a folder that was renumbered", as_it_is, .renumbered = true,
	    .want = "not_found" },
};

static void
cursor_row(void **state)
{
	const struct cursor_row *t = *state;
	const char *cursor;
	struct house h;
	struct reply r;

	fake_reset();
	house_open(&h, (struct terms)HIDES);
	spread(&h);
	cursor = next_of(&h, page(&h, "1", NULL));
	assert_non_null(cursor);
	cursor = t->change(&h, cursor);
	if (t->renumbered)
		fake.uidvalidity++;
	if (t->agent != NULL)
		house_caller(&h,
		    (struct gate_caller){ .principal = str_of(t->agent) });
	r = t->name != NULL ? house_call(&h, "search", ALL, "cursor", cursor,
				  t->name, t->value, NULL)
			    : page(&h, "1", cursor);
	if (strcmp(house_word(r), t->want) != 0)
		fail_msg("%s: %s", t->why, house_text(&h, r));
	house_close(&h);
}

int
main(void)
{
	ROWS(rows, house_row);
	ROWS(cursors, cursor_row);
	rows_add("pages go on while mail arrives", pages_go_on, NULL);
	rows_add("a search is no first contact", it_is_no_first_contact, NULL);
	return cmocka_run_group_tests_name("gate/across", rows_tests, NULL,
	    NULL);
}
