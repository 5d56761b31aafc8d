/*
 * The supervisor: it listens, forks workers, and replaces those that die.  It
 * reads no client's data.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "door/http/http.h"

#include "base/clock.h"
#include "door/http/internal.h"
#include "door/out.h"

enum {
	WORKERS = 4,     /* the default */
	SHORT_MS = 1000, /* a worker that dies sooner is not replaced at once */
	PAUSE_US = 200000
};

struct hand {
	pid_t pid;
	int64_t since_ms;
};

/* The supervisor waits for these signals, and its workers do not. */
static void
http_signals(sigset_t *s)
{
	(void)sigemptyset(s);
	(void)sigaddset(s, SIGCHLD);
	(void)sigaddset(s, SIGTERM);
	(void)sigaddset(s, SIGINT);
	(void)sigaddset(s, SIGHUP);
}

static int
http_start(const struct http *h, struct hand *w, size_t number)
{
	sigset_t mine;

	w->since_ms = clock_mono_ms();
	w->pid = child_fork(h->routes->env);
	if (w->pid == 0) {
		child_may_end(true);
		http_signals(&mine);
		(void)sigprocmask(SIG_UNBLOCK, &mine, NULL);
		http_worker(h, number);
	}
	return w->pid < 0 ? -1 : 0;
}

/* Replaces each worker that ended. */
static int
http_replace(const struct http *h, struct hand *all)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (size_t i = 0; i < h->workers; i++) {
			if (all[i].pid != pid)
				continue;
			if (clock_mono_ms() - all[i].since_ms < SHORT_MS)
				(void)usleep(PAUSE_US);
			if (http_start(h, &all[i], i) < 0)
				return -1;
		}
	return 0;
}

static int
http_supervise(const struct http *h, struct hand *all)
{
	sigset_t mine;
	int r = 0;

	http_signals(&mine);
	(void)sigprocmask(SIG_BLOCK, &mine, NULL);
	for (size_t i = 0; r == 0 && i < h->workers; i++)
		r = http_start(h, &all[i], i);
	if (r == 0)
		(void)fprintf(stderr,
		    "emcli: listening on http://%.*s%s, %u workers\n",
		    STR_ARG(h->shown), h->routes->row->path, h->workers);
	while (r == 0) {
		int sig = sigwaitinfo(&mine, NULL);

		if (sig == SIGCHLD)
			r = http_replace(h, all);
		else if (sig > 0)
			break;
	}
	for (size_t i = 0; i < h->workers; i++)
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
	struct hand *all = arena_array(a, h.workers, sizeof(*all));
	struct err e = { 0 };
	int r = -1;

	h.running = running_new(h.workers, HTTP_PLACES);
	if (h.running == NULL)
		(void)err_set(&e, ERR_INTERNAL,
		    "no shared memory is available");
	else if (http_listen(&h, args, a, &e) == 0) {
		r = http_supervise(&h, all);
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
