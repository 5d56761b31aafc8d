/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of a mail server, honest and otherwise, and what is shown of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backend/smtp/internal.h"
#include "base/clock.h"

static struct sample {
	const char *why;
	struct str in;
	int code; /* 0: refused */
	const char *words;
} rows[] = {
	{ "one line", SI("250 2.0.0 ok\r\n"), 250, "2.0.0 ok" },
	{ "a code alone", SI("354\r\n"), 354, "" },
	{ "a code and a space", SI("354 \r\n"), 354, "" },
	{ "lines are joined", SI("550-5.1.1 no such\r\n550 user\r\n"), 550,
	    "5.1.1 no such user" },
	{ "a bare LF ends a line too", SI("250-a\n250 b\n"), 250, "a b" },
	{ "codes that differ are no reply", SI("250-a\r\n550 b\r\n"), 0, "" },
	{ "a code of 6 is no reply", SI("650 a\r\n"), 0, "" },
	{ "a code of 1 is no reply", SI("150 a\r\n"), 0, "" },
	{ "two digits are no reply", SI("25 a\r\n"), 0, "" },
	{ "four digits are no reply", SI("2500 a\r\n"), 0, "" },
	{ "an empty line is no reply", SI("\r\n"), 0, "" },
	{ "another protocol is no reply", SI("* OK IMAP4rev1\r\n"), 0, "" },
	{ "the end before the last line is no reply", SI("250-a\r\n"), 0, "" },
	{ "controls and 8-bit bytes are not shown",
	    SI("550 a\033[31mb\0c\303\274\r\n"), 550, "a?[31mb?c??" },
	{ "runs of space are one", SI("550  a \t  b  \r\n"), 550, "a b" },
	{ "the password is not shown", SI("500 what? hunter2\r\n"), 500,
	    "(words that repeat a secret)" },
	{ "the login is not shown", SI("500 AUTH PLAIN AG1lAGh1bnRlcjI=\r\n"),
	    500, "(words that repeat a secret)" },
	{ "the password is found in a later line, too",
	    SI("500-a\r\n500 b hunter2 c\r\n"), 500,
	    "(words that repeat a secret)" },
	{ "what looks like a token is not shown",
	    SI("535 bad 0123456789012345678901234567890123456789012345678901234"
	       "56789012345678901234567890123456789012345678901234567 x\r\n"),
	    535, "bad * x" },
};

struct line {
	struct wire *w;
	int peer;
};

static struct line
feed(struct str in, size_t cut)
{
	int fd[2];
	struct line l;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	l.w = wire_over(fd[0], clock_mono_ms() + 5000);
	l.peer = fd[1];
	if (cut > 0)
		assert_int_equal(send(l.peer, in.p, cut, 0), (ssize_t)cut);
	in = str_from(in, cut);
	assert_int_equal(send(l.peer, in.p, in.n, 0), (ssize_t)in.n);
	assert_int_equal(shutdown(l.peer, SHUT_WR), 0);
	return l;
}

static void
done(struct line *l)
{
	wire_close(&l->w);
	(void)close(l->peer);
}

static void
read_reply(void **state)
{
	const struct sample *r = *state;
	struct arena *a = arena_open(1 << 20);
	struct secret *secret = secret_new("hunter2", 7);

	for (size_t cut = 0; cut < r->in.n; cut++) {
		struct line l = feed(r->in, cut);
		struct smtp_reply got = { 0 };
		struct err e = { 0 };
		int n = smtp_reply_read(l.w, &got, NULL, NULL, &e);

		assert_int_equal(n, r->code == 0 ? -1 : 0);
		if (n < 0) {
			assert_int_equal(e.kind, ERR_NETWORK);
			assert_int_equal(e.scope, ERR_SCOPE_CONN);
		} else {
			assert_int_equal(got.code, r->code);
			assert_true(str_eq(smtp_reply_words(a, &got),
			    str_of(r->words)));
		}
		done(&l);
	}
	secret_close(&secret);
	arena_close(&a);
}

static void
count(struct str text, void *ctx)
{
	(void)text;
	(*(int *)ctx)++;
}

static void
many_lines(void **state)
{
	static char text[LIMIT_SMTP_REPLY_LINES * 40];
	struct smtp_reply got;
	struct err e = { 0 };

	(void)state;
	for (int n = LIMIT_SMTP_REPLY_LINES - 1; n <= LIMIT_SMTP_REPLY_LINES;
	     n++) {
		size_t at = 0;
		int lines = 0;
		struct line l;

		for (int i = 0; i < n; i++, at += 31)
			memcpy(text + at, "250-0123456789 123456789 1234\r\n",
			    31);
		memcpy(text + at, "250 end\r\n", 9);
		l = feed((struct str){ text, at + 9 }, 0);
		assert_int_equal(smtp_reply_read(l.w, &got, count, &lines, &e),
		    n < LIMIT_SMTP_REPLY_LINES ? 0 : -1);
		assert_true(got.n <= sizeof(got.text));
		assert_int_equal(lines, LIMIT_SMTP_REPLY_LINES);
		done(&l);
	}
	assert_int_equal(e.kind, ERR_NETWORK);
}

static void
words_are_short(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct smtp_reply r = { .code = 550 };

	(void)state;
	for (size_t i = 0; i < sizeof(r.text); i++)
		r.text[i] = i % 10 == 9 ? ' ' : 'x';
	r.n = sizeof(r.text);
	assert_int_equal(smtp_reply_words(a, &r).n, SMTP_WORDS - 1);
	arena_close(&a);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 2] = { 0 };
	size_t n = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = read_reply;
		tests[i].initial_state = &rows[i];
	}
	tests[n++] = (struct CMUnitTest){
		.name = "a reply has an end",
		.test_func = many_lines,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "words that are shown are few",
		.test_func = words_are_short,
	};
	return cmocka_run_group_tests_name("backend/smtp_reply", tests, NULL,
	    NULL);
}
