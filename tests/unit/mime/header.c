/* SPDX-License-Identifier: Apache-2.0 */
/* Headers as lists of fields, folding, and message ids. */
#include "../rows.h"

#include "mime/header.h"

static const struct row {
	const char *why;
	struct str in;
	const char *want; /* "name=value" each, a bar after it */
	size_t size;
	bool damaged;
} rows[] = {
	{ "two fields and a body", SI("A: 1\r\nB: 2\r\n\r\nbody"), "A= 1|B= 2|",
	    14, false },
	{ "line ends of one LF", SI("A: 1\nB: 2\n\nbody"), "A= 1|B= 2|", 11,
	    false },
	{ "no body", SI("A: 1\r\n"), "A= 1|", 6, false },
	{ "no line end", SI("A: 1"), "A= 1|", 4, false },
	{ "nothing", SI(""), "", 0, false },
	{ "a body alone", SI("\r\nA: 1"), "", 2, false },
	{ "a fold stays in the value", SI("A: 1\r\n 2\r\n\t3\r\nB: 4\r\n"),
	    "A= 1\r\n 2\r\n\t3|B= 4|", 20, false },
	{ "a line of spaces goes on with the field",
	    SI("A: 1\r\n \r\nB: 2\r\n"), "A= 1\r\n |B= 2|", 15, false },
	{ "white space before the colon", SI("From : x\r\n"), "From= x|", 10,
	    false },
	{ "no white space behind the colon", SI("A:1\r\n"), "A=1|", 5, false },
	{ "an empty value", SI("A:\r\nB: 2\r\n"), "A=|B= 2|", 10, false },
	{ "colons in the value", SI("A: 1:2\r\n"), "A= 1:2|", 8, false },
	{ "a line that is no field", SI("A: 1\r\nnonsense\r\nB: 2\r\n"),
	    "A= 1|B= 2|", 22, true },
	{ "a line that is no field takes its folds along",
	    SI("nonsense\r\n From: x\r\nB: 2\r\n"), "B= 2|", 26, true },
	{ "a fold of nothing", SI(" From: x\r\nB: 2\r\n"), "B= 2|", 16, true },
	{ "a name with a space", SI("A B: 1\r\n"), "", 8, true },
	{ "a name with a NUL", SI("From\0: 1\r\n"), "", 10, true },
	{ "a name of nothing", SI(": 1\r\n"), "", 5, true },
	{ "a name of 8-bit bytes", SI("\xC3\xA4: 1\r\n"), "", 7, true },
	{ "the line of an mbox", SI("From x Sun Jun 21\r\nA: 1\r\n"), "A= 1|",
	    25, false },
	{ "a bare CR ends no line", SI("A: 1\rB: 2\r\n"), "A= 1\rB: 2|", 11,
	    false },
	{ "a bare CR is no empty line", SI("A: 1\r\n\rB: 2\r\n"), "A= 1|", 13,
	    true },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_header h;
	struct buf b;

	mime_header_parse(a, r->in, &h);
	buf_init(&b, a, 4096);
	for (size_t i = 0; i < h.n; i++) {
		buf_str(&b, h.field[i].name);
		buf_char(&b, '=');
		buf_str(&b, h.field[i].value);
		buf_char(&b, '|');
	}
	rows_same(buf_view(&b), str_of(r->want));
	assert_int_equal(h.size, r->size);
	assert_int_equal(h.damaged, r->damaged);
	assert_false(h.over);
}

static const struct id_row {
	const char *why;
	struct str in;
	const char *want;
} ids[] = {
	{ "one id", SI(" <a@b>"), "<a@b>|" },
	{ "ids in order", SI("<a@b> <c@d>\r\n <e@f>"), "<a@b>|<c@d>|<e@f>|" },
	{ "ids without space", SI("<a@b><c@d>"), "<a@b>|<c@d>|" },
	{ "words between", SI("Your mail of \"today\" <a@b> (x)"), "<a@b>|" },
	{ "an id over a fold", SI("<a\r\n @b>"), "<a@b>|" },
	{ "an id without brackets", SI(" a@b "), "<a@b>|" },
	{ "a word is none", SI("today"), "" },
	{ "an id that does not end", SI("<a@b <c@d>"), "<c@d>|" },
	{ "empty brackets", SI("<><a@b>"), "<a@b>|" },
	{ "a control in an id", SI("<a\x01@b>"), "" },
	{ "a NUL in an id", SI("<a\0@b>"), "" },
	{ "nothing", SI(""), "" },
};

