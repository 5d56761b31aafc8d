/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list and search over stores of every kind: their replies if the store works,
 * if it fails, and if it lies.
 */
#include "../rows.h"

#include "../../fake/house.h"
#include "gate/internal.h"
#include "gate/mailbox_thread.h"

#define OTHERS "From: y@them.example\r\nSubject: other\r\n"
#define ID(x) "Message-ID: <" x "@us.example>\r\n"

/* Uids 1 to 5; 2 and 4 are from strangers. */
static void
five(struct house *h)
{
	(void)h;
	(void)fake_add(BOSS ID("a") "To: dev@us.example\r\n");
	(void)fake_add(SPAM);
	fake_add(BOSS "Message-ID: <ab@us.example> (<a@us.example>)\r\n")
	    ->body = "a needle\r\n";
	fake_add(SPAM)->body = "a needle\r\n";
	(void)fake_add(BOSS "Date: Mon, 1 Jun 2026 10:00:00 +0000\r\n");
}

/* What was done with them; the hidden ones are as many as fit the question. */
static void
handled(struct house *h)
{
	five(h);
	fake.mail[0].flags = FLAG_READ | FLAG_ANSWERED;
	fake.mail[2].flags = FLAG_READ | FLAG_FLAGGED;
	fake.mail[1].attachment = fake.mail[3].attachment = true;
	fake.mail[2].attachment = fake.mail[4].attachment = true;
}

/* A page of rows without attachments is above the one that has some. */
static void
far_attachment(struct house *h)
{
	(void)h;
	for (int i = 0; i < 600; i++)
		fake_add(BOSS)->attachment = i == 0;
}

/* -- the store is out of order --------------------------------------------- */

#define BREAKS(name, verb, what)                                               \
	static void name(struct house *h)                                      \
	{                                                                      \
		five(h);                                                       \
		fake.fault[verb].kind = (what);                                \
	}

BREAKS(no_login, FAKE_OPEN, ERR_AUTH)
BREAKS(no_find, FAKE_FIND, ERR_NETWORK)
BREAKS(no_scan, FAKE_SCAN, ERR_NETWORK)
BREAKS(no_listing, FAKE_LISTING, ERR_NETWORK)
BREAKS(folder_gone, FAKE_FIND, ERR_NOT_FOUND)
BREAKS(no_uids, FAKE_FIND, ERR_UNSUPPORTED)

/* The first page works, but is not enough. */
static void
second_page_breaks(struct house *h)
{
	(void)h;
	for (int i = 0; i < 600; i++)
		(void)fake_add(i == 0 ? BOSS : SPAM);
	fake.fault[FAKE_FIND] = (struct fake_fault){ ERR_NETWORK, .after = 1 };
}

static void
slow(struct house *h)
{
	five(h);
	house_set(h, "timeout_seconds", "1");
	fake.fault[FAKE_FIND].slow_ms = 5000;
}

static void
rows_come_twice(struct house *h)
{
	five(h);
	fake.lie_twice = true;
}

static void
one_row_for_ever(struct house *h)
{
	five(h);
	fake.lie_same_row = true;
}

/* -- what was seen before -------------------------------------------------- */

/* First seen when it was empty. */
static void
met(struct house *h)
{
	struct reply r = house_call(h, "list", WORK, "new", "", NULL);

	assert_string_equal(house_uids(h, r), "");
	five(h);
}

static void
met_and_moved(struct house *h)
{
	met(h);
	fake.uidvalidity++;
}

static void
met_with_acks(struct house *h)
{
	struct reply r;

	met(h);
	r = house_call(h, "ack", WORK, "uid", "3", NULL);
	assert_string_equal(house_word(r), "ok");
}

static void
claimed_by_another(struct house *h)
{
	struct reply r;

	met(h);
	r = house_call(h, "list", WORK, "new", "", "claim", "60", "limit", "2",
	    NULL);
	assert_string_equal(house_uids(h, r), "5 3");
}

/* -------------------------------------------------------------------------- */

#define HIDES                                                                  \
	{                                                                      \
		.in_on = true, .backlog = true                                 \
	}
#define IDS                                                                    \
	{                                                                      \
		.backend = "maildir", .in_on = true, .backlog = true           \
	}
#define THREADS                                                                \
	{                                                                      \
		.backend = "gmail", .in_on = true, .backlog = true             \
	}

