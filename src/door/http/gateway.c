/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting a gateway, and its end.  What makes it known is written last and
 * removed first, so whoever finds it can reach it.
 */
#include "door/http/gateway.h"

#include <errno.h>
#include <sys/file.h>
#include <time.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "ipc/ipc.h"

enum {
	WORKERS = 2
};

/* A gateway being started. */
struct gateway_start {
	const struct session_gateway *g;
	struct arena *a;
	int session, folder; /* its own, and gateway/run */
	struct instance x;
	struct manifest m;
	struct http h;
	struct http_gateway known;
};

/* Does the gateway that is written down run? */
static bool
http_gateway_is_there(const struct gateway_start *s)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct process is;
	struct err none = { 0 };

	return instance_process(s->session, a, &is, &none) == 0 &&
	    process_is_alive(&is);
}

/*
 * The lock ends with the process and all of its workers, which end a moment
 * after one that was killed.
 */
static int
http_gateway_lock(const struct gateway_start *s, struct err *e)
{
	const struct timespec moment = { .tv_nsec = 5 * 1000000L };
	const int64_t until_ms = clock_mono_ms() + LIMIT_SESSION_STOP_MS;

	while (flock(s->folder, LOCK_EX | LOCK_NB) < 0) {
		if (http_gateway_is_there(s) || clock_mono_ms() >= until_ms)
			return err_set(e, ERR_CONFIG,
			    "the session has a gateway already: emcli gateway "
			    "stop ends it");
		(void)nanosleep(&moment, NULL);
	}
	return 0;
}

static int
http_gateway_claim(struct gateway_start *s, struct err *e)
{
	s->session = path_dir_open(AT_FDCWD, str_c(s->a, s->g->path));
	if (s->session < 0) {
		(void)err_set(e, ERR_CONFIG, "the session cannot be opened");
		return err_errno(e, "open");
	}
	s->folder = instance_run(s->session, true, e);
	if (s->folder < 0 || http_gateway_lock(s, e) < 0)
		return -1;
	if (!process_of(getpid(), s->a, &s->x.process))
		return err_set(e, ERR_CONFIG,
		    "this process cannot be found: is /proc there?");
	if (instance_put_begin(s->session, &s->x.process, s->a, e) < 0)
		return -1;
	return manifest_read(s->session, s->a, &s->m, e);
}

static int
http_gateway_listen(struct gateway_start *s, struct err *e)
{
	if (http_listen_near(&s->h, s->g->port, s->g->any, s->a, e) < 0)
		return -1;
	s->h.far = str_eq(s->g->host, S(INSTANCE_ANY));
	s->h.local = ipc_listen(s->folder, INSTANCE_SOCKET, e);
	if (s->h.local < 0 ||
	    instance_token_make(s->session, &s->known.token, e) < 0)
		return -1;
	s->x.host = s->g->host;
	s->x.port = s->h.port;
	s->x.epoch = s->g->epoch;
	return instance_put_all(s->session, &s->x, &s->m,
	    str_fmt(s->a, "%.*s/" MANIFEST_FILE, STR_ARG(s->g->path)), s->a, e);
}

/* Its record is gone, or is another's: so nobody can find it any more. */
static bool
http_gateway_goes_on(void *ctx)
{
	const struct gateway_start *s = ctx;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct process is;
	struct err none = { 0 };

	return instance_process(s->session, a, &is, &none) == 0 &&
	    is.pid == s->x.process.pid && is.started == s->x.process.started;
}

static int
http_gateway_serve(struct gateway_start *s, const struct env *env,
    void (*ready)(void), struct err *e)
{
	const struct route_table t = {
		.row = http_mail_rows,
		.arg = &s->known,
		.env = env,
		.command = "emcli gateway",
		.no_path = "there is no such path: see emcli-gateway in the "
			   "manual",
		.no_method = "the path has another method",
		.no_token = "a bearer token is needed, that of the file "
			    "run/token; the unix socket needs none",
		.too_far = "the gateway was told to listen on 0.0.0.0, and "
			   "mail stays on 127.0.0.1",
		.body_max = LIMIT_GATEWAY_BODY,
		.bodies_max = LIMIT_GATEWAY_BODIES,
		.ready = http_mail_ready,
		.refuse = http_mail_refuse,
	};
	int r;

	s->known.session = str_c(s->a, s->g->path);
	s->known.env = env;
	s->h.workers = WORKERS;
	s->h.goes_on = http_gateway_goes_on;
	s->h.goes_on_ctx = s;
	s->h.beside = http_notifier;
	s->h.beside_ctx = &s->known;
	s->h.running = running_new(s->h.workers, HTTP_PLACES);
	if (s->h.running == NULL)
		return err_set(e, ERR_INTERNAL,
		    "no shared memory is available");
	s->h.routes = &t;
	ready();
	r = http_supervise(&s->h, s->a);
	s->h.routes = NULL;
	return r == 0 ? 0
		      : err_set(e, ERR_INTERNAL, "a worker cannot be started");
}

int
http_gateway(const struct session_gateway *g, const struct env *env,
    void (*ready)(void), struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 22);
	struct gateway_start s = { .g = g,
		.a = a,
		.session = -1,
		.folder = -1,
		.h = { .fd = -1, .local = -1 } };
	struct err why = { 0 };
	int r = http_gateway_claim(&s, e);
	bool ours = s.x.process.pid > 0;

	if (r == 0)
		r = http_gateway_listen(&s, e);
	if (r == 0)
		r = http_gateway_serve(&s, env, ready, e);
	path_close(&s.h.fd);
	path_close(&s.h.local);
	/* Unless a command cleared it already, and another began. */
	if (ours && http_gateway_goes_on(&s))
		(void)instance_put_clear(s.session, &s.m, a, &why);
	path_close(&s.folder);
	path_close(&s.session);
	return r;
}
