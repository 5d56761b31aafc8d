/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_INTERNAL_H
#define DOOR_HTTP_INTERNAL_H

/*
 * Serves a table of routes over HTTP.  A supervisor forks workers that share
 * one listening socket (http.c); a worker speaks HTTP and decides only by the
 * head of a request (worker.c, route.c, call.c); the body, which strangers
 * write, is read in a separate process, so that a crash costs one request and a
 * slow mail server delays no other.
 */
#include "base/limits.h"
#include "door/route.h"

/*
 * How many calls a worker runs at once at most: the extra places are for brief
 * requests, such as a notification that cancels another.
 */
#define HTTP_PLACES (LIMIT_HTTP_CALLS + 2)

/* The options of a server. */
struct http {
	const struct route_table *routes;
	struct strs hosts;   /* accepted values of Host */
	bool near;           /* on a loopback address: any port is accepted */
	struct strs origins; /* origins of web pages that may call */
	struct str shown;    /* "127.0.0.1:8722" */
	uint32_t workers, port;
	int fd;    /* the listening socket; -1: none */
	int local; /* the same, a unix socket; 0: none */
	/* Any user may connect to the unix socket; its own user and root
	 * otherwise. */
	bool anyone;
	bool far; /* others can reach it, or think so: ROUTE_NEAR */
	/* Is it to go on?  Asked now and then; NULL: yes. */
	bool (*goes_on)(void *ctx);
	void *goes_on_ctx;
	/* What one more process beside the workers does; NULL: there is none.
	 */
	void (*beside)(void *ctx);
	void *beside_ctx;
	struct running *running;
	/* Confines a worker, which then can start no process itself; NULL: not.
	 */
	route_confine_server *confine;
};

/* listen.c: the socket, and its accepted names. */
int http_listen(struct http *h, const struct args *args, struct arena *a,
    struct err *e);
/* The same for an address that must be a loopback one. */
int http_listen_loopback(struct http *h, struct str where, struct arena *a,
    struct err *e);
/*
 * The same on 127.0.0.1.  Port 0: any; with `any`, another one if that is
 * taken.  The port is h->port.
 */
int http_listen_near(struct http *h, uint32_t port, bool any, struct arena *a,
    struct err *e);

/* http.c: serves until it is told to stop; -1: a worker cannot be started. */
int http_supervise(const struct http *h, struct arena *a);

/* worker.c: worker `number`, until it is killed. */
_Noreturn void http_worker(const struct http *h, size_t number);

/* -- strict.c: the bytes of requests, before anybody parses them. ---------- */

struct http_strict {
	char head[LIMIT_MCP_HEAD];
	size_t n;        /* bytes of an incomplete head */
	size_t body;     /* bytes of a body still to come */
	size_t declared; /* length of the last announced body */
	size_t max;      /* of a body; 0: LIMIT_MCP_BODY */
};

/* The cap of a body. */
size_t http_strict_max(const struct http *h);

/*
 * Checks the input: 0, or the status to refuse it with.  Accepted input has
 * only one reading: CRLF line ends, a method and a path, names that are tokens,
 * no folding, one Host, at most one length (RFC 9112).
 */
int http_strict_feed(struct http_strict *s, const char *p, size_t n);
/* Is a request incomplete? */
bool http_strict_open(const struct http_strict *s);

/* -- route.c: who may ask for what, by a request's looks. ------------------ */

/* NULL: there is no such header. */
struct http_looks {
	struct str method;
	const char *path, *host, *origin, *authorization, *type;
	bool local; /* over a unix socket: it needs no host, and no token */
	bool own;   /* from whom the socket is for */
};

/* The row for an allowed request; else NULL, a status, and the reason. */
const struct route *http_route(const struct http *h, const struct http_looks *x,
    struct arena *a, int *status, struct str *why);
/* What follows the row's path. */
struct str http_route_rest(const struct route *r, const char *path);
/* The methods of a path, for the header Allow. */
struct str http_route_allow(const struct http *h, const char *path,
    struct arena *a);
/* Is it of the form that emcli agent add prints? */
bool http_route_is_ours(struct str token);
/* The token in a header, by its form; otherwise empty. */
struct str http_route_token(const struct route_table *t,
    struct str authorization);

/* -- reply.c: answers without a stream. ------------------------------------ */

struct evbuffer;
struct evhttp_connection;
struct evhttp_request;

/* Of the request; NULL if missing. */
const char *http_reply_header(struct evhttp_request *req, const char *name);
const char *http_reply_path(struct evhttp_request *req);
struct str http_reply_query(struct evhttp_request *req);
/* Adds a header to the answer. */
void http_reply_put(struct evhttp_request *req, struct str name,
    struct str value);
