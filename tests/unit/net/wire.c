/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stream over a socket pair.  SOCK_SEQPACKET keeps each send apart, so a
 * test decides where the stream is cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/wire.h"

struct pair {
	struct wire *w;
	int peer;
};

static struct pair
open_pair(int type, int64_t left_ms)
{
	struct pair p;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, fd), 0);
	p.w = wire_over(fd[0], clock_mono_ms() + left_ms);
	p.peer = fd[1];
	return p;
}

static void
close_pair(struct pair *p)
{
	wire_close(&p->w);
	assert_null(p->w);
	if (p->peer >= 0)
		(void)close(p->peer);
}

static void
say(struct pair *p, const char *c, size_t n)
{
	assert_int_equal(send(p->peer, c, n, MSG_NOSIGNAL), (ssize_t)n);
}

static void
expect_line(struct pair *p, const char *want)
{
	struct err e = { 0 };
	struct str got;

	assert_int_equal(wire_line(p->w, 100, &got, &e), 0);
	assert_true(str_eq(got, str_of(want)));
}

static void
split(void **state)
{
	static const char text[] = "220 hello\r\nbare\n\r\nmid\rdle\r\n12345end"
				   "\r\n";
	size_t n = sizeof(text) - 1;

	(void)state;
	for (size_t i = 1; i < n; i++) {
		struct pair p = open_pair(SOCK_SEQPACKET, 5000);
		struct err e = { 0 };
		char five[5];

		say(&p, text, i);
		say(&p, text + i, n - i);
		expect_line(&p, "220 hello");
		expect_line(&p, "bare");
		expect_line(&p, "");
		expect_line(&p, "mid\rdle");
		assert_int_equal(wire_bytes(p.w, five, 5, &e), 0);
		assert_memory_equal(five, "12345", 5);
		expect_line(&p, "end");
		assert_false(wire_pending(p.w));
		close_pair(&p);
	}
}

static void
bytewise(void **state)
{
	static const char text[] = "one\r\ntwo\r\n";
	struct pair p = open_pair(SOCK_SEQPACKET, 5000);

	(void)state;
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		say(&p, text + i, 1);
	expect_line(&p, "one");
	expect_line(&p, "two");
	close_pair(&p);
}

static void
long_line(void **state)
{
	char text[120];
	struct err e = { 0 };
	struct str got;

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t n = 99; n <= 102; n++) {
		/* Cut between CR and LF: the CR is not part of the line. */
		struct pair p = open_pair(SOCK_SEQPACKET, 5000);

		text[n] = '\r';
		say(&p, text, n + 1);
		say(&p, "\n", 1);
		text[n] = 'x';
		assert_int_equal(wire_line(p.w, 100, &got, &e),
		    n <= 100 ? 0 : -1);
		if (n > 100) {
			assert_int_equal(e.kind, ERR_LIMIT);
			assert_int_equal(e.scope, ERR_SCOPE_CONN);
			assert_int_equal(wire_line(p.w, 100, &got, &e), -1);
		}
		close_pair(&p);
	}
}

static void
endless_line(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };
	static char text[70000];
	struct str got;

	(void)state;
	memset(text, 'x', sizeof(text));
	say(&p, text, sizeof(text));
	assert_int_equal(wire_line(p.w, SIZE_MAX, &got, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	close_pair(&p);
}

/* Lines across the end of the buffer are moved, not lost. */
static void
around(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };
	char line[1004], want[1001];
	struct str got;

	(void)state;
	for (int i = 0; i < 300; i++) {
		memset(want, 'a' + i % 26, 1000);
		memcpy(line, want, 1000);
		memcpy(line + 1000, "\r\n", 2);
		say(&p, line, 1002);
		if (i % 3 != 0)
			continue;
		for (int k = i == 0 ? 0 : i - 2; k <= i; k++) {
			assert_int_equal(wire_line(p.w, 1000, &got, &e), 0);
			assert_int_equal(got.n, 1000);
			assert_int_equal(got.p[999], 'a' + k % 26);
		}
	}
	close_pair(&p);
}

static void
big_bytes(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	static char in[150000], out[150000];
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (char)(i * 7 + i / 256);
	say(&p, "a\r\n", 3);
	say(&p, in, sizeof(in));
	expect_line(&p, "a");
	assert_int_equal(wire_bytes(p.w, out, sizeof(out), &e), 0);
	assert_memory_equal(in, out, sizeof(in));
	close_pair(&p);
}

