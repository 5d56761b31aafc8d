/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads for an agent: a hidden message is in none, connects nothing, and a
 * thread of hidden messages does not exist.  Stores that build no threads, and
 * one that does.
 */
#include "../rows.h"

#include "../../fake/house.h"

#define DAY(d) "Date: " d " Jun 2026 10:00:00 +0000\r\n"
#define ID(x) "Message-ID: <" x "@x>\r\n"
#define RE(x) "References: <" x "@x>\r\n"
#define ME "From: me@us.example\r\nSubject: plan\r\n"

static void
add(const char *head, const char *folder)
{
	struct fake_mail *m = fake_add(head);

	m->folder = folder;
	m->thread = "t1";
	m->draft = folder != NULL && folder[0] == 'D';
	m->received_s = 1780000000 + (int64_t)fake.n;
}

/*
 * boss: a; a stranger: b, reply to a; boss: c, reply to b; us: d in Sent, e a
 * draft.
 */
static void
talk(struct house *h)
{
	(void)h;
	add(BOSS ID("a") DAY("Mon, 1"), NULL);
	add(SPAM ID("b") RE("a") DAY("Tue, 2"), NULL);
	add(BOSS ID("c") "References: <a@x> <b@x>\r\n" DAY("Wed, 3"), NULL);
	add(ME "To: boss@us.example\r\n" ID("d") RE("a") DAY("Thu, 4"), "Sent");
	add(ME "To: boss@us.example\r\n" ID("e") RE("a") DAY("Fri, 5"),
	    "Drafts");
}

/* c names only b, which is hidden: it has no parent. */
static void
talk_in_two(struct house *h)
{
	(void)h;
	add(BOSS ID("a") DAY("Mon, 1"), NULL);
	add(SPAM ID("b") RE("a") DAY("Tue, 2"), NULL);
	add("From: boss@us.example\r\nSubject: other\r\n" ID("c") RE("b")
		DAY("Wed, 3"),
	    NULL);
}

static void
strangers_alone(struct house *h)
{
	(void)h;
	add(SPAM ID("a") DAY("Mon, 1"), NULL);
	add(SPAM ID("b") RE("a") DAY("Tue, 2"), NULL);
}

/* We wrote to strangers, and to them and to boss. */
static void
we_wrote(struct house *h)
{
	(void)h;
	add(BOSS ID("a") DAY("Mon, 1"), NULL);
	add(ME "To: x@them.example\r\n" ID("b") RE("a") DAY("Tue, 2"), "Sent");
	add(ME "To: x@them.example\r\nCc: boss@us.example\r\n" ID("c") RE("a")
		DAY("Wed, 3"),
	    "Sent");
	/* Except where only we write. */
	add(ME "To: boss@us.example\r\n" ID("d") RE("a") DAY("Thu, 4"), NULL);
	/* A stranger's message that got into Sent. */
	add(SPAM "To: boss@us.example\r\n" ID("f") RE("a") DAY("Fri, 5"),
	    "Sent");
	/* Its author is unknown. */
	add(ME "From: boss@us.example\r\nTo: boss@us.example\r\n" ID("g")
		RE("a") DAY("Sat, 6"),
	    "Sent");
}

static void
subject_rule(struct store_account *a)
{
	a->subject_regex = S("plan");
}

/* The subject rule applies to our own messages, too. */
static void
we_wrote_of_else(struct house *h)
{
	house_change(h, "work", subject_rule);
	add(BOSS ID("a") DAY("Mon, 1"), NULL);
	add(ME "To: boss@us.example\r\n" ID("b") RE("a") DAY("Tue, 2"), "Sent");
	add("From: me@us.example\r\nSubject: other\r\nTo: "
	    "boss@us.example\r\n" ID("c") RE("a") DAY("Wed, 3"),
	    "Sent");
}

static void
copies(struct house *h)
{
	(void)h;
	add(BOSS ID("a") DAY("Mon, 1"), NULL);
	add(ME "To: boss@us.example\r\n" ID("b") RE("a") DAY("Tue, 2"), "Sent");
	add(ME "To: boss@us.example\r\n" ID("b") RE("a") DAY("Tue, 2"), NULL);
}

/* -- a store that is out of order ------------------------------------------ */

static void
twice(struct house *h)
{
	talk(h);
	fake.lie_twice = true;
}

static void
without_sent(struct house *h)
{
	talk(h);
	fake.folders = 1;
}

/* It is in the list of folders, but opening it fails. */
static void
sent_is_gone(struct house *h)
{
	talk(h);
	house_sql(h, "UPDATE accounts SET sent_folder = 'Gone'");
}

static void
list_is_gone(struct house *h)
{
	talk(h);
	house_sql(h, "UPDATE accounts SET list_folder = 'Gone'");
}

#define BREAKS(name, verb, what)                                               \
	static void name(struct house *h)                                      \
	{                                                                      \
		talk(h);                                                       \
		fake.fault[verb].kind = (what);                                \
	}

BREAKS(no_find, FAKE_FIND, ERR_NETWORK)
BREAKS(no_folders, FAKE_FOLDERS_LIST, ERR_NETWORK)
BREAKS(no_links, FAKE_LINKS, ERR_NETWORK)
BREAKS(no_login, FAKE_OPEN, ERR_AUTH)
BREAKS(no_scan, FAKE_SCAN, ERR_NETWORK)

#define HIDES                                                                  \
	{                                                                      \
		.in_on = true, .backlog = true                                 \
	}
#define OPEN                                                                   \
	{                                                                      \
		.backlog = true                                                \
	}
