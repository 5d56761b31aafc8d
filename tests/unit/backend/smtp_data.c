/* SPDX-License-Identifier: Apache-2.0 */
/* A message in its outgoing form, and messages that must not leave. */
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
	struct str in, out;
	bool eightbit;
} rows[] = {
	{ "CRLF stays", SI("a\r\n\r\nb\r\n"), SI("a\r\n\r\nb\r\n"), false },
	{ "the last line gets its end", SI("a\r\nb"), SI("a\r\nb\r\n"), false },
	{ "a lone LF is a line end", SI("a\nb\n"), SI("a\r\nb\r\n"), false },
	{ "a lone CR is a line end", SI("a\rb\r"), SI("a\r\nb\r\n"), false },
	{ "CR CR LF is two line ends", SI("a\r\r\nb"), SI("a\r\n\r\nb\r\n"),
	    false },
	{ "a dot at the front is doubled", SI("a\r\n.\r\n..b\r\n"),
	    SI("a\r\n..\r\n...b\r\n"), false },
	{ "a dot in the first line is doubled", SI(".a\r\n"), SI("..a\r\n"),
	    false },
	{ "a dot elsewhere is not", SI("a.\r\nb.c\r\n"), SI("a.\r\nb.c\r\n"),
	    false },
	{ "an end smuggled in with LF is none", SI("a\n.\nMAIL FROM:<x>\r\n"),
	    SI("a\r\n..\r\nMAIL FROM:<x>\r\n"), false },
	{ "an end smuggled in with CR is none", SI("a\r\n.\rQUIT\r\n"),
	    SI("a\r\n..\r\nQUIT\r\n"), false },
	{ "8-bit bytes leave as they are", SI("\303\274\r\n"),
	    SI("\303\274\r\n"), true },
	{ "nothing is nothing", SI(""), SI(""), false },
};

static void
leaves(void **state)
{
	const struct sample *r = *state;
	struct smtp_needs needs;
	struct err e = { 0 };
	char got[256];
	struct wire *w;
	size_t stuffed = 0;
	ssize_t n;
	int fd[2];

	assert_int_equal(smtp_data_check(r->in, &needs, &e), 0);
	assert_int_equal(needs.eightbit, r->eightbit);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	w = wire_over(fd[0], clock_mono_ms() + 5000);
	assert_int_equal(smtp_data_put(w, r->in, &e), 0);
	assert_int_equal(wire_flush(w, &e), 0);
	wire_close(&w);
	n = recv(fd[1], got, sizeof(got), 0);
	assert_int_equal(n, (ssize_t)r->out.n);
	assert_memory_equal(got, r->out.p, r->out.n);
	/* RFC 1870 section 3: the size is the message's, not the wire's. */
	for (size_t i = 0; i + 1 < r->out.n; i++)
		if (r->out.p[i] == '.' && (i == 0 || r->out.p[i - 1] == '\n'))
			stuffed++;
	assert_int_equal(needs.size, r->out.n - stuffed);
	(void)close(fd[1]);
}

static void
long_lines(void **state)
{
	struct smtp_needs needs;
	struct err e = { 0 };
	char text[1001];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text + 998, "\r\n", 2);
	assert_int_equal(smtp_data_check((struct str){ text, 1000 }, &needs,
			     &e),
	    0);
	assert_int_equal(needs.size, 1000);
	memcpy(text + 998, "x\r\n", 3);
	assert_int_equal(smtp_data_check((struct str){ text, 1001 }, &needs,
			     &e),
	    -1);
	assert_int_equal(e.kind, ERR_LIMIT);
}

static void
nul(void **state)
{
	struct smtp_needs needs;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(smtp_data_check(S("a\0b\r\n"), &needs, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
}

static void
paths(void **state)
{
	static const struct {
		struct str addr;
		bool good;
	} p[] = {
		{ SI("a@b.example"), true },
		{ SI("\"a\\\"b\"@b.example"), true },
		{ SI("\303\274@b.example"), true },
		{ SI("ok@y.example>\r\nRCPT TO:<victim@z.example"), false },
		{ SI("a@b.example\r\n"), false },
		{ SI("a@b.example\nx"), false },
		{ SI("a@b.example\0"), false },
		{ SI("a@b.example>"), false },
		{ SI("<a@b.example"), false },
		{ SI("a b@b.example"), false },
		{ SI("a@b.example SIZE=1"), false },
		{ SI("a\177@b.example"), false },
		{ SI("@b.example"), false },
		{ SI("a@"), false },
		{ SI("ab"), false },
		{ SI(""), false },
	};
	char text[300];

	(void)state;
	for (size_t i = 0; i < sizeof(p) / sizeof(p[0]); i++)
		assert_int_equal(smtp_submit_is_path(p[i].addr), p[i].good);
	memset(text, 'x', sizeof(text));
	text[1] = '@';
	assert_true(smtp_submit_is_path((struct str){ text, 254 }));
	assert_false(smtp_submit_is_path((struct str){ text, 255 }));
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 3] = { 0 };
	size_t n = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = leaves;
		tests[i].initial_state = &rows[i];
	}
	tests[n++] = (struct CMUnitTest){
		.name = "a line has at most 998 bytes",
		.test_func = long_lines,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "a NUL does not leave",
		.test_func = nul,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "an address cannot end its command",
		.test_func = paths,
	};
	return cmocka_run_group_tests_name("backend/smtp_data", tests, NULL,
	    NULL);
}
