/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The supervisor: it listens, forks workers, and whatever runs beside them, and
 * replaces those that die.  It reads no client's data.
 */
#include <errno.h>
#include <signal.h>

#include "door/http/http.h"

#include "door/hands.h"
#include "door/http/internal.h"
#include "door/out.h"

enum {
	WORKERS = 4 /* the default */
};

/* How many processes there are: the last one may be the one beside. */
static size_t
http_hands(const struct http *h)
{
	return h->workers + (h->beside != NULL);
}

static int
http_start(const struct http *h, struct hand *w, size_t number)
{
	pid_t pid = hands_start(w, h->routes->env, true);

	if (pid == 0) {
		if (number < h->workers)
			http_worker(h, number);
		h->beside(h->beside_ctx);
		_exit(1);
	}
	return pid < 0 ? -1 : 0;
}

/* Replaces each that ended. */
static int
http_replace(const struct http *h, struct hand *all)
{
	pid_t pid;

	while ((pid = hands_next()) > 0)
		for (size_t i = 0; i < http_hands(h); i++) {
			if (all[i].pid != pid)
				continue;
			(void)usleep(
			    (useconds_t)hands_pause_ms(&all[i]) * 1000);
			if (http_start(h, &all[i], i) < 0)
				return -1;
		}
	return 0;
}

/* The next signal, or 0 when it is time to ask whether to go on. */
static int
http_await(const struct http *h, const sigset_t *mine)
{
	const struct timespec often = { 2, 0 };

	if (h->goes_on == NULL)
		return sigwaitinfo(mine, NULL);
	return sigtimedwait(mine, NULL, &often);
}

static bool
http_goes_on(const struct http *h)
{
	return h->goes_on == NULL || h->goes_on(h->goes_on_ctx);
}

int
http_supervise(const struct http *h, struct arena *a)
{
	struct hand *all = arena_array(a, http_hands(h), sizeof(*all));
	sigset_t mine;
	int r = 0;

	hands_signals(&mine);
	(void)sigprocmask(SIG_BLOCK, &mine, NULL);
	for (size_t i = 0; r == 0 && i < http_hands(h); i++)
		r = http_start(h, &all[i], i);
	if (r == 0 && h->shown.n > 0)
		(void)fprintf(stderr,
		    "emcli: listening on http://%.*s%s, %u workers\n",
		    STR_ARG(h->shown), h->routes->row->path, h->workers);
	while (r == 0 && http_goes_on(h)) {
		int sig = http_await(h, &mine);

		if (sig == SIGCHLD)
			r = http_replace(h, all);
		else if (sig > 0)
			break;
	}
	for (size_t i = 0; i < http_hands(h); i++)
		if (all[i].pid > 0)
			(void)kill(all[i].pid, SIGKILL);
	return r;
}

int
http_serve(const struct route_table *t, const struct args *args,
    struct arena *a)
{
	struct http h = { .routes = t,
		.workers = args_count(args, "workers", WORKERS) };
	struct err e = { 0 };
	int r = -1;

	h.running = running_new(h.workers, HTTP_PLACES);
	if (h.running == NULL)
		(void)err_set(&e, ERR_INTERNAL,
		    "no shared memory is available");
	else if (http_listen(&h, args, a, &e) == 0) {
		r = http_supervise(&h, a);
		(void)close(h.fd);
		if (r < 0)
			(void)err_set(&e, ERR_INTERNAL,
			    "a worker cannot be started");
	}
	if (r == 0)
		return 0;
	out_complain(&e, false);
	return out_status(&e);
}
