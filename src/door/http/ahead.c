/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that is started before its request comes, and has done by then what
 * every request of its table begins with.  It answers one request, as any other
 * does; the next one is started when nothing else is to be done.
 */
#include <event2/event.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
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

/* Whatever its worker says: it may be confined, and this is not yet. */
static bool
http_ahead_is_sound(const struct http *h, const struct ahead_order *o)
{
	size_t rows = 0;

	while (h->routes->row[rows].path != NULL)
		rows++;
	return o->row < rows &&
	    o->place.at < (size_t)h->workers * HTTP_PLACES &&
	    o->body <= http_strict_max(h) && o->token <= LIMIT_MCP_HEAD &&
	    o->rest <= LIMIT_MCP_HEAD && o->query <= LIMIT_MCP_HEAD;
}

/* Its worker may end before there is a request: then so does this. */
void
http_ahead_wait(const struct http *h)
{
	const struct route_table *t = h->routes;
	struct route_request r = { .arg = t->arg,
		.header = http_ahead_no_header };
	struct ahead_order o;
	const char *at;
	char *text;
	size_t n;
	int fd = child_order();

	if (t->ready != NULL)
		t->ready(t->arg);
	if (!child_take(fd, &o, sizeof(o)) || !http_ahead_is_sound(h, &o))
		_exit(0);
	n = o.body + o.token + o.rest + o.query;
	at = text = malloc(n + 1);
	if (text == NULL)
		err_bug("out of memory");
	if (!child_take(fd, text, n))
		_exit(0);
	(void)close(fd);
	r.route = &t->row[o.row];
	r.place = o.place;
	r.place.table = h->running;
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

static void
http_ahead_run(void *arg)
{
	http_ahead_wait(arg);
}

/* -- in the worker --------------------------------------------------------- */

static int
http_ahead_begin(struct http_calls *all)
{
	struct http_ahead *x = &all->ahead;
	int fd[2], r;

	if (all->spawner < 0)
		return child_start_ahead(&x->child, all->h->routes->env,
		    http_ahead_run, (void *)(uintptr_t)all->h, &x->to);
	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	r = http_spawn(all, &x->child, fd[0]);
	(void)close(fd[0]);
	if (r < 0)
		(void)close(fd[1]);
	else
		x->to = fd[1];
	return r;
}

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
	if (x->child.pid == 0 && http_ahead_begin(all) < 0)
		x->child.pid = 0;
}

void
http_ahead_start(struct http_calls *all)
{
	/* Not at once: what can be written now is written first. */
	const struct timeval soon = { .tv_usec = 1 };

	if (all->h->routes->ready == NULL || all->ahead.due ||
	    all->ahead.child.pid != 0)
		return;
	/* After the answer of the last call is sent. */
	all->ahead.due = event_base_once(all->base, -1, EV_TIMEOUT,
			     http_ahead_on_idle, all, &soon) == 0;
}

static int
http_ahead_put(const struct http_calls *all, const struct route_request *r,
    int to)
{
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
	const struct str all_of[] = { { (const char *)&o, sizeof(o) }, r->body,
		r->token, r->rest, r->query };

	for (size_t i = 0; i < sizeof(all_of) / sizeof(all_of[0]); i++)
		if (all_of[i].n > 0 && path_write(to, all_of[i]) < 0)
			return -1;
	return 0;
}

bool
http_ahead_take(struct http_calls *all, const struct route_request *r,
    struct child *out)
{
	struct http_ahead *x = &all->ahead;

	if (x->child.pid == 0 || r->route->does == NULL ||
	    r->body.n > ORDER_MAX / 2 || r->token.n > ORDER_MAX / 8 ||
	    r->rest.n > ORDER_MAX / 8 || r->query.n > ORDER_MAX / 8)
		return false;
	if (http_ahead_put(all, r, x->to) == 0) {
		*out = x->child;
		http_ahead_forget(x);
		return true;
	}
	/* It died. */
	child_end(&x->child);
	http_ahead_forget(x);
	return false;
}

int
http_ahead_spawn(struct http_calls *all, const struct route_request *r,
    struct child *out)
{
	CLEANUP(path_close) int fd = memfd_create("emcli-request", MFD_CLOEXEC);

	if (fd < 0 || http_ahead_put(all, r, fd) < 0 ||
	    lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return http_spawn(all, out, fd);
}
