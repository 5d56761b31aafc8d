/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loopback listener of RFC 8252 section 7.3.  Browsers open connections
 * that they may never use, so several are held at once, each with a short time
 * for its request; the first valid answer ends the wait.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "oauth/internal.h"

enum {
	PEERS = 8,
	PEER_MS = 10000,
	LINE_MAX_BYTES = 8192,
};

struct peer {
	int fd; /* -1: free */
	int64_t until_ms;
	struct oauth_request request;
};

struct oauth_listen {
	int fd;
	uint16_t port;
	struct str path;
	struct peer peer[PEERS];
	size_t line_n;
	char line[LINE_MAX_BYTES];
};

static int
oauth_listen_fail(struct err *e, uint16_t port, int fd)
{
	if (port != 0)
		(void)err_set(e, ERR_NETWORK,
		    "cannot listen on port %u of this machine: another program "
		    "may use it",
		    (unsigned)port);
	else
		(void)err_set(e, ERR_NETWORK,
		    "cannot listen on any port of this machine");
	(void)err_errno(e, "listen");
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

int
oauth_listen_open(const struct oauth_redirect *want, struct oauth_listen **out,
    struct err *e)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons(want->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	/* The port of a consent that has just ended is reusable. */
	const int again = want->port != 0;
	socklen_t n = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct oauth_listen *l;

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &again, sizeof(again)) <
		0 ||
	    bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(fd, PEERS) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &n) < 0)
		return oauth_listen_fail(e, want->port, fd);
	l = calloc(1, sizeof(*l));
	if (l == NULL)
		err_bug("out of memory");
	l->fd = fd;
	l->port = ntohs(at.sin_port);
	l->path = want->path;
	for (int i = 0; i < PEERS; i++)
		l->peer[i].fd = -1;
	*out = l;
	return 0;
}

/* The request contained a code. */
static void
oauth_listen_drop(struct peer *p)
{
	if (p->fd >= 0)
		(void)close(p->fd);
	secret_wipe(&p->request, sizeof(p->request));
	p->fd = -1;
}

void
oauth_listen_close(struct oauth_listen **lp)
{
	struct oauth_listen *l = *lp;

	if (l == NULL)
		return;
	*lp = NULL;
	for (int i = 0; i < PEERS; i++)
		oauth_listen_drop(&l->peer[i]);
	(void)close(l->fd);
	secret_wipe(l, sizeof(*l));
	free(l);
}

uint16_t
oauth_listen_port(const struct oauth_listen *l)
{
	return l->port;
}

/* Fits into the socket's buffer: a peer that does not read loses it. */
static void
oauth_listen_answer(struct peer *p, int status, const char *title,
    const char *text)
{
	char page[700], all[1200];
	int n, k;

	n = snprintf(page, sizeof(page),
	    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	    "<title>emcli: %s</title></head>\n"
	    "<body><h1>%s</h1>\n<p>%s</p></body></html>\n",
	    title, title, text);
	k = snprintf(all, sizeof(all),
	    "HTTP/1.1 %d emcli\r\nContent-Type: text/html; charset=utf-8\r\n"
	    "Content-Length: %d\r\nConnection: close\r\n"
	    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
	    "X-Content-Type-Options: nosniff\r\n"
	    "Content-Security-Policy: default-src 'none'\r\n\r\n%s",
	    status, n, page);
	(void)send(p->fd, all, (size_t)k, MSG_NOSIGNAL);
	(void)shutdown(p->fd, SHUT_WR);
}

/* 0 to continue, 1 done, -1 refused. */
static int
oauth_listen_offer(struct oauth_listen *l, struct peer *p, struct str bytes,
    int (*take)(struct str query, void *ctx), void *ctx)
{
	struct str query = { 0 };
	int status =
	    oauth_request_feed(&p->request, bytes, l->port, l->path, &query);
	int r = 0;

	if (status == 0)
		return 0;
	if (status == 200)
		r = take(query, ctx);
	if (status != 200)
		oauth_listen_answer(p, status, "Nothing here",
		    "There is nothing here.");
	else if (r == 0)
		oauth_listen_answer(p, 400, "Not the answer",
		    "This is not the answer that emcli waits for. It may come "
		    "from an earlier attempt. You may close this tab.");
	else if (r < 0)
		oauth_listen_answer(p, 200, "No consent",
		    "emcli was not given access; the terminal says why. You "
		    "may close this tab.");
	else
		oauth_listen_answer(p, 200, "Done",
		    "emcli has the answer. You may close this tab and return "
		    "to the terminal.");
	oauth_listen_drop(p);
	return r;
}

