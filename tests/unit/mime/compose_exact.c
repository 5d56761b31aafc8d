/* SPDX-License-Identifier: Apache-2.0 */
/* A body that must arrive unchanged to the byte, from one agent to another. */
#include "../rows.h"

#include "mime/compose.h"
#include "mime/message.h"

static struct str us[] = { SI("bob@b.example") };

static const struct bytes_row {
	const char *why;
	struct str body;
} bytes_rows[] = {
	{ "an exact body of no byte", SI("") },
	{ "one that ends in no line end", SI("x") },
	{ "one that ends in several", SI("x\n\n\n") },
	{ "one of every kind of line end", SI("a\r\nb\rc\nd") },
	{ "white space at the ends of lines", SI(" a \n\tb\t\n ") },
	{ "a form feed, and what is not ASCII", SI("\f\xC3\xBC") },
};

static void
bytes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct bytes_row *r = *state;
	struct compose c = {
		.from = S("me@us.example"),
		.to = { us, 1 },
		.subject = S("Hello"),
		.message_id = S("<0123456789abcdef@us.example>"),
		.body = r->body,
		.exact = true,
	};
	struct err e = { 0 };
	struct mime_message m;
	struct str out;

	assert_int_equal(compose_message(a, &c, &out, &e), 0);
	mime_message_parse(a, out, &m);
	assert_int_equal(m.part[0].encoding, MIME_BASE64);
	rows_same(mime_part_decode(a, &m.part[0]), r->body);
}

ROWS_MAIN("mime/compose_exact", bytes_rows, bytes)
