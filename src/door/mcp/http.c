/*
 * The supervisor: it listens, forks workers, and forks another for one that
 * died.  It reads nothing from anybody.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "door/mcp/http.h"
#include "door/out.h"

enum {
	SHORT_MS = 1000, /* who lives no longer is not replaced at once */
	PAUSE_US = 200000
};

struct hand {
	pid_t pid;
	int64_t since_ms;
};

/* What the supervisor waits for, and its workers do not. */
static void
signals(sigset_t *s)
{
	(void)sigemptyset(s);
	(void)sigaddset(s, SIGCHLD);
	(void)sigaddset(s, SIGTERM);
	(void)sigaddset(s, SIGINT);
	(void)sigaddset(s, SIGHUP);
}

static int
start(const struct mcp_http *h, struct hand *w, size_t number)
{
	const struct env *env = h->m->env;
	pid_t parent = getpid();
	sigset_t mine;

	mcp_worker_keys(env, true);
	w->since_ms = clock_mono_ms();
	w->pid = fork();
	if (w->pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		signals(&mine);
		(void)sigprocmask(SIG_UNBLOCK, &mine, NULL);
		mcp_http_worker(h, number);
	}
	mcp_worker_keys(env, false);
	return w->pid < 0 ? -1 : 0;
}

/* Of those who ended, each gets a successor. */
static int
replace(const struct mcp_http *h, struct hand *all)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (size_t i = 0; i < h->workers; i++) {
			if (all[i].pid != pid)
				continue;
			if (clock_mono_ms() - all[i].since_ms < SHORT_MS)
				(void)usleep(PAUSE_US);
			if (start(h, &all[i], i) < 0)
				return -1;
		}
	return 0;
}

static int
supervise(const struct mcp_http *h, struct hand *all)
{
	sigset_t mine;
	int r = 0;

	signals(&mine);
	(void)sigprocmask(SIG_BLOCK, &mine, NULL);
	for (size_t i = 0; r == 0 && i < h->workers; i++)
		r = start(h, &all[i], i);
	if (r == 0)
		(void)fprintf(stderr,
		    "emcli: listening on http://%.*s/mcp, %u workers\n",
		    STR_ARG(h->shown), h->workers);
	while (r == 0) {
		int sig = sigwaitinfo(&mine, NULL);

		if (sig == SIGCHLD)
			r = replace(h, all);
		else if (sig > 0)
			break;
	}
	for (size_t i = 0; i < h->workers; i++)
		if (all[i].pid > 0)
			(void)kill(all[i].pid, SIGKILL);
	return r;
}

int
mcp_http(struct mcp *m, const struct args *args, struct arena *a)
{
	struct mcp_http h = { .m = m,
		.workers = args_count(args, "workers", MCP_HTTP_WORKERS) };
	struct hand *all = arena_array(a, h.workers, sizeof(*all));
	struct err e = { 0 };

	if (mcp_initialize_store(m, &e) < 0 ||
	    mcp_http_running_make(&h, &e) < 0 ||
	    mcp_http_listen(&h, args, a, &e) < 0) {
		out_complain(&e, false);
		return out_status(&e);
	}
	if (supervise(&h, all) < 0) {
		(void)err_set(&e, ERR_INTERNAL, "no worker can be started");
		out_complain(&e, false);
		(void)close(h.fd);
		return 1;
	}
	(void)close(h.fd);
	return 0;
}
