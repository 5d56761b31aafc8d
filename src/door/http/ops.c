/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server of operations: its sockets, which the broker opens before it
 * starts anything, and its process.
 */
#include "door/http/ops.h"

#include <unistd.h>

#include "base/path.h"
#include "door/http/http.h"
#include "ipc/ipc.h"

enum {
	WORKERS = 4
};

/* A process has one. */
struct ops {
	struct http http;
	struct arena *a;
	int folder; /* of the unix socket; -1: there is none */
	const char *name;
	struct str path; /* of that socket, as it was given */
};

/* Other users may connect. */
static int
http_ops_listen_local(struct ops *s, struct str path, struct err *e)
{
	struct err none = { 0 };
	int other;

	s->folder =
	    ipc_listen_folder(path, geteuid(), getegid(), s->a, &s->name, e);
	if (s->folder < 0)
		return -1;
	other = ipc_connect(s->folder, s->name, &none);
	if (other >= 0) {
		(void)close(other);
		return err_set(e, ERR_CONFIG,
		    "a server listens at --http-socket already");
	}
	s->http.local = ipc_listen_for(s->folder, s->name, 0666, e);
	s->http.anyone = true;
	return s->http.local < 0 ? -1 : 0;
}

static void
http_ops_close(void *service)
{
	struct ops *s = service;

	path_close(&s->http.fd);
	if (s->http.local > 0) {
		(void)close(s->http.local);
		(void)unlinkat(s->folder, s->name, 0);
	}
	path_close(&s->folder);
}

static int
http_ops_open(const struct args *args, void **service, struct err *e)
{
	static struct ops s;
	struct str at = args_text(args, "http");
	struct str path = args_text(args, "http_socket");
	int r = 0;

	*service = NULL;
	if (at.n == 0 && path.n == 0)
		return 0;
	s = (struct ops){ .a = arena_open(1 << 20),
		.folder = -1,
		.path = path,
		.http = { .workers = WORKERS, .fd = -1 } };
	s.http.running = running_new(WORKERS, HTTP_PLACES);
	if (s.http.running == NULL)
		return err_set(e, ERR_INTERNAL,
		    "no shared memory is available");
	if (at.n > 0)
		r = http_listen_loopback(&s.http, at, s.a, e);
	if (r == 0 && path.n > 0)
		r = http_ops_listen_local(&s, path, e);
	*service = &s;
	return r < 0 ? -1 : 1;
}

static void
http_ops_where(const void *service, struct str *address, struct str *path)
{
	const struct ops *s = service;

	*address = s->http.shown;
	*path = s->path;
}

static int
http_ops_serve(void *service, const struct env *given, route_confine *confine,
    route_confine_server *server)
{
	struct ops *s = service;
	char name[] = "agent";
	struct env env = *given;
	struct http_ops_known known = { &env, confine };
	const struct route_table t = {
		.row = http_ops_rows,
		.arg = &known,
		.env = &env,
		.no_path = "there is no such path: see emcli-serve(8)",
		.no_method = "the path has another method",
		.no_token = http_ops_status_no_agent,
		.body_max = LIMIT_HTTP_BODY,
		.bodies_max = LIMIT_HTTP_BODIES,
		.shared = true,
		.fault = 502,
		.tail = "\n",
		.ready = http_ops_call_ready,
		.refuse = http_ops_status_refuse,
	};
	int r;

	/* Each call has its own agent and its own account. */
	env.agent = name;
	env.account = NULL;
	child_keep(s->http.fd, s->http.local > 0 ? s->http.local : -1);
	s->http.routes = &t;
	s->http.confine = server;
	r = http_supervise(&s->http, s->a);
	s->http.routes = NULL;
	return r < 0 ? 1 : 0;
}

const struct route_beside http_ops = {
	.open = http_ops_open,
	.where = http_ops_where,
	.serve = http_ops_serve,
	.close = http_ops_close,
};
