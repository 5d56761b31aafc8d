/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that thread a message: its Message-ID, and a reply's subject. */
#include "../rows.h"

#include "mime/compose.h"

static const struct re_row {
	const char *why;
	struct str in;
	const char *want;
} res[] = {
	{ "Re: is added", SI("Hello"), "Re: Hello" },
	{ "Re: is added once", SI("Re: Hello"), "Re: Hello" },
	{ "Re: is counted without case", SI("RE: re: Hello"), "Re: Hello" },
	{ "Re[2]: is one too", SI("Re[2]: Hello"), "Re: Hello" },
	{ "Re without a colon is a word", SI("Revenue"), "Re: Revenue" },
	{ "Re: of nothing", SI(""), "Re:" },
	{ "line ends do not come along", SI("a\r\nb"), "Re: a  b" },
};

static void
re(void **state)
{
	const struct re_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(compose_reply_subject(a, r->in), str_of(r->want));
}

static void
message_id(void **state)
{
	static const unsigned char rnd[16] = { 0x01, 0xAB, [15] = 0xFF };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	rows_same(compose_message_id(a, rnd, S("me@Us.example")),
	    S("<01ab00000000000000000000000000ff@us.example>"));
	rows_same(compose_message_id(a, rnd, S("nobody")),
	    S("<01ab00000000000000000000000000ff@localhost>"));
}

int
main(void)
{
	rows_add("a Message-ID of random bits and the domain", message_id,
	    NULL);
	ROWS(res, re);
	return cmocka_run_group_tests_name("mime/compose_reply", rows_tests,
	    NULL, NULL);
}
