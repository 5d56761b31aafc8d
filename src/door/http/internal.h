#ifndef DOOR_HTTP_INTERNAL_H
#define DOOR_HTTP_INTERNAL_H

/*
 * A table of routes over HTTP.  A supervisor forks workers that share one
 * listening socket (http.c); a worker speaks HTTP and decides by a request's
 * looks alone (worker.c, route.c, call.c); what a stranger wrote is read in a
 * process of its own, so that a crash costs one request, and a slow mail
 * server keeps nobody else waiting.
 */
#include "base/limits.h"
#include "door/route.h"

/* How many calls a worker has at once: those after the first are for what
 * looks brief, as a notification that cancels another. */
#define HTTP_PLACES (LIMIT_MCP_RUNNING + 2)

/* What a server was told on its command line. */
struct http {
	const struct route_table *routes;
	struct strs hosts;   /* values of Host that mean us */
	bool near;           /* on a loopback address: so does any port of it */
	struct strs origins; /* pages that may call */
	struct str shown;    /* "127.0.0.1:8722" */
	uint32_t workers;
	int fd; /* listens */
	struct running *running;
};

/* listen.c: the socket, and by which names it may be called. */
int http_listen(struct http *h, const struct args *args, struct arena *a,
    struct err *e);

/* worker.c: the one of that number, until it is killed. */
_Noreturn void http_worker(const struct http *h, size_t number);

/* -- strict.c: the bytes of requests, before anybody parses them. ---------- */

struct http_strict {
	char head[LIMIT_MCP_HEAD];
	size_t n;        /* bytes of a head that is not whole */
	size_t body;     /* bytes of a body to come */
	size_t declared; /* length of the last body that was announced */
};

/*
 * Walks over what came in: 0, or the status to refuse it with.  What passes
 * has one reading: CRLF line ends, a method and a path, names that are tokens,
 * no folding, one Host, at most one length (RFC 9112).
 */
int http_strict_feed(struct http_strict *s, const char *p, size_t n);
/* In the middle of a request? */
bool http_strict_open(const struct http_strict *s);

/* -- route.c: who may ask for what, by a request's looks. ------------------ */

/* NULL: there is no such header. */
struct http_looks {
	struct str method;
	const char *path, *host, *origin, *authorization, *type;
};

/* The row that is asked for and may be; else NULL, a status, and why. */
const struct route *http_route(const struct http *h, const struct http_looks *x,
    struct arena *a, int *status, struct str *why);
/* The methods of a path, as the header Allow has them. */
struct str http_route_allow(const struct http *h, const char *path,
    struct arena *a);
/* A token as a header has it, by its looks; else an empty one. */
struct str http_route_token(struct str authorization);

/* -- reply.c: answers without a stream. ------------------------------------ */

struct evbuffer;
struct evhttp_request;

/* Of what came in; NULL: there is none. */
const char *http_reply_header(struct evhttp_request *req, const char *name);
const char *http_reply_path(struct evhttp_request *req);
/* Into the head of the answer. */
void http_reply_put(struct evhttp_request *req, struct str name,
    struct str value);
/* A whole answer; the body is JSON, or empty. */
void http_reply(const struct http *h, struct evhttp_request *req, int status,
    struct evbuffer *body);
/* An error before anybody read the message. */
void http_reply_no(const struct http *h, struct evhttp_request *req, int status,
    const char *why);

/* -- call.c: requests on their way, of one worker. ------------------------- */

struct http_call;
struct event_base;

struct http_calls {
	const struct http *h;
	size_t number; /* of the worker */
	struct event_base *base;
	struct http_call *first, **last;   /* waiting for their turn */
	struct http_call *at[HTTP_PLACES]; /* or NULL */
};

/* For evhttp_set_gencb(); arg is a struct http_calls. */
void http_call_take(struct evhttp_request *req, void *arg);
/* A few times a second: ends what was cancelled, keeps streams alive. */
void http_call_tick(struct http_calls *all);

#endif
