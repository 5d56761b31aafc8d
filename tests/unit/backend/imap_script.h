/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_IMAP_SCRIPT_H
#define TESTS_IMAP_SCRIPT_H

/*
 * A scripted IMAP server: what it says is laid ready in a packet socket, cut
 * in two at a byte of choice, before the client asks anything.  What the
 * client sent comes back as one text with "|" between the flights.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../rows.h"

#include "backend/imap/internal.h"
#include "backend/internal.h"
#include "base/clock.h"

/* What servers say, and what is always asked. */
#define EX(n)                                                                  \
	"* " #n " EXISTS\r\n* OK [UIDVALIDITY 9] v\r\n"                        \
	"* OK [UIDNEXT 50] n\r\n"
#define ITEMS                                                                  \
	" (UID FLAGS RFC822.SIZE INTERNALDATE BODYSTRUCTURE"                   \
	" BODY.PEEK[HEADER.FIELDS (FROM SENDER TO CC BCC REPLY-TO SUBJECT"     \
	" DATE MESSAGE-ID IN-REPLY-TO REFERENCES CONTENT-TYPE"                 \
	" AUTHENTICATION-RESULTS AUTO-SUBMITTED PRECEDENCE RETURN-PATH"        \
	" LIST-ID LIST-POST LIST-UNSUBSCRIBE)])\r\n"
#define OUT "|e0 LOGOUT\r\n"

struct script {
	struct arena *a;
	struct backend_account acct;
	struct secret *secret;
	struct imap_session *s;
	int server;
	char sent[65536]; /* the client's flights */
};

static void
script_open(struct script *t, const char *says, size_t cut)
{
	int fd[2];
	size_t n = strlen(says);

	memset(t, 0, sizeof(*t));
	t->a = arena_open(64UL << 20);
	t->secret = secret_new("p\"w", 3);
	t->acct = (struct backend_account){
		.name = S("work"),
		.username = S("me"),
		.secret = t->secret,
		.imap_host = S("mail.example"),
		.imap_port = 993,
		.deadline_ms = clock_mono_ms() + 5000,
	};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) < 0)
		abort();
	if (cut > n)
		cut = n;
	if (cut > 0 && send(fd[0], says, cut, 0) < 0)
		abort();
	if (cut < n && send(fd[0], says + cut, n - cut, 0) < 0)
		abort();
	(void)shutdown(fd[0], SHUT_WR);
	t->server = fd[0];
	t->s = imap_session_over(&t->acct, t->a,
	    wire_over(fd[1], t->acct.deadline_ms));
}

/* Reads what the client sent; the session is over. */
static void
script_close(struct script *t)
{
	size_t n = 0;
	ssize_t r;

	imap_session_drop(t->s);
	(void)fcntl(t->server, F_SETFL, O_NONBLOCK);
	while (n + 2 < sizeof(t->sent)) {
		r = recv(t->server, t->sent + n, sizeof(t->sent) - n - 2, 0);
		/* That the client hung up is said before what it sent. */
		if (r < 0 && errno == ECONNRESET)
			continue;
		if (r <= 0)
			break;
		n += (size_t)r;
		t->sent[n++] = '|';
	}
	t->sent[n > 0 ? n - 1 : 0] = '\0';
	(void)close(t->server);
	secret_close(&t->secret);
}

/* Ends the session, and looks at what the caller got and what was sent. */
static inline void
script_expect(struct script *t, struct str got, const char *want,
    const char *sent, size_t cut)
{
	imap_backend.close(&t->s->conn);
	script_close(t);
	if (!str_eq(got, str_of(want)) || strcmp(t->sent, sent) != 0)
		print_message("cut at %zu\n", cut);
	assert_string_equal(got.p, want);
	assert_string_equal(t->sent, sent);
	arena_close(&t->a);
}

/* Plays each row of a table once for every byte its `says` can be cut at. */
#define SCRIPT_MAIN(group, table, play)                                        \
	static void play_all(void **state)                                     \
	{                                                                      \
		const __typeof__((table)[0]) *k = *state;                      \
                                                                               \
		for (size_t cut = 0; cut <= strlen(k->says); cut++)            \
			play(k, cut);                                          \
	}                                                                      \
                                                                               \
	ROWS_MAIN(group, table, play_all)

#endif
