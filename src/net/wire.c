/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line stream: output is buffered, and input is split into lines in another
 * buffer.  The descriptor never blocks; every wait is a poll(2) that ends at
 * the stream's deadline.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>

#include "base/clock.h"
#include "net/internal.h"

int
wire_fail(struct wire *w, struct err *e, const char *stage, const char *say)
{
	if (w != NULL)
		w->broken = true;
	(void)err_set(e, ERR_NETWORK, "%s", say);
	e->reason = stage;
	return err_conn(e);
}

static int
wire_late(struct wire *w, struct err *e)
{
	return wire_fail(w, e, NULL, "the server did not answer in time");
}

int
wire_wait(struct wire *w, short events, struct err *e)
{
	struct pollfd p = { .fd = w->fd, .events = events };
	int left, r;

	for (;;) {
		left = clock_left_ms(w->deadline_ms);
		if (left == 0)
			return wire_late(w, e);
		r = poll(&p, 1, left);
		if (r > 0)
			return 0;
		if (r < 0 && errno != EINTR) {
			(void)wire_fail(w, e, NULL, "the connection broke");
			return err_errno(e, "poll");
		}
	}
}

ssize_t
wire_recv(struct wire *w, void *p, size_t n)
{
	ssize_t r;

	do
		r = recv(w->fd, p, n, 0);
	while (r < 0 && errno == EINTR);
	if (r > 0 && w->wrote) {
		w->turns++;
		w->wrote = false;
	}
	return r;
}

ssize_t
wire_send(struct wire *w, const void *p, size_t n)
{
	ssize_t r;

	do
		r = send(w->fd, p, n, MSG_NOSIGNAL);
	while (r < 0 && errno == EINTR);
	if (r > 0)
		w->wrote = true;
	return r;
}

/* One attempt to read; 0 means: wait for *want. */
static ssize_t
wire_try_read(struct wire *w, void *p, size_t n, short *want, struct err *e)
{
	ssize_t r;

	if (w->broken)
		return wire_fail(w, e, NULL, "the connection broke");
	*want = POLLIN;
	r = w->ssl != NULL ? wire_tls_read(w, p, n, want, e)
			   : wire_recv(w, p, n);
	if (r > 0)
		w->received += (uint64_t)r;
	if (r > 0 || w->ssl != NULL)
		return r;
	if (r < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	(void)wire_fail(w, e, NULL, "the server closed the connection");
	return r < 0 ? err_errno(e, "recv") : -1;
}

/* At least one byte. */
static ssize_t
wire_read_some(struct wire *w, void *p, size_t n, struct err *e)
{
	ssize_t r;
	short want = 0;

	for (;;) {
		/* Also for a peer that keeps sending bytes. */
		if (clock_left_ms(w->deadline_ms) == 0)
			return wire_late(w, e);
		r = wire_try_read(w, p, n, &want, e);
		if (r != 0)
			return r;
		if (wire_wait(w, want, e) < 0)
			return -1;
	}
}

/* Makes room after the received data; the caller never fills it completely. */
static void
wire_make_room(struct wire *w)
{
	if (w->in_at == w->in_n) {
		w->in_at = w->in_n = 0;
	} else if (w->in_n == sizeof(w->in) && w->in_at > 0) {
		memmove(w->in, w->in + w->in_at, w->in_n - w->in_at);
		w->in_n -= w->in_at;
		w->in_at = 0;
	}
}

int
wire_fill(struct wire *w, struct err *e)
{
	ssize_t r;

	wire_make_room(w);
	r = wire_read_some(w, w->in + w->in_n, sizeof(w->in) - w->in_n, e);
	if (r < 0)
		return -1;
	w->in_n += (size_t)r;
	return 0;
}

struct wire *
wire_make(int fd, int64_t deadline_ms)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (w == NULL)
		err_bug("out of memory");
	w->fd = fd;
	w->deadline_ms = deadline_ms;
	return w;
}

struct wire *
wire_over(int fd, int64_t deadline_ms)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		err_bug("wire_over: not a descriptor");
	return wire_make(fd, deadline_ms);
}

