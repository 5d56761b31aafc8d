/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of threads, against the settings of an account. */
#include "../rows.h"

#include "gate/thread_address.h"

#define PONY .backend = SI("ponymail"), .url = SI("https://lists.x.example/")
#define GMAIL .backend = SI("gmail"), .from_addr = SI("me+a@us.example")
#define IMAP .backend = SI("imap"), .imap_host = SI("imap.us.example")
#define BOX .backend = SI("maildir")
#define MID "0b1xh68tvt9y17jbk0lq591wyjjjby9j"

static const struct row {
	const char *why;
	struct store_account acct;
	const char *url, *want; /* the result of one_text(); NULL: foreign */
} rows[] = {
	/* An archive. */
	{ "an archive's own", { PONY }, "https://lists.x.example/thread/" MID,
	    "own " MID },
	{ "with a list behind", { PONY, .list = SI("dev@x.example") },
	    "https://lists.x.example/thread/" MID "?dev@x.example",
	    "own " MID },
	{ "with a List-Id behind", { PONY, .list = SI("dev@x.example") },
	    "https://lists.x.example/thread/" MID "?%3Cdev.x.example%3E",
	    "own " MID },
	{ "with another list behind", { PONY, .list = SI("dev@x.example") },
	    "https://lists.x.example/thread/" MID "?users@x.example", NULL },
	{ "of an older version", { PONY },
	    "https://lists.x.example/thread.html/r1a2b@%3Cdev.x.example%3E",
	    "own r1a2b@<dev.x.example>" },
	{ "by a Message-ID", { PONY, .list = SI("dev@x.example") },
	    "https://lists.x.example/thread/%3Ca@b%3E?%3Cdev.x.example%3E",
	    "<a@b>" },
	{ "of another archive", { PONY }, "https://lists.y.example/thread/" MID,
	    NULL },
	{ "of an archive that begins so", { PONY },
	    "https://lists.x.example.evil.example/thread/" MID, NULL },
	{ "with a user", { PONY },
	    "https://lists.x.example@evil.example/thread/" MID, NULL },
	{ "with a port", { PONY }, "https://lists.x.example:8443/thread/" MID,
	    NULL },
	{ "without TLS", { PONY }, "http://lists.x.example/thread/" MID, NULL },
	{ "what sends", { PONY }, "https://lists.x.example/api/compose.lua",
	    NULL },
	{ "a way up", { PONY },
	    "https://lists.x.example/thread/../api/mgmt.json", NULL },
	/* Templates. */
	{ "a template's Message-ID",
	    { BOX, .thread_url = SI("https://a.example/<list>/<id>"),
		.list = SI("l@x") },
	    "https://a.example/l@x/r1@x.example", "<r1@x.example>" },
	{ "of another list",
	    { BOX, .thread_url = SI("https://a.example/<list>/<id>"),
		.list = SI("l@x") },
	    "https://a.example/k@x/r1@x.example", NULL },
	{ "a template's hash cannot be turned back",
	    { BOX, .thread_url = SI("https://a.example/<hash>") },
	    "https://a.example/" MID, "one way" },
	{ "but an archive knows it",
	    { PONY, .thread_url = SI("https://a.example/<hash>?<list>"),
		.list = SI("l@x") },
	    "https://a.example/" MID "?l@x", "own " MID },
	{ "an id goes before a hash",
	    { BOX, .thread_url = SI("https://a.example/<hash>/<id>") },
	    "https://a.example/" MID "/r1@x", "<r1@x>" },
	{ "no Message-ID, but a hash of bytes",
	    { BOX, .thread_url = SI("https://a.example/<id>") },
	    "https://a.example/"
	    "0123456789012345678901234567890123456789012345678901234567890123",
	    "sha256-raw:"
	    "012345678901234567890123456789012345678901234567890123456789012"
	    "3" },
	{ "without a template there is none", { BOX },
	    "https://a.example/r1@x.example", NULL },
	{ "a file is none", { BOX }, "file:///etc/passwd#r1@x.example", NULL },
	/* Gmail. */
	{ "Gmail's", { GMAIL },
	    "https://mail.google.com/mail/"
	    "?authuser=me%2Ba@us.example#all/19dc8d4675dfc1f1",
	    "own 19dc8d4675dfc1f1" },
	{ "Gmail's of another user", { GMAIL },
	    "https://mail.google.com/mail/"
	    "?authuser=you@us.example#all/19dc8d4675dfc1f1",
	    NULL },
	{ "Gmail's, to another source", { PONY },
	    "https://mail.google.com/mail/"
	    "?authuser=me%2Ba@us.example#all/19dc8d4675dfc1f1",
	    NULL },
	/* RFC 5092. */
	{ "of a message", { IMAP },
	    "imap://imap.us.example/Old%20mail%2F2026;UID=7",
	    "Old mail/2026 7" },
	{ "as RFC 5092 has it", { IMAP }, "imap://IMAP.us.example/INBOX/;UID=7",
	    "INBOX 7" },
	{ "of another server", { IMAP }, "imap://imap.them.example/INBOX;UID=7",
	    NULL },
	{ "with somebody's name", { IMAP },
	    "imap://boss@imap.us.example/INBOX;UID=7", NULL },
	{ "uid 0", { IMAP }, "imap://imap.us.example/INBOX;UID=0", NULL },
	{ "no uid", { IMAP }, "imap://imap.us.example/INBOX;UID=7%207", NULL },
	{ "a uid that is too large", { IMAP },
	    "imap://imap.us.example/INBOX;UID=4294967296", NULL },
	{ "of a source that is no server", { BOX },
	    "imap://imap.us.example/INBOX;UID=7", NULL },
	{ "nothing more", { IMAP }, "imap://", NULL },
};

static const char *
one_text(struct arena *a, const struct thread_address *at)
{
	switch (at->kind) {
	case THREAD_ADDRESS_FOREIGN:
		return NULL;
	case THREAD_ADDRESS_ONE_WAY:
		return "one way";
	case THREAD_ADDRESS_ID:
		return str_c(a,
		    str_fmt(a, "%s%.*s", at->own ? "own " : "",
			STR_ARG(at->id)));
	case THREAD_ADDRESS_MESSAGE:
		break;
	}
	return str_c(a, str_fmt(a, "%.*s %u", STR_ARG(at->folder), at->uid));
}

static void
read_one(void **state)
{
	const struct row *r = *state;
	struct arena *a = arena_open(LIMIT_ARENA);
	struct thread_address at;
	const char *got;

	thread_address_read(a, &r->acct, str_of(r->url), &at);
	got = one_text(a, &at);
	if (r->want == NULL || got == NULL)
		assert_true(r->want == NULL && got == NULL);
	else
		assert_string_equal(got, r->want);
	assert_true(thread_address_is(str_of(r->url)));
	arena_close(&a);
}

static void
names(void **state)
{
	static const char *const ids[] = { "<https://x@y>", "a@b", "",
		"gmail-thread-id:19dc8d4675dfc1f1", "https", "https:/x",
		"data:text/html,x" };

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		assert_false(thread_address_is(str_of(ids[i])));
	assert_true(thread_address_is(S("HTTPS://x")));
}

int
main(void)
{
	ROWS(rows, read_one);
	rows_add("names that are no address", names, NULL);
	return cmocka_run_group_tests_name("gate/thread_address", rows_tests,
	    NULL, NULL);
}
