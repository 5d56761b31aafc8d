/*
 * Requests of one worker: looked at from the outside, handed to a process each,
 * and answered with what that says: one JSON text, or a stream of events when
 * there is something to tell before the end.
 */
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/clock.h"
#include "door/mcp/http.h"

enum {
	PIECE = 65536,
	SESSION_MAX = 80,
	QUIET_MS = 10000 /* proxies give up on a stream that says nothing */
};

#define NOTICE "{\"jsonrpc\":\"2.0\",\"method\":"

struct mcp_http_call {
	struct mcp_http_call *next;
	struct mcp_http_calls *all;
	struct evhttp_request *req;
	struct mcp_http_running *running; /* NULL: it waits for its turn */
	uint32_t use;                     /* of that place */
	int64_t since_ms;
	bool brief; /* by its looks it waits for nothing */
	bool left;  /* its client hung up */
	pid_t pid;
	int fd;
	struct event *said, *gone;
	struct evbuffer *in;
	size_t seen; /* bytes of `in` without a line end */
	int lines;   /* so far */
	int status;  /* 0: not told yet */
	char session[SESSION_MAX];
	struct evbuffer *error;  /* what is said should the process die */
	struct evbuffer *answer; /* the last message */
	bool streams;            /* an event was sent */
	int64_t told_ms;         /* the last of them */
	bool over;               /* it says more than anybody may */
};

static void start_next(struct mcp_http_calls *all);

static void
done(struct mcp_http_call *c)
{
	struct mcp_http_calls *all = c->all;

	if (c->running != NULL)
		all->at[c->running - all->running] = NULL;
	if (c->said != NULL)
		event_free(c->said);
	if (c->gone != NULL)
		event_free(c->gone);
	if (c->in != NULL)
		evbuffer_free(c->in);
	if (c->error != NULL)
		evbuffer_free(c->error);
	if (c->answer != NULL)
		evbuffer_free(c->answer);
	free(c);
	start_next(all);
}

static void
begin_stream(struct mcp_http_call *c)
{
	if (c->streams)
		return;
	mcp_http_reply_put(c->req, "Content-Type", "text/event-stream");
	mcp_http_reply_put(c->req, "Cache-Control", "no-store");
	mcp_http_reply_put(c->req, "X-Accel-Buffering", "no");
	evhttp_send_reply_start(c->req, 200, "OK");
	c->streams = true;
}

/* One event of a stream (server-sent events have no newline in their data). */
static void
send_event(struct mcp_http_call *c, struct evbuffer *line)
{
	begin_stream(c);
	c->told_ms = clock_mono_ms();
	(void)evbuffer_prepend(line, "data: ", 6);
	(void)evbuffer_add(line, "\n\n", 2);
	evhttp_send_reply_chunk(c->req, line);
}

/* Which readers leave out. */
static void
send_comment(struct mcp_http_call *c)
{
	struct evbuffer *line = evbuffer_new();

	if (line == NULL)
		err_bug("out of memory");
	(void)evbuffer_add(line, ":\n\n", 3);
	c->told_ms = clock_mono_ms();
	evhttp_send_reply_chunk(c->req, line);
	evbuffer_free(line);
}

/* The first line: a status, and a session or "-". */
static void
read_status(struct mcp_http_call *c, struct evbuffer *line)
{
	char text[SESSION_MAX + 8] = { 0 };
	struct str status, session;
	uint32_t n;

	(void)evbuffer_remove(line, text, sizeof(text) - 1);
	(void)str_cut(str_of(text), ' ', &status, &session);
	if (!str_to_u32(status, 599, &n) || session.n >= sizeof(c->session))
		return;
	c->status = (int)n;
	if (!str_eq(session, S("-")))
		memcpy(c->session, session.p, session.n);
}

static bool
is_cancelled(const struct mcp_http_call *c)
{
	return mcp_http_running_cancelled(c->running, c->use);
}

