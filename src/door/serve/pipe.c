/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipe: the command runs in a process of its own, on three pipes, and its
 * worker relays them as frames.  The command cannot tell them from a host's.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/child.h"
#include "door/serve/internal.h"

enum {
	OF_CONN, /* places among what is polled */
	OF_IN,
	OF_OUT,
	OF_ERR,
	OF_MONITOR,
	PLACES
};

struct relay {
	const struct serve_request_pipe *q;
	pid_t pid;
	int held;          /* a descriptor of the process */
	int conn, monitor; /* -1: it is gone, or not to be heard any more */
	int in, out, err;  /* of the process; -1: closed */
	struct arena *a;   /* of a frame of input, */
	struct str rest;   /* and what the process has not read of it */
	bool ended;        /* its client has sent the end */
	int64_t until_ms;  /* 0: it may take any time */
};

/* -- the process ----------------------------------------------------------- */

/* One of its own; our end is closed in it. */
struct ends {
	int in[2], out[2], err[2];
};

static _Noreturn void
serve_pipe_become(const struct ends *x, const struct env *env,
    const struct serve_request_pipe *q)
{
	child_may_end(false);
	if (dup2(x->in[0], STDIN_FILENO) < 0 ||
	    dup2(x->out[1], STDOUT_FILENO) < 0 ||
	    dup2(x->err[1], STDERR_FILENO) < 0)
		_exit(1);
	/* Of the rest it keeps the sockets to its reader and to the monitor, by
	 * which it finds each new keeper. */
	child_keep(-1, -1);
	_exit(q->what->main(q->what, q->argc, q->argv, env));
}

static void
serve_pipe_close(struct ends *x)
{
	for (int i = 0; i < 2; i++) {
		path_close(&x->in[i]);
		path_close(&x->out[i]);
		path_close(&x->err[i]);
	}
}

/* False: there is no room for it. */
static bool
serve_pipe_start(struct relay *r, const struct env *env)
{
	struct ends x = { { -1, -1 }, { -1, -1 }, { -1, -1 } };

	r->pid = -1;
	if (pipe2(x.in, O_CLOEXEC) == 0 && pipe2(x.out, O_CLOEXEC) == 0 &&
	    pipe2(x.err, O_CLOEXEC) == 0 &&
	    fcntl(x.in[1], F_SETFL, O_NONBLOCK) == 0)
		r->pid = child_fork(env);
	if (r->pid == 0)
		serve_pipe_become(&x, env, r->q);
	if (r->pid > 0) {
		r->held = ipc_peer_open(r->pid);
		r->in = x.in[1];
		r->out = x.out[0];
		r->err = x.err[0];
		x.in[1] = x.out[0] = x.err[0] = -1;
	}
	serve_pipe_close(&x);
	return r->pid > 0;
}

/* -- its input ------------------------------------------------------------- */

/*
 * No more input comes.  What would read all of it first has not begun, and does
 * not begin with a part.
 */
static void
serve_pipe_end_input(struct relay *r)
{
	if (!r->ended && !r->q->what->turns)
		(void)kill(r->pid, SIGKILL);
	r->ended = true;
	r->rest = S("");
	path_close(&r->in);
	if (r->until_ms == 0)
		r->until_ms = clock_mono_ms() + LIMIT_SERVE_CALL_MS;
}

/* Nobody reads any more: what changes something is finished all the same. */
static void
serve_pipe_left(struct relay *r)
{
	r->conn = -1;
	serve_pipe_end_input(r);
	path_close(&r->out);
	path_close(&r->err);
}

static void
serve_pipe_refuse(struct relay *r, const struct err *e)
{
	serve_reply_refuse(r->conn, e);
	serve_pipe_left(r);
}

static void
serve_pipe_take(struct relay *r)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct ipc_frame f = { 0 };
	struct err e = { 0 };
	int got;

	arena_close(&r->a);
	r->a = arena_open(4 * LIMIT_FRAME);
	got = ipc_frame_recv(r->conn, false, r->a, &f, &with, &e);
	if (got == 1 && (f.type != FAR_INPUT || with.n > 0 || r->ended))
		got = err_set(&e, ERR_USAGE,
		    "a pipe takes input alone, up to its end");
	if (got < 0 && e.kind == ERR_USAGE)
		serve_pipe_refuse(r, &e);
	else if (got <= 0)
		serve_pipe_left(r);
	else if (f.payload.n > 0)
		r->rest = f.payload;
	else {
		r->ended = true;
		serve_pipe_end_input(r);
	}
}

