/* SPDX-License-Identifier: Apache-2.0 */
/* A server's first line: of our kind, of another kind, or none. */
#include <sys/socket.h>

#include "../rows.h"

#include "base/clock.h"
#include "base/err.h"
#include "net/wire.h"

static const struct greet_row {
	const char *why, *said;
	enum wire_greet who;
	const char *say; /* NULL: it is of our kind */
} greets[] = {
	{ "IMAP", "* OK hello\r\n", WIRE_GREET_IMAP, NULL },
	{ "SMTP", "220 mx\r\n", WIRE_GREET_SMTP, NULL },
	{ "SMTP that is closing down", "421 no\r\n", WIRE_GREET_SMTP, NULL },
	{ "what is nobody's is for the reader", "hello there\r\n",
	    WIRE_GREET_IMAP, NULL },
	{ "a line that is too short to know", "x\n", WIRE_GREET_SMTP, NULL },
	{ "SMTP for IMAP", "220 mx ESMTP\r\n", WIRE_GREET_IMAP,
	    "the server said 220: this is an SMTP server" },
	{ "SMTP that takes nothing", "554 no\r\n", WIRE_GREET_IMAP,
	    "the server said 554: this is an SMTP server that takes no mail" },
	{ "IMAP for SMTP", "* OK [CAPABILITY IMAP4rev1] x\r\n", WIRE_GREET_SMTP,
	    "the server said *: this is an IMAP server" },
	{ "POP3", "+OK ready\r\n", WIRE_GREET_IMAP,
	    "the server said +OK: this is a POP3 server" },
	{ "SSH", "SSH-2.0-x\r\n", WIRE_GREET_SMTP,
	    "the server said SSH-: this is an SSH server" },
	{ "the web", "HTTP/1.1 400 x\r\n", WIRE_GREET_IMAP,
	    "the server said HTTP/: this is a web server" },
	{ "no stranger's bytes are shown", "4\033[2J\r\n", WIRE_GREET_IMAP,
	    "the server said 4: this is an SMTP server that takes no mail "
	    "now" },
};

static void
greeted(void **state)
{
	const struct greet_row *r = *state;
	struct err e = { 0 };
	struct wire *w;
	struct str line;
	int fd[2], res;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(write(fd[1], r->said, strlen(r->said)),
	    strlen(r->said));
	w = wire_over(fd[0], clock_mono_ms() + 20000);
	res = wire_greet(w, r->who, &e);
	if (r->say == NULL) {
		assert_int_equal(res, 0);
		/* The line can still be read completely. */
		assert_int_equal(wire_line(w, 1000, &line, &e), 0);
		assert_memory_equal(line.p, r->said, line.n);
	} else {
		assert_int_equal(res, -1);
		assert_int_equal(e.kind, ERR_NETWORK);
		assert_int_equal(e.scope, ERR_SCOPE_CONN);
		rows_same(str_of(e.say), str_of(r->say));
		assert_non_null(e.hint);
	}
	wire_close(&w);
	(void)close(fd[1]);
}

ROWS_MAIN("net/wire_greet", greets, greeted)
