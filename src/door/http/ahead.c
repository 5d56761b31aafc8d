/*
 * A process that is started before its request comes, and has done by then what
 * every request of its table begins with.  It answers one request, as any other
 * does; the next one is started when nothing else is to be done.
 */
#include <event2/event.h>
#include <unistd.h>

#include "base/path.h"
#include "door/http/internal.h"

/* Bytes of a request that a pipe takes without waiting for its reader. */
#define ORDER_MAX 16384

/* What is written to it; the texts follow in this order. */
struct ahead_order {
	size_t row; /* of the table */
	struct running_place place;
	bool local, left, streams;
	uint32_t uid;
	size_t body, token, rest, query;
};

/* -- in the process -------------------------------------------------------- */

static struct str
http_ahead_no_header(const struct route_request *r, const char *name)
{
	(void)r;
	(void)name;
	return S("");
}

static struct str
http_ahead_text(const char **at, size_t n)
{
	struct str s = { *at, n };

	*at += n;
	return s;
}

/* Its worker may end before there is a request: then so does this. */
static void
http_ahead_wait(void *arg)
{
	const struct http_calls *all = arg;
	const struct route_table *t = all->h->routes;
	struct route_request r = { .arg = t->arg,
		.header = http_ahead_no_header };
	struct ahead_order o;
	static char text[ORDER_MAX];
	const char *at = text;
	int fd = child_order();

	t->ready(t->arg);
	if (!child_take(fd, &o, sizeof(o)) ||
	    !child_take(fd, text, o.body + o.token + o.rest + o.query))
		_exit(0);
	(void)close(fd);
	r.route = &t->row[o.row];
	r.place = o.place;
	r.local = o.local;
	r.uid = o.uid;
	r.left = o.left;
	r.streams = o.streams;
	r.body = http_ahead_text(&at, o.body);
	r.token = http_ahead_text(&at, o.token);
	r.rest = http_ahead_text(&at, o.rest);
	r.query = http_ahead_text(&at, o.query);
	r.route->answer(&r);
}

/* -- in the worker --------------------------------------------------------- */

static void
http_ahead_forget(struct http_ahead *x)
{
	path_close(&x->to);
	x->child = (struct child){ 0 };
}

static void
http_ahead_on_idle(evutil_socket_t fd, short what, void *arg)
{
	struct http_calls *all = arg;
	struct http_ahead *x = &all->ahead;

	(void)fd;
	(void)what;
	x->due = false;
	for (size_t i = 0; i < HTTP_PLACES; i++)
		if (all->at[i] != NULL)
			return;
	if (x->child.pid == 0 &&
	    child_start_ahead(&x->child, all->h->routes->env, http_ahead_wait,
		all, &x->to) < 0)
		x->child.pid = 0;
}

void
http_ahead_start(struct http_calls *all)
{
	const struct timeval now = { 0 };

	if (all->h->routes->ready == NULL || all->ahead.due ||
	    all->ahead.child.pid != 0)
		return;
	/* After the answer of the last call is sent. */
	all->ahead.due = event_base_once(all->base, -1, EV_TIMEOUT,
			     http_ahead_on_idle, all, &now) == 0;
}

static void
http_ahead_put(char *out, size_t *n, struct str s)
{
	if (s.n > 0)
		memcpy(out + *n, s.p, s.n);
	*n += s.n;
}

bool
http_ahead_take(struct http_calls *all, const struct route_request *r,
    struct child *out)
{
	struct http_ahead *x = &all->ahead;
	const struct ahead_order o = {
		.row = (size_t)(r->route - all->h->routes->row),
		.place = r->place,
		.local = r->local,
		.uid = r->uid,
		.left = r->left,
		.streams = r->streams,
		.body = r->body.n,
		.token = r->token.n,
		.rest = r->rest.n,
		.query = r->query.n,
	};
	char text[sizeof(o) + ORDER_MAX];
	size_t n = sizeof(o);

	if (x->child.pid == 0 || r->route->does == NULL ||
	    r->body.n > ORDER_MAX / 2 || r->token.n > ORDER_MAX / 8 ||
	    r->rest.n > ORDER_MAX / 8 || r->query.n > ORDER_MAX / 8)
		return false;
	memcpy(text, &o, sizeof(o));
	http_ahead_put(text, &n, r->body);
	http_ahead_put(text, &n, r->token);
	http_ahead_put(text, &n, r->rest);
	http_ahead_put(text, &n, r->query);
	if (path_write(x->to, (struct str){ text, n }) == 0) {
		*out = x->child;
		http_ahead_forget(x);
		return true;
	}
	/* It died. */
	child_end(&x->child);
	http_ahead_forget(x);
	return false;
}
