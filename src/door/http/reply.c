/* SPDX-License-Identifier: Apache-2.0 */
/* Complete answers, and the headers that all answers have. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <poll.h>

#include "door/http/internal.h"

const char *
http_reply_header(struct evhttp_request *req, const char *name)
{
	return evhttp_find_header(evhttp_request_get_input_headers(req), name);
}

const char *
http_reply_path(struct evhttp_request *req)
{
	return evhttp_uri_get_path(evhttp_request_get_evhttp_uri(req));
}

struct str
http_reply_query(struct evhttp_request *req)
{
	return str_of(evhttp_uri_get_query(evhttp_request_get_evhttp_uri(req)));
}

void
http_reply_put(struct evhttp_request *req, struct str name, struct str value)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);

	(void)evhttp_add_header(evhttp_request_get_output_headers(req),
	    str_c(a, name), str_c(a, value));
}

bool
http_reply_gone(struct evhttp_request *req)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(req);
	struct pollfd p = { .events = POLLRDHUP };

	if (conn == NULL)
		return true;
	p.fd = bufferevent_getfd(evhttp_connection_get_bufferevent(conn));
	return poll(&p, 1, 0) > 0;
}

void
http_reply_on_close(struct evhttp_connection *conn, void *arg)
{
	(void)arg;
	(void)bufferevent_disable(evhttp_connection_get_bufferevent(conn),
	    EV_READ | EV_WRITE);
}

void
http_reply(const struct http *h, struct evhttp_request *req, int status,
    struct evbuffer *body)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);

	http_reply_put(req, S("Cache-Control"), S("no-store"));
	/* A route may have said more. */
	if (status == 401 &&
	    evhttp_find_header(evhttp_request_get_output_headers(req),
		"WWW-Authenticate") == NULL)
		http_reply_put(req, S("WWW-Authenticate"),
		    h->routes->challenge != NULL ? str_of(h->routes->challenge)
						 : S("Bearer realm=\"emcli\""));
	if (status == 405)
		http_reply_put(req, S("Allow"),
		    http_route_allow(h, http_reply_path(req), a));
	if (body != NULL && evbuffer_get_length(body) > 0 &&
	    evhttp_find_header(evhttp_request_get_output_headers(req),
		"Content-Type") == NULL)
		http_reply_put(req, S("Content-Type"), S("application/json"));
	/* libevent supplies the phrase. */
	evhttp_send_reply(req, status, NULL, body);
}

void
http_reply_no(const struct http *h, struct evhttp_request *req, int status,
    const char *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct evbuffer *body = evbuffer_new();
	struct buf b;

	if (body == NULL)
		err_bug("out of memory");
	buf_init(&b, a, 1 << 12);
	h->routes->refuse(&b, status, why);
	(void)evbuffer_add(body, b.p, b.n);
	if (status == 429)
		http_reply_put(req, S("Retry-After"),
		    str_fmt(a, "%d", LIMIT_HTTP_BUSY_S));
	http_reply(h, req, status, body);
	evbuffer_free(body);
}
