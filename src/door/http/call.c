/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of one worker: each is checked from the outside, handed to a
 * process, and answered with that process's output: one JSON text, or a stream
 * of events if there is something to report before the end.
 */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>

#include "base/base64.h"
#include "base/clock.h"
#include "door/http/internal.h"

enum {
	QUIET_MS = 10000 /* proxies drop a stream that is silent */
};

static void http_call_start_next(struct http_calls *all);

static void
http_call_done(struct http_call *c)
{
	struct http_calls *all = c->all;

	if (c->place < HTTP_PLACES)
		all->at[c->place] = NULL;
	if (c->said != NULL)
		event_free(c->said);
	if (c->gone != NULL)
		event_free(c->gone);
	if (c->error != NULL)
		evbuffer_free(c->error);
	if (c->answer != NULL)
		evbuffer_free(c->answer);
	free(c);
	http_call_start_next(all);
	http_ahead_start(all);
}

static bool
http_call_is_cancelled(const struct http_call *c)
{
	return running_cancelled(&c->asked.place);
}

static void
http_call_begin_stream(struct http_call *c)
{
	if (c->streams)
		return;
	http_reply_put(c->req, S("Content-Type"), S("text/event-stream"));
	http_reply_put(c->req, S("Cache-Control"), S("no-store"));
	http_reply_put(c->req, S("X-Accel-Buffering"), S("no"));
	evhttp_send_reply_start(c->req, 200, "OK");
	c->streams = true;
}

/* One event of a stream (server-sent events have no newline in their data). */
static void
http_call_send_event(struct http_call *c, struct evbuffer *line)
{
	http_call_begin_stream(c);
	c->told_ms = clock_mono_ms();
	(void)evbuffer_prepend(line, "data: ", 6);
	(void)evbuffer_add(line, "\n\n", 2);
	evhttp_send_reply_chunk(c->req, line);
}

static void
http_call_send_note(struct http_call *c, struct str text)
{
	struct evbuffer *line;

	if (!c->asked.streams || http_call_is_cancelled(c))
		return;
	line = evbuffer_new();
	if (line == NULL)
		err_bug("out of memory");
	(void)evbuffer_add(line, text.p, text.n);
	http_call_send_event(c, line);
	evbuffer_free(line);
}

/* A comment, which readers ignore. */
static void
http_call_send_comment(struct http_call *c)
{
	struct evbuffer *line = evbuffer_new();

	if (line == NULL)
		err_bug("out of memory");
	(void)evbuffer_add(line, ":\n\n", 3);
	c->told_ms = clock_mono_ms();
	evhttp_send_reply_chunk(c->req, line);
	evbuffer_free(line);
}

/* Part of an answer that is not text. */
static void
http_call_hear_bytes(struct http_call *c, struct str text)
{
	unsigned char *bytes = malloc(text.n + 3);
	ptrdiff_t n;

	c->bytes = true;
	if (bytes == NULL)
		err_bug("out of memory");
	n = base64_decode(bytes, text);
	if (n > 0)
		(void)evbuffer_add(c->answer, bytes, (size_t)n);
	free(bytes);
}

static void
http_call_hear(void *arg, char kind, struct str text)
{
	struct http_call *c = arg;
	struct str name, value;
	uint32_t n;

	if (kind == CHILD_STATUS && str_to_u32(text, 599, &n)) {
		c->status = (int)n;
	} else if (kind == CHILD_HEAD && str_cut(text, ':', &name, &value)) {
		http_reply_put(c->req, name, str_trim(value));
	} else if (kind == CHILD_MET) {
		http_stranger_met(c);
	} else if (kind == CHILD_FAULT) {
		(void)evbuffer_add(c->error, text.p, text.n);
	} else if (kind == CHILD_BYTES) {
		http_call_hear_bytes(c, text);
	} else if (kind == CHILD_ANSWER) {
		(void)evbuffer_add(c->answer, text.p, text.n);
	} else {
		http_call_send_note(c, text);
	}
}

static void
http_call_add_tail(const struct http_call *c, struct evbuffer *answer)
{
	const char *tail = c->all->h->routes->tail;

	if (tail != NULL && !c->bytes)
		(void)evbuffer_add(answer, tail, strlen(tail));
}

/* The process has ended, and all its output is read. */
static void
http_call_finish(struct http_call *c)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(c->req);
	bool told = evbuffer_get_length(c->answer) > 0;
	bool silent = c->status == 202 || c->status == 204 || c->bytes;
	bool cancelled = http_call_is_cancelled(c);
	int fault =
	    c->all->h->routes->fault > 0 ? c->all->h->routes->fault : 500;

	running_drop(&c->asked.place);
	http_stranger_left(c);
	if (conn != NULL)
		evhttp_connection_set_closecb(conn, http_reply_on_close, NULL);
	if (cancelled) {
		/* Ends the stream without an answer. */
		http_call_begin_stream(c);
		evhttp_send_reply_end(c->req);
	} else if (c->streams) {
		http_call_send_event(c, told ? c->answer : c->error);
		evhttp_send_reply_end(c->req);
	} else if (told || silent) {
		http_call_add_tail(c, c->answer);
		http_reply(c->all->h, c->req, c->status, c->answer);
	} else if (evbuffer_get_length(c->error) > 0) {
		http_call_add_tail(c, c->error);
		http_reply(c->all->h, c->req, fault, c->error);
	} else {
		http_reply_no(c->all->h, c->req, fault,
		    "the call did not finish");
	}
	http_call_done(c);
}