static const struct house_row rows[] = {
	/* The contents of a folder. */
	{ "nothing is there", HIDES, NULL, "list", { WORK }, .want = "ok",
	    .uids = "" },
	{ "those that may be seen, newest first", HIDES, five, "list", { WORK },
	    .want = "ok", .uids = "5 3 1", .says = "\"next_before\":null" },
	{ "the same of a store with ids", IDS, five, "list", { WORK },
	    .want = "ok", .uids = "5 3 1" },
	{ "and of one with threads", THREADS, five, "list", { WORK },
	    .want = "ok", .uids = "5 3 1" },
	{ "a page tells where the next begins", HIDES, five, "list",
	    { WORK, "limit", "2" }, .want = "ok", .uids = "5 3",
	    .says = "\"next_before\":3" },
	{ "and that is where it begins", IDS, five, "list",
	    { WORK, "limit", "2", "before", "3" }, .want = "ok", .uids = "1" },
	{ "nothing is before the first uid", HIDES, five, "list",
	    { WORK, "before", "1" }, .want = "ok", .uids = "" },
	{ "nor behind the last", HIDES, five, "list",
	    { WORK, "since", "4294967295" }, .want = "ok", .uids = "" },
	{ "between two uids", IDS, five, "list",
	    { WORK, "since", "1", "before", "5" }, .want = "ok", .uids = "3" },
	{ "bounds that cross hold nothing", IDS, five, "list",
	    { WORK, "since", "4", "before", "3" }, .want = "ok", .uids = "" },
	/* Search terms. */
	{ "a subject", HIDES, five, "search",
	    { WORK, "subject_contains", "PLAN" }, .want = "ok",
	    .uids = "5 3 1" },
	{ "a subject that only hidden mail has", HIDES, five, "search",
	    { WORK, "subject_contains", "other" }, .want = "ok", .uids = "" },
	{ "a text, in what may be seen", HIDES, five, "search",
	    { WORK, "text", "needle" }, .want = "ok", .uids = "3" },
	{ "a text where we look through bodies", IDS, five, "search",
	    { WORK, "text", "needle" }, .want = "ok", .uids = "3" },
	{ "a text that the server looks for", THREADS, five, "search",
	    { WORK, "text", "needle" }, .want = "ok", .uids = "3" },
	{ "a Message-ID, and none that only holds it", HIDES, five, "search",
	    { WORK, "message_id", "<a@us.example>" }, .want = "ok",
	    .uids = "1" },
	{ "a recipient", IDS, five, "search", { WORK, "to", "dev@" },
	    .want = "ok", .uids = "1" },
	{ "what nobody has read", HIDES, handled, "search",
	    { WORK, "unread", "" }, .want = "ok", .uids = "5" },
	{ "what is flagged", HIDES, handled, "search", { WORK, "flagged", "" },
	    .want = "ok", .uids = "3" },
	{ "what nobody has answered", HIDES, handled, "search",
	    { WORK, "unanswered", "" }, .want = "ok", .uids = "5 3" },
	{ "two flags at once", HIDES, handled, "search",
	    { WORK, "unanswered", "", "unread", "" }, .want = "ok",
	    .uids = "5" },
	{ "a flag that the store does not keep", IDS, handled, "search",
	    { WORK, "unread", "" }, .want = "unsupported",
	    .says = "does not keep that flag: ask without it" },
	{ "what has attachments, and may be seen", HIDES, handled, "search",
	    { WORK, "has_attachment", "" }, .want = "ok", .uids = "5 3" },
	{ "and without uids of the store", IDS, handled, "search",
	    { WORK, "has_attachment", "" }, .want = "ok", .uids = "5 3" },
	{ "far below the newest", { .backlog = true }, far_attachment, "search",
	    { WORK, "has_attachment", "", "limit", "2" }, .want = "ok",
	    .uids = "1" },
	{ "a day", HIDES, five, "search",
	    { WORK, "since", "2026-06-01", "before", "2026-06-02" },
	    .want = "ok", .uids = "5" },
	/* Refusals. */
	{ "a folder that is not there", HIDES, five, "list",
	    { "account", "work", "folder", "Nowhere" }, .want = "not_found",
	    .says = "no such folder or message" },
	{ "nor with ids", IDS, five, "search",
	    { "account", "work", "folder", "Nowhere" }, .want = "not_found",
	    .says = "no such folder or message" },
	{ "a claim on what is not new", HIDES, five, "list",
	    { WORK, "claim", "60" }, .want = "usage", .says = "add --new" },
	{ "a page of none", HIDES, five, "list", { WORK, "limit", "0" },
	    .want = "usage" },
	{ "a page of too many", HIDES, five, "list", { WORK, "limit", "501" },
	    .want = "usage" },
	/* New messages. */
	{ "all of a backlog", HIDES, five, "list", { WORK, "new", "" },
	    .want = "ok", .uids = "5 3 1" },
	{ "nothing of what was there before", { .in_on = true }, five, "list",
	    { WORK, "new", "" }, .want = "ok", .uids = "" },
	{ "what came since", { .in_on = true }, met, "list",
	    { WORK, "new", "" }, .want = "ok", .uids = "5 3 1" },
	{ "but for what was dealt with", { .in_on = true }, met_with_acks,
	    "list", { WORK, "new", "" }, .want = "ok", .uids = "5 1" },
	{ "which is listed all the same", { .in_on = true }, met_with_acks,
	    "list", { WORK }, .want = "ok", .uids = "5 3 1" },
	{ "a renumbered folder says so and begins again", HIDES, met_and_moved,
	    "list", { WORK, "new", "" }, .want = "ok", .uids = "5 3 1",
	    .says = "uidvalidity_changed" },
	{ "or hides what may be old", { .in_on = true }, met_and_moved, "list",
	    { WORK, "new", "" }, .want = "ok", .uids = "",
	    .says = "uidvalidity_changed" },
	{ "what another took is not claimed again", HIDES, claimed_by_another,
	    "list", { WORK, "new", "", "claim", "60" }, .want = "ok",
	    .uids = "1" },
	{ "nor given out to who claims none", HIDES, claimed_by_another, "list",
	    { WORK, "new", "" }, .want = "ok", .uids = "5 3 1" },
	/* A store that fails. */
	{ "no login", HIDES, no_login, "list", { WORK }, .want = "auth" },
	{ "no answer", HIDES, no_find, "list", { WORK }, .want = "network" },
	{ "no list of ids", IDS, no_scan, "list", { WORK }, .want = "network" },
	{ "no digest of them", IDS, no_listing, "search", { WORK },
	    .want = "network" },
	{ "a folder that went meanwhile", HIDES, folder_gone, "list", { WORK },
	    .want = "not_found" },
	{ "a folder without uids", HIDES, no_uids, "list", { WORK },
	    .want = "unsupported" },
	{ "a page that cannot be refilled is none", { .in_on = true },
	    second_page_breaks, "search",
	    { WORK, "limit", "2", "subject_contains", "plan" },
	    .want = "network" },
	{ "a server that takes too long", HIDES, slow, "list", { WORK },
	    .want = "network" },
	/* A store that lies. */
	{ "each row once, though it comes twice", HIDES, rows_come_twice,
	    "list", { WORK }, .want = "ok", .uids = "5 3 1" },
	{ "with ids, too", IDS, rows_come_twice, "list", { WORK }, .want = "ok",
	    .uids = "5 3 1" },
	{ "one row for ever is one row", HIDES, one_row_for_ever, "list",
	    { WORK }, .want = "ok", .uids = "5" },
};

