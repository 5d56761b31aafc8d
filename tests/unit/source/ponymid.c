/* SPDX-License-Identifier: Apache-2.0 */
/* A message's id in the archive: the algorithm's own examples and limits. */
#include "../rows.h"

#include "source/ponymid.h"

#define H3                                                                     \
	"From: Ann <ann@example.org>\nTo: dev@example.org\nSubject: hello\n"   \
	"Date: Thu, 1 Jan 2026 00:00:00 +0000\nMessage-ID: <a1@example.org>\n"
#define H4(subject)                                                            \
	"Received: from x by y\nfrom:\tAnn  <ann@example.org> \n"              \
	"To: dev@example.org\n" subject                                        \
	"Date: Thu, 1 Jan 2026 00:00:00 +0000\nMessage-ID: <a1@example.org>\n" \
	"X-Spam: no\n"
#define DEV SI("<dev.example.org>")
#define HELLO SI("xh68tvt9y17jbk0lq591wyjjjby9jnr6")

static const struct row {
	const char *why;
	struct str raw, list, want;
} same[] = {
	{ "nothing, of no list", SI(""), SI(""),
	    SI("8fgp2do75oqo6qd08vs4p7dpp1gj4vjn") },
	{ "nothing, of a list", SI(""), DEV,
	    SI("4gmbgkrbgkzgxvo4cb1k74vyk05np7qp") },
	{ "a small message", SI(H3 "\nHi\n"), DEV, HELLO },
	{ "with CRLF",
	    SI("From: Ann <ann@example.org>\r\nTo: dev@example.org\r\n"
	       "Subject: hello\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n"
	       "Message-ID: <a1@example.org>\r\n\r\nHi\r\n"),
	    DEV, HELLO },
	{ "with CR alone",
	    SI("From: Ann <ann@example.org>\rTo: dev@example.org\r"
	       "Subject: hello\rDate: Thu, 1 Jan 2026 00:00:00 +0000\r"
	       "Message-ID: <a1@example.org>\r\rHi\r"),
	    DEV, HELLO },
	{ "white space, case, other fields and empty lines do not count",
	    SI(H4("SUBJECT:  hello\n") "\nHi\n\n\n\n"), DEV, HELLO },
	{ "nor does white space before a colon",
	    SI("From : Ann <ann@example.org>\nTo\t: dev@example.org\n"
	       "Subject: hello\nDate: Thu, 1 Jan 2026 00:00:00 +0000\n"
	       "Message-ID: <a1@example.org>\n\nHi\n"),
	    DEV, HELLO },
	{ "nor a field of another name and its second line",
	    SI("X-Trace: a\n From: mallory@example.org\n" H3 "\nHi\n"), DEV,
	    HELLO },
	{ "nor a first line that continues nothing", SI(" lost\n" H3 "\nHi\n"),
	    DEV, HELLO },
	{ "nor a From_ line's like", SI("From a@b 2026\n" H3 "\nHi\n"), DEV,
	    HELLO },
	{ "a fold is a space", SI(H4("SUBJECT:  hel\n lo\n") "\nHi\n\n\n\n"),
	    DEV, SI("p0jht0d4crxnv196f5kfh4g1dkwrt5o0") },
	{ "another list, another name", SI(H3 "\nHi\n"),
	    SI("<users.example.org>"), SI("qh5454dkh342j1yrnjymn0gknss2m08k") },
	{ "a header that is not ended",
	    SI("From: Ann <ann@example.org>\nSubject: hello"), DEV,
	    SI("sxcmztzmldypncohzcp3fv551dqh0bsf") },
	{ "a body whose last line is not ended", SI("To: Recipient\n\nBody"),
	    SI(""), SI("ncbhnwz139g3c1jczqslnrqb2tz57p44") },
	{ "the List-Id counts like any field",
	    SI("List-Id: <dev.example.org>\nFrom: a@example.org\n\nx\n"), DEV,
	    SI("cnqssjg8c0mjrw8qolg9zy0m3hk2otlt") },
	{ "a list by its address", SI(H3 "\nHi\n"), SI("dev@example.org"),
	    HELLO },
	{ "a list with a description", SI(H3 "\nHi\n"),
	    SI("\"Dev, and. all\" <dev.example.org>"), HELLO },
	{ "a list without a dot has no archive", SI(H3 "\nHi\n"), SI("dev"),
	    SI("") },
};

