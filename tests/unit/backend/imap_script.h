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

#include "backend/imap/internal.h"
#include "base/clock.h"

struct script {
	struct arena *a;
	struct backend_account acct;
	struct secret *secret;
	struct imap_session *s;
	int server;
	char sent[16384]; /* the client's flights */
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

#endif
