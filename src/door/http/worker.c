/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: libevent's HTTP server on the shared socket.  The bytes of each
 * connection are checked before that server gets them, and each has a deadline.
 */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "door/http/internal.h"

enum {
	TICK_MS = 250,
	LINGER_MS = 1000, /* refused clients can read why */
	LISTENERS = 2
};

struct conn {
	struct conn *next;
	struct worker *w;
	struct bufferevent *bev;
	struct http_strict strict;
	size_t held;      /* bytes that may be buffered for it */
	int64_t since_ms; /* when a request began; 0: none has */
	int64_t refused_ms;
};

struct worker {
	struct http_calls calls;
	struct evhttp *http;
	struct evconnlistener *listener[LISTENERS]; /* or NULL */
	struct event *tick;
	struct conn *conns;
	size_t n, bodies;
	bool full;
};

static const char *
http_worker_phrase(int status)
{
	switch (status) {
	case 408:
		return "Request Timeout";
	case 413:
		return "Content Too Large";
	case 431:
		return "Request Header Fields Too Large";
	case 501:
		return "Not Implemented";
	case 503:
		return "Service Unavailable";
	case 505:
		return "HTTP Version Not Supported";
	default:
		return "Bad Request";
	}
}

/* Is an answer being sent?  The server does not read meanwhile. */
static bool
http_worker_is_writing(struct bufferevent *bev)
{
	bufferevent_data_cb reads, writes;
	bufferevent_event_cb event;
	void *arg;

	bufferevent_getcb(bev, &reads, &writes, &event, &arg);
	return reads == NULL;
}

/* In the words of the door, as refusals that the server makes are. */
static struct str
http_worker_refusal(const struct http *h, int status, struct arena *a)
{
	const char *phrase = http_worker_phrase(status);
	struct buf b;

	buf_init(&b, a, 1 << 12);
	h->routes->refuse(&b, status, phrase);
	return str_fmt(a,
	    "HTTP/1.1 %d %s\r\nConnection: close\r\n"
	    "Content-Type: application/json\r\n"
	    "Content-Length: %zu\r\n\r\n%.*s",
	    status, phrase, b.n, STR_ARG(buf_view(&b)));
}

/* Answers without the server, which gets no more bytes of the connection. */
static void
http_worker_refuse(struct conn *c, int status)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);
	int fd = bufferevent_getfd(c->bev);
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct str text;

	c->refused_ms = clock_mono_ms();
	c->since_ms = 0;
	if (http_worker_is_writing(c->bev)) {
		(void)shutdown(fd, SHUT_RDWR);
	} else {
		text = http_worker_refusal(c->w->calls.h, status, a);
		(void)send(fd, text.p, text.n, MSG_NOSIGNAL | MSG_DONTWAIT);
		(void)shutdown(fd, SHUT_WR);
	}
	(void)evbuffer_drain(in, evbuffer_get_length(in));
}

static int
http_worker_feed(struct conn *c, struct evbuffer *in, size_t added)
{
	struct evbuffer_ptr at;
	struct evbuffer_iovec v[8];
	size_t from = evbuffer_get_length(in) - added;
	int n, status = 0;

	if (evbuffer_ptr_set(in, &at, from, EVBUFFER_PTR_SET) < 0)
		return 400;
	n = evbuffer_peek(in, -1, &at, v, 8);
	if (n > 8)
		return 400;
	for (int i = 0; status == 0 && i < n; i++)
		status =
		    http_strict_feed(&c->strict, v[i].iov_base, v[i].iov_len);
	return status;
}

static void
http_worker_hold(struct conn *c, size_t n)
{
	c->w->bodies += n;
	c->w->bodies -= c->held;
	c->held = n;
}

/* The cap of all that is buffered. */
static size_t
http_worker_max(const struct http *h)
{
	return h->routes->bodies_max > 0 ? h->routes->bodies_max
					 : LIMIT_MCP_BODIES;
}

/* Checks the bytes that were just read. */
static void
http_worker_walk(struct evbuffer *in, const struct evbuffer_cb_info *info,
    void *arg)
{
	struct conn *c = arg;
	int status;

	if (info->n_added == 0)
		return;
	if (c->refused_ms != 0) {
		(void)evbuffer_drain(in, evbuffer_get_length(in));
		return;
	}
	status = http_worker_feed(c, in, info->n_added);
	http_worker_hold(c, c->strict.declared + evbuffer_get_length(in));
	if (status == 0 && c->w->bodies > http_worker_max(c->w->calls.h))
		status = 503;
	if (status != 0)
		http_worker_refuse(c, status);
	else if (!http_strict_open(&c->strict))
		c->since_ms = 0;
	else if (c->since_ms == 0)
		c->since_ms = clock_mono_ms();
}

/* Does it take further connections? */
static void
http_worker_accept(struct worker *w, bool more)
{
	w->full = !more;
	for (size_t i = 0; i < LISTENERS; i++)
		if (w->listener[i] != NULL)
			(void)(more ? evconnlistener_enable(w->listener[i])
				    : evconnlistener_disable(w->listener[i]));
}