static void
end_of_stream(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };
	struct str got;

	(void)state;
	say(&p, "half", 4);
	(void)close(p.peer);
	p.peer = -1;
	assert_int_equal(wire_line(p.w, 100, &got, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_int_equal(e.scope, ERR_SCOPE_CONN);
	assert_string_equal(e.say, "the server closed the connection");
	close_pair(&p);
}

static void
deadline(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 60);
	int64_t start = clock_mono_ms();
	struct err e = { 0 };
	struct str got;

	(void)state;
	say(&p, "no end", 6);
	assert_int_equal(wire_line(p.w, 100, &got, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_string_equal(e.say, "the server did not answer in time");
	assert_true(clock_mono_ms() - start >= 50);
	close_pair(&p);
}

static void
deaf_peer(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 60);
	static char big[4 << 20];
	struct err e = { 0 };

	(void)state;
	assert_int_equal(wire_put(p.w, (struct str){ big, sizeof(big) }, &e),
	    -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	close_pair(&p);
}

static void
gathers(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };
	char got[64];

	(void)state;
	assert_int_equal(wire_put(p.w, S("a NOOP\r\n"), &e), 0);
	assert_int_equal(wire_say_fmt(p.w, &e, "%s %d\r\n", "b", 7), 0);
	assert_int_equal(recv(p.peer, got, sizeof(got), MSG_DONTWAIT), -1);
	say(&p, "ok\r\n", 4);
	expect_line(&p, "ok");
	assert_int_equal(recv(p.peer, got, sizeof(got), MSG_DONTWAIT), 13);
	assert_memory_equal(got, "a NOOP\r\nb 7\r\n", 13);
	close_pair(&p);
}

static void
too_long_command(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	char text[5000];
	struct err e = { 0 };

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(wire_say_fmt(p.w, &e, "%.*s", (int)sizeof(text), text),
	    -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	close_pair(&p);
}

/* Without MSG_NOSIGNAL this ends the test program. */
static void
no_signal(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };

	(void)state;
	(void)close(p.peer);
	p.peer = -1;
	assert_int_equal(wire_put(p.w, S("x"), &e), 0);
	assert_int_equal(wire_flush(p.w, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_int_equal(wire_put(p.w, S("x"), &e), -1);
	close_pair(&p);
}

static void
pending(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);

	(void)state;
	assert_false(wire_pending(p.w));
	say(&p, "x\r\ny\r\n", 6);
	assert_true(wire_pending(p.w));
	expect_line(&p, "x");
	assert_true(wire_pending(p.w));
	expect_line(&p, "y");
	assert_false(wire_pending(p.w));
	(void)close(p.peer);
	p.peer = -1;
	assert_true(wire_pending(p.w));
	close_pair(&p);
}

static void
turns(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };

	(void)state;
	say(&p, "1\r\n", 3);
	expect_line(&p, "1");
	assert_int_equal(wire_turns(p.w), 0);
	for (unsigned i = 1; i < 4; i++) {
		assert_int_equal(wire_put(p.w, S("a\r\nb\r\n"), &e), 0);
		assert_int_equal(wire_flush(p.w, &e), 0);
		say(&p, "1\r\n2\r\n", 6);
		expect_line(&p, "1");
		expect_line(&p, "2");
		assert_int_equal(wire_turns(p.w), i);
	}
	close_pair(&p);
}

static void
injection(void **state)
{
	struct pair p = open_pair(SOCK_STREAM, 5000);
	struct err e = { 0 };

	(void)state;
	say(&p, "220 go\r\n250-AUTH PLAIN\r\n", 24);
	expect_line(&p, "220 go");
	assert_int_equal(wire_starttls(p.w, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_string_equal(e.say,
	    "the server sent data in the clear before TLS began");
	assert_false(wire_is_tls(p.w));
	close_pair(&p);
}

static void
bad_targets(void **state)
{
	static const struct {
		struct str host, pin, ca;
		uint16_t port;
	} bad[] = {
		{ SI(""), SI(""), SI(""), 993 },
		{ SI("a b"), SI(""), SI(""), 993 },
		{ SI("mail.example\0.evil"), SI(""), SI(""), 993 },
		{ SI("-x"), SI(""), SI(""), 993 },
		{ SI("a:b"), SI(""), SI(""), 993 },
		{ SI("h\303\274.example"), SI(""), SI(""), 993 },
		{ SI("127.0.0.1"), SI(""), SI(""), 0 },
		{ SI("127.0.0.1"), SI("abcd"), SI(""), 993 },
		{ SI("127.0.0.1"), SI(""), SI("a\0b"), 993 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct wire_target t = { .host = bad[i].host,
			.port = bad[i].port,
			.pin = bad[i].pin,
			.ca_file = bad[i].ca,
			.deadline_ms = clock_mono_ms() + 2000 };
		struct wire *w = NULL;
		struct err e = { 0 };

		assert_int_equal(wire_open(&t, &w, &e), -1);
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_null(w);
	}
}

static void
refused(void **state)
{
	struct wire_target t = { .host = S("localhost"),
		.port = 1,
		.deadline_ms = clock_mono_ms() + 2000 };
	struct wire *w = NULL;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(wire_open(&t, &w, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_string_equal(e.say, "connection refused");
	assert_string_equal(e.reason, "tcp");
}

#define T(why, fn)                                                             \
	{                                                                      \
		why, fn, NULL, NULL, NULL                                      \
	}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T("lines read the same wherever the stream is cut", split),
		T("lines that come byte by byte are lines", bytewise),
		T("a line of max bytes is read, one more is refused",
		    long_line),
		T("a line without end is refused", endless_line),
		T("lines across the end of the buffer are whole", around),
		T("a big body goes straight to its place", big_bytes),
		T("the end of the stream is an error, not a line",
		    end_of_stream),
		T("waiting ends at the deadline", deadline),
		T("writing to a peer that does not read ends at the deadline",
		    deaf_peer),
		T("what is put leaves together, before the next read", gathers),
		T("a command that is too long is not cut", too_long_command),
		T("a peer that is gone is an error, not a signal", no_signal),
		T("pending tells what a read would not wait for", pending),
		T("turns count writing then reading, not lines", turns),
		T("plain text that came before TLS is refused", injection),
		T("a target that cannot be meant is refused", bad_targets),
		T("a closed port is a refused connection", refused),
	};

	return cmocka_run_group_tests_name("net/wire", tests, NULL, NULL);
}