static void
id(void **state)
{
	const struct id_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct strs got;
	struct buf b;

	mime_header_msgids(a, r->in, &got);
	buf_init(&b, a, 4096);
	for (size_t i = 0; i < got.n; i++) {
		buf_str(&b, got.v[i]);
		buf_char(&b, '|');
	}
	rows_same(buf_view(&b), str_of(r->want));
}

static const struct id_row parents[] = {
	{ "one id", SI(" <a@b>"), "<a@b>|" },
	{ "ids alone", SI("<a@b> <c@d>"), "<a@b>|<c@d>|" },
	{ "words behind", SI("<a@b>; from Jane <j@x> on Friday"),
	    "<a@b>|<j@x>|" },
	{ "an address before the id",
	    SI("Message from Jane <j@x.example>\r\n of Friday <a@b>"),
	    "<a@b>|" },
	{ "the same with a comment behind",
	    SI("Message from Jane <j@x.example> <a@b> (x)"), "<a@b>|" },
	{ "what is last reads as none", SI("Message <a@b> in <thread> <x@>"),
	    "<a@b>|" },
	{ "none reads as one", SI("Message <a> of <b>"), "<a>|" },
	{ "words alone", SI("your mail"), "" },
};

static void
parent(void **state)
{
	const struct id_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct strs got;
	struct buf b;

	mime_header_answered(a, r->in, &got);
	buf_init(&b, a, 4096);
	for (size_t i = 0; i < got.n; i++) {
		buf_str(&b, got.v[i]);
		buf_char(&b, '|');
	}
	rows_same(buf_view(&b), str_of(r->want));
}

static void
last_ids(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct strs got;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	for (int i = 0; i < 500; i++)
		buf_fmt(&b, "<%d@x> ", i);
	mime_header_msgids(a, buf_view(&b), &got);
	assert_int_equal(got.n, LIMIT_REFERENCES);
	rows_same(got.v[0], S("<300@x>"));
	rows_same(got.v[got.n - 1], S("<499@x>"));
}

static void
find(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_header h;

	(void)state;
	mime_header_parse(a, S("From: a\nTo: b\nFROM: c\n"), &h);
	assert_int_equal(mime_header_count(&h, "from"), 2);
	assert_int_equal(mime_header_count(&h, "cc"), 0);
	rows_same(mime_header_get(&h, "From", 0)->value, S(" a"));
	rows_same(mime_header_get(&h, "From", 1)->value, S(" c"));
	assert_null(mime_header_get(&h, "From", 2));
	assert_null(mime_header_get(&h, "Fro", 0));
}

static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_header h;
	struct str s = rows_repeat(a, S("A: 1\r\n"), 5000);

	(void)state;
	s = str_fmt(a, "%.*s\r\nbody", STR_ARG(s));
	mime_header_parse(a, s, &h);
	assert_int_equal(h.n, LIMIT_MIME_HEADERS);
	assert_true(h.over);
	rows_same(str_from(s, h.size), S("body"));
}

static void
big(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_header h;
	struct str s = rows_repeat(a, S("a "), LIMIT_MIME_HEAD);

	(void)state;
	s = str_fmt(a, "A: 1\nB: %.*s\nC: 2\n\nbody", STR_ARG(s));
	mime_header_parse(a, s, &h);
	assert_int_equal(h.n, 1);
	assert_true(h.over);
	rows_same(str_from(s, h.size), S("body"));
}

static void
unfold(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	rows_same(mime_header_unfold(a, S("a\r\n b\n\tc")), S("a b\tc"));
	rows_same(mime_header_unfold(a, S("a\r\nb\n")), S("a\r\nb\n"));
	rows_same(mime_header_unfold(a, S("a\r b")), S("a\r b"));
	rows_same(mime_header_unfold(a, S("")), S(""));
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(ids, id);
	ROWS(parents, parent);
	rows_add("the last ids are kept", last_ids, NULL);
	rows_add("fields are found without case", find, NULL);
	rows_add("fields beyond the limit are left out, the body found", many,
	    NULL);
	rows_add("bytes beyond the limit are left out, the body found", big,
	    NULL);
	rows_add("unfolding takes line ends and nothing else", unfold, NULL);
	return cmocka_run_group_tests_name("mime/header", rows_tests, NULL,
	    NULL);
}