/* Has its client hung up, or does it at least send nothing more? */
bool http_reply_gone(struct evhttp_request *req);
/*
 * For evhttp_connection_set_closecb(), of every connection: libevent would go
 * on reading from its descriptor's number, which is somebody else's next.
 */
void http_reply_on_close(struct evhttp_connection *conn, void *arg);
/* A complete answer; the body is JSON, or empty. */
void http_reply(const struct http *h, struct evhttp_request *req, int status,
    struct evbuffer *body);
/* An error before the message was read. */
void http_reply_no(const struct http *h, struct evhttp_request *req, int status,
    const char *why);

/* -- ahead.c: a process that waits for the next request. ------------------- */

struct http_ahead {
	struct child child; /* pid 0: none waits */
	int to;             /* where its request is written */
	bool due;           /* one is about to be started */
};

struct http_calls;

/* Starts one in a moment, if there is none and the table has something for it.
 */
void http_ahead_start(struct http_calls *all);
/* Gives it the request: it is *out from then on.  False: there is none for it.
 */
bool http_ahead_take(struct http_calls *all, const struct route_request *r,
    struct child *out);
/* In the process: waits for the request, and answers it. */
void http_ahead_wait(const struct http *h);
/* Has one started for that request by the worker's spawner; -1: it cannot be.
 */
int http_ahead_spawn(struct http_calls *all, const struct route_request *r,
    struct child *out);

/* -- spawn.c: starts processes for a worker that is confined. -------------- */

/* What each of them does, with its child_order(). */
typedef void http_spawn_run(const struct http *h);
/* Starts it; the worker has only its sockets afterwards.  -1: it cannot be. */
int http_spawn_begin(struct http_calls *all, http_spawn_run *run);
/* Has a process started, whose child_order() that descriptor is.  -1: it
 * cannot be; this process ends if there is no spawner any more. */
int http_spawn(const struct http_calls *all, struct child *c, int order);
/* Sends CHILD_LEFT or CHILD_STOP, whoever started it. */
void http_spawn_signal(const struct http_calls *all, const struct child *c,
    int sig);

/* -- call.c: requests on their way, of one worker. ------------------------- */

struct event;
struct event_base;

struct http_call {
	struct http_call *next;
	struct http_calls *all;
	struct evhttp_request *req;
	struct route_request asked; /* the request for its process */
	size_t place;               /* HTTP_PLACES: it is queued */
	int64_t since_ms;
	bool brief;    /* it appears to wait for nothing */
	bool stranger; /* of whose token nothing is known yet */
	struct child child;
	struct event *said, *gone;
	int status;              /* 0: not known yet */
	struct evbuffer *error;  /* the reply if the process dies */
	struct evbuffer *answer; /* the last message */
	bool bytes;              /* the answer is no text, and may be empty */
	bool streams;            /* an event was sent */
	int64_t told_ms;         /* time of the last event */
};

struct http_calls {
	const struct http *h;
	size_t number; /* of the worker */
	int spawner;   /* a socket to it; -1: this process forks them */
	struct event_base *base;
	struct http_call *first, **last;   /* waiting for a place */
	struct http_call *at[HTTP_PLACES]; /* or NULL */
	struct http_ahead ahead;
};

/* Runs a request that its route accepted, when there is a place for it. */
void http_call(struct http_calls *all, struct evhttp_request *req,
    const struct route_request *asked);
/*
 * Called several times per second: ends cancelled calls, keeps streams alive.
 */
void http_call_tick(struct http_calls *all);

/* -- turns.c: who is next, and who is one too many. ------------------------ */

/*
 * The queued call that is next, and its place; NULL: none is.  *link is what
 * points to it.
 */
struct http_call *http_turns_next(struct http_calls *all,
    struct http_call ***link, size_t *place);
/* Do too many wait for that one to wait too? */
bool http_turns_refuse(const struct http_calls *all, const struct http_call *c);

/* -- stranger.c: tokens that others issue, and nobody has checked yet. ----- */

bool http_stranger_is(const struct http_calls *all,
    const struct route_request *r);
/* Answers: come again. */
void http_stranger_refuse(const struct http_calls *all,
    struct evhttp_request *req);
/* Refuses those in the queue whose clients are gone. */
void http_stranger_sweep(struct http_calls *all);
/* It is none any more; and it may be one again, after that answer. */
void http_stranger_met(struct http_call *c);
void http_stranger_left(const struct http_call *c);

/* take.c: for evhttp_set_gencb(); arg is a struct http_calls. */
void http_take(struct evhttp_request *req, void *arg);

#endif
