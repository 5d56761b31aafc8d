/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/imap/internal.h"
#include "base/buf.h"
#include "base/limits.h"

/* Bytes from memory, as the reader wants them. */
struct memory {
	struct str left;
	uint64_t endless; /* then this many bytes of 'x' */
};

static int
ended(struct err *e)
{
	return err_set(e, ERR_NETWORK, "the server closed the connection");
}

static int
line(void *ctx, struct arena *a, size_t max, struct str *out, struct err *e)
{
	struct memory *m = ctx;
	struct str head;

	(void)a;
	if (!str_cut(m->left, '\n', &head, &m->left))
		return ended(e);
	if (head.n > 0 && head.p[head.n - 1] == '\r')
		head.n--;
	if (head.n > max)
		return err_set(e, ERR_LIMIT, "too long");
	*out = head;
	return 0;
}

static int
bytes(void *ctx, void *p, size_t n, struct err *e)
{
	struct memory *m = ctx;

	if (m->endless > 0) {
		memset(p, 'x', n);
		return 0;
	}
	if (n > m->left.n)
		return ended(e);
	if (n > 0)
		memcpy(p, m->left.p, n);
	m->left = str_from(m->left, n);
	return 0;
}

static struct sample {
	const char *why;
	const char *text;
	const char *want; /* or the error's code */
} rows[] = {
	{ "a greeting", "* OK [CAPABILITY IMAP4rev1] hi {5}\r\n",
	    "notice 1 [CAPABILITY IMAP4rev1] hi {5}" },
	{ "BYE", "* bye away\r\n", "notice 3 [] away" },
	{ "data with a number", "* 23 EXISTS\r\n", "data 23 EXISTS:" },
	{ "data without one", "* SEARCH 1 2\r\n", "data 0 SEARCH:1 2" },
	{ "a literal in mid-line", "* LIST () \"/\" {3}\r\nabc x\r\n",
	    "data 0 LIST:() \"/\" <abc> x" },
	{ "two literals", "* 1 FETCH (A {1}\r\na B {0}\r\n)\r\n",
	    "data 1 FETCH:(A <a> B <>)" },
	{ "literal8 and a literal nobody waits for",
	    "* 1 FETCH (A ~{1}\r\na B {2+}\r\nxy)\r\n",
	    "data 1 FETCH:(A <a> B <xy>)" },
	{ "a literal that holds what looks like an answer",
	    "* 1 FETCH (A {10}\r\ne1 OK no\r\n)\r\n",
	    "data 1 FETCH:(A <e1 OK no\r\n>)" },
	{ "the words of a status hold no literal", "e7 NO [X] said {3}\r\n",
	    "tagged 7 0 [X] said {3}" },
	{ "a tag that is none of ours", "A1 OK fine\r\n",
	    "tagged 0 1 [] fine" },
	{ "a code that never ends is text", "e1 OK [X fine\r\n",
	    "tagged 1 1 [] [X fine" },
	{ "a bare LF ends a line", "+ go on\n", "more go on" },
	{ "a bare plus", "+\r\n", "more " },
	{ "a mark that is none", "* 1 FETCH (A {-1}\r\n",
	    "data 1 FETCH:(A {-1}" },
	{ "a folder that ends in a brace", "* LIST () \"/\" a}\r\n",
	    "data 0 LIST:() \"/\" a}" },
	{ "4 GiB are refused", "* 1 FETCH (A {4294967295}\r\n", "limit" },
	{ "2^64 - 1 is refused", "* 1 FETCH (A {18446744073709551615}\r\n",
	    "limit" },
	{ "2^64 is refused", "* 1 FETCH (A {18446744073709551616}\r\n",
	    "limit" },
	{ "a literal that ends early", "* 1 FETCH (A {9}\r\nabc", "network" },
	{ "a line that ends early", "* 1 FET", "network" },
	{ "an empty line is no answer", "\r\n", "network" },
	{ "a tag with no status", "e1 MAYBE\r\n", "network" },
	{ "a tagged BYE is no answer", "e1 BYE\r\n", "network" },
};

static struct str
show(struct arena *a, const struct imap_resp *r)
{
	struct buf b;

	buf_init(&b, a, 4096);
	switch (r->kind) {
	case IMAP_MORE:
		buf_text(&b, "more ");
		break;
	case IMAP_TAGGED:
		buf_fmt(&b, "tagged %u %d [%.*s] ", r->tag, (int)r->status,
		    STR_ARG(r->code));
		break;
	case IMAP_NOTICE:
		buf_fmt(&b, "notice %d [%.*s] ", (int)r->status,
		    STR_ARG(r->code));
		break;
	case IMAP_DATA:
		buf_fmt(&b, "data %u %.*s:", r->number, STR_ARG(r->name));
		break;
	}
	buf_str(&b, r->text);
	for (size_t i = 0; i < r->n; i++) {
		buf_str(&b, r->piece[i].text);
		if (r->piece[i].has_literal)
			buf_fmt(&b, "<%.*s>", STR_ARG(r->piece[i].literal));
	}
	return buf_view(&b);
}

