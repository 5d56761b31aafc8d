/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipe: standard input goes out in frames, and standard output and error come
 * back in frames.  Writing to the broker waits for nothing, so that what comes
 * back is always read.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/utf8.h"
#include "door/out.h"
#include "door/remote/internal.h"

struct relay {
	int conn;
	const struct far_pipe *pipe;
	struct arena *a;
	char part[IPC_FRAME_HEAD + LIMIT_PIPE_PART]; /* a frame of input, */
	struct str rest;                             /* and what is not sent */
	bool ended;       /* the input has, and the broker knows */
	bool shown;       /* at a terminal: all of it at the end */
	struct buf shows; /* until then */
	int status;       /* what the process exits with; -1: not yet */
};

static int
remote_pipe_fail(const struct err *e)
{
	out_complain(e, false);
	return out_status(e);
}

/* -- what is sent ---------------------------------------------------------- */

static int
remote_pipe_put(const struct env *env, const struct far_pipe *p, int argc,
    char **argv, struct arena *a, struct str *out, struct err *e)
{
	struct json *j = json_new(a);

	if (argc > LIMIT_PIPE_WORDS)
		return err_set(e, ERR_LIMIT, "at most %d words",
		    LIMIT_PIPE_WORDS);
	json_open_object(j, NULL);
	json_put_int(j, "v", FAR_VERSION);
	json_put_text(j, "pipe", p->name);
	json_open_array(j, "argv");
	for (int i = 0; i < argc; i++) {
		if (!utf8_valid(str_of(argv[i])))
			return err_set(e, ERR_USAGE,
			    "word %d is not UTF-8 text", i + 1);
		json_put_text(j, NULL, argv[i]);
	}
	json_close_array(j);
	/* Without a name it is the user's first agent. */
	if (env->named)
		json_put_text(j, "agent", env->agent);
	if (env->account != NULL)
		json_put_text(j, "account", env->account);
	json_close_object(j);
	*out = json_text(j, a);
	return 0;
}

/* The next part of the input, or its end, as a frame to be sent. */
static void
remote_pipe_read(struct relay *r)
{
	char *text = r->part + IPC_FRAME_HEAD;
	ssize_t n = read(STDIN_FILENO, text, LIMIT_PIPE_PART);
	struct ipc_frame f = { .type = FAR_INPUT };

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	/* What cannot be read any more has ended. */
	if (n <= 0)
		r->ended = true;
	else
		f.payload = (struct str){ text, (size_t)n };
	ipc_frame_head(&f, (unsigned char *)r->part);
	r->rest = (struct str){ r->part, IPC_FRAME_HEAD + f.payload.n };
}

/* As much as goes without waiting; the end of the connection is read later. */
static void
remote_pipe_send(struct relay *r)
{
	ssize_t n = ipc_pass_send(r->conn, r->rest, NULL, 0);

	if (n >= 0)
		r->rest = str_from(r->rest, (size_t)n);
	else if (errno != EAGAIN && errno != EINTR) {
		r->rest = S("");
		r->ended = true;
	}
}

/* -- what comes back ------------------------------------------------------- */

static void
remote_pipe_end(struct relay *r, int status)
{
	struct str text = buf_view(&r->shows);

	r->status = status;
	if (r->shown && out_write(STDOUT_FILENO, json_shown(r->a, text)) < 0 &&
	    status == 0)
		r->status = out_unwritten(0);
}

static void
remote_pipe_show(struct relay *r, struct str part)
{
	if (r->shown)
		buf_str(&r->shows, part);
	else if (out_write(STDOUT_FILENO, part) < 0)
		/* As in one process: a host has to read, others need not. */
		r->status = r->pipe->turns ? 1 : out_unwritten(0);
}

/* Its exit status, or why there is no pipe. */
static int
remote_pipe_finish(struct relay *r, const struct ipc_frame *f,
    struct ipc_passed *with, struct err *e)
{
	struct far_reply reply = { 0 };
	struct err why = { 0 };
	int got = remote_take_reply(r->conn, f, with, r->a, &reply, e);

	if (got <= 0)
		return got;
	if (reply.envelope.n > 0) {
		far_error(r->a, reply.envelope, &why);
		out_complain(&why, false);
	}
	remote_pipe_end(r, reply.status);
	return 1;
}

/* One frame: 1; 0: the broker's process has ended; -1. */
static int
remote_pipe_take(struct relay *r, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 * LIMIT_FRAME);
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	struct ipc_frame f = { 0 };
	int got = ipc_frame_recv(r->conn, false, a, &f, &with, e);

	if (got <= 0)
		return got;
	if (f.type == FAR_OUTPUT)
		remote_pipe_show(r, f.payload);
	else if (f.type == FAR_ERROR)
		(void)out_write(STDERR_FILENO, f.payload);
	else
		return remote_pipe_finish(r, &f, &with, e);
	return 1;
}

static int
remote_pipe_run(struct relay *r)
{
	struct err e = { 0 };

	while (r->status < 0) {
		bool waits = r->rest.n > 0;
		struct pollfd p[2] = {
			{ r->conn, (short)(waits ? POLLIN | POLLOUT : POLLIN),
			    0 },
			{ r->ended || waits ? -1 : STDIN_FILENO, POLLIN, 0 },
		};
		int got = 1;

		if (poll(p, 2, -1) < 0)
			continue;
		if (p[1].revents != 0)
			remote_pipe_read(r);
		if (r->rest.n > 0)
			remote_pipe_send(r);
		if (p[0].revents & (POLLIN | POLLHUP | POLLERR))
			got = remote_pipe_take(r, &e);
		if (got == 0 || (got < 0 && e.kind == ERR_NETWORK))
			(void)err_set(&e, ERR_INTERNAL,
			    "the broker's process ended before it was done");
		if (got <= 0)
			return remote_pipe_fail(&e);
	}
	return r->status;
}

int
remote_pipe(const struct env *env, const struct far_pipe *p, int argc,
    char **argv)
{
	static struct relay r;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int conn = -1;
	struct ipc_frame f = { .type = FAR_OPEN };
	struct err e = { 0 }, unsent = { 0 };

	if (remote_pipe_put(env, p, argc, argv, a, &f.payload, &e) < 0)
		return remote_pipe_fail(&e);
	conn = remote_find(remote_find_path(env), &e);
	if (conn < 0)
		return remote_pipe_fail(&e);
	/* Whoever refuses it may have closed already, and said why. */
	(void)ipc_frame_send(conn, &f, NULL, 0, &unsent);
	r = (struct relay){ .conn = conn, .pipe = p, .a = a, .status = -1 };
	r.shown = !p->turns && isatty(STDOUT_FILENO) == 1;
	buf_init(&r.shows, a, LIMIT_ARENA);
	return remote_pipe_run(&r);
}