/* Near misses: each differs from the small message. */
static const struct row other[] = {
	{ "a last line end is not made up", SI(H3 "\nHi"), DEV, HELLO },
	{ "white space at the end of a body's line", SI(H3 "\nHi \n"), DEV,
	    HELLO },
	{ "an empty line in front of the body", SI(H3 "\n\nHi\n"), DEV, HELLO },
	{ "a field again", SI(H3 "Subject: hello\n\nHi\n"), DEV, HELLO },
	{ "a field without a colon", SI("Subject\n" H3 "\nHi\n"), DEV, HELLO },
	{ "a value's case",
	    SI("From: Ann <ann@example.org>\nTo: dev@example.org\n"
	       "Subject: Hello\nDate: Thu, 1 Jan 2026 00:00:00 +0000\n"
	       "Message-ID: <a1@example.org>\n\nHi\n"),
	    DEV, HELLO },
	{ "fields in another order",
	    SI("To: dev@example.org\nFrom: Ann <ann@example.org>\n"
	       "Subject: hello\nDate: Thu, 1 Jan 2026 00:00:00 +0000\n"
	       "Message-ID: <a1@example.org>\n\nHi\n"),
	    DEV, HELLO },
	{ "no list", SI(H3 "\nHi\n"), SI(""), HELLO },
	{ "a list in capitals", SI(H3 "\nHi\n"), SI("<Dev.example.org>"),
	    HELLO },
	{ "a NUL in the body", SI(H3 "\nHi\n\0"), DEV, HELLO },
};

static const struct {
	const char *why;
	struct str in, want;
} lists[] = {
	{ "as it is", DEV, DEV },
	{ "an address", SI("dev@example.org"), DEV },
	{ "words in front", SI("Dev list <dev.example.org> (x)"), DEV },
	{ "other characters", SI("<d!e v.example.org>"),
	    SI("<d_e_v.example.org>") },
	{ "no end", SI("<dev.example.org"), DEV },
	{ "an address at a host", SI("dev@lab"), SI("<dev.lab>") },
	{ "no dot", SI("<dev>"), SI("") },
	{ "nothing", SI(""), SI("") },
};

static void
is_same(void **state)
{
	const struct row *r = *state;
	struct arena *a = arena_open(1 << 20);

	rows_same(ponymid_of(a, r->raw, r->list), r->want);
	arena_close(&a);
}

static void
is_other(void **state)
{
	const struct row *r = *state;
	struct arena *a = arena_open(1 << 20);
	struct str got = ponymid_of(a, r->raw, r->list);

	assert_int_equal(got.n, PONYMID_SIZE);
	assert_false(str_eq(got, r->want));
	arena_close(&a);
}

static void
alphabet(void **state)
{
	struct arena *a = arena_open(1 << 20);

	(void)state;
	rows_same(ponymid_base32(a,
		      (const unsigned char *)"\xca\xfe\xc0\xff\xee", 5),
	    S("sczd1zzg"));
	rows_same(ponymid_base32(a, NULL, 0), S(""));
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		rows_same(ponymid_list(a, lists[i].in), lists[i].want);
	arena_close(&a);
}

/* Each line is read once, however it is folded. */
static void
linear(void **state)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct str fold = rows_repeat(a, S("\n \t"), 2000000);
	struct str raw = str_fmt(a, "To: x%.*sy\n\n", STR_ARG(fold));

	(void)state;
	rows_same(ponymid_of(a, raw, S("")),
	    ponymid_of(a, S("To: x y\n\n"), S("")));
	arena_close(&a);
}

int
main(void)
{
	ROWS(same, is_same);
	ROWS(other, is_other);
	rows_add("base32 and list ids", alphabet, NULL);
	rows_add("a long fold", linear, NULL);
	return cmocka_run_group_tests_name("source/ponymid", rows_tests, NULL,
	    NULL);
}