/* -- what is a fault of ours ----------------------------------------------- */

static void
find_page(size_t limit)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct mailbox m = { .arena = a };
	const struct mailbox_query q = { .limit = limit };
	struct mails out;
	struct err e = { 0 };

	(void)mailbox_find(&m, &q, &out, &e);
}

static void
find_none(void)
{
	find_page(0);
}

static void
find_too_many(void)
{
	find_page(LIMIT_PAGE + 1);
}

static void
list_no_threads(void)
{
	const struct mailbox_threads_query q = { .limit = 0 };
	struct mailbox m = { .arena = arena_open(LIMIT_ARENA) };
	struct mailbox_threads out;
	struct err e = { 0 };

	(void)mailbox_threads(&m, &q, &out, &e);
}

static void
list_too_many_threads(void)
{
	const struct mailbox_threads_query q = { .limit = LIMIT_PAGE + 1 };
	struct mailbox m = { .arena = arena_open(LIMIT_ARENA) };
	struct mailbox_threads out;
	struct err e = { 0 };

	(void)mailbox_threads(&m, &q, &out, &e);
}

static const struct fault {
	const char *why;
	void (*fn)(void);
} faults[] = {
	{ "a page of no messages is a fault of ours", find_none },
	{ "and one of more than a page has room for", find_too_many },
	{ "a page of no threads", list_no_threads },
	{ "and one of more than a page", list_too_many_threads },
};

static void
aborts(void **state)
{
	const struct fault *f = *state;

	assert_true(rows_aborts(f->fn));
}

/* Results for these stores are valid for any backend of the contract. */
static void
the_fakes_keep_the_contract(void **state)
{
	const struct backend *be;
	size_t i;

	(void)state;
	for (i = 0; (be = backend_at(i)) != NULL; i++)
		assert_true(backend_check(be));
	assert_int_equal(i, 7);
	assert_ptr_equal(backend_submitter(backend_find(S("imap")),
			     &(struct backend_account){ .smtp_host = S("x") }),
	    backend_find(S("smtp")));
}

int
main(void)
{
	ROWS(rows, house_row);
	ROWS(faults, aborts);
	rows_add("the stores in memory keep the contract of backends",
	    the_fakes_keep_the_contract, NULL);
	return cmocka_run_group_tests_name("gate/mailbox_find", rows_tests,
	    NULL, NULL);
}