static void
read_one(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct sample *row = *state;
	struct memory m = { .left = str_of(row->text) };
	struct imap_source src = { line, bytes, &m };
	struct imap_reader r;
	struct imap_resp resp;
	struct err e = { 0 };
	int rc;

	imap_read_init(&r, &src);
	r.keep = a;
	rc = imap_read_next(&r, &resp, &e);
	if (rc < 0)
		assert_string_equal(err_code(e.kind), row->want);
	else
		assert_true(str_eq(show(a, &resp), str_of(row->want)));
	imap_read_done(&r);
}

/* A stranger's endless header does not spoil a list: the rest is discarded. */
static void
long_literal(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct memory m = { S("* 1 FETCH (A {50000000}\r\n)\r\n"), 1 };
	struct imap_source src = { line, bytes, &m };
	struct imap_reader r;
	struct imap_resp resp;
	struct err e = { 0 };

	(void)state;
	imap_read_init(&r, &src);
	r.keep = a;
	assert_int_equal(imap_read_next(&r, &resp, &e), 0);
	assert_int_equal(resp.n, 2);
	assert_true(resp.piece[0].literal.n > LIMIT_MIME_HEAD);
	assert_true(resp.piece[0].literal.n < (1 << 20));
	imap_read_done(&r);
}

static void
big_body(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	static const char text[] =
	    "* 1 FETCH (UID 1 BODY[] {20000000}\r\n)\r\n";
	struct memory m = { S(text), 1 };
	struct imap_source src = { line, bytes, &m };
	struct imap_reader r;
	struct imap_resp resp;
	struct err e = { 0 };

	(void)state;
	imap_read_init(&r, &src);
	r.keep = a;
	r.body_max = 20000000;
	assert_int_equal(imap_read_next(&r, &resp, &e), 0);
	assert_int_equal(resp.piece[0].literal.n, 20000000);

	m.left = S(text);
	r.body_max--;
	assert_int_equal(imap_read_next(&r, &resp, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	assert_int_equal(e.scope, ERR_SCOPE_CONN);
	imap_read_done(&r);
}

/* One message was requested: a second gets only the room that is left. */
static void
two_bodies(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	static const char text[] =
	    "* 1 FETCH (UID 1 BODY[] {20000000}\r\n)\r\n";
	struct memory m = { S(text), 1 };
	struct imap_source src = { line, bytes, &m };
	struct imap_reader r;
	struct imap_resp resp;
	struct err e = { 0 };

	(void)state;
	imap_read_init(&r, &src);
	r.keep = a;
	r.body_max = 39999999;
	assert_int_equal(imap_read_next(&r, &resp, &e), 0);
	m.left = S(text);
	assert_int_equal(imap_read_next(&r, &resp, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	imap_read_done(&r);
}

/* Data that is not of a message is not kept, however often it is repeated. */
static void
literals_do_not_pile_up(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct memory m = { { 0 }, 1 };
	struct imap_source src = { line, bytes, &m };
	struct imap_reader r;
	struct imap_resp resp;
	struct err e = { 0 };

	(void)state;
	imap_read_init(&r, &src);
	r.keep = a;
	for (int i = 0; i < 1000; i++) {
		m.left = S("* 1 FETCH (UID 1 BODY[HEADER] {500000}\r\n)\r\n");
		assert_int_equal(imap_read_next(&r, &resp, &e), 0);
	}
	assert_int_equal(arena_used(a), 0);
	imap_read_done(&r);
}

/* {0} repeatedly: no bytes, but endless pieces. */
static void
many_literals(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct imap_reader r;
	struct imap_resp resp;
	struct err e = { 0 };
	struct memory m = { 0 };
	struct imap_source src = { line, bytes, &m };
	struct buf b;

	(void)state;
	buf_init(&b, a, 8 << 20);
	buf_text(&b, "* X ");
	for (int i = 0; i < 200000; i++)
		buf_text(&b, "{0}\r\n");
	m.left = buf_view(&b);
	imap_read_init(&r, &src);
	assert_int_equal(imap_read_next(&r, &resp, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	imap_read_done(&r);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 5] = {
		[ROWS] = cmocka_unit_test(long_literal),
		[ROWS + 1] = cmocka_unit_test(big_body),
		[ROWS + 2] = cmocka_unit_test(many_literals),
		[ROWS + 3] = cmocka_unit_test(two_bodies),
		[ROWS + 4] = cmocka_unit_test(literals_do_not_pile_up),
	};

	tests[ROWS].name = "a long literal is kept in part";
	tests[ROWS + 1].name = "a message is read whole or refused";
	tests[ROWS + 2].name = "empty literals without end are refused";
	tests[ROWS + 3].name = "a second message has what the first left";
	tests[ROWS + 4].name = "literals do not pile up";
	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = read_one;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("backend/imap_read", tests, NULL,
	    NULL);
}