#define IDS                                                                    \
	{                                                                      \
		.backend = "maildir", .in_on = true, .backlog = true           \
	}
#define OWN                                                                    \
	{                                                                      \
		.backend = "gmail", .in_on = true, .backlog = true             \
	}
#define READ "read_thread"
#define LIST "list_recent_threads"
#define SINCE "account", "work", "since", "2026-01-01"
#define OF(x) "account", "work", "id", "<" x "@x>"

static const struct house_row rows[] = {
	/* The contents of a thread. */
	{ "all of it, oldest first", OPEN, talk, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x> <b@x> <c@x> <d@x> <e@x>" },
	{ "but for what is hidden", HIDES, talk, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x> <c@x> <d@x> <e@x>" },
	{ "the same with ids", IDS, talk, READ, { OF("c") }, .want = "ok",
	    .ids = "<a@x> <c@x> <d@x> <e@x>" },
	{ "and of a store's own", OWN, talk, READ,
	    { "account", "work", "id", "gmail-thread-id:t1" }, .want = "ok",
	    .ids = "<a@x> <c@x> <d@x> <e@x>" },
	{ "by a draft's id", HIDES, talk, READ, { OF("e") }, .want = "ok",
	    .ids = "<a@x> <c@x> <d@x> <e@x>" },
	{ "what is hidden does not name it", HIDES, talk, READ, { OF("b") },
	    .want = "ok", .ids = "<a@x> <c@x> <d@x> <e@x>" },
	{ "nor connects anything", HIDES, talk_in_two, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x>" },
	{ "what may be seen does", OPEN, talk_in_two, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x> <b@x> <c@x>" },
	{ "a copy is one message", HIDES, copies, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x> <b@x>" },
	{ "a row that comes twice is one", HIDES, twice, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x> <c@x> <d@x> <e@x>" },
	{ "with ids, too", IDS, twice, READ, { OF("a") }, .want = "ok",
	    .ids = "<a@x> <c@x> <d@x> <e@x>" },
	/* Our own messages. */
	{ "to somebody listed, where only we write", HIDES, we_wrote, READ,
	    { OF("a") }, .want = "ok", .ids = "<a@x> <c@x>" },
	{ "and the subject's rule holds", HIDES, we_wrote_of_else, READ,
	    { OF("a") }, .want = "ok", .ids = "<a@x> <b@x>" },
	/* Threads that do not exist. */
	{ "a thread that never was", HIDES, talk, READ, { OF("z") },
	    .want = "not_found", .says = "no such thread" },
	{ "one that is hidden says the same", HIDES, strangers_alone, READ,
	    { OF("a") }, .want = "not_found", .says = "no such thread" },
	{ "so does a store's own", OWN, strangers_alone, READ,
	    { "account", "work", "id", "gmail-thread-id:t1" },
	    .want = "not_found", .says = "no such thread" },
	{ "and one of another name", OWN, talk, READ,
	    { "account", "work", "id", "gmail-thread-id:t9" },
	    .want = "not_found", .says = "no such thread" },
	{ "an id of another kind", HIDES, talk, READ,
	    { "account", "work", "id", "gmail-thread-id:t1" },
	    .want = "usage" },
	{ "an id that is none", HIDES, talk, READ,
	    { "account", "work", "id", "<>" }, .want = "usage" },
	/* Threads of a folder. */
	{ "one thread of five messages", OPEN, talk, LIST, { SINCE },
	    .want = "ok", .says = "\"message_count\":5" },
	{ "of four that may be seen", HIDES, talk, LIST, { SINCE },
	    .want = "ok", .says = "\"message_count\":4" },
	{ "of strangers alone there is none", HIDES, strangers_alone, LIST,
	    { SINCE }, .want = "ok", .says = "\"threads\":[]" },
	{ "nor of a store's own", OWN, strangers_alone, LIST, { SINCE },
	    .want = "ok", .says = "\"threads\":[]" },
	{ "nothing came since", OPEN, talk, LIST,
	    { "account", "work", "since", "2026-12-01" }, .want = "ok",
	    .says = "\"threads\":[]" },
	{ "a day that is none", OPEN, talk, LIST,
	    { "account", "work", "since", "tomorrow" }, .want = "usage" },
	{ "a cursor that was not given", OPEN, talk, LIST,
	    { SINCE, "cursor", "x" }, .want = "usage" },
	/* Missing folders. */
	{ "without a folder for what is sent", HIDES, without_sent, READ,
	    { OF("a") }, .want = "ok", .ids = "<a@x> <c@x>" },
	{ "or one that is gone", HIDES, sent_is_gone, READ, { OF("a") },
	    .want = "ok", .ids = "<a@x> <c@x> <e@x>" },
	{ "the list's own has to be there", HIDES, list_is_gone, LIST,
	    { SINCE }, .want = "not_found" },
	/* A store that fails. */
	{ "no answer", HIDES, no_find, LIST, { SINCE }, .want = "network" },
	{ "no folders", HIDES, no_folders, READ, { OF("a") },
	    .want = "network" },
	{ "no links between messages", HIDES, no_links, READ, { OF("a") },
	    .want = "network" },
	{ "no list of ids", IDS, no_scan, LIST, { SINCE }, .want = "network" },
	{ "no login", HIDES, no_login, READ, { OF("a") }, .want = "auth" },
};

int
main(void)
{
	ROWS(rows, house_row);
	return cmocka_run_group_tests_name("gate/thread_rows", rows_tests, NULL,
	    NULL);
}