static void
hear(struct mcp_http_call *c, struct evbuffer *line)
{
	const char *accept = mcp_http_reply_header(c->req, "Accept");
	const char *head = NULL;
	size_t n = sizeof(NOTICE) - 1;

	c->lines++;
	if (c->lines == 1) {
		read_status(c, line);
		return;
	}
	if (c->lines == 2) {
		(void)evbuffer_add_buffer(c->error, line);
		return;
	}
	if (evbuffer_get_length(line) > n)
		head = (const char *)evbuffer_pullup(line, (ev_ssize_t)n);
	if (head == NULL || memcmp(head, NOTICE, n) != 0)
		(void)evbuffer_add_buffer(c->answer, line);
	else if (accept != NULL && !is_cancelled(c) &&
	    str_find_case(str_of(accept), S("text/event-stream")) >= 0)
		send_event(c, line);
}

static void
hear_all(struct mcp_http_call *c)
{
	for (;;) {
		struct evbuffer_ptr from, end;
		struct evbuffer *line;

		if (evbuffer_ptr_set(c->in, &from, c->seen, EVBUFFER_PTR_SET) <
		    0)
			return;
		end = evbuffer_search(c->in, "\n", 1, &from);
		if (end.pos < 0) {
			c->seen = evbuffer_get_length(c->in);
			return;
		}
		line = evbuffer_new();
		if (line == NULL)
			err_bug("out of memory");
		(void)evbuffer_remove_buffer(c->in, line, (size_t)end.pos);
		(void)evbuffer_drain(c->in, 1);
		c->seen = 0;
		hear(c, line);
		evbuffer_free(line);
	}
}

/* The process is gone, and has said all it had to say. */
static void
finish(struct mcp_http_call *c)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(c->req);
	bool told = evbuffer_get_length(c->answer) > 0;
	bool silent = c->status == 202 || c->status == 204;
	bool cancelled = is_cancelled(c);

	mcp_http_running_drop(c->running);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	(void)close(c->fd);
	if (conn != NULL)
		evhttp_connection_set_closecb(conn, NULL, NULL);
	if (c->session[0] != '\0')
		mcp_http_reply_put(c->req, "Mcp-Session-Id", c->session);
	if (cancelled) {
		/* A stream in which there is no more, and no answer. */
		begin_stream(c);
		evhttp_send_reply_end(c->req);
	} else if (c->streams) {
		send_event(c, told ? c->answer : c->error);
		evhttp_send_reply_end(c->req);
	} else if (told || silent) {
		mcp_http_reply(c->req, c->status, c->answer);
	} else if (evbuffer_get_length(c->error) > 0) {
		mcp_http_reply(c->req, 500, c->error);
	} else {
		mcp_http_reply_no(c->req, 500,
		    "the call did not come to its end");
	}
	done(c);
}

static void
on_said(evutil_socket_t fd, short what, void *arg)
{
	struct mcp_http_call *c = arg;
	int n = evbuffer_read(c->in, fd, PIECE);

	(void)what;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		finish(c);
		return;
	}
	if (evbuffer_get_length(c->in) > LIMIT_MCP_REPLY)
		c->over = true;
	if (c->over)
		(void)evbuffer_drain(c->in, evbuffer_get_length(c->in));
	else
		hear_all(c);
}

/* To hang up is to cancel, where the revision says so: the process knows. */
static void
on_gone(evutil_socket_t fd, short what, void *arg)
{
	struct mcp_http_call *c = arg;

	(void)fd;
	(void)what;
	c->left = true;
	(void)kill(c->pid, MCP_HTTP_CANCEL);
}

/* The descriptor is about to be closed, and its number another's. */
static void
on_close(struct evhttp_connection *conn, void *arg)
{
	struct mcp_http_call *c = arg;

	(void)conn;
	(void)event_del(c->gone);
	c->left = true;
	(void)kill(c->pid, MCP_HTTP_CANCEL);
}

