/* SPDX-License-Identifier: Apache-2.0 */
/* Subjects: a reply's subject, and a thread's subject. */
#include "../rows.h"

#include "base/buf.h"
#include "mime/subject.h"

static const struct row {
	const char *why;
	struct str in;
	const char *reply, *root;
} rows[] = {
	{ "Re: is added", SI("Hello"), "Re: Hello", "Hello" },
	{ "once", SI("RE: re : Hello"), "Re: Hello", "Hello" },
	{ "with its count", SI("Re[2]: RE(12): Re^3: Hello"), "Re: Hello",
	    "Hello" },
	{ "in other languages", SI("AW: SV: Antw: VS: Odp: Hello"), "Re: Hello",
	    "Hello" },
	{ "in Chinese, with a wide colon",
	    SI("\xE5\x9B\x9E\xE5\xA4\x8D\xEF\xBC\x9AHello"), "Re: Hello",
	    "Hello" },
	{ "forwarded stays forwarded", SI("Fwd: Report"), "Re: Fwd: Report",
	    "Report" },
	{ "and an answer to it is one", SI("Re: WG: Re: Report"),
	    "Re: WG: Re: Report", "Report" },
	{ "a list's name stays", SI("[dev] Report"), "Re: [dev] Report",
	    "Report" },
	{ "behind Re:", SI("Re: [dev] Report"), "Re: [dev] Report", "Report" },
	{ "in front of it", SI("[dev] Re: Report"), "Re: [dev] Report",
	    "Report" },
	{ "on both sides", SI("[dev] Re: [DEV] AW: [dev] Report"),
	    "Re: [dev] Report", "Report" },
	{ "two lists", SI("[a] Re: [b] Report"), "Re: [a] [b] Report",
	    "Report" },
	{ "a patch's brackets are kept", SI("Re: [PATCH 1/2] fix"),
	    "Re: [PATCH 1/2] fix", "fix" },
	{ "brackets alone are the subject", SI("[dev]"), "Re: [dev]", "[dev]" },
	{ "a bracket that does not close", SI("Re: [dev Report"),
	    "Re: [dev Report", "[dev Report" },
	{ "brackets within brackets", SI("[a[b] c"), "Re: [a[b] c", "[a[b] c" },
	{ "words are words", SI("Revenue: up"), "Re: Revenue: up",
	    "Revenue: up" },
	{ "a count that does not close", SI("Re[2: x"), "Re: Re[2: x",
	    "Re[2: x" },
	{ "nothing", SI(""), "Re:", "" },
	{ "nothing behind Re:", SI("Re: Re:"), "Re:", "" },
	{ "line ends do not come along", SI("Re:\r\n a\r\nb"), "Re: a  b",
	    "a  b" },
	{ "forwarded at the end", SI("Report (fwd)"), "Re: Report (fwd)",
	    "Report" },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(subject_reply(a, r->in), str_of(r->reply));
	rows_same(subject_root(a, r->in), str_of(r->root));
	/* A reply to a reply changes nothing. */
	rows_same(subject_reply(a, subject_reply(a, r->in)), str_of(r->reply));
}

/* A subject of the maximum length takes no time. */
static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	static const char *const parts[] = { "Re: ", "[a] ", "Re[",
		"[a] Re: [b] ", "(fwd)", "Fwd: [x] " };

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct buf b;

		buf_init(&b, a, LIMIT_MIME_HEAD + 64);
		while (b.n < LIMIT_MIME_HEAD)
			buf_text(&b, parts[i]);
		buf_text(&b, "x");
		assert_true(subject_reply(a, buf_view(&b)).n >= 4);
		assert_true(subject_root(a, buf_view(&b)).n > 0);
	}
}

static const struct forward_row {
	const char *why;
	struct str in;
	const char *want;
} forwards[] = {
	{ "Fwd: is added", SI("Hello"), "Fwd: Hello" },
	{ "once", SI("FW: Hello"), "FW: Hello" },
	{ "in any language", SI("WG: Hello"), "WG: Hello" },
	{ "an answer is forwarded", SI("Re: Fwd: Hello"),
	    "Fwd: Re: Fwd: Hello" },
	{ "nothing", SI(""), "Fwd:" },
	{ "controls are none", SI("a\r\nb"), "Fwd: a  b" },
};

static void
forward(void **state)
{
	const struct forward_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	rows_same(subject_forward(a, r->in), str_of(r->want));
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(forwards, forward);
	rows_add("long ones", many, NULL);
	return cmocka_run_group_tests_name("mime/subject", rows_tests, NULL,
	    NULL);
}