void
wire_close(struct wire **w)
{
	struct wire *o = *w;

	if (o == NULL)
		return;
	wire_trace_close(o);
	wire_tls_close(o);
	if (o->fd >= 0)
		(void)close(o->fd);
	secret_wipe(o, sizeof(*o));
	free(o);
	*w = NULL;
}

/* Connects a plain stream to the target, directly or through a proxy. */
int
wire_reach(struct wire *w, uint16_t port, struct err *e)
{
	struct wire_proxy p = { 0 };
	bool direct;
	int r;

	if (wire_proxy_find(w->host, &p, e) < 0)
		return -1;
	direct = p.kind == WIRE_PROXY_NONE;
	r = wire_connect(direct ? w->host : p.host, direct ? port : p.port,
	    w->deadline_ms, &w->fd, e);
	w->turns++;
	if (r == 0 && !direct)
		r = wire_proxy_ask(w, &p, w->host, port, e);
	wire_trace_state(w, r == 0 ? "connected" : e->say);
	secret_wipe(&p, sizeof(p));
	return r;
}

int
wire_lookup(const struct wire_target *t, unsigned *n, struct err *e)
{
	struct wire *w = wire_make(-1, t->deadline_ms);
	struct wire_proxy p = { 0 };
	struct wire_addrs to = { .n = 0 };
	int r;

	r = wire_target_take(w, t, e) < 0 ? -1
					  : wire_proxy_find(w->host, &p, e);
	if (r == 0 &&
	    (p.kind == WIRE_PROXY_NONE || p.kind == WIRE_PROXY_SOCKS5))
		r = wire_connect_resolve(w->host, t->port, t->deadline_ms, &to,
		    e);
	*n = (unsigned)to.n;
	secret_wipe(&p, sizeof(p));
	wire_close(&w);
	return r;
}

int
wire_open(const struct wire_target *t, struct wire **out, struct err *e)
{
	struct wire *w = wire_make(-1, t->deadline_ms);

	if (wire_target_take(w, t, e) < 0 || wire_reach(w, t->port, e) < 0 ||
	    (t->security == WIRE_TLS && wire_starttls(w, e) < 0)) {
		wire_close(&w);
		return -1;
	}
	*out = w;
	return 0;
}

int
wire_starttls(struct wire *w, struct err *e)
{
	int r;

	if (w->ssl != NULL)
		err_bug("wire: TLS was started twice");
	if (wire_flush(w, e) < 0)
		return -1;
	/*
	 * Data received in the clear must not be read as if it were protected.
	 */
	if (w->in_at != w->in_n)
		return wire_fail(w, e, "tls",
		    "the server sent data in the clear before TLS began");
	r = wire_tls_start(w, e);
	wire_trace_state(w, r == 0 ? "TLS" : e->say);
	return r;
}

bool
wire_is_tls(const struct wire *w)
{
	return w->ssl != NULL && w->shaken;
}

/* One attempt to write; 0 means: wait for *want. */
static ssize_t
wire_try_write(struct wire *w, const void *p, size_t n, short *want,
    struct err *e)
{
	ssize_t r;

