/* SPDX-License-Identifier: Apache-2.0 */
/* A signature below a text, once. */
#include "../rows.h"

#include "mime/signature.h"

static const struct below_row {
	const char *why;
	struct str own, signature;
	const char *want;
} rows[] = {
	{ "after an empty line and its own", SI("hello"), SI("Ann\nLtd"),
	    "hello\n\n-- \nAnn\nLtd\n" },
	{ "one empty line is enough", SI("hello \n\n\n"), SI("Ann"),
	    "hello\n\n-- \nAnn\n" },
	{ "the text's beginning stays", SI("\n  hello"), SI("Ann"),
	    "\n  hello\n\n-- \nAnn\n" },
	{ "a text of nothing", SI(""), SI("Ann"), "-- \nAnn\n" },
	{ "or of white space", SI(" \r\n\t"), SI("Ann"), "-- \nAnn\n" },
	{ "none leaves the text alone", SI("hello \n\n"), SI(""),
	    "hello \n\n" },
	{ "not twice", SI("hello\n-- \nAnn\nLtd\n\n"), SI("Ann\nLtd"),
	    "hello\n-- \nAnn\nLtd\n\n" },
	{ "not twice without the space", SI("hello\n--\nAnn"), SI("Ann"),
	    "hello\n--\nAnn" },
	{ "nor with other line ends", SI("hello\r\n-- \r\nAnn\r\nLtd\r\n"),
	    SI("Ann\nLtd"), "hello\r\n-- \r\nAnn\r\nLtd\r\n" },
	{ "nor alone", SI("-- \nAnn"), SI("Ann"), "-- \nAnn" },
	{ "its words alone are none", SI("Best\nAnn"), SI("Ann"),
	    "Best\nAnn\n\n-- \nAnn\n" },
	{ "another one is another", SI("x\n-- \nBob"), SI("Ann"),
	    "x\n-- \nBob\n\n-- \nAnn\n" },
	{ "a part of it is another", SI("x\n-- \nLtd"), SI("Ann\nLtd"),
	    "x\n-- \nLtd\n\n-- \nAnn\nLtd\n" },
	{ "a quoted one is none", SI("> -- \n> Ann"), SI("Ann"),
	    "> -- \n> Ann\n\n-- \nAnn\n" },
	{ "in the middle it is none", SI("-- \nAnn\nPS"), SI("Ann"),
	    "-- \nAnn\nPS\n\n-- \nAnn\n" },
};

static void
below(void **state)
{
	const struct below_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	struct str got = signature_below(a, r->own, r->signature);

	rows_same(got, str_of(r->want));
	/* It is there now, whoever put it there. */
	rows_same(signature_below(a, got, r->signature), got);
	if (r->signature.n > 0)
		assert_true(signature_above(got, r->signature).n < got.n);
	else
		rows_same(signature_above(got, r->signature), got);
}

/* Where more follows, without the line that would hide it. */
static const struct below_row between_rows[] = {
	{ "after an empty line", SI("hello \n"), SI("Ann\nLtd"),
	    "hello\n\nAnn\nLtd\n" },
	{ "one that was typed loses its line", SI("hello\n-- \nAnn\n"),
	    SI("Ann"), "hello\n\nAnn\n" },
	{ "below a text of nothing", SI(" \n"), SI("Ann"), "Ann\n" },
	{ "without one the text stays", SI("hello \n"), SI(""), "hello \n" },
};

static void
between(void **state)
{
	const struct below_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	rows_same(signature_between(a, r->own, r->signature), str_of(r->want));
}

int
main(void)
{
	ROWS(rows, below);
	ROWS(between_rows, between);
	return cmocka_run_group_tests_name("mime/signature", rows_tests, NULL,
	    NULL);
}
