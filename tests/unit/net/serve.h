/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_NET_SERVE_H
#define TESTS_UNIT_NET_SERVE_H

/*
 * A web server that knows its part by heart: each connection gets the next
 * answer, whatever it asks, and what it asked can be read afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"

struct serve {
	pid_t pid;
	int port;
	int asked; /* a pipe: every request, one behind the other */
	char base[64];
};

static inline size_t
serve_read(int fd, char *p, size_t room)
{
	size_t n = 0, want = 0;

	while (n + 1 < room) {
		ssize_t got = recv(fd, p + n, room - 1 - n, 0);
		const char *end, *length;

		if (got <= 0)
			break;
		n += (size_t)got;
		p[n] = '\0';
		/* What a client of a SOCKS proxy says first, RFC 1928. */
		if (p[0] == 5 && n >= 2 && n >= 2U + (unsigned char)p[1])
			break;
		end = strstr(p, "\r\n\r\n");
		if (end == NULL)
			continue;
		length = strcasestr(p, "\r\nContent-Length: ");
		want = (size_t)(end + 4 - p) +
		    (length != NULL ? strtoul(length + 18, NULL, 10) : 0);
		if (n >= want)
			break;
	}
	return n;
}

/* BASE in an answer becomes the server's own address; at HOLD the connection
 * stays open until its client closes it. */
static inline void
serve_say(int peer, const char *say, const char *base)
{
	const char *at;
	char c;

	while ((at = strstr(say, "BASE")) != NULL) {
		(void)send(peer, say, (size_t)(at - say), MSG_NOSIGNAL);
		(void)send(peer, base, strlen(base), MSG_NOSIGNAL);
		say = at + 4;
	}
	at = strstr(say, "HOLD");
	(void)send(peer, say, at != NULL ? (size_t)(at - say) : strlen(say),
	    MSG_NOSIGNAL);
	while (at != NULL)
		at = recv(peer, &c, 1, 0) > 0 ? at : NULL;
}

static inline void
serve_child(const struct serve *s, int fd, int log, const char *const *say,
    size_t n)
{
	static char ask[1 << 20];

	/* A test that fails does not stop it. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < n; i++) {
		int peer = accept(fd, NULL, NULL);
		size_t k = serve_read(peer, ask, sizeof(ask));

		if (write(log, ask, k) != (ssize_t)k)
			_exit(1);
		if (say[i][0] != '\0')
			serve_say(peer, say[i], s->base);
		else
			(void)usleep(3000000);
		(void)close(peer);
	}
	_exit(0);
}

/* An empty answer is a long silence. */
static inline void
serve_start(struct serve *s, const char *const *say, size_t n)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), log[2];

	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	assert_int_equal(pipe(log), 0);
	s->port = ntohs(at.sin_port);
	s->asked = log[0];
	(void)snprintf(s->base, sizeof(s->base), "http://127.0.0.1:%d",
	    s->port);
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (s->pid == 0)
		serve_child(s, fd, log[1], say, n);
	(void)close(fd);
	(void)close(log[1]);
}

/* Ends it; all that was asked, NUL-terminated. */
static inline char *
serve_stop(struct serve *s)
{
	static char all[1 << 20];
	size_t n = 0;
	ssize_t got;

	(void)kill(s->pid, SIGTERM);
	(void)waitpid(s->pid, NULL, 0);
	while ((got = read(s->asked, all + n, sizeof(all) - 1 - n)) > 0)
		n += (size_t)got;
	(void)close(s->asked);
	all[n] = '\0';
	return all;
}

#endif