static int
oauth_listen_hear(struct oauth_listen *l, struct peer *p,
    int (*take)(struct str query, void *ctx), void *ctx)
{
	char bytes[4096];
	ssize_t n = recv(p->fd, bytes, sizeof(bytes), 0);
	int r = 0;

	if (n > 0)
		r = oauth_listen_offer(l, p, (struct str){ bytes, (size_t)n },
		    take, ctx);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		oauth_listen_drop(p);
	secret_wipe(bytes, sizeof(bytes));
	return r;
}

static void
oauth_listen_welcome(struct oauth_listen *l)
{
	int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct peer *oldest = &l->peer[0];

	if (fd < 0)
		return;
	for (int i = 0; i < PEERS; i++) {
		if (l->peer[i].fd < 0) {
			oldest = &l->peer[i];
			break;
		}
		if (l->peer[i].until_ms < oldest->until_ms)
			oldest = &l->peer[i];
	}
	oauth_listen_drop(oldest);
	oldest->fd = fd;
	oldest->until_ms = clock_mono_ms() + PEER_MS;
}

/* Lines that a person types.  At their end *paste becomes -1. */
static int
oauth_listen_read_paste(struct oauth_listen *l, int *paste,
    int (*take)(struct str query, void *ctx), void *ctx)
{
	ssize_t n =
	    read(*paste, l->line + l->line_n, sizeof(l->line) - l->line_n);
	struct str line, query;
	char *end;
	int r;

	if (n <= 0) {
		if (n == 0 || (errno != EINTR && errno != EAGAIN))
			*paste = -1;
		return 0;
	}
	l->line_n += (size_t)n;
	while ((end = memchr(l->line, '\n', l->line_n)) != NULL) {
		line = (struct str){ l->line, (size_t)(end - l->line) };
		query = oauth_answer_query(line);
		r = query.n > 0 ? take(query, ctx) : 0;
		if (r != 0)
			return r;
		l->line_n -= line.n + 1;
		memmove(l->line, end + 1, l->line_n);
	}
	if (l->line_n == sizeof(l->line))
		l->line_n = 0;
	return 0;
}

static int
oauth_listen_late(struct err *e)
{
	return err_set(e, ERR_NETWORK,
	    "the browser sent no answer in time: run the command again, or use "
	    "--device");
}

int
oauth_listen_serve(struct oauth_listen *l, int paste, int64_t deadline_ms,
    int (*take)(struct str query, void *ctx), void *ctx, struct err *e)
{
	for (;;) {
		struct pollfd v[PEERS + 2];
		int left = clock_left_ms(deadline_ms), r = 0;

		if (left == 0)
			return oauth_listen_late(e);
		for (int i = 0; i < PEERS; i++) {
			struct peer *p = &l->peer[i];

			if (p->fd >= 0 && clock_left_ms(p->until_ms) == 0)
				oauth_listen_drop(p);
			v[i] = (struct pollfd){ .fd = p->fd, .events = POLLIN };
		}
		v[PEERS] = (struct pollfd){ .fd = l->fd, .events = POLLIN };
		v[PEERS + 1] = (struct pollfd){ .fd = paste, .events = POLLIN };
		(void)poll(v, PEERS + 2, left < 1000 ? left : 1000);
		for (int i = 0; i < PEERS && r == 0; i++)
			if (v[i].fd >= 0 && v[i].revents != 0)
				r = oauth_listen_hear(l, &l->peer[i], take,
				    ctx);
		if (r == 0 && v[PEERS + 1].revents != 0)
			r = oauth_listen_read_paste(l, &paste, take, ctx);
		if (r == 0 && v[PEERS].revents != 0)
			oauth_listen_welcome(l);
		if (r != 0)
			return r < 0 ? -1 : 0;
	}
}