static void
http_call_on_said(evutil_socket_t fd, short what, void *arg)
{
	struct http_call *c = arg;

	(void)fd;
	(void)what;
	if (child_read(&c->child, http_call_hear, c))
		http_call_finish(c);
}

/*
 * In some revisions hanging up cancels; the process knows.  Nobody waits for
 * what an issuer says of a stranger who hung up.
 */
static void
http_call_leave(const struct http_call *c)
{
	http_spawn_signal(c->all, &c->child, CHILD_LEFT);
	if (c->stranger)
		http_spawn_signal(c->all, &c->child, CHILD_STOP);
}

static void
http_call_on_gone(evutil_socket_t fd, short what, void *arg)
{
	struct http_call *c = arg;

	(void)fd;
	(void)what;
	http_call_leave(c);
}

/* The descriptor will be closed, and its number used again. */
static void
http_call_on_close(struct evhttp_connection *conn, void *arg)
{
	struct http_call *c = arg;

	http_reply_on_close(conn, NULL);
	(void)event_del(c->gone);
	http_call_leave(c);
}

static void
http_call_work(void *arg)
{
	const struct route_request *r = arg;

	r->route->answer(r);
}

static int
http_call_launch(struct http_call *c)
{
	const struct http *h = c->all->h;

	c->asked.left = http_reply_gone(c->req);
	c->asked.place =
	    running_take(h->running, c->all->number, c->place, c->since_ms);
	running_is(&c->asked.place, c->asked.caller);
	if (http_ahead_take(c->all, &c->asked, &c->child) ||
	    (c->all->spawner >= 0
		    ? http_ahead_spawn(c->all, &c->asked, &c->child)
		    : child_start(&c->child, h->routes->env, http_call_work,
			  &c->asked)) == 0)
		return 0;
	running_drop(&c->asked.place);
	return -1;
}

static void
http_call_start(struct http_call *c, size_t place)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(c->req);
	struct event_base *base = c->all->base;

	c->place = place;
	c->all->at[place] = c;
	/* The client has disconnected. */
	if (conn == NULL || http_call_launch(c) < 0) {
		http_reply_no(c->all->h, c->req, 503,
		    "the process for it cannot be started");
		http_call_done(c);
		return;
	}
	c->error = evbuffer_new();
	c->answer = evbuffer_new();
	c->said = event_new(base, c->child.fd, EV_READ | EV_PERSIST,
	    http_call_on_said, c);
	c->gone = event_new(base,
	    bufferevent_getfd(evhttp_connection_get_bufferevent(conn)),
	    EV_CLOSED, http_call_on_gone, c);
	if (c->error == NULL || c->answer == NULL || c->said == NULL ||
	    c->gone == NULL || event_add(c->said, NULL) < 0 ||
	    event_add(c->gone, NULL) < 0)
		err_bug("out of memory");
	evhttp_connection_set_closecb(conn, http_call_on_close, c);
}

/* Starts the queued call whose turn it is; false: there is none. */
static bool
http_call_start_one(struct http_calls *all)
{
	struct http_call **link = NULL, *c;
	size_t place = HTTP_PLACES;

	c = http_turns_next(all, &link, &place);
	if (c == NULL)
		return false;
	*link = c->next;
	if (c->next == NULL)
		all->last = link;
	http_call_start(c, place);
	return true;
}

static void
http_call_start_next(struct http_calls *all)
{
	http_stranger_sweep(all);
	(void)http_call_start_one(all);
}

void
http_call_tick(struct http_calls *all)
{
	int64_t quiet_since = clock_mono_ms() - QUIET_MS;

	for (size_t i = 0; i < HTTP_PLACES; i++) {
		struct http_call *c = all->at[i];

		if (c == NULL)
			continue;
		if (http_call_is_cancelled(c))
			http_spawn_signal(c->all, &c->child, CHILD_STOP);
		else if (c->streams && c->told_ms < quiet_since)
			http_call_send_comment(c);
	}
	http_stranger_sweep(all);
	/* Another worker may have made room. */
	while (http_call_start_one(all))
		;
}

void
http_call(struct http_calls *all, struct evhttp_request *req,
    const struct route_request *asked)
{
	struct http_call *c = calloc(1, sizeof(*c));

	if (c == NULL)
		err_bug("out of memory");
	c->all = all;
	c->req = req;
	c->place = HTTP_PLACES;
	c->since_ms = clock_mono_ms();
	c->asked = *asked;
	c->brief =
	    asked->route->brief != NULL && asked->route->brief(asked->body);
	c->stranger = http_stranger_is(all, asked);
	http_stranger_sweep(all);
	if (http_turns_refuse(all, c)) {
		if (c->stranger)
			http_stranger_refuse(all, req);
		else
			http_reply_no(all->h, req, 429,
			    "there are too many calls, or too many of this "
			    "caller's");
		free(c);
		return;
	}
	*all->last = c;
	all->last = &c->next;
	(void)http_call_start_one(all);
}
