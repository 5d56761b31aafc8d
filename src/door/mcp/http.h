#ifndef DOOR_MCP_HTTP_H
#define DOOR_MCP_HTTP_H

/*
 * The same door over HTTP (MCP's Streamable HTTP).  A supervisor forks workers
 * that share one listening socket (http.c); a worker speaks HTTP and decides
 * nothing (http_worker.c, http_call.c); each request is looked at, from its
 * token on, by a process of its own (http_answer.c), so that a crash costs one
 * request, and a slow mail server keeps nobody else waiting.
 */
#include <signal.h>
#include <stdatomic.h>

#include "base/limits.h"
#include "door/mcp/internal.h"

struct evhttp_request;

/* What a worker sends a request's process whose client hung up.  It is ignored
 * but by who may end in the middle. */
#define MCP_HTTP_CANCEL SIGUSR1
/* And whose client said that it is not wanted: the same, in every revision. */
#define MCP_HTTP_STOP SIGUSR2

/* A call on its way, as all workers see it: http_running.c. */
struct mcp_http_running {
	_Atomic uint32_t state;
	_Atomic int64_t agent, since_ms;
	_Atomic uint64_t call;
	_Atomic uint64_t asked; /* the question that it waits for, or 0 */
	_Atomic uint32_t word;  /* the answer; 0: there is none */
};

/* How many a worker has: those behind the first are for what looks like a
 * notification, which should not have to wait for what it cancels. */
#define MCP_HTTP_PLACES (LIMIT_MCP_RUNNING + 2)

/* What a server was told on its command line. */
struct mcp_http {
	struct mcp *m;
	struct strs hosts;   /* values of Host that mean us */
	bool near;           /* on a loopback address: so does any port of it */
	struct strs origins; /* pages that may call */
	struct str shown;    /* "127.0.0.1:8722" */
	uint32_t workers;
	int fd; /* listens */
	struct mcp_http_shared *shared;
};

#define MCP_HTTP_WORKERS 4

/* Serves until it is told to stop; the exit status. */
int mcp_http(struct mcp *m, const struct args *args, struct arena *a);

/* http_listen.c: the socket, and by which names it may be called. */
int mcp_http_listen(struct mcp_http *h, const struct args *args,
    struct arena *a, struct err *e);

/* http_worker.c: the one of that number, until it is killed. */
_Noreturn void mcp_http_worker(const struct mcp_http *h, size_t number);

/* -- http_strict.c: the bytes of requests, before anybody parses them. ----- */

struct mcp_http_strict {
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
int mcp_http_strict_feed(struct mcp_http_strict *s, const char *p, size_t n);
/* In the middle of a request? */
bool mcp_http_strict_open(const struct mcp_http_strict *s);

/* -- http_reply.c: what needs no process. ---------------------------------- */

struct evbuffer;

/* Of what came in; NULL: there is none. */
const char *mcp_http_reply_header(struct evhttp_request *req, const char *name);
/* Into the head of the answer. */
void mcp_http_reply_put(struct evhttp_request *req, const char *name,
    const char *value);
/* A whole answer; the body is JSON, or empty. */
void mcp_http_reply(struct evhttp_request *req, int status,
    struct evbuffer *body);
/* An error, before anybody read the message, so without its id. */
void mcp_http_reply_no(struct evhttp_request *req, int status, const char *why);
/* What can be said without knowing who it is; true: it was answered. */
bool mcp_http_reply_away(const struct mcp_http *h, struct evhttp_request *req);

/* -- http_call.c: requests on their way, of one worker. -------------------- */

struct mcp_http_call;

struct mcp_http_calls {
	const struct mcp_http *h;
	struct event_base *base;
	struct mcp_http_call *first, **last;       /* waiting for their turn */
	struct mcp_http_call *at[MCP_HTTP_PLACES]; /* or NULL */
	struct mcp_http_running *running; /* beside them, for others to see */
};

/* For evhttp_set_gencb(); arg is a struct mcp_http_calls. */
void mcp_http_call_take(struct evhttp_request *req, void *arg);
/* A few times a second: ends what was cancelled, keeps streams alive. */
void mcp_http_call_tick(struct mcp_http_calls *all);

/* -- http_answer.c: the process of one request. ---------------------------- */

/* A token as a header has it, by its looks; else an empty one. */
struct str mcp_http_answer_token(struct str authorization);
/*
 * Writes a line "STATUS SESSION" (a session only where one begins, else "-"),
 * the error to be told should it die, and the messages, a line each.
 */
_Noreturn void mcp_http_answer(const struct mcp_http *h,
    struct evhttp_request *req, struct mcp_http_running *r, uint32_t use,
    int fd);

/* -- http_running.c: who may cancel what. ---------------------------------- */

/* Before any worker is there: room for their calls. */
int mcp_http_running_make(struct mcp_http *h, struct err *e);
/* The places of the worker of that number; all are free. */
struct mcp_http_running *mcp_http_running_mine(const struct mcp_http *h,
    size_t number);
/* In a worker: a process is about to be made for what came in then.  Returns
 * which use of the place it is: a process can outlive its worker. */
uint32_t mcp_http_running_take(struct mcp_http_running *r, int64_t since_ms);
void mcp_http_running_drop(struct mcp_http_running *r);
/* In that process: whose call it is, from now on. */
void mcp_http_running_name(const struct mcp_http *h, struct mcp_http_running *r,
    uint32_t use, const struct mcp_request *q);
/* In any: the one of that id, of this client's session, is not wanted. */
void mcp_http_running_cancel(const struct mcp_http *h,
    const struct mcp_request *q, const struct mcp_id *id);
/* How often a list was given of late in this session, or in one that shares its
 * number; and one more time. */
uint32_t mcp_http_running_lists(const struct mcp_http *h,
    const struct mcp_request *q);
void mcp_http_running_listed(const struct mcp_http *h,
    const struct mcp_request *q);
/* Until it was given again since then, LIMIT_MCP_HOLD_MS at most. */
void mcp_http_running_hold(const struct mcp_http *h,
    const struct mcp_request *q, uint32_t since);
/* In the process of a call: it asks by that id.  False: too many wait. */
bool mcp_http_running_ask(const struct mcp_request *q, struct str id);
/* The answer to that; false: there is none, for LIMIT_MCP_ASK_MS or because it
 * is not wanted. */
bool mcp_http_running_await(int *word);
/* In any: this client answers a question, or will not. */
void mcp_http_running_told(const struct mcp_http *h,
    const struct mcp_request *answer);
bool mcp_http_running_cancelled(const struct mcp_http_running *r, uint32_t use);

#endif