static int
launch(struct mcp_http_call *c)
{
	const struct env *env = c->all->h->m->env;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	mcp_worker_keys(env, true);
	c->use = mcp_http_running_take(c->running, c->since_ms);
	c->pid = fork();
	if (c->pid == 0)
		mcp_http_answer(c->all->h, c->req, c->running, c->use, fd[1]);
	mcp_worker_keys(env, false);
	(void)close(fd[1]);
	c->fd = fd[0];
	if (c->pid > 0)
		return 0;
	mcp_http_running_drop(c->running);
	(void)close(fd[0]);
	return -1;
}

static void
start(struct mcp_http_call *c, size_t place)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(c->req);
	struct event_base *base = c->all->base;

	c->running = &c->all->running[place];
	c->all->at[place] = c;
	/* Nobody is there any more. */
	if (conn == NULL || launch(c) < 0) {
		mcp_http_reply_no(c->req, 503,
		    "no process for it can be started");
		done(c);
		return;
	}
	c->in = evbuffer_new();
	c->error = evbuffer_new();
	c->answer = evbuffer_new();
	c->said = event_new(base, c->fd, EV_READ | EV_PERSIST, on_said, c);
	c->gone = event_new(base,
	    bufferevent_getfd(evhttp_connection_get_bufferevent(conn)),
	    EV_CLOSED, on_gone, c);
	if (c->in == NULL || c->error == NULL || c->answer == NULL ||
	    c->said == NULL || c->gone == NULL ||
	    event_add(c->said, NULL) < 0 || event_add(c->gone, NULL) < 0)
		err_bug("out of memory");
	evhttp_connection_set_closecb(conn, on_close, c);
}

/* A free place for that one; else their number. */
static size_t
place_for(const struct mcp_http_calls *all, const struct mcp_http_call *c)
{
	size_t n = c->brief ? MCP_HTTP_PLACES : LIMIT_MCP_RUNNING;

	for (size_t i = 0; i < n; i++)
		if (all->at[i] == NULL)
			return i;
	return MCP_HTTP_PLACES;
}

/* The oldest that there is a place for. */
static void
start_next(struct mcp_http_calls *all)
{
	for (struct mcp_http_call **at = &all->first; *at != NULL;
	     at = &(*at)->next) {
		struct mcp_http_call *c = *at;
		size_t place = place_for(all, c);

		if (place == MCP_HTTP_PLACES)
			continue;
		*at = c->next;
		if (c->next == NULL)
			all->last = at;
		start(c, place);
		return;
	}
}

void
mcp_http_call_tick(struct mcp_http_calls *all)
{
	int64_t quiet_since = clock_mono_ms() - QUIET_MS;

	for (size_t i = 0; i < MCP_HTTP_PLACES; i++) {
		struct mcp_http_call *c = all->at[i];

		if (c == NULL)
			continue;
		/* Once more: the process may not have been ready for it. */
		if (c->left)
			(void)kill(c->pid, MCP_HTTP_CANCEL);
		if (is_cancelled(c))
			(void)kill(c->pid, MCP_HTTP_STOP);
		else if (c->streams && c->told_ms < quiet_since)
			send_comment(c);
	}
}

/* A notification, or an answer to what was asked: a guess, which gives it no
 * more than a place of its own. */
static bool
is_brief(struct evhttp_request *req)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(req);
	struct str notice = S("\"notifications/"), method = S("\"method\"");

	return evbuffer_search(body, notice.p, notice.n, NULL).pos >= 0 ||
	    evbuffer_search(body, method.p, method.n, NULL).pos < 0;
}

void
mcp_http_call_take(struct evhttp_request *req, void *arg)
{
	struct mcp_http_calls *all = arg;
	struct mcp_http_call *c;

	if (mcp_http_reply_away(all->h, req))
		return;
	c = calloc(1, sizeof(*c));
	if (c == NULL)
		err_bug("out of memory");
	c->all = all;
	c->req = req;
	c->since_ms = clock_mono_ms();
	c->brief = is_brief(req);
	*all->last = c;
	all->last = &c->next;
	start_next(all);
}