static struct bufferevent *
http_worker_meet(struct event_base *base, void *arg)
{
	struct worker *w = arg;
	struct conn *c = calloc(1, sizeof(*c));
	struct bufferevent *bev = bufferevent_socket_new(base, -1, 0);

	if (c == NULL || bev == NULL)
		err_bug("out of memory");
	*c = (struct conn){ .next = w->conns,
		.w = w,
		.bev = bev,
		.strict = { .max = http_strict_max(w->calls.h) } };
	w->conns = c;
	/* A reference, to examine it after the server has released it. */
	bufferevent_incref(bev);
	/* The server removes a body from its buffer when it is complete. */
	bufferevent_setwatermark(bev, EV_READ, 0,
	    c->strict.max + 2UL * LIMIT_MCP_HEAD);
	if (evbuffer_add_cb(bufferevent_get_input(bev), http_worker_walk, c) ==
	    NULL)
		err_bug("out of memory");
	w->n++;
	if (w->n >= LIMIT_MCP_CONNECTIONS && !w->full)
		http_worker_accept(w, false);
	return bev;
}

/* The server removes its callbacks when it is done with a connection. */
static bool
http_worker_is_over(const struct conn *c)
{
	bufferevent_data_cb reads, writes;
	bufferevent_event_cb event;
	void *arg;

	bufferevent_getcb(c->bev, &reads, &writes, &event, &arg);
	return reads == NULL && writes == NULL && event == NULL;
}

/* Between requests: nothing is buffered. */
static bool
http_worker_is_idle(const struct conn *c)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);

	return !http_strict_open(&c->strict) &&
	    !http_worker_is_writing(c->bev) &&
	    (bufferevent_get_enabled(c->bev) & EV_READ) &&
	    evbuffer_get_length(in) == 0;
}

static void
http_worker_part(struct worker *w, struct conn *c)
{
	http_worker_hold(c, 0);
	w->n--;
	(void)bufferevent_decref(c->bev);
	free(c);
}

static void
http_worker_tick(evutil_socket_t fd, short what, void *arg)
{
	struct worker *w = arg;
	struct conn **at = &w->conns;
	int64_t now = clock_mono_ms();

	(void)fd;
	(void)what;
	while (*at != NULL) {
		struct conn *c = *at;

		if (http_worker_is_over(c)) {
			*at = c->next;
			http_worker_part(w, c);
			continue;
		}
		if (c->refused_ms != 0 && now - c->refused_ms > LINGER_MS)
			(void)shutdown(bufferevent_getfd(c->bev), SHUT_RDWR);
		if (c->since_ms != 0 &&
		    now - c->since_ms > LIMIT_MCP_REQUEST_MS)
			http_worker_refuse(c, 408);
		if (http_worker_is_idle(c))
			http_worker_hold(c, 0);
		at = &c->next;
	}
	if (w->full && w->n < LIMIT_MCP_CONNECTIONS)
		http_worker_accept(w, true);
	http_call_tick(&w->calls);
}

static void
http_worker_listen(struct worker *w, size_t nth, int fd)
{
	w->listener[nth] = evconnlistener_new(w->calls.base, NULL, NULL,
	    LEV_OPT_CLOSE_ON_EXEC, 0, fd);
	if (w->listener[nth] == NULL ||
	    evhttp_bind_listener(w->http, w->listener[nth]) == NULL)
		err_bug("out of memory");
}

static void
http_worker_set_up(struct worker *w)
{
	const struct timeval every = { 0, TICK_MS * 1000L };

	w->calls.base = event_base_new();
	w->calls.last = &w->calls.first;
	w->http = evhttp_new(w->calls.base);
	if (w->http == NULL)
		err_bug("out of memory");
	evhttp_set_bevcb(w->http, http_worker_meet, w);
	if (w->calls.h->fd >= 0)
		http_worker_listen(w, 0, w->calls.h->fd);
	if (w->calls.h->local > 0)
		http_worker_listen(w, 1, w->calls.h->local);
	w->tick = event_new(w->calls.base, -1, EV_PERSIST, http_worker_tick, w);
	if (w->tick == NULL || event_add(w->tick, &every) < 0)
		err_bug("out of memory");
	evhttp_set_max_headers_size(w->http, LIMIT_MCP_HEAD);
	evhttp_set_max_body_size(w->http,
	    (ev_ssize_t)http_strict_max(w->calls.h));
	evhttp_set_timeout(w->http, LIMIT_MCP_IDLE_S);
	evhttp_set_allowed_methods(w->http,
	    EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_DELETE |
		EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT | EVHTTP_REQ_OPTIONS |
		EVHTTP_REQ_PATCH);
	evhttp_set_gencb(w->http, http_take, &w->calls);
}

_Noreturn void
http_worker(const struct http *h, size_t number)
{
	struct worker w = { .calls = { .h = h,
				.number = number,
				.spawner = -1,
				.ahead = { .to = -1 } } };
	struct err e = { 0 };

	if (h->confine != NULL &&
	    (http_spawn_begin(&w.calls, http_ahead_wait) < 0 ||
		h->confine(&e) < 0))
		_exit(1);
	running_clear(h->running, number);
	http_worker_set_up(&w);
	(void)event_base_dispatch(w.calls.base);
	_exit(1);
}