static void
serve_pipe_feed(struct relay *r)
{
	ssize_t n = write(r->in, r->rest.p, r->rest.n);

	if (n >= 0)
		r->rest = str_from(r->rest, (size_t)n);
	else if (errno != EAGAIN && errno != EINTR) {
		/* It reads no more; what comes is for nobody. */
		r->rest = S("");
		path_close(&r->in);
	}
}

/* -- its output ------------------------------------------------------------ */

static void
serve_pipe_relay(struct relay *r, int *from, enum far_type type)
{
	char part[LIMIT_PIPE_PART];
	ssize_t n = read(*from, part, sizeof(part));
	struct ipc_frame f = { (char)type, { part, n > 0 ? (size_t)n : 0 } };
	struct err unread = { 0 };

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0)
		path_close(from);
	else if (ipc_frame_send(r->conn, &f, NULL, 0, &unread) < 0)
		serve_pipe_left(r);
}

/* -- both ------------------------------------------------------------------ */

static int
serve_pipe_patience(const struct relay *r)
{
	return r->until_ms == 0 ? -1 : clock_left_ms(r->until_ms);
}

static void
serve_pipe_fill(const struct relay *r, struct pollfd *at)
{
	bool waits = r->rest.n > 0;
	/* When the broker ends, a client that still writes breaks no rule. */
	bool heard = !waits && r->monitor >= 0;

	at[OF_CONN] = (struct pollfd){ r->conn, heard ? POLLIN : 0, 0 };
	at[OF_IN] = (struct pollfd){ waits ? r->in : -1, POLLOUT, 0 };
	at[OF_OUT] = (struct pollfd){ r->out, POLLIN, 0 };
	at[OF_ERR] = (struct pollfd){ r->err, POLLIN, 0 };
	at[OF_MONITOR] = (struct pollfd){ r->monitor, POLLIN, 0 };
}

static void
serve_pipe_hear(struct relay *r, const struct pollfd *at)
{
	if (at[OF_IN].revents != 0)
		serve_pipe_feed(r);
	if (at[OF_ERR].revents != 0)
		serve_pipe_relay(r, &r->err, FAR_ERROR);
	if (at[OF_OUT].revents != 0 && r->out >= 0)
		serve_pipe_relay(r, &r->out, FAR_OUTPUT);
	if (at[OF_CONN].revents & POLLIN && r->conn >= 0)
		serve_pipe_take(r);
	else if (at[OF_CONN].revents != 0 && r->conn >= 0)
		serve_pipe_left(r);
	/* The broker ends: calls that run have some time. */
	if (at[OF_MONITOR].revents != 0) {
		r->monitor = -1;
		serve_pipe_end_input(r);
	}
}

/* Until the process says nothing more. */
static void
serve_pipe_run(struct relay *r)
{
	struct pollfd at[PLACES] = { 0 };

	while (r->out >= 0 || r->err >= 0) {
		int n;

		serve_pipe_fill(r, at);
		n = poll(at, PLACES, serve_pipe_patience(r));
		if (n == 0)
			return;
		if (n > 0)
			serve_pipe_hear(r, at);
	}
}

/* What it exits with; -1: a signal ended it, or we did. */
static int
serve_pipe_reap(struct relay *r)
{
	struct pollfd p = { r->held, POLLIN, 0 };
	int status = 0;

	serve_pipe_end_input(r);
	while (r->held >= 0 && poll(&p, 1, serve_pipe_patience(r)) < 0 &&
	    errno == EINTR)
		;
	if (r->held >= 0 && p.revents == 0)
		(void)kill(r->pid, SIGKILL);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
serve_pipe_finish(struct relay *r)
{
	struct err e = { 0 };
	int status;

	/* Its input may end as well, if it has read enough. */
	r->ended = true;
	status = serve_pipe_reap(r);
	if (r->conn >= 0 && status >= 0) {
		serve_reply_end(r->conn, status);
	} else if (r->conn >= 0) {
		(void)err_set(&e, ERR_INTERNAL, "the session did not finish");
		serve_reply_refuse(r->conn, &e);
	}
	path_close(&r->held);
	path_close(&r->out);
	path_close(&r->err);
	arena_close(&r->a);
}

void
serve_pipe(const struct serve_worker *w, int conn, const struct env *env,
    const struct serve_request_pipe *q)
{
	struct relay r = { .q = q,
		.conn = conn,
		.monitor = w->monitor,
		.held = -1,
		.in = -1,
		.out = -1,
		.err = -1 };

	if (!serve_may(w, SERVE_PIPE, conn))
		return;
	if (!serve_pipe_start(&r, env)) {
		serve_reply_busy(conn);
		return;
	}
	serve_pipe_run(&r);
	serve_pipe_finish(&r);
}
