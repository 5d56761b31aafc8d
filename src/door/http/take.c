/* SPDX-License-Identifier: Apache-2.0 */
/* A request as it comes in: who may ask, and what its process is told. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <unistd.h>

#include "door/http/internal.h"
#include "ipc/ipc.h"

/* Empty for a method that no row has. */
static struct str
http_take_method(struct evhttp_request *req)
{
	switch ((int)evhttp_request_get_command(req)) {
	case EVHTTP_REQ_GET:
		return S("GET");
	case EVHTTP_REQ_POST:
		return S("POST");
	case EVHTTP_REQ_DELETE:
		return S("DELETE");
	case EVHTTP_REQ_PUT:
		return S("PUT");
	default:
		return S("");
	}
}

/* The descriptor of its connection, or -1. */
static int
http_take_socket(struct evhttp_request *req)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(req);

	return conn == NULL
	    ? -1
	    : bufferevent_getfd(evhttp_connection_get_bufferevent(conn));
}

/* Has the process that connected not ended?  Whoever has its socket now is
 * another one. */
static bool
http_take_lives(int fd)
{
	struct ipc_peer who = { 0 };
	struct err none = { 0 };
	int held;

	if (ipc_peer(fd, &who, &none) < 0)
		return false;
	held = ipc_peer_hold(fd, &who);
	if (held >= 0)
		(void)close(held);
	return held != IPC_PEER_GONE;
}

static uint32_t
http_take_uid(int fd)
{
	struct ipc_peer who = { 0 };
	struct err none = { 0 };

	return ipc_peer(fd, &who, &none) == 0 ? who.uid : UINT32_MAX;
}

/* NULL: the request was answered. */
static const struct route *
http_take_route(const struct http *h, struct evhttp_request *req)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct http_looks looks = {
		.method = http_take_method(req),
		.path = http_reply_path(req),
		.host = http_reply_header(req, "Host"),
		.origin = http_reply_header(req, "Origin"),
		.authorization = http_reply_header(req, "Authorization"),
		.type = http_reply_header(req, "Content-Type"),
	};
	const struct route *r;
	struct str why;
	int status, fd = http_take_socket(req);

	looks.local = h->local > 0 && ipc_peer_is_local(fd);
	looks.own = looks.local &&
	    (h->anyone ? http_take_lives(fd) : ipc_peer_is_own(fd));
	r = http_route(h, &looks, a, &status, &why);
	if (r == NULL)
		http_reply_no(h, req, status, str_c(a, why));
	return r;
}

static struct str
http_take_body(struct evhttp_request *req)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(req);
	struct str s = { NULL, evbuffer_get_length(body) };

	if (s.n > 0)
		s.p = (const char *)evbuffer_pullup(body, -1);
	if (s.n > 0 && s.p == NULL)
		err_bug("out of memory");
	return s;
}

/* A token and a user are never the same number, and none is 0. */
static uint64_t
http_take_caller(const struct route_request *r)
{
	const struct str uid = { (const char *)&r->uid, sizeof(r->uid) };

	if (r->token.n > 0)
		return str_hash(0, r->token) | 1;
	return r->local ? (str_hash(0, uid) | 3) - 1 : 0;
}

static struct str
http_take_header(const struct route_request *r, const char *name)
{
	return str_trim(str_of(http_reply_header(r->from, name)));
}

void
http_take(struct evhttp_request *req, void *arg)
{
	struct http_calls *all = arg;
	struct evhttp_connection *conn = evhttp_request_get_connection(req);
	struct route_request asked;
	const struct route *route;

	if (conn != NULL)
		evhttp_connection_set_closecb(conn, http_reply_on_close, NULL);
	route = http_take_route(all->h, req);

	if (route == NULL)
		return;
	asked = (struct route_request){
		.route = route,
		.arg = all->h->routes->arg,
		.body = http_take_body(req),
		.token = http_route_token(all->h->routes,
		    str_of(http_reply_header(req, "Authorization"))),
		.streams =
		    str_find_case(str_of(http_reply_header(req, "Accept")),
			S("text/event-stream")) >= 0,
		.local = all->h->local > 0 &&
		    ipc_peer_is_local(http_take_socket(req)),
		.rest = http_route_rest(route, http_reply_path(req)),
		.query = http_reply_query(req),
		.header = http_take_header,
		.from = req,
	};
	if (asked.local)
		asked.uid = http_take_uid(http_take_socket(req));
	asked.caller = http_take_caller(&asked);
	http_call(all, req, &asked);
}