	if (w->broken)
		return wire_fail(w, e, NULL, "the connection broke");
	*want = POLLOUT;
	if (w->ssl != NULL)
		return wire_tls_write(w, p, n, want, e);
	r = wire_send(w, p, n);
	if (r > 0)
		return r;
	if (r < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	(void)wire_fail(w, e, NULL, "the server closed the connection");
	return err_errno(e, "send");
}

static int
wire_push(struct wire *w, struct err *e)
{
	size_t at = 0, n = w->out_n;
	ssize_t r = 0;
	short want = 0;

	while (at < n && r >= 0) {
		r = wire_try_write(w, w->out + at, n - at, &want, e);
		if (r > 0)
			at += (size_t)r;
		else if (r == 0)
			r = wire_wait(w, want, e);
	}
	/* It may have been a password. */
	secret_wipe(w->out, n);
	w->out_n = 0;
	return r < 0 ? -1 : 0;
}

int
wire_flush(struct wire *w, struct err *e)
{
	wire_trace_sent(w);
	return wire_push(w, e);
}

static int
wire_gather(struct wire *w, struct str s, struct err *e)
{
	size_t n;

	if (w->broken)
		return wire_fail(w, e, NULL, "the connection broke");
	while (s.n > 0) {
		if (w->out_n == sizeof(w->out) && wire_push(w, e) < 0)
			return -1;
		n = sizeof(w->out) - w->out_n;
		if (n > s.n)
			n = s.n;
		memcpy(w->out + w->out_n, s.p, n);
		w->out_n += n;
		s = str_from(s, n);
	}
	return 0;
}

int
wire_put(struct wire *w, struct str s, struct err *e)
{
	wire_trace_put(w, s, false);
	return wire_gather(w, s, e);
}

int
wire_say(struct wire *w, struct str s, struct err *e)
{
	wire_trace_put(w, s, true);
	return wire_gather(w, s, e);
}

int
wire_say_fmt(struct wire *w, struct err *e, const char *fmt, ...)
{
	char text[4096];
	va_list ap;
	int n, r;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(text)) {
		r = err_set(e, ERR_LIMIT,
		    "a command to the server is too long");
	} else {
		r = wire_say(w, (struct str){ text, (size_t)n }, e);
	}
	secret_wipe(text, sizeof(text));
	return r;
}

int
wire_line(struct wire *w, size_t max, struct str *out, struct err *e)
{
	const char *from, *end;
	size_t seen = 0, n;

	if (max > LIMIT_LINE)
		max = LIMIT_LINE;
	if (w->out_n > 0 && wire_flush(w, e) < 0)
		return -1;
	for (;;) {
		from = w->in + w->in_at;
		n = w->in_n - w->in_at;
		end = n > seen ? memchr(from + seen, '\n', n - seen) : NULL;
		if (end != NULL) {
			n = (size_t)(end - from);
			w->in_at += n + 1;
			if (n > 0 && from[n - 1] == '\r')
				n--;
			if (n > max)
				break;
			*out = (struct str){ from, n };
			return 0;
		}
		/* The extra byte may be the CR of the line's end. */
		if (n > max + 1)
			break;
		seen = n;
		if (wire_fill(w, e) < 0)
			return -1;
	}
	w->broken = true;
	(void)err_set(e, ERR_LIMIT, "the server sent a line that is too long");
	return err_conn(e);
}

int
wire_bytes(struct wire *w, void *p, size_t n, struct err *e)
{
	char *to = p;
	size_t have;
	ssize_t r;

	if (w->out_n > 0 && wire_flush(w, e) < 0)
		return -1;
	while (n > 0) {
		have = w->in_n - w->in_at;
		if (have > n)
			have = n;
		if (have > 0) {
			memcpy(to, w->in + w->in_at, have);
			w->in_at += have;
		} else if (n >= sizeof(w->in)) {
			/* A large body is read directly into its place. */
			r = wire_read_some(w, to, n, e);
			if (r < 0)
				return -1;
			have = (size_t)r;
		} else if (wire_fill(w, e) < 0) {
			return -1;
		}
		to += have;
		n -= have;
	}
	return 0;
}

bool
wire_pending(struct wire *w)
{
	bool broken = w->broken;
	struct err e = { 0 };
	ssize_t r;
	short want = 0;

	if (w->in_at < w->in_n)
		return true;
	wire_make_room(w);
	r = wire_try_read(w, w->in, sizeof(w->in), &want, &e);
	if (r > 0)
		w->in_n = (size_t)r;
	/* The next read reports an end or an error without waiting. */
	w->broken = broken;
	return r != 0;
}

void
wire_deadline(struct wire *w, int64_t deadline_ms)
{
	if (w != NULL)
		w->deadline_ms = deadline_ms;
}

uint64_t
wire_received(const struct wire *w)
{
	return w->received;
}

uint64_t
wire_taken(const struct wire *w)
{
	return w->received - (w->in_n - w->in_at);
}

void
wire_peer(const struct wire *w, struct wire_peer *out)
{
	*out = (struct wire_peer){ 0 };
	if (wire_is_tls(w))
		wire_tls_peer(w, out);
}

unsigned
wire_turns(const struct wire *w)
{
	return w->turns;
}
