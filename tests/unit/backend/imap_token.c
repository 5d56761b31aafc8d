/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "base/buf.h"
#include "base/limits.h"

/*
 * A response is cut and printed again: atoms unchanged, strings in <>, NIL as
 * NIL, lists in [].  "#" in the text is a literal "lit".
 */
static struct sample {
	const char *why;
	const char *text, *want; /* want NULL: refused */
} rows[] = {
	{ "atoms and lists", "(UID 5 FLAGS (\\Seen $x))",
	    "[UID 5 FLAGS [\\Seen $x]]" },
	{ "empty lists", "(() ())", "[[] []]" },
	{ "NIL in any case", "NIL nil Nilx", "NIL NIL Nilx" },
	{ "a quoted NIL is a string", "\"NIL\"", "<NIL>" },
	{ "escapes are taken off", "\"a\\\"b\\\\c\"", "<a\"b\\c>" },
	{ "8-bit and strange bytes in quotes", "\"\xff\x01\"", "<\xff\x01>" },
	{ "a literal is a string", "(BODY[] # UID 3)", "[BODY[] <lit> UID 3]" },
	{ "a section is one token", "BODY[HEADER.FIELDS (FROM \"]\")]<0> x",
	    "BODY[HEADER.FIELDS (FROM \"]\")]<0> x" },
	{ "a bracket elsewhere is a character", "(FLAGS ([a b] [))",
	    "[FLAGS [[a b] []]" },
	{ "a section that never ends", "BODY[HEADER (x", NULL },
	{ "runs of spaces", "  a   b  ", "a b" },
	{ "lists need no space between", "(a)(b)\"c\"", "[a] [b] <c>" },
	{ "nothing at all", "", "" },
	{ "a negative number is an atom", "(-1)", "[-1]" },
	{ "an open list is refused", "(a", NULL },
	{ "a stray end is refused", "a)", NULL },
	{ "an open quote is refused", "\"a", NULL },
	{ "an open escape is refused", "\"a\\", NULL },
	{ "a negative literal is refused", "{-1}", NULL },
	{ "a literal with a space is refused", "({ 5}", NULL },
	{ "a literal in mid-line is refused", "{5} a", NULL },
};

static void
show_text(struct buf *b, const struct imap_node *n)
{
	bool string = n->kind == IMAP_QUOTED || n->kind == IMAP_LITERAL;

	if (string)
		buf_char(b, '<');
	if (n->kind == IMAP_NIL)
		buf_text(b, "NIL");
	else
		buf_str(b, n->text);
	if (string)
		buf_char(b, '>');
}

static void
show(struct buf *b, const struct imap_node *n)
{
	for (bool first = true; n != NULL; n = n->next, first = false) {
		if (!first)
			buf_char(b, ' ');
		if (n->kind == IMAP_LIST) {
			buf_char(b, '[');
			show(b, n->child);
			buf_char(b, ']');
		} else {
			show_text(b, n);
		}
	}
}

static struct imap_resp
response(struct arena *a, struct str text)
{
	struct imap_resp r = { .kind = IMAP_DATA };
	bool more = true;

	r.piece = arena_array(a, 8, sizeof(*r.piece));
	while (more) {
		struct imap_piece *p = &r.piece[r.n++];

		more = str_cut(text, '#', &p->text, &text);
		p->has_literal = more;
		p->literal = S("lit");
	}
	return r;
}

static void
cut(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct sample *row = *state;
	struct imap_resp r = response(a, str_of(row->text));
	const struct imap_node *n;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, a, 1000);
	if (row->want == NULL) {
		assert_int_equal(imap_token_parse(a, &r, &n, &e), -1);
		assert_int_equal(e.kind, ERR_NETWORK);
		assert_int_equal(e.scope, ERR_SCOPE_CONN);
		return;
	}
	assert_int_equal(imap_token_parse(a, &r, &n, &e), 0);
	show(&b, n);
	assert_true(str_eq(buf_view(&b), str_of(row->want)));
}

static void
deep(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct imap_node *n;
	struct imap_resp r;
	struct err e = { 0 };
	size_t depth = 0;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	for (int i = 0; i < 100000; i++)
		buf_text(&b, "(x");
	for (int i = 0; i < 100000; i++)
		buf_char(&b, ')');
	buf_text(&b, " after");
	r = response(a, buf_view(&b));
	assert_int_equal(imap_token_parse(a, &r, &n, &e), 0);
	assert_true(imap_token_is(n->next, "after"));
	for (; n != NULL && n->kind == IMAP_LIST; depth++)
		n = n->child != NULL ? n->child->next : NULL;
	assert_int_equal(depth, LIMIT_IMAP_DEPTH);
}

static void
many(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	const struct imap_node *n;
	struct imap_resp r;
	struct err e = { 0 };
	struct buf b;

	(void)state;
	buf_init(&b, a, 4 << 20);
	for (int i = 0; i <= LIMIT_IMAP_NODES; i++)
		buf_text(&b, "a ");
	r = response(a, buf_view(&b));
	assert_int_equal(imap_token_parse(a, &r, &n, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 2] = {
		[ROWS] = cmocka_unit_test(deep),
		[ROWS + 1] = cmocka_unit_test(many),
	};

	tests[ROWS].name = "lists too deep are read as empty";
	tests[ROWS + 1].name = "too many tokens are refused";
	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = cut;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("backend/imap_token", tests, NULL,
	    NULL);
}
