/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of messages: each row has a message and its expected parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/limits.h"
#include "mime/message.h"

struct row {
	const char *why;
	const char *raw;  /* LF; a second run makes it CRLF */
	const char *want; /* "depth type <body>" for each part */
};

#define MIXED "Content-Type: multipart/mixed; boundary=b\n\n"

static const struct row rows[] = {
	{ "a message without MIME is plain text", "Subject: x\n\nhello\n",
	    "0 text/plain <hello~>\n" },
	{ "an empty message has one empty part", "", "0 text/plain <>\n" },
	{ "a header without a body has an empty part", "Subject: x\n",
	    "0 text/plain <>\n" },
	{ "the line end before a boundary belongs to it",
	    MIXED "--b\n\none\n--b\nContent-Type: text/html\n\ntwo\n\n--b--\n",
	    "0 multipart/mixed\n1 text/plain <one>\n1 text/html <two~>\n" },
	{ "preamble and epilogue are no parts",
	    MIXED "before\n--b\n\none\n--b--\nafter\n--b\nno part\n",
	    "0 multipart/mixed\n1 text/plain <one>\n" },
	{ "a missing closing boundary ends with the message",
	    MIXED "--b\n\none\n--b\n\ntwo\n",
	    "0 multipart/mixed\n1 text/plain <one>\n1 text/plain <two~>\n" },
	{ "an outer boundary closes the inner multipart",
	    MIXED "--b\nContent-Type: multipart/alternative; boundary=c\n\n"
		  "--c\n\none\n--b\n\ntwo\n--c\nstill two\n--b--\n",
	    "0 multipart/mixed\n1 multipart/alternative\n"
	    "2 text/plain <one>\n1 text/plain <two~--c~still two>\n" },
	{ "a boundary is not the begin of a longer one",
	    MIXED "--b\nContent-Type: multipart/alternative; boundary=bb\n\n"
		  "--bb\n\none\n--bb--\n--b\n\ntwo\n--b--\n",
	    "0 multipart/mixed\n1 multipart/alternative\n"
	    "2 text/plain <one>\n1 text/plain <two>\n" },
	{ "white space behind a boundary is padding",
	    MIXED "--b \t\n\none\n--b-- \n",
	    "0 multipart/mixed\n1 text/plain <one>\n" },
	{ "text behind a boundary does not matter",
	    MIXED "--b x\n\none\n--b-- y\n",
	    "0 multipart/mixed\n1 text/plain <one>\n" },
	{ "of two boundaries the longest counts",
	    MIXED "--b\nContent-Type: multipart/alternative; boundary=b-\n\n"
		  "--b-\n\none\n--b---\n--b--\n",
	    "0 multipart/mixed\n1 multipart/alternative\n"
	    "2 text/plain <one>\n" },
	{ "also when the shorter one is the inner",
	    "Content-Type: multipart/mixed; boundary=bb\n\n--bb\n"
	    "Content-Type: multipart/alternative; boundary=b\n\n"
	    "--b\n\none\n--bb\n\ntwo\n--bb--\n",
	    "0 multipart/mixed\n1 multipart/alternative\n"
	    "2 text/plain <one>\n1 text/plain <two>\n" },
	{ "a boundary that ends in dashes is itself",
	    "Content-Type: multipart/mixed; boundary=\"b--\"\n\n"
	    "--b--\n\none\n--b----\n",
	    "0 multipart/mixed\n1 text/plain <one>\n" },
	{ "a multipart without parts has none", MIXED "--b--\n",
	    "0 multipart/mixed\n" },
	{ "a multipart whose boundary never comes is shown as text",
	    MIXED "all there is\n", "0 text/plain <all there is~>\n" },
	{ "a multipart without a boundary is shown as text",
	    "Content-Type: multipart/mixed\n\n--b\n\none\n",
	    "0 text/plain <--b~~one~>\n" },
	{ "a part may be cut off in its header",
	    MIXED "--b\nContent-Type: text/html\n--b\n\ntwo\n--b--\n",
	    "0 multipart/mixed\n1 text/html <>\n1 text/plain <two>\n" },
	{ "two boundaries in a row make an empty part",
	    MIXED "--b\n--b\n\ntwo\n--b--\n",
	    "0 multipart/mixed\n1 text/plain <>\n1 text/plain <two>\n" },
	{ "a part whose header never ends keeps its line",
	    MIXED "--b\nhello there\nand more: text\n--b\n"
		  "Content-Type: text/html\nhello\n--b--\n",
	    "0 multipart/mixed\n1 text/plain <hello there~and more: text>\n"
	    "1 text/html <hello>\n" },
	{ "and so does a message", "Subject: x\nhello there\n",
	    "0 text/plain <hello there~>\n" },
	{ "a header that ends has no text in it",
	    MIXED
	    "--b\nContent-Type: text/html;\ncharset=utf-8\n\none\n--b--\n",
	    "0 multipart/mixed\n1 text/html <one>\n" },
	{ "a boundary directly behind the header makes an empty body",
	    MIXED "--b\n\n--b--\n", "0 multipart/mixed\n1 text/plain <>\n" },
	{ "a digest's parts are messages",
	    "Content-Type: multipart/digest; boundary=b\n\n"
	    "--b\n\nSubject: y\n\none\n--b\nContent-Type: text/plain\n\ntwo\n"
	    "--b--\n",
	    "0 multipart/digest\n1 message/rfc822\n2 text/plain <one>\n"
	    "1 text/plain <two>\n" },
	{ "a message within a message is parsed in place",
	    MIXED "--b\nContent-Type: message/rfc822\n\n"
		  "Content-Type: multipart/mixed; boundary=c\n\n"
		  "--c\n\none\n--c--\n--b\n\ntwo\n--b--\n",
	    "0 multipart/mixed\n1 message/rfc822\n2 multipart/mixed\n"
	    "3 text/plain <one>\n1 text/plain <two>\n" },
	{ "an encoded message within a message is opaque",
	    MIXED "--b\nContent-Type: message/rfc822\n"
		  "Content-Transfer-Encoding: base64\n\nU3ViamVjdDogeAoK\n"
		  "--b--\n",
	    "0 multipart/mixed\n1 message/rfc822 <U3ViamVjdDogeAoK>\n" },
	{ "an encoding on a multipart is not believed",
	    "Content-Transfer-Encoding: base64\n" MIXED "--b\n\none\n--b--\n",
	    "0 multipart/mixed\n1 text/plain <one>\n" },
	{ "a Content-Type that cannot be read is plain text",
	    "Content-Type: ;;;\n\nx\n", "0 text/plain <x~>\n" },
	{ "a Content-Type of one word is plain text",
	    "Content-Type: text\n\nx\n", "0 text/plain <x~>\n" },
	{ "the same boundary twice belongs to the inner one first",
	    MIXED "--b\nContent-Type: multipart/alternative; boundary=b\n\n"
		  "--b\n\none\n--b--\n--b--\n",
	    "0 multipart/mixed\n1 multipart/alternative\n"
	    "2 text/plain <one>\n" },
	{ "a line of two dashes is no boundary",
	    MIXED "--b\n\none\n--\nme\n--b--\n",
	    "0 multipart/mixed\n1 text/plain <one~--~me>\n" },
};

static struct str
dump(struct arena *a, const struct mime_message *m)
{
	struct buf b;

	buf_init(&b, a, 1 << 20);
	for (size_t i = 0; i < m->n; i++) {
		const struct mime_part *p = &m->part[i];

		buf_fmt(&b, "%d %.*s", p->depth, STR_ARG(p->type));
		if (!p->is_multipart && !p->is_message) {
			buf_text(&b, " <");
			for (size_t k = 0; k < p->body.n; k++)
				if (p->body.p[k] == '\n')
					buf_char(&b, '~');
				else if (p->body.p[k] != '\r')
					buf_char(&b, p->body.p[k]);
			buf_text(&b, ">");
		}
		buf_char(&b, '\n');
	}
	buf_char(&b, '\0');
	return buf_view(&b);
}

static struct str
with_crlf(struct arena *a, struct str s)
{
	struct buf b;

	buf_init(&b, a, 2 * s.n + 1);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n')
			buf_char(&b, '\r');
		buf_char(&b, s.p[i]);
	}
	return buf_view(&b);
}

static void
structure(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct str raw = str_of(r->raw);
	struct mime_message m;

	mime_message_parse(a, raw, &m);
	assert_string_equal(dump(a, &m).p, r->want);
	assert_false(m.over);
	mime_message_parse(a, with_crlf(a, raw), &m);
	assert_string_equal(dump(a, &m).p, r->want);
}

/* n multiparts, one within the other. */
static struct str
nested(struct arena *a, size_t n)
{
	struct buf b;

	buf_init(&b, a, 100 * n + 100);
	for (size_t i = 0; i < n; i++)
		buf_fmt(&b,
		    "Content-Type: multipart/mixed; boundary=b%05zu\n\n"
		    "--b%05zu\n",
		    i, i);
	buf_text(&b, "\nx\n");
	return buf_view(&b);
}

static void
depth_is_capped(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 26);
	struct mime_message m;

	(void)state;
	mime_message_parse(a, nested(a, LIMIT_MIME_DEPTH), &m);
	assert_false(m.over);
	assert_int_equal(m.n, LIMIT_MIME_DEPTH + 1);
	mime_message_parse(a, nested(a, 10000), &m);
	assert_true(m.over);
	assert_int_equal(m.n, LIMIT_MIME_DEPTH + 1);
	assert_false(m.part[LIMIT_MIME_DEPTH].is_multipart);
}

static void
parts_are_capped(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 26);
	struct mime_message m;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	buf_text(&b,
	    MIXED "--b\nContent-Type: message/rfc822\n\n"
		  "Content-Type: multipart/mixed; boundary=c\n\n");
	for (int i = 0; i < 5000; i++)
		buf_text(&b, "--c\n\nx\n");
	buf_text(&b, "--b\n\nbehind\n--b--\n");
	mime_message_parse(a, buf_view(&b), &m);
	assert_true(m.over);
	assert_int_equal(m.n, LIMIT_MIME_PARTS);
	/* The embedded message still ends in the right place. */
	assert_true(str_ends(m.part[1].body, S("--c\n\nx")));
}

static void
long_header_says_so(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 26);
	struct mime_message m;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 22);
	for (int i = 0; i < 5000; i++)
		buf_text(&b, "X: y\n");
	buf_text(&b, "\nbody\n");
	mime_message_parse(a, buf_view(&b), &m);
	assert_true(m.over);
	assert_int_equal(m.n, 1);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 3] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = structure;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(depth_is_capped);
	tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(parts_are_capped);
	tests[ROWS + 2] =
	    (struct CMUnitTest)cmocka_unit_test(long_header_says_so);
	return cmocka_run_group_tests_name("mime/message", tests, NULL, NULL);
}
